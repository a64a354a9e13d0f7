#pragma once

#include "runtime/call/call.h"

/// The execution of calls by several cores: on the threads of the pool, or by a function of the caller's.
/// Which core computes what does not change results, since each result is computed by one core.
namespace runtime {

/// The most cores that compute a call.
inline constexpr int64_t most_cores = 256;

/// Sets `count` to the number of cores that compute the call: `tel_execution::threads`, or where it is 0, the
/// environment's TEL_THREADS, or else the number of processors that the process may use. Makes the execution
/// TEL_THREADS if the caller names none and TEL_THREADS is set. Returns a status.
int32_t count_cores(Call& call, int64_t& count);

/// Computes the call with that many cores.
void compute_on_cores(const Call& call, void* const* buffers, tel_context& context);

/// Implements `Cores::is_one_by_default`: the environment's TEL_THREADS is not set.
bool is_one_core_by_default();

}  // namespace runtime

/// Implements `runtime::Entry::cores`.
extern "C" const runtime::Cores tel_cores;
