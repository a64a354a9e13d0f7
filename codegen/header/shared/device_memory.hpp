namespace tel::inline v1 {

/// Copies the elements of a tensor, vector or span to another one with as many elements, and waits. Each of
/// the two may be in the memory of the processor or of the GPU.
template <class From, class To>
  requires std::same_as<std::remove_cvref_t<decltype(*std::declval<const From&>().data())>,
                        std::remove_reference_t<decltype(*std::declval<To&>().data())>>
Result<void> try_copy(const From& from, To&& to, const Execution& execution) {
  if (from.size() != to.size())
    return detail::mistake("tel::copy needs a source and a destination with the same number of elements");
  return detail::copy(execution, to.data(), from.data(), from.size() * sizeof *from.data());
}

/// A tensor in the memory that calls with its execution use: for `tel::cuda`, in the memory of the GPU. Calls
/// take it as a view; `read()` copies its elements to the memory of the processor.
template <class T, std::size_t... Extents>
class DeviceTensor {
 public:
  DeviceTensor() = default;
  /// Copies the elements of a view.
  static Result<DeviceTensor> try_make(std::type_identity_t<View<const T, Extents...>> from,
                                       const Execution& execution) {
    DeviceTensor made;
    auto memory = Memory::on(execution, detail::bytes_of(from));
    if (!memory) return memory.error();
    made.memory_ = std::move(*memory);
    std::array<std::int64_t, sizeof...(Extents) + 1> extents{};
    from.copy_extents(extents.data());
    made.view_ = View<T, Extents...>::of(static_cast<T*>(made.memory_.data()), extents.data());
    if (const auto done = made.try_write(from); !done) return done.error();
    return Result<DeviceTensor>(std::move(made));
  }

  std::size_t extent(std::size_t axis) const noexcept { return view_.extent(axis); }
  std::size_t size() const noexcept { return view_.size(); }
  const Execution& execution() const noexcept { return memory_.execution(); }
  /// An address for calls on that device. Only they may access the elements.
  T* data() noexcept { return view_.data(); }
  const T* data() const noexcept { return view_.data(); }
  View<T, Extents...> view() noexcept { return view_; }
  View<const T, Extents...> view() const noexcept { return view_; }
  auto rows(std::size_t first, std::size_t count) noexcept { return view().rows(first, count); }
  auto rows(std::size_t first, std::size_t count) const noexcept { return view().rows(first, count); }

  Result<void> try_write(View<const T, Extents...> from) { return try_copy(from, view_, execution()); }
  Result<Tensor<T, Extents...>> try_read() const {
    Tensor<T, Extents...> copy(view_);
    if (!copy.data()) return detail::no_memory();
    if (const auto done = try_copy(view_, copy, execution()); !done) return done.error();
    return Result<Tensor<T, Extents...>>(std::move(copy));
  }
#ifdef TEL_EXCEPTIONS
  DeviceTensor(std::type_identity_t<View<const T, Extents...>> from, const Execution& execution)
      : DeviceTensor(try_make(from, execution).value()) {}
  void write(View<const T, Extents...> from) { try_write(from).value(); }
  Tensor<T, Extents...> read() const { return try_read().value(); }
#endif

 private:
  Memory memory_;
  View<T, Extents...> view_;
};

/// Parameters, gradients, constants or a state in the memory that calls with its execution use: for `tel::cuda`, in
/// the memory of the GPU. `copy`, `clear`, `tel::scale` and `tel::add` put their work into the stream of the
/// execution and return; `read` and `write` wait until the data has arrived.
template <class T>
class OnDevice {
 public:
  using Struct = typename T::Struct;

  static Result<OnDevice> try_make(const T& from, const Execution& execution) {
    auto made = try_uninitialised(execution);
    if (!made) return made.error();
    if (const auto done = made->try_write(from); !done) return done.error();
    return made;
  }

  const Execution& execution() const noexcept { return memory_.execution(); }
  /// An address for calls on that device. Only they may access the elements.
  Struct* data() noexcept { return static_cast<Struct*>(memory_.data()); }
  const Struct* data() const noexcept { return static_cast<const Struct*>(memory_.data()); }
  static constexpr std::size_t bytes() noexcept { return sizeof(Struct); }

  Result<void> try_write(const T& from) {
    if (!from.data()) return detail::no_memory();
    return detail::copy(execution(), data(), from.data(), bytes());
  }
  Result<void> try_read(T& to) const {
    if (!to.data()) return detail::no_memory();
    return detail::copy(execution(), to.data(), data(), bytes());
  }
  Result<T> try_read() const {
    T copy(zeros);
    if (const auto done = try_read(copy); !done) return done.error();
    return Result<T>(std::move(copy));
  }
  Result<OnDevice> try_copy() const {
    auto made = try_uninitialised(execution());
    if (!made) return made.error();
    if (const auto done = detail::copy(execution().later(), made->data(), data(), bytes()); !done)
      return done.error();
    return made;
  }
  /// Sets all elements to 0.
  Result<void> try_clear() {
    tel_error error;
    const Execution later = execution().later();
    if (tel_clear(later.c(), data(), bytes(), &error) != TEL_OK) return error;
    return {};
  }
#ifdef TEL_EXCEPTIONS
  void write(const T& from) { try_write(from).value(); }
  T read() const { return try_read().value(); }
  OnDevice copy() const { return try_copy().value(); }
  void clear() { try_clear().value(); }
#endif

 private:
  static Result<OnDevice> try_uninitialised(const Execution& execution) {
    auto memory = Memory::on(execution, bytes());
    if (!memory) return memory.error();
    OnDevice made;
    made.memory_ = std::move(*memory);
    return Result<OnDevice>(std::move(made));
  }

  Memory memory_;
};

namespace detail {

/// Whether a `Block` can be added and scaled.
template <class Function>
concept sums = !std::same_as<std::remove_cv_t<Function>, std::nullptr_t>;

template <class To>
Result<void> combine(To& to, double a, const typename To::Struct* from, double b, const Execution& execution,
                     auto function) {
  tel_error error;
  const Execution later = execution.later();
  if (function(to.data(), a, from, b, execution.on_gpu() ? later.c() : nullptr, &error) != TEL_OK)
    return error;
  return {};
}

}  // namespace detail

/// Multiplies parameters or gradients by a factor.
template <class Self, class Layout, auto Combine>
  requires detail::sums<decltype(Combine)>
Result<void> try_scale(Block<Self, Layout, Combine>& to, double factor) {
  return detail::combine(to, factor, nullptr, 0, Execution(), Combine);
}
template <class T>
  requires detail::sums<decltype(T::combine)>
Result<void> try_scale(OnDevice<T>& to, double factor) {
  return detail::combine(to, factor, nullptr, 0, to.execution(), T::combine);
}

/// Adds `factor * from` to `to`. Each may be parameters or gradients. If the factor is 0, `from` is not read.
template <class To, class From, class Layout, auto Combine>
  requires detail::sums<decltype(Combine)>
Result<void> try_add(Block<To, Layout, Combine>& to, const Block<From, Layout, Combine>& from,
                     double factor = 1) {
  return detail::combine(to, 1, from.data(), factor, Execution(), Combine);
}
template <class To, class From>
  requires(std::same_as<typename To::Struct, typename From::Struct> && detail::sums<decltype(To::combine)>)
Result<void> try_add(OnDevice<To>& to, const OnDevice<From>& from, double factor = 1) {
  return detail::combine(to, 1, from.data(), factor, to.execution(), To::combine);
}

#ifdef TEL_EXCEPTIONS
inline void wait(const Execution& execution) { try_wait(execution).value(); }
void copy(const auto& from, auto&& to, const Execution& execution)
  requires requires { try_copy(from, to, execution); }
{
  try_copy(from, to, execution).value();
}
void scale(auto& to, double factor)
  requires requires { try_scale(to, factor); }
{
  try_scale(to, factor).value();
}
void add(auto& to, const auto& from, double factor = 1)
  requires requires { try_add(to, from, factor); }
{
  try_add(to, from, factor).value();
}
#endif

}  // namespace tel::inline v1
