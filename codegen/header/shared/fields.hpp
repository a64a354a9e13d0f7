namespace tel::inline v1 {

namespace detail {

/// The element or the view at an index of the first axis of a view.
template <class T, std::size_t First, std::size_t... Rest>
struct FirstAxis {
  static View<T, Rest...> at(const View<T, First, Rest...>& view, std::size_t index) noexcept {
    std::array<std::int64_t, sizeof...(Rest) + 1> extents{};
    view.copy_extents(extents.data());
    const auto first = View<T, Rest...>::of(view.data(), extents.data() + 1);
    return View<T, Rest...>::of(view.data() + index * first.size(), extents.data() + 1);
  }
  static View<T, dynamic, Rest...> rows(const View<T, First, Rest...>& view, std::size_t first,
                                        std::size_t count) noexcept {
    std::array<std::int64_t, sizeof...(Rest) + 1> extents{};
    view.copy_extents(extents.data());
    const std::size_t row = view.extent(0) > 0 ? view.size() / view.extent(0) : 0;
    extents[0] = static_cast<std::int64_t>(count);
    return View<T, dynamic, Rest...>::of(view.data() + first * row, extents.data());
  }
};

/// Whether the product of the extents is `count`; the product may exceed 64 bits.
inline bool has_count(std::size_t count, std::span<const std::size_t> extents) noexcept {
  std::size_t left = count;
  for (const std::size_t extent : extents) {
    if (extent == 0) return count == 0;
    if (left % extent != 0) return false;
    left /= extent;
  }
  return left == 1;
}

inline tel_error extent_error(std::string text, std::span<const std::size_t> extents, const char* end) {
  text += '[';
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    text += (axis > 0 ? " x " : "") + std::to_string(extents[axis]);
  tel_error error{TEL_EXTENT, {}};
  std::strncpy(error.text, (text + end).c_str(), sizeof error.text - 1);
  return error;
}

/// The error of a view that is given `count` elements for extents with another product.
inline tel_error wrong_count(std::size_t count, std::span<const std::size_t> extents) {
  return extent_error("tel::View: " + std::to_string(count) + " elements are given for the extents ", extents,
                      "]");
}

/// The same for an input of a function.
inline tel_error wrong_input(const char* function, const char* input, std::size_t count,
                             std::span<const std::size_t> extents) {
  return extent_error(std::string(function) + ": the input '" + input + "' has " + std::to_string(count) +
                          (count == 1 ? " element, expected " : " elements, expected "),
                      extents, "]");
}

}  // namespace detail

/// A tensor that is a part of its owner. Its elements are constant where the owner is.
template <class T, std::size_t... Extents>
class Field {
 public:
  explicit Field(View<T, Extents...> view) noexcept : view_(view) {}
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  View<T, Extents...> view() noexcept { return view_; }
  View<const T, Extents...> view() const noexcept { return view_; }
  template <class U, std::size_t... Other>
    requires std::is_convertible_v<View<T, Extents...>, View<U, Other...>>
  operator View<U, Other...>() noexcept {
    return view();
  }
  template <class U, std::size_t... Other>
    requires std::is_convertible_v<View<const T, Extents...>, View<U, Other...>>
  operator View<U, Other...>() const noexcept {
    return view();
  }

  static constexpr std::size_t rank() noexcept { return sizeof...(Extents); }
  std::size_t extent(std::size_t axis) const noexcept { return view_.extent(axis); }
  std::size_t size() const noexcept { return view_.size(); }
  T* data() noexcept { return view_.data(); }
  const T* data() const noexcept { return view_.data(); }
  T* begin() noexcept { return view_.begin(); }
  const T* begin() const noexcept { return view_.begin(); }
  T* end() noexcept { return view_.end(); }
  const T* end() const noexcept { return view_.end(); }
  std::span<T> flat() noexcept { return view_.flat(); }
  std::span<const T> flat() const noexcept { return view_.flat(); }

  template <std::integral... Indices>
    requires(sizeof...(Indices) == sizeof...(Extents))
  T& operator()(Indices... indices) noexcept {
    return view_(indices...);
  }
  template <std::integral... Indices>
    requires(sizeof...(Indices) == sizeof...(Extents))
  const T& operator()(Indices... indices) const noexcept {
    return view_(indices...);
  }
  template <std::integral Index>
  decltype(auto) operator[](Index index) noexcept {
    return view()[index];
  }
  template <std::integral Index>
  decltype(auto) operator[](Index index) const noexcept {
    return view()[index];
  }

 protected:
  View<T, Extents...> view_;
};

}  // namespace tel::inline v1
