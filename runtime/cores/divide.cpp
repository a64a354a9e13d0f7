#include "runtime/cores/cores.h"
#include "runtime/cores/pool.h"
#include "runtime/support/arithmetic.h"

namespace runtime {
namespace {

/// A range has at most this many pieces. A core that computes fast, or that other programs leave alone, takes
/// pieces of others.
constexpr int64_t most_pieces = 4;
/// A piece has at least this many times the iterations of the smallest range, since each begins anew.
constexpr int64_t ranges_of_piece = 4;
/// A core looks for pieces in at most this many other ranges: looking at all of them would take the longer
/// the more cores there are.
constexpr int64_t most_others = 8;

/// A range, and the index outside its bounds that its core found. Each is on a line of its own, since its
/// core writes it.
struct alignas(64) Range {
  int64_t taken;  ///< the number of its pieces that some core has begun
  int64_t site, value, position;
};

/// Stores an index that was found to where another one may be: the one that comes first stays.
void report(const auto& found, auto& to) {
  const bool is_first =
      to.site == 0 || found.site < to.site || (found.site == to.site && found.position < to.position);
  if (found.site == 0 || !is_first) return;
  to.site = found.site;
  to.value = found.value;
  to.position = found.position;
}

/// The core loops of one kernel, divided.
struct Division {
  tel_part part;
  void* const* frame;
  const tel_context* context;
  int64_t iterations, unit, pieces, count;
  Range* ranges;

  /// Returns where a range begins, or where the one before ends.
  int64_t begin(int64_t range) const {
    const int64_t rest = iterations % count;
    return iterations / count * range + (range < rest ? range : rest);
  }
  /// Returns where a piece of a range begins, or where the one before ends.
  int64_t begin(int64_t range, int64_t piece) const {
    const int64_t first = begin(range), last = begin(range + 1);
    if (piece == 0 || piece == pieces) return piece == 0 ? first : last;
    const int64_t cut = (first + (last - first) * piece / pieces) / unit * unit;
    return cut < first ? first : cut;
  }

  /// Computes the range of a core, and what other cores have not begun of theirs.
  void compute(int64_t core) {
    if (pieces == 1) return compute_piece(begin(core), begin(core + 1), core);
    compute_rest(core, core);
    for (int64_t i = 1; i < count && i <= most_others; ++i) compute_rest((core + i) % count, core);
  }

 private:
  /// Computes, as core number `core`, the pieces of a range that no core has begun.
  void compute_rest(int64_t range, int64_t core) {
    int64_t& taken = ranges[range].taken;
    while (__atomic_load_n(&taken, __ATOMIC_RELAXED) < pieces) {
      const int64_t piece = __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED);
      if (piece >= pieces) return;
      compute_piece(begin(range, piece), begin(range, piece + 1), core);
    }
  }

  [[gnu::noinline]] void compute_piece(int64_t begin, int64_t end, int64_t core) {
    if (begin >= end) return;
    tel_context record = *context;
    record.site = 0;
    part(frame, &record, begin, end, core);
    report(record, ranges[core]);
  }
};

void compute_range(void* data, int64_t core) {
  auto& division = *static_cast<Division*>(data);
  const DefaultArithmetic arithmetic;
  division.compute(core);
}

void divide(tel_context* context, tel_part part, void* const* frame, int64_t iterations, int64_t least,
            int64_t unit) {
  int64_t count = iterations / least;
  if (count > context->cores) count = context->cores;
  if (count <= 1) return part(frame, context, 0, iterations, 0);
  const int64_t smallest = ranges_of_piece * least;
  int64_t pieces = iterations / count / (unit > smallest ? unit : smallest);
  pieces = pieces < 1 ? 1 : pieces > most_pieces ? most_pieces : pieces;
  auto* ranges = static_cast<Range*>(__builtin_alloca_with_align(sizeof(Range) * count, 8 * alignof(Range)));
  for (int64_t i = 0; i < count; ++i) ranges[i] = {};
  Division division{part, frame, context, iterations, unit, pieces, count, ranges};
  const tel_execution& execution = *context->execution;
  if (execution.kind == TEL_PARALLEL_FOR)
    execution.parallel_for(execution.user, count, compute_range, &division);
  else
    run_in_pool(count, compute_range, &division);
  for (int64_t i = 0; i < count; ++i) report(ranges[i], *context);
}

}  // namespace

void compute_on_cores(const Call& call, void* const* buffers, tel_context& context) {
  const bool uses_pool = call.execution.kind != TEL_PARALLEL_FOR && call.cores > 1,
             has_pool = uses_pool && take_pool();
  context.cores = uses_pool && !has_pool ? 1 : call.cores;
  context.divide = divide;
  call.code->compute(buffers, call.dims, &context);
  if (has_pool) leave_pool();
}

}  // namespace runtime

extern "C" const runtime::Cores tel_cores = {runtime::count_cores, runtime::compute_on_cores,
                                             runtime::is_one_core_by_default};
