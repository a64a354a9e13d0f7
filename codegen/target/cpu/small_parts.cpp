#include "codegen/target/cpu/small_parts.h"

#include <algorithm>

#include "codegen/schedule/ir/size.h"
#include "codegen/target/cpu/cpu.h"
#include "dlvm/support/overloaded.h"

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

/// Returns the estimated instructions of the kernel if it may be copied.
std::optional<std::int64_t> small_size(const schedule::Schedule& schedule) {
  if (schedule.variants.size() != 1 || !workspace(schedule).buffers.empty()) return std::nullopt;
  const std::int64_t size = schedule::instruction_estimate(schedule.variants[0].body);
  return size <= max_kernel_instructions ? std::optional(size) : std::nullopt;
}

}  // namespace

SmallParts::SmallParts(const schedule::ScheduledProgram& scheduled) : scheduled_(scheduled) {
  for (const schedule::Schedule& schedule : scheduled.schedules) sizes_.push_back(small_size(schedule));
  add_loops(scheduled.program.body);
  // A swap outside of the loops exchanges two variables, too.
  const auto swaps = kernel::collect<Swap>(scheduled.program.body);
  const auto is_one = [&](const Swap* swap) {
    return variables.contains(swap->first) != variables.contains(swap->second);
  };
  for (auto swap = std::ranges::find_if(swaps, is_one); swap != swaps.end();
       swap = std::ranges::find_if(swaps, is_one))
    variables.insert({(*swap)->first, (*swap)->second});
  // A call that takes the address of a variable would keep it in memory.
  const auto is_variable = [&](ValueId value) { return variables.contains(value); };
  for (const Launch* launch : kernel::collect<Launch>(scheduled.program.body))
    if (!inlined.contains(launch) && std::ranges::any_of(launch->values, is_variable))
      inline_if_fits({launch});
}

/// Copies the outermost loops that fit.
void SmallParts::add_loops(const kernel::Sequence& sequence) {
  const dlvm::Overloaded add{[this](const Scope& scope) {
                               if (scope.kind != Scope::Kind::loop || !add_loop(scope)) add_loops(scope.body);
                             },
                             [this](const kernel::Branch& branch) {
                               add_loops(branch.then);
                               add_loops(branch.otherwise);
                             },
                             [](const auto&) {}};
  for (const kernel::Statement& statement : sequence) std::visit(add, statement.node);
}

bool SmallParts::add_loop(const Scope& loop) {
  const auto launches = kernel::collect<Launch>(loop.body);
  if (!inline_if_fits(launches)) return false;
  for (const Launch* launch : launches)
    for (const ValueId value : launch->values) add_variable(value);
  for (const Swap* swap : kernel::collect<Swap>(loop.body))
    for (const ValueId value : {swap->first, swap->second}) add_variable(value);
  return true;
}

void SmallParts::add_variable(ValueId id) {
  if (kernel::may_be_variable(scheduled_.program.values[id])) variables.insert(id);
}

/// Copies those of the kernels of these launches that are small, if there is space for all of them.
bool SmallParts::inline_if_fits(const std::vector<const Launch*>& launches) {
  std::int64_t copied = copied_;
  for (const Launch* launch : launches) copied += sizes_[launch->kernel].value_or(0);
  if (copied > max_copied_instructions) return false;
  copied_ = copied;
  for (const Launch* launch : launches)
    if (sizes_[launch->kernel]) inlined.insert(launch);
  return true;
}

}  // namespace codegen::target::cpu
