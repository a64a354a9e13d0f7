// One walk from the outside in: the loops around are known with their last values, so that the largest value
// of an index follows from its terms.
#include "codegen/schedule/transform/simplify.h"

#include <algorithm>

#include "codegen/schedule/transform/rename.h"

namespace codegen::schedule {
namespace {

class Simplifier {
 public:
  void simplify(Body& body) {
    Body result;
    for (Statement& statement : body) {
      if (!renaming_.axes.empty()) rename(statement, renaming_);
      auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr) {
        prune(statement);
        result.push_back(std::move(statement));
      } else if (enter(*loop)) {
        for (Statement& inner : loop->body) result.push_back(std::move(inner));
      } else {
        result.push_back(std::move(statement));
      }
    }
    body = std::move(result);
  }

 private:
  /// Simplifies the loop; whether nothing is left of it but its body.
  bool enter(Loop& loop) {
    if (loop.kind == LoopKind::vector && loop.extent.is(1)) loop.kind = LoopKind::serial;
    tighten(loop);
    const auto extent = loop.extent.constant();
    if (extent && *extent > 0) last_[loop.id] = (*extent - 1) / loop.step * loop.step;
    prune(loop.bounds);  // first: a single trip that always runs is no loop
    const bool sequence = loop.kind == LoopKind::serial || loop.kind == LoopKind::unrolled;
    if (sequence && extent && *extent > 0 && *extent <= loop.step && loop.bounds.empty()) {
      renaming_.axes[loop.id] = constant_index(0);
      simplify(loop.body);
      return true;
    }
    simplify(loop.body);
    return false;
  }

  /// Of a serial loop: a bound on constant + factor * variable becomes a part of the extent.
  void tighten(Loop& loop) {
    const auto extent = loop.extent.constant();
    if (!extent || (loop.kind != LoopKind::serial && loop.kind != LoopKind::unrolled)) return;
    std::int64_t trips_end = *extent;
    std::erase_if(loop.bounds, [&](const Bound& bound) {
      const auto first = bound.index.constant.constant(), end = bound.end.constant();
      if (!first || !end || bound.index.terms.size() != 1) return false;
      const auto* id = std::get_if<LoopId>(&bound.index.terms[0].atom);
      const auto factor = bound.index.terms[0].coefficient.constant();
      if (id == nullptr || *id != loop.id || !factor || *factor < 1 || *first < 0) return false;
      trips_end = std::min(trips_end, std::max<std::int64_t>(0, (*end - *first + *factor - 1) / *factor));
      return true;
    });
    loop.extent = trips_end;
  }

  /// Whether 0 <= index < end for all trips of the loops around.
  bool always(const Bound& bound) const {
    const auto first = bound.index.constant.constant(), end = bound.end.constant();
    if (!first || !end || *first < 0) return false;
    std::int64_t largest = *first;
    for (const auto& term : bound.index.terms) {
      const auto* id = std::get_if<LoopId>(&term.atom);
      const auto factor = term.coefficient.constant();
      const auto last = id == nullptr ? last_.end() : last_.find(*id);
      if (!factor || *factor < 0 || last == last_.end()) return false;
      largest += *factor * last->second;
    }
    return largest < *end;
  }
  void prune(std::vector<Bound>& bounds) const {
    std::erase_if(bounds, [&](const Bound& bound) { return always(bound); });
  }
  void prune(Statement& statement) const {
    if (auto* store = std::get_if<Store>(&statement.node)) prune(store->bounds);
    if (auto* copy = std::get_if<Copy>(&statement.node)) prune(copy->bounds);
    if (auto* let = std::get_if<Let>(&statement.node))
      if (auto* load = std::get_if<Scalar::Load>(&let->scalar.definition)) prune(load->bounds);
  }

  Renaming renaming_;                    ///< loops that are gone
  std::map<LoopId, std::int64_t> last_;  ///< last values of the loops around with constant extents
};

}  // namespace

void simplify(Schedule& schedule) {
  for (Variant& variant : schedule.variants) Simplifier().simplify(variant.body);
}

}  // namespace codegen::schedule
