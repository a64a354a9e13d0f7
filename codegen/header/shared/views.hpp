namespace tel::inline v1 {

namespace detail {

template <class T, std::size_t First, std::size_t... Rest>
struct FirstAxis;

template <std::size_t... Extents>
inline constexpr std::size_t dynamic_count = (std::size_t{0} + ... + (Extents == dynamic ? 1u : 0u));

/// Whether a view of extents `From` converts to one of extents `To`: each extent is the same or becomes
/// dynamic.
template <class From, class To>
inline constexpr bool fits = false;
template <std::size_t... From, std::size_t... To>
  requires(sizeof...(From) == sizeof...(To))
inline constexpr bool fits<std::index_sequence<From...>, std::index_sequence<To...>> =
    ((From == To || To == dynamic) && ...);

/// A vector, an array or a span of elements: what converts to a span and has no shape of its own.
template <class Range, class T>
concept elements = std::is_constructible_v<std::span<T>, Range&> &&
                   !requires { std::remove_cvref_t<Range>::rank(); };

/// The address of views without elements, which makes them differ from views that are not set.
alignas(64) inline constexpr unsigned char nothing[64]{};

inline bool has_count(std::size_t count, std::span<const std::size_t> extents) noexcept;

template <class View>
auto all_extents(const View& view) noexcept {
  std::array<std::size_t, View::rank()> all{};
  for (std::size_t axis = 0; axis < all.size(); ++axis) all[axis] = view.extent(axis);
  return all;
}

template <class T, class View>
bool fill(std::span<T> elements, const View& view) noexcept {
  return has_count(elements.size(), all_extents(view));
}

inline tel_error wrong_count(std::size_t count, std::span<const std::size_t> extents);

}  // namespace detail

/// A tensor in memory that somebody else owns: row-major, without gaps. A view can be copied like a pointer.
/// Like a constant pointer, a constant view lets its elements be written unless their type `T` is constant. A
/// view is *set* unless it was made without arguments, or from a null pointer with extents that have
/// elements.
template <class T, std::size_t... Extents>
class View {
  static constexpr std::size_t dynamics = detail::dynamic_count<Extents...>;

 public:
  using value_type = std::remove_const_t<T>;
  static constexpr std::size_t rank() noexcept { return sizeof...(Extents); }

  View() = default;

  /// Takes the extents that are `dynamic`, in order. The memory must have that many elements; this is not
  /// checked.
  template <std::integral... Sizes>
    requires(sizeof...(Sizes) == dynamics)
  View(T* data, Sizes... extents) noexcept : data_(data), extents_{static_cast<std::size_t>(extents)...} {
    if (!data_ && empty()) data_ = without_elements();
  }

  /// Takes a vector, an array or a span, and the extents that are `dynamic`, in order. If the number of
  /// elements is not the product of the extents, it throws; without exceptions the view is then not set.
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
  /// Does the same, and returns an error instead of throwing it.
  template <detail::elements<T> Range, std::integral... Sizes>
    requires(sizeof...(Sizes) == dynamics)
  static Result<View> try_make(Range&& range, Sizes... extents) {
    const std::span<T> elements(range);
    const View view(elements.data(), extents...);
    if (detail::fill(elements, view)) return view;
    return detail::wrong_count(elements.size(), detail::all_extents(view));
  }

  /// Converts to constant elements, and constant extents to dynamic ones.
  template <class U, std::size_t... Other>
    requires(std::is_convertible_v<U (*)[], T (*)[]> &&
             detail::fits<std::index_sequence<Other...>, std::index_sequence<Extents...>>)
  View(const View<U, Other...>& other) noexcept : data_(other.data()) {
    for (std::size_t axis = 0, next = 0; axis < rank(); ++axis)
      if (declared[axis] == dynamic) extents_[next++] = other.extent(axis);
  }

  /// Views a vector, an array or a span as a tensor of one axis.
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
  /// Whether there are no elements.
  bool empty() const noexcept {
    for (std::size_t axis = 0; axis < rank(); ++axis)
      if (extent(axis) == 0) return true;
    return false;
  }
  T* data() const noexcept { return data_; }
  T* begin() const noexcept { return data_; }
  T* end() const noexcept { return data_ + size(); }
  std::span<T> flat() const noexcept { return {data_, size()}; }

  /// Returns an element. The indices are not checked.
  template <std::integral... Indices>
    requires(sizeof...(Indices) == sizeof...(Extents))
  T& operator()(Indices... indices) const noexcept {
    std::size_t position = 0, axis = 0;
    ((position = position * extent(axis++) + static_cast<std::size_t>(indices)), ...);
    return data_[position];
  }

  /// Returns what is at this index of the first axis: an element, or a view of the other axes.
  template <std::integral Index>
    requires(sizeof...(Extents) > 0)
  decltype(auto) operator[](Index index) const noexcept {
    if constexpr (sizeof...(Extents) == 1) {
      return static_cast<T&>(data_[static_cast<std::size_t>(index)]);
    } else {
      return detail::FirstAxis<T, Extents...>::at(*this, static_cast<std::size_t>(index));
    }
  }

  /// Returns the view of `count` indices of the first axis, beginning at `first`.
  auto rows(std::size_t first, std::size_t count) const noexcept
    requires(sizeof...(Extents) > 0)
  {
    return detail::FirstAxis<T, Extents...>::rows(*this, first, count);
  }

  /// Makes a view as the C interface describes it, with all extents in one array.
  static View of(T* data, const std::int64_t* extents) noexcept {
    View view;
    view.data_ = data;
    for (std::size_t axis = 0, next = 0; axis < rank(); ++axis)
      if (declared[axis] == dynamic) view.extents_[next++] = static_cast<std::size_t>(extents[axis]);
    if (!data && view.empty()) view.data_ = without_elements();
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

/// The view of an input. It is made as other views are, also from a vector, an array or a span whose elements do
/// not fill its extents: the call that gets it then returns the error, which names the input.
template <class T, std::size_t... Extents>
class Input : public View<T, Extents...> {
  using Base = View<T, Extents...>;

 public:
  Input() = default;
  template <std::integral... Sizes>
    requires(sizeof...(Sizes) == detail::dynamic_count<Extents...>)
  Input(T* data, Sizes... extents) noexcept : Base(data, extents...) {}
  template <class Other>
    requires(std::is_convertible_v<Other, Base> && !detail::elements<Other, T> &&
             !requires(const std::remove_cvref_t<Other>& given) { given.fills(); })
  Input(Other&& other) noexcept : Base(std::forward<Other>(other)) {}
  template <detail::elements<T> Range, std::integral... Sizes>
    requires(sizeof...(Extents) > 0 && sizeof...(Sizes) == detail::dynamic_count<Extents...>)
  Input(Range&& range, Sizes... extents) noexcept : Base(std::span<T>(range).data(), extents...) {
    const std::span<T> elements(range);
    if (detail::fill(elements, *this)) return;
    fills_ = false;
    count_ = elements.size();
    Base::operator=(Base(static_cast<T*>(nullptr), extents...));  // a view of it is not set
  }
  /// Converts as views do. What does not fill its extents stays so.
  template <class U, std::size_t... Other>
    requires(!std::is_same_v<Input, Input<U, Other...>> && std::is_convertible_v<View<U, Other...>, Base>)
  Input(const Input<U, Other...>& other) noexcept
      : Base(other), count_(other.count()), fills_(other.fills()) {}
  /// Views a vector, an array or a span as a tensor of one axis.
  template <detail::elements<T> Range>
    requires(sizeof...(Extents) == 1 && detail::dynamic_count<Extents...> == 1)
  Input(Range&& range) noexcept : Base(std::span<T>(range)) {}

  /// Whether the elements that were given fill the extents.
  bool fills() const noexcept { return fills_; }
  /// The number of elements that were given, where they do not.
  std::size_t count() const noexcept { return count_; }

 private:
  std::size_t count_ = 0;
  bool fills_ = true;
};

namespace detail {

inline tel_error wrong_input(const char* function, const char* input, std::size_t count,
                             std::span<const std::size_t> extents);

/// Whether the input has another number of elements than its extents; sets the error then.
template <class T, std::size_t... Extents>
bool misfits(const Input<T, Extents...>& input, const char* function, const char* name, tel_error& error) {
  if (input.fills()) [[likely]]
    return false;
  error = wrong_input(function, name, input.count(), all_extents(input));
  return true;
}

}  // namespace detail

}  // namespace tel::inline v1

#endif  // TEL_DECLARATIONS_V1
