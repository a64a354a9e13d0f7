#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

// C++ must know `Execution` and `View` before the structs that hold them; everything else that all headers of
// telc share is defined behind the network.
#ifndef TEL_DECLARATIONS_V1
#define TEL_DECLARATIONS_V1

#if defined(__cpp_exceptions)
#define TEL_EXCEPTIONS 1
#endif

namespace tel::inline v1 {

/// Stands in a type for an extent that is known at run time only.
inline constexpr std::size_t dynamic = std::dynamic_extent;

struct float16;
struct bfloat16;
template <class T>
class Result;  // a value, or the error that explains why there is none
template <class T, std::size_t... Extents>
class Tensor;     // a tensor that owns its memory
class Workspace;  // the memory that a call works in
template <class T>
class OnDevice;  // parameters, gradients, constants or a state in the memory of a GPU
template <class T>
class Frozen;  // parameters that do not change any more
template <class T>
class In;  // an argument that is read: a T, a Frozen<T> or an OnDevice<T>
template <class T>
class InOut;  // an argument that is written or updated: a T or an OnDevice<T>
template <class Arguments, class Outputs>
class Pending;  // a call that is under way in a stream of a GPU

/// Where a call computes: `tel::serial`, `tel::cuda(device, stream)` or `tel::emulator(order)`. By default it
/// is where the parameters are; else where the environment variable TEL_DEVICE says; else the calling thread.
class Execution {
 public:
  constexpr Execution() noexcept : c_{} {}
  constexpr explicit Execution(const tel_execution& c) noexcept : c_(c) {}
  /// For the C interface; null is the default.
  const tel_execution* c() const noexcept { return c_.size == 0 ? nullptr : &c_; }
  constexpr bool on_gpu() const noexcept { return c_.kind == TEL_CUDA; }
  /// The same execution, with which calls return as soon as their work is in the stream of the GPU.
  constexpr Execution later() const noexcept {
    Execution other = *this;
    other.c_.later = 1;
    return other;
  }

 private:
  tel_execution c_;
};

}  // namespace tel::inline v1
