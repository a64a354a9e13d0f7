#include "runtime/cores/cores.h"
#include "runtime/cores/pool.h"
#include "runtime/support/arithmetic.h"

namespace runtime {
namespace {

/// The ranges of one kernel's core loops. Each has a record of its own.
struct Division {
  tel_part part;
  void* const* frame;
  int64_t iterations, ranges;
  tel_context* records;

  int64_t begin(int64_t range) const {
    const int64_t rest = iterations % ranges;
    return iterations / ranges * range + (range < rest ? range : rest);
  }
};

void compute_range(void* data, int64_t range) {
  const auto& division = *static_cast<const Division*>(data);
  const DefaultArithmetic arithmetic;
  division.part(division.frame, &division.records[range], division.begin(range), division.begin(range + 1),
                range);
}

/// Runs the ranges by `run(ranges, body, data)`.
template <typename Run>
void divide(tel_context* context, tel_part part, void* const* frame, int64_t iterations, int64_t least,
            Run run) {
  int64_t ranges = iterations / least;
  if (ranges > context->cores) ranges = context->cores;
  if (ranges <= 1) return part(frame, context, 0, iterations, 0);
  auto* records = static_cast<tel_context*>(__builtin_alloca(sizeof(tel_context) * ranges));
  for (int64_t i = 0; i < ranges; ++i) records[i] = *context;
  Division division{part, frame, iterations, ranges, records};
  run(ranges, compute_range, &division);
  // The first range that found an index outside its bounds found what one core would have found first.
  for (int64_t i = 0; context->site == 0 && i < ranges; ++i)
    if (records[i].site != 0) {
      context->site = records[i].site;
      context->value = records[i].value;
      context->position = records[i].position;
    }
}

void divide_in_pool(tel_context* context, tel_part part, void* const* frame, int64_t iterations,
                    int64_t least) {
  divide(context, part, frame, iterations, least, run_in_pool);
}

void divide_by_caller(tel_context* context, tel_part part, void* const* frame, int64_t iterations,
                      int64_t least) {
  const tel_execution& execution = *context->execution;
  divide(context, part, frame, iterations, least,
         [&](int64_t ranges, void (*body)(void*, int64_t), void* data) {
           execution.parallel_for(execution.user, ranges, body, data);
         });
}

}  // namespace

void compute_on_cores(const Call& call, void* const* buffers, tel_context& context) {
  context.cores = call.cores;
  if (call.execution.kind == TEL_PARALLEL_FOR) {
    context.divide = divide_by_caller;
    return call.code->compute(buffers, call.dims, &context);
  }
  const bool has_pool = call.cores > 1 && take_pool();
  context.divide = divide_in_pool;
  if (!has_pool) context.cores = 1;
  call.code->compute(buffers, call.dims, &context);
  if (has_pool) leave_pool();
}

}  // namespace runtime

extern "C" const runtime::Cores tel_cores = {runtime::count_cores, runtime::compute_on_cores,
                                             runtime::is_one_core_by_default};
