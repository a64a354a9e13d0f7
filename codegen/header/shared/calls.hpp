namespace tel::inline v1 {

/// Parameters, constants or a state for a call to read, in the memory of the processor or of a device.
template <class T>
class In {
 public:
  In(const T& here) noexcept : data_(here.data()) {}
  In(const Frozen<T>& here) noexcept : data_(here.get().data()), frozen_(here.packed()) {}
  In(const OnDevice<T>& there) noexcept : data_(there.data()), execution_(there.execution()) {}
  const typename T::Struct* data() const noexcept { return data_; }
  const void* frozen() const noexcept { return frozen_; }
  const Execution& execution() const noexcept { return execution_; }

 private:
  const typename T::Struct* data_;
  const void* frozen_ = nullptr;
  Execution execution_;
};

/// Gradients for a call to write, or a state for it to update, in the memory of the processor or of a device.
template <class T>
class InOut {
 public:
  InOut(T& here) noexcept : data_(here.data()) {}
  InOut(OnDevice<T>& there) noexcept : data_(there.data()), execution_(there.execution()) {}
  typename T::Struct* data() const noexcept { return data_; }
  const Execution& execution() const noexcept { return execution_; }

 private:
  typename T::Struct* data_;
  Execution execution_;
};

/// A call that is under way in a stream of a GPU. `wait()` must be called once, and before the workspace of
/// the call is used again. Until then the inputs, parameters, gradients, outputs and workspace of the call
/// must neither be changed nor be freed.
template <class Arguments, class Outputs>
class [[nodiscard]] Pending {
 public:
  using Function = std::int32_t (*)(Arguments*, tel_error*);
  using Results = Outputs (*)(const Arguments&);
  Pending(const Arguments& arguments, const tel_options& options, const Execution& execution, Function wait_function,
          Results results) noexcept
      : arguments_(arguments), options_(options), execution_(execution), wait_(wait_function), results_(results) {}

  Result<Outputs> try_wait() {
    options_.execution = execution_.c();
    arguments_.options = &options_;
    tel_error error;
    if (wait_(&arguments_, &error) != TEL_OK) return error;
    return results_(arguments_);
  }
#ifdef TEL_EXCEPTIONS
  Outputs wait() { return try_wait().value(); }
#endif

 private:
  Arguments arguments_;
  tel_options options_;
  Execution execution_;
  Function wait_;
  Results results_;
};

namespace detail {

/// Chooses the execution of a call: the one in its options, else that of the memory which the call is given.
/// Memory of a GPU is an error for a call that computes elsewhere.
inline Result<Execution> choose(const Execution& option, const auto&... memory) {
  Execution chosen = option;
  [[maybe_unused]] const auto take = [&](const Execution& place) {
    if (!chosen.c()) chosen = place;
  };
  (take(memory.execution()), ...);
  if ((... || memory.execution().on_gpu()) && !chosen.on_gpu())
    return mistake(
        "parameters, gradients, constants, the state or the workspace are in the memory of a GPU, but the call computes "
        "elsewhere");
  return chosen;
}

template <class Arguments>
using Function = std::int32_t (*)(Arguments*, tel_error*);

/// Calls an entry point whose arguments are filled in but for the options.
template <class Outputs, class Arguments>
Result<Outputs> call(Arguments arguments, Function<Arguments> function,
                     Outputs (*results)(const std::type_identity_t<Arguments>&), tel_options options,
                     const Result<Execution>& execution) {
  if (!execution) return execution.error();
  options.execution = execution->c();
  arguments.options = &options;
  tel_error error;
  if (function(&arguments, &error) != TEL_OK) return error;
  return results(arguments);
}

/// Calls it in a stream of a GPU, and returns when its work is in the stream.
template <class Outputs, class Arguments>
Result<Pending<Arguments, Outputs>> start(Arguments arguments, Function<Arguments> function,
                                          Function<Arguments> wait,
                                          Outputs (*results)(const std::type_identity_t<Arguments>&),
                                          tel_options options, const Result<Execution>& execution) {
  if (!execution) return execution.error();
  const Execution later = execution->later();
  options.execution = later.c();
  arguments.options = &options;
  tel_error error;
  if (function(&arguments, &error) != TEL_OK) return error;
  return Pending<Arguments, Outputs>(arguments, options, later, wait, results);
}

}  // namespace detail

}  // namespace tel::inline v1

#endif  // TEL_V1
