#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/cores/cores.h"

namespace runtime {
namespace {

/// The environment's TEL_THREADS: not read yet, not set, or not understood. Other values are numbers.
enum : int32_t { unread = 0, unset = -1, unknown = -2 };
int32_t environment = unread;

int32_t read_environment() {
  const char* text = getenv("TEL_THREADS");
  if (!text || !*text) return unset;
  int64_t number = 0;
  for (; *text >= '0' && *text <= '9' && number <= most_cores; ++text) number = 10 * number + (*text - '0');
  return *text == 0 && number >= 1 && number <= most_cores ? static_cast<int32_t>(number) : unknown;
}

/// The environment is read once.
int32_t threads_of_environment() {
  int32_t known = __atomic_load_n(&environment, __ATOMIC_RELAXED);
  if (known != unread) return known;
  known = read_environment();
  __atomic_store_n(&environment, known, __ATOMIC_RELAXED);
  return known;
}

int64_t processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int64_t count = 0;
  for (unsigned long word : set.__bits) count += __builtin_popcountl(word);
  return count < 1 ? 1 : count > most_cores ? most_cores : count;
}

int32_t fail_with_environment(const Call& call) {
  Failure failure = call.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "the environment's TEL_THREADS is '";
  const char* text = getenv("TEL_THREADS");
  failure.text().quoted(text, strlen(text)) << "', expected 1 to " << most_cores;
  return failure;
}

}  // namespace

bool is_one_core_by_default() { return threads_of_environment() == unset; }

int32_t count_cores(Call& call, int64_t& count) {
  tel_execution& execution = call.execution;
  count = 1;
  if (execution.kind == TEL_SERIAL) {
    if (call.options.execution || threads_of_environment() == unset) return TEL_OK;
    execution.kind = TEL_THREADS;
  }
  if (execution.kind != TEL_THREADS && execution.kind != TEL_PARALLEL_FOR) return TEL_OK;
  if (execution.kind == TEL_PARALLEL_FOR && (!execution.parallel_for || execution.threads < 1)) {
    Failure failure = call.fail(TEL_INVALID_ARGUMENT);
    failure.text() << "an execution of kind TEL_PARALLEL_FOR has no function or no threads";
    return failure;
  }
  if (execution.threads < 0 || execution.threads > most_cores) {
    Failure failure = call.fail(TEL_INVALID_ARGUMENT);
    failure.text() << "the execution's number of threads is " << int64_t{execution.threads}
                   << ", expected up to " << most_cores;
    return failure;
  }
  count = execution.threads;
  if (count > 0) return TEL_OK;
  const int32_t threads = threads_of_environment();
  if (threads == unknown) return fail_with_environment(call);
  count = threads == unset ? processors() : threads;
  return TEL_OK;
}

}  // namespace runtime
