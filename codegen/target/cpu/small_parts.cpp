#include "codegen/target/cpu/small_parts.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "codegen/schedule/ir/size.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/target/cpu/cpu.h"

namespace codegen::target::cpu {
namespace {

using kernel::Launch;
using kernel::Scope;
using kernel::Swap;
using kernel::ValueId;

/// The estimated instructions of a kernel that is copied, at most.
constexpr std::int64_t max_kernel_instructions = 256;
/// The estimated instructions of all copies in a compute function, at most. LLVM's time grows faster than a
/// function, and the longer a loop is, the smaller is the part of its time that calls take.
constexpr std::int64_t max_copied_instructions = 4096;

/// Returns the estimated instructions of the kernel if it may be copied. One that several cores may run may
/// not.
std::optional<std::int64_t> small_size(const schedule::Schedule& schedule) {
  if (schedule.variants.size() != 1 || !workspace(schedule).buffers.empty() || has_core_loops(schedule))
    return std::nullopt;
  const std::int64_t size = schedule::instruction_estimate(schedule.variants[0].body);
  return size <= max_kernel_instructions ? std::optional(size) : std::nullopt;
}

/// The launches and swaps after which a loop may begin its next iteration. What follows a loop may stand
/// inside of its scope, on the side of a branch that does not return to its beginning.
class RepeatedStatements {
 public:
  explicit RepeatedStatements(const Scope& loop) {
    returns_[loop.name] = true;
    do {  // until it is known of inner loops whether their next iterations return
      changed_ = false;
      launches.clear();
      swaps.clear();
      visit(loop.body, false);
    } while (changed_);
  }

  std::vector<const Launch*> launches;
  std::vector<const Swap*> swaps;

 private:
  /// Adds the statements of the sequence, from the last to the first. `returns` says whether what follows the
  /// sequence may return to the loop's beginning; the result says so of the sequence.
  bool visit(const kernel::Sequence& sequence, bool returns) {
    for (auto at = sequence.rbegin(); at != sequence.rend(); ++at)
      returns = std::visit([&](const auto& node) { return visit(node, returns); }, at->node);
    return returns;
  }
  bool visit(const Launch& launch, bool returns) {
    if (returns) launches.push_back(&launch);
    return returns;
  }
  bool visit(const Swap& swap, bool returns) {
    if (returns) swaps.push_back(&swap);
    return returns;
  }
  bool visit(const kernel::Branch& branch, bool returns) {
    const bool then = visit(branch.then, returns), otherwise = visit(branch.otherwise, returns);
    return then || otherwise;
  }
  bool visit(const kernel::Jump& jump, bool) const {
    const auto at = returns_.find(jump.scope);
    return at != returns_.end() && at->second;
  }
  bool visit(const Scope& scope, bool returns) {
    if (scope.kind == Scope::Kind::block) {
      returns_[scope.name] = returns;
      return visit(scope.body, returns);
    }
    const bool iteration = visit(scope.body, returns);
    bool& known = returns_[scope.name];
    changed_ = changed_ || known != iteration;
    return known = iteration;
  }

  std::map<std::string, bool> returns_;  ///< whether a jump to a scope may return to the loop's beginning
  bool changed_ = false;                 ///< this was not known of an inner loop
};

}  // namespace

SmallParts::SmallParts(const schedule::ScheduledProgram& scheduled) : scheduled_(scheduled) {
  for (const schedule::Schedule& schedule : scheduled.schedules) sizes_.push_back(small_size(schedule));
  for (const Scope* scope : kernel::collect<Scope>(scheduled.program.body))  // outer loops first
    if (scope->kind == Scope::Kind::loop) add_loop(*scope);
  add_exchanged();
  // A call that takes the address of a variable would keep it in memory.
  const auto is_variable = [&](ValueId value) { return variables.contains(value); };
  for (const Launch* launch : kernel::collect<Launch>(scheduled.program.body))
    if (!inlined.contains(launch) && std::ranges::any_of(launch->values, is_variable))
      inline_if_fits({launch});
}

/// Copies the kernels of the loop if all that are small fit.
void SmallParts::add_loop(const Scope& loop) {
  const RepeatedStatements repeated(loop);
  if (!inline_if_fits(repeated.launches)) return;
  for (const Launch* launch : repeated.launches)
    for (const ValueId value : launch->values) add_variable(value);
  for (const Swap* swap : repeated.swaps)
    for (const ValueId value : {swap->first, swap->second}) add_variable(value);
}

/// A swap outside of the loops exchanges two variables, too.
void SmallParts::add_exchanged() {
  std::unordered_map<ValueId, std::vector<ValueId>> exchanged;
  for (const Swap* swap : kernel::collect<Swap>(scheduled_.program.body)) {
    exchanged[swap->first].push_back(swap->second);
    exchanged[swap->second].push_back(swap->first);
  }
  std::vector<ValueId> open(variables.begin(), variables.end());
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    for (const ValueId other : exchanged[value])
      if (variables.insert(other).second) open.push_back(other);
  }
}

void SmallParts::add_variable(ValueId id) {
  if (kernel::may_be_variable(scheduled_.program.values[id])) variables.insert(id);
}

/// Copies those of the kernels of these launches that are small, if there is space for all of them.
bool SmallParts::inline_if_fits(const std::vector<const Launch*>& launches) {
  std::int64_t copied = copied_;
  for (const Launch* launch : launches)
    if (!inlined.contains(launch)) copied += sizes_[launch->kernel].value_or(0);
  if (copied > max_copied_instructions) return false;
  copied_ = copied;
  for (const Launch* launch : launches)
    if (sizes_[launch->kernel]) inlined.insert(launch);
  return true;
}

}  // namespace codegen::target::cpu
