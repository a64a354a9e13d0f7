// A generated header stands alone, so its C part repeats structs and numbers of runtime/abi.h. This file
// compiles where the two agree, and does not where a member or a number of one is missing in the other.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <type_traits>

#include "codegen/header/shared/declarations.h"
// The declarations come first.
#include "codegen/header/shared/c.h"

namespace abi {
#include "runtime/abi.h"
}

namespace {

/// Whether a member of the header has the type of the runtime's. Pointers to structs of the two are alike.
template <typename Header, typename Runtime>
constexpr bool is_same_type =
    std::is_same_v<Header, Runtime> || (std::is_pointer_v<Header> && std::is_pointer_v<Runtime>);

}  // namespace

#define SAME_MEMBER(type, member)                                          \
  static_assert(offsetof(::type, member) == offsetof(abi::type, member) && \
                is_same_type<decltype(::type::member), decltype(abi::type::member)>)
/// The members are all that the struct has: a structured binding names every member.
#define SAME_STRUCT(type, ...)                                                                 \
  static_assert(sizeof(::type) == sizeof(abi::type) && alignof(::type) == alignof(abi::type)); \
  [[maybe_unused]] static void bind(const ::type& value) {                                     \
    [[maybe_unused]] const auto& [__VA_ARGS__] = value;                                        \
  }                                                                                            \
  [[maybe_unused]] static void bind(const abi::type& value) {                                  \
    [[maybe_unused]] const auto& [__VA_ARGS__] = value;                                        \
  }
#define SAME_NUMBER(name) static_assert(int{::name} == int{abi::name})

SAME_STRUCT(tel_error, code, text)
SAME_MEMBER(tel_error, code);
SAME_MEMBER(tel_error, text);

SAME_STRUCT(tel_execution, size, kind, device, stream, order, later, threads, parallel_for, user)
SAME_MEMBER(tel_execution, size);
SAME_MEMBER(tel_execution, kind);
SAME_MEMBER(tel_execution, device);
SAME_MEMBER(tel_execution, stream);
SAME_MEMBER(tel_execution, order);
SAME_MEMBER(tel_execution, later);
SAME_MEMBER(tel_execution, threads);
SAME_MEMBER(tel_execution, parallel_for);
SAME_MEMBER(tel_execution, user);

SAME_STRUCT(tel_options, size, execution, seed, accumulate)
SAME_MEMBER(tel_options, size);
SAME_MEMBER(tel_options, execution);
SAME_MEMBER(tel_options, seed);
SAME_MEMBER(tel_options, accumulate);

SAME_STRUCT(tel_file_arguments, size, path, parameters, constants, state, partial, report, context)
SAME_MEMBER(tel_file_arguments, size);
SAME_MEMBER(tel_file_arguments, path);
SAME_MEMBER(tel_file_arguments, parameters);
SAME_MEMBER(tel_file_arguments, constants);
SAME_MEMBER(tel_file_arguments, state);
SAME_MEMBER(tel_file_arguments, partial);
SAME_MEMBER(tel_file_arguments, report);
SAME_MEMBER(tel_file_arguments, context);

SAME_STRUCT(tel_device, size, number, architecture, memory, name)
SAME_MEMBER(tel_device, size);
SAME_MEMBER(tel_device, number);
SAME_MEMBER(tel_device, architecture);
SAME_MEMBER(tel_device, memory);
SAME_MEMBER(tel_device, name);

SAME_STRUCT(tel_cuda_functions, size, count, describe, allocate, free, copy, clear, wait)
SAME_MEMBER(tel_cuda_functions, size);
SAME_MEMBER(tel_cuda_functions, count);
SAME_MEMBER(tel_cuda_functions, describe);
SAME_MEMBER(tel_cuda_functions, allocate);
SAME_MEMBER(tel_cuda_functions, free);
SAME_MEMBER(tel_cuda_functions, copy);
SAME_MEMBER(tel_cuda_functions, clear);
SAME_MEMBER(tel_cuda_functions, wait);

SAME_NUMBER(TEL_OK);
SAME_NUMBER(TEL_INVALID_ARGUMENT);
SAME_NUMBER(TEL_EXTENT);
SAME_NUMBER(TEL_INDEX);
SAME_NUMBER(TEL_WORKSPACE);
SAME_NUMBER(TEL_MEMORY);
SAME_NUMBER(TEL_FILE);
SAME_NUMBER(TEL_FORMAT);
SAME_NUMBER(TEL_TENSORS);
SAME_NUMBER(TEL_DEVICE);

SAME_NUMBER(TEL_SERIAL);
SAME_NUMBER(TEL_CUDA);
SAME_NUMBER(TEL_EMULATOR);
SAME_NUMBER(TEL_THREADS);
SAME_NUMBER(TEL_PARALLEL_FOR);

SAME_NUMBER(TEL_LOADED);
SAME_NUMBER(TEL_KEPT);
SAME_NUMBER(TEL_PASSED_OVER);
