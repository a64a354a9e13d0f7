#include "codegen/target/gpu/fuse_control_flow.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "codegen/kernel/build/fuse.h"
#include "codegen/schedule/gpu/single_block.h"
#include "codegen/schedule/ir/size.h"
#include "codegen/target/gpu/emit_fused.h"
#include "codegen/target/gpu/kernel_function.h"

namespace codegen::target::gpu {
namespace {

using kernel::Scope;

class Fuser {
 public:
  explicit Fuser(const schedule::ScheduledProgram& scheduled) : scheduled_(scheduled) {}

  void fuse(kernel::Sequence& sequence) {
    for (std::size_t i = 0; i < sequence.size(); ++i)
      if (auto exit = fuse_apart(sequence[i], i + 1 == sequence.size()))
        sequence.insert(sequence.begin() + static_cast<std::ptrdiff_t>(i + 1), exit->begin(), exit->end());
    for (kernel::Statement& statement : sequence) {
      if (auto* branch = std::get_if<kernel::Branch>(&statement.node))
        fuse(branch->then), fuse(branch->otherwise);
      auto* scope = std::get_if<Scope>(&statement.node);
      if (scope == nullptr) continue;
      scope->is_fused = is_kernel(*scope);
      if (!scope->is_fused) fuse(scope->body);
    }
  }

 private:
  /// Replaces a loop that is left in one place by a fused block around it, if it can be one, and returns what
  /// it did there, which follows the block then. `is_last` says that nothing else follows it.
  std::optional<kernel::Sequence> fuse_apart(kernel::Statement& statement, bool is_last) {
    const auto* loop = std::get_if<Scope>(&statement.node);
    if (loop == nullptr || loop->kind != Scope::Kind::loop || is_kernel(*loop)) return std::nullopt;
    Scope block{Scope::Kind::block, unique_name(loop->name), {statement}, true};
    kernel::Sequence exit{{kernel::Jump{block.name}}};
    Scope& inner = std::get<Scope>(block.body.front().node);
    kernel::Sequence* side = exit_of(inner);
    const auto ends = [](const kernel::Sequence& s) {
      return std::holds_alternative<kernel::Jump>(s.back().node);
    };
    if (side == nullptr || (ends(*side) && !is_last)) return std::nullopt;
    side->swap(exit);
    if (!is_kernel(block)) return std::nullopt;
    statement.node = std::move(block);
    return exit;
  }

  std::string unique_name(std::string name) const {
    const auto scopes = kernel::collect<Scope>(scheduled_.program.body);
    do name += ".loop";
    while (std::ranges::find(scopes, name, &Scope::name) != scopes.end());
    return name;
  }

  /// Returns the side of the loop's last branch on which it is left, if the other side ends in the next
  /// iteration.
  static kernel::Sequence* exit_of(Scope& loop) {
    auto* branch = loop.body.empty() ? nullptr : std::get_if<kernel::Branch>(&loop.body.back().node);
    if (branch == nullptr) return nullptr;
    const auto repeats = [&](const kernel::Sequence& side) {
      const auto* jump = side.empty() ? nullptr : std::get_if<kernel::Jump>(&side.back().node);
      return jump != nullptr && jump->scope == loop.name;
    };
    const auto is_exit = [&](const kernel::Sequence& side) {
      return !side.empty() &&
             std::ranges::none_of(kernel::collect<kernel::Jump>(side),
                                  [&](const auto* jump) { return jump->scope == loop.name; });
    };
    if (repeats(branch->then) && is_exit(branch->otherwise)) return &branch->otherwise;
    if (repeats(branch->otherwise) && is_exit(branch->then)) return &branch->then;
    return nullptr;
  }

  bool is_kernel(const Scope& scope) const {
    if (kernel::collect<kernel::Branch>(scope.body).empty() || !is_closed(scope)) return false;
    std::int64_t instructions = 0;
    std::set<kernel::ValueId> values;
    for (const kernel::Launch* launch : kernel::collect<kernel::Launch>(scope.body)) {
      const schedule::Schedule& schedule = scheduled_.schedules[launch->kernel];
      if (!has_one_block(schedule)) return false;
      instructions += schedule::instruction_estimate(schedule.variants.back().body);
      values.insert(launch->values.begin(), launch->values.end());
    }
    for (const kernel::Swap* swap : kernel::collect<kernel::Swap>(scope.body)) {
      const auto& shape = scheduled_.program.values[swap->first].shape;
      if (!dlvm::unit_count(shape).constant()) return false;
      values.insert({swap->first, swap->second});
    }
    if (has_two_outside(scope)) return false;
    return instructions <= schedule::gpu::max_block_instructions && values.size() <= kernel::max_uses;
  }

  /// Whether statements outside of the scope use two values that it swaps with each other.
  bool has_two_outside(const Scope& scope) const {
    const std::set<kernel::ValueId> outside = used_outside(scheduled_.program, scope);
    std::map<kernel::ValueId, std::set<kernel::ValueId>> groups;
    const auto group = [&](kernel::ValueId value) {
      return groups.try_emplace(value, std::set{value}).first->second;
    };
    for (const kernel::Swap* swap : kernel::collect<kernel::Swap>(scope.body)) {
      std::set<kernel::ValueId> all = group(swap->first);
      all.merge(group(swap->second));
      for (const kernel::ValueId value : all) groups[value] = all;
    }
    return std::ranges::any_of(groups, [&](const auto& entry) {
      return std::ranges::count_if(entry.second, [&](auto value) { return outside.contains(value); }) > 1;
    });
  }

  /// Whether every jump inside goes to the scope or to one inside of it.
  static bool is_closed(const Scope& scope) {
    std::set<std::string> inside{scope.name};
    for (const Scope* other : kernel::collect<Scope>(scope.body)) inside.insert(other->name);
    return std::ranges::all_of(kernel::collect<kernel::Jump>(scope.body),
                               [&](const kernel::Jump* jump) { return inside.contains(jump->scope); });
  }

  static bool has_one_block(const schedule::Schedule& schedule) {
    const schedule::Variant& variant = schedule.variants.back();  // the one for all dimensions
    return workspace(schedule).buffers.empty() &&
           std::ranges::all_of(variant.body, [](const schedule::Statement& statement) {
             const auto* grid = std::get_if<schedule::Loop>(&statement.node);
             return grid == nullptr || blocks_of(*grid).is(1);
           });
  }

  const schedule::ScheduledProgram& scheduled_;
};

}  // namespace

void fuse_control_flow(schedule::ScheduledProgram& scheduled) {
  Fuser(scheduled).fuse(scheduled.program.body);
}

}  // namespace codegen::target::gpu
