namespace tel::inline v1 {

template <class T, std::size_t... Extents>
class View;

namespace detail {

template <class T, std::size_t First, std::size_t... Rest>
struct Inner {
  using type = View<T, Rest...>;
  using Rows = View<T, dynamic, Rest...>;
};

template <std::size_t... Extents>
inline constexpr std::size_t dynamic_count = (std::size_t{0} + ... + (Extents == dynamic ? 1u : 0u));

/// Whether a view of extents `From` may become one of extents `To`: axis by axis the same, or any to dynamic.
template <class From, class To>
inline constexpr bool fits = false;
template <std::size_t... From, std::size_t... To>
  requires(sizeof...(From) == sizeof...(To))
inline constexpr bool fits<std::index_sequence<From...>, std::index_sequence<To...>> =
    ((From == To || To == dynamic) && ...);

/// What becomes a span of elements and has no shape of its own: a vector, an array, a span.
template <class Range, class T>
concept elements = std::is_constructible_v<std::span<T>, Range&> &&
                   !requires { std::remove_cvref_t<Range>::rank(); };

/// Memory of views that have neither elements nor memory, so that they differ from views that are not set.
alignas(64) inline constexpr unsigned char nothing[64]{};

/// Whether the product of the extents is `count`, also where 64 bits do not hold it.
inline bool has_count(std::size_t count, std::span<const std::size_t> extents) noexcept {
  std::size_t left = count;
  for (const std::size_t extent : extents) {
    if (extent == 0) return count == 0;
    if (left % extent != 0) return false;
    left /= extent;
  }
  return left == 1;
}

/// Of a view that is given `count` elements, but has extents of another product.
inline tel_error wrong_count(std::size_t count, std::span<const std::size_t> extents) {
  std::string text = "tel::View: " + std::to_string(count) + " elements are given for the extents [";
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    text += (axis > 0 ? " x " : "") + std::to_string(extents[axis]);
  tel_error error{TEL_EXTENT, {}};
  std::strncpy(error.text, (text + "]").c_str(), sizeof error.text - 1);
  return error;
}

}  // namespace detail

/// Memory of a tensor that somebody else owns: row-major, without gaps. Like a pointer, it can be copied, and
/// a constant view of elements that are not constant can still write them. A view is *set* unless it was made
/// without arguments, or with a null pointer for elements that there are.
template <class T, std::size_t... Extents>
class View {
  static constexpr std::size_t dynamics = detail::dynamic_count<Extents...>;

 public:
  using value_type = std::remove_const_t<T>;
  static constexpr std::size_t rank() noexcept { return sizeof...(Extents); }

  View() = default;

  /// The extents that are `dynamic`, in order. The memory must have that many elements, which nobody checks.
  template <std::integral... Sizes>
    requires(sizeof...(Sizes) == dynamics)
  View(T* data, Sizes... extents) noexcept : data_(data), extents_{static_cast<std::size_t>(extents)...} {
    if (!data_ && size() == 0) data_ = without_elements();
  }

  /// The elements of a vector, array or span, and the extents that are `dynamic`, in order. There must be as
  /// many elements as the extents say: otherwise it throws; without exceptions the view is not set.
  template <detail::elements<T> Range, std::integral... Sizes>
    requires(sizeof...(Extents) > 0 && sizeof...(Sizes) == dynamics)
  View(Range&& range, Sizes... extents) {
    auto made = try_make(range, extents...);
#ifdef TEL_EXCEPTIONS
    *this = std::move(made).value();
#else
    if (made) *this = *made;
#endif
  }
  /// The same with the reason where they are not.
  template <detail::elements<T> Range, std::integral... Sizes>
    requires(sizeof...(Sizes) == dynamics)
  static Result<View> try_make(Range&& range, Sizes... extents) {
    const std::span<T> elements(range);
    const View view(elements.data(), extents...);
    std::array<std::size_t, sizeof...(Extents)> all{};
    for (std::size_t axis = 0; axis < rank(); ++axis) all[axis] = view.extent(axis);
    if (!detail::has_count(elements.size(), all)) return detail::wrong_count(elements.size(), all);
    return view;
  }

  /// Of constant elements; of extents that are known here only at run time.
  template <class U, std::size_t... Other>
    requires(std::is_convertible_v<U (*)[], T (*)[]> &&
             detail::fits<std::index_sequence<Other...>, std::index_sequence<Extents...>>)
  View(const View<U, Other...>& other) noexcept : data_(other.data()) {
    for (std::size_t axis = 0, next = 0; axis < rank(); ++axis)
      if (declared[axis] == dynamic) extents_[next++] = other.extent(axis);
  }

  /// Of a vector, array or span.
  template <detail::elements<T> Range>
    requires(sizeof...(Extents) == 1 && dynamics == 1)
  View(Range&& range) noexcept : View(std::span<T>(range).data(), std::span<T>(range).size()) {}

  std::size_t extent(std::size_t axis) const noexcept {
    if (declared[axis] != dynamic) return declared[axis];
    std::size_t before = 0;
    for (std::size_t i = 0; i < axis; ++i) before += declared[i] == dynamic;
    return extents_[before];
  }
  std::size_t size() const noexcept {
    std::size_t product = 1;
    for (std::size_t axis = 0; axis < rank(); ++axis) product *= extent(axis);
    return product;
  }
  T* data() const noexcept { return data_; }
  T* begin() const noexcept { return data_; }
  T* end() const noexcept { return data_ + size(); }
  std::span<T> flat() const noexcept { return {data_, size()}; }

  /// An element; indices are not checked.
  template <std::integral... Indices>
    requires(sizeof...(Indices) == sizeof...(Extents))
  T& operator()(Indices... indices) const noexcept {
    std::size_t position = 0, axis = 0;
    ((position = position * extent(axis++) + static_cast<std::size_t>(indices)), ...);
    return data_[position];
  }

  /// What is at one index of the first axis: an element, or a view of the other axes.
  template <std::integral Index>
    requires(sizeof...(Extents) > 0)
  decltype(auto) operator[](Index index) const noexcept {
    if constexpr (sizeof...(Extents) == 1) {
      return static_cast<T&>(data_[static_cast<std::size_t>(index)]);
    } else {
      std::array<std::int64_t, sizeof...(Extents)> extents{};
      for (std::size_t axis = 0; axis < rank(); ++axis)
        extents[axis] = static_cast<std::int64_t>(extent(axis));
      using Rest = typename detail::Inner<T, Extents...>::type;
      Rest rest = Rest::of(data_, extents.data() + 1);
      return Rest::of(data_ + static_cast<std::size_t>(index) * rest.size(), extents.data() + 1);
    }
  }

  /// `count` of what lies behind the first axis, from `first` on.
  auto rows(std::size_t first, std::size_t count) const noexcept
    requires(sizeof...(Extents) > 0)
  {
    std::array<std::int64_t, sizeof...(Extents)> extents{};
    copy_extents(extents.data());
    extents[0] = static_cast<std::int64_t>(count);
    const std::size_t row = extent(0) > 0 ? size() / extent(0) : 0;
    using Rows = typename detail::Inner<T, Extents...>::Rows;
    return Rows::of(data_ + first * row, extents.data());
  }

  /// As the C interface has it: all extents in one array.
  static View of(T* data, const std::int64_t* extents) noexcept {
    View view;
    view.data_ = data;
    for (std::size_t axis = 0, next = 0; axis < rank(); ++axis)
      if (declared[axis] == dynamic) view.extents_[next++] = static_cast<std::size_t>(extents[axis]);
    if (!data && view.size() == 0) view.data_ = without_elements();
    return view;
  }
  void copy_extents(std::int64_t* extents) const noexcept {
    for (std::size_t axis = 0; axis < rank(); ++axis) extents[axis] = static_cast<std::int64_t>(extent(axis));
  }

 private:
  static constexpr std::array<std::size_t, sizeof...(Extents)> declared{Extents...};

  static T* without_elements() noexcept {
    return reinterpret_cast<T*>(const_cast<unsigned char*>(detail::nothing));
  }

  T* data_ = nullptr;
  std::array<std::size_t, dynamics> extents_{};
};

/// A tensor within something that owns it: constant where the owner is.
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
