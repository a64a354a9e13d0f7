// Conservative coalescing as in register allocation (G. Chaitin, Register Allocation and Spilling via Graph
// Coloring, 1982): values interfere if one is written while the other lives, and values that do not interfere
// may be one. The values that swaps and copies name are the candidates.
#include "codegen/kernel/memory/coalesce.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "codegen/kernel/ir/kernel_table.h"
#include "codegen/kernel/ir/liveness.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/memory/in_place.h"

namespace codegen::kernel {
namespace {

/// Returns whether the kernel does nothing but copy its first argument to its second one.
bool is_copy(const Kernel& kernel) {
  if (kernel.buffers.size() != 2 || kernel.root.children.size() != 1) return false;
  const auto* stage = std::get_if<Stage>(&kernel.root.children[0]);
  return stage != nullptr && stage->body.size() == 1 && !stage->reduction && stage->stores.size() == 1 &&
         stage->stores[0].access.buffer == 1 &&
         std::holds_alternative<Scalar::Load>(stage->body[0].definition) && may_update(kernel, 0, 1);
}

class Coalescing {
 public:
  explicit Coalescing(Program& program) : program_(program), class_(program.values.size()) {
    std::iota(class_.begin(), class_.end(), ValueId{0});
  }

  void run() {
    find_candidates();
    if (moves_.empty()) return;
    find_interference();
    bool changes = false;
    for (const Move& move : moves_) changes = join(move) || changes;
    if (changes) rewrite();
  }

 private:
  /// Two values that would better be one.
  struct Move {
    ValueId first, second;
    bool is_swap;
  };
  using Place = Value::Place;

  Place place(ValueId value) const { return program_.values[value].place; }
  const Kernel& kernel_of(const Launch& launch) const { return program_.kernels[launch.kernel]; }
  ValueId of(ValueId value) const {
    while (class_[value] != value) value = class_[value];
    return value;
  }

  /// A loop keeps a value of few elements in variables, where its memory does not matter.
  void find_candidates() {
    for (const Swap* swap : collect<Swap>(program_.body))
      if (!may_be_variable(program_.values[swap->first])) moves_.push_back({swap->first, swap->second, true});
    for (const Launch* launch : collect<Launch>(program_.body))
      if (is_copy(kernel_of(*launch)) && place(launch->values[0]) == Place::arena &&
          !may_be_variable(program_.values[launch->values[0]]))
        moves_.push_back({launch->values[0], launch->values[1], false});
    candidate_.resize(program_.values.size());
    for (const Move& move : moves_)
      for (const ValueId value : {move.first, move.second})
        if (!candidate_[value])
          candidate_[value] = static_cast<std::uint32_t>(candidates_.size()), candidates_.push_back(value);
  }

  void find_interference() {
    interferes_.assign(candidates_.size(), ValueSet(candidates_.size()));
    ValueSet outputs(program_.values.size());
    for (std::size_t value = 0; value < outputs.size(); ++value)
      outputs.put(value, program_.values[value].place == Place::output);
    Liveness live(program_, std::move(outputs));
    live.for_each([this](const Statement& statement, const ValueSet& behind) {
      if (const auto* launch = std::get_if<Launch>(&statement.node))
        add(*launch, behind);
      else
        add(std::get<Swap>(statement.node), behind);
    });
  }

  void add_interference(ValueId a, ValueId b) {
    const auto &first = candidate_[a], &second = candidate_[b];
    if (!first || !second || a == b) return;
    interferes_[*first].insert(*second);
    interferes_[*second].insert(*first);
  }

  /// A value that is written must not share the memory of one that lives behind the launch, of another one
  /// that it writes, or of one that it reads elsewhere than where it writes.
  void add(const Launch& launch, const ValueSet& behind) {
    const Kernel& kernel = kernel_of(launch);
    const bool copies = is_copy(kernel);
    for (BufferId w = 0; w < launch.values.size(); ++w) {
      const ValueId written = launch.values[w];
      if (!kernel.buffers[w].written || !candidate_[written]) continue;
      for (const ValueId value : candidates_)
        if (behind.contains(value) && !(copies && value == launch.values[0]))
          add_interference(written, value);
      for (BufferId r = 0; r < launch.values.size(); ++r)
        if (kernel.buffers[w].updated || kernel.buffers[r].written || !may_update(kernel, r, w))
          add_interference(written, launch.values[r]);
    }
  }

  /// A swap writes both values, also one that no longer lives.
  void add(const Swap& swap, const ValueSet& behind) {
    for (const ValueId value : candidates_)
      if (behind.contains(value) && value != swap.first && value != swap.second) {
        add_interference(swap.first, value);
        add_interference(swap.second, value);
      }
    if (behind.contains(swap.first) && behind.contains(swap.second))
      add_interference(swap.first, swap.second);
  }

  /// Makes the values one if they may be.
  bool join(const Move& move) {
    ValueId kept = of(move.first), other = of(move.second);
    if (place(other) == Place::output) std::swap(kept, other);
    if (kept == other || place(other) != Place::arena ||
        interferes_[*candidate_[kept]].contains(*candidate_[other]))
      return false;
    const Value &a = program_.values[kept], &b = program_.values[other];
    if (a.element != b.element || a.shape != b.shape) return false;
    if (a.place == Place::output && is_swapped(kept, other)) return false;
    class_[other] = kept;
    const ValueSet& from = interferes_[*candidate_[other]];
    interferes_[*candidate_[kept]].insert(from);
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from.contains(i)) interferes_[i].insert(*candidate_[kept]);
    return true;
  }

  /// Whether swaps would remain that name `kept` or `other` if they were one.
  bool is_swapped(ValueId kept, ValueId other) const {
    return std::ranges::any_of(moves_, [&](const Move& move) {
      const ValueId a = of(move.first), b = of(move.second);
      const auto is_either = [&](ValueId value) { return value == kept || value == other; };
      return move.is_swap && a != b && is_either(a) != is_either(b);
    });
  }

  void rewrite() {
    number_values();
    rewrite(program_.body);
    program_.kernels = kernels_.take();
  }

  /// Keeps the first value of each class, and gives these new numbers.
  void number_values() {
    number_.resize(class_.size());
    std::vector<Value> kept;
    for (ValueId value = 0; value < class_.size(); ++value)
      if (of(value) == value) {
        number_[value] = static_cast<ValueId>(kept.size());
        kept.push_back(std::move(program_.values[value]));
      }
    program_.values = std::move(kept);
  }
  ValueId renamed(ValueId value) const { return number_[of(value)]; }

  void rewrite(Sequence& sequence) {
    Sequence result;
    for (Statement& statement : sequence) {
      if (auto* launch = std::get_if<Launch>(&statement.node)) {
        if (!rewrite(*launch)) continue;
      } else if (auto* swap = std::get_if<Swap>(&statement.node)) {
        *swap = {renamed(swap->first), renamed(swap->second)};
        if (swap->first == swap->second) continue;
      } else if (auto* branch = std::get_if<Branch>(&statement.node)) {
        branch->condition = renamed(branch->condition);
        rewrite(branch->then);
        rewrite(branch->otherwise);
      } else if (auto* scope = std::get_if<Scope>(&statement.node)) {
        rewrite(scope->body);
      }
      result.push_back(std::move(statement));
    }
    sequence = std::move(result);
  }

  /// Returns an argument and another one that the kernel writes which have become the same value.
  static std::optional<std::pair<BufferId, BufferId>> same_value(const Kernel& kernel, const Launch& launch) {
    for (BufferId written = 0; written < launch.values.size(); ++written)
      for (BufferId read = 0; kernel.buffers[written].written && read < launch.values.size(); ++read)
        if (read != written && launch.values[read] == launch.values[written]) return std::pair{read, written};
    return std::nullopt;
  }

  /// Returns false for a launch that need not run.
  bool rewrite(Launch& launch) {
    Kernel kernel = kernel_of(launch);
    for (ValueId& value : launch.values) value = renamed(value);
    if (is_copy(kernel) && launch.values[0] == launch.values[1]) return false;
    while (const auto pair = same_value(kernel, launch)) {
      kernel = update_in_place(std::move(kernel), pair->first, pair->second);
      launch.values.erase(launch.values.begin() + pair->second);
    }
    launch.kernel = kernels_.add(std::move(kernel));
    return true;
  }

  Program& program_;
  std::vector<Move> moves_;
  std::vector<std::optional<std::uint32_t>> candidate_;  ///< the number of a value among `candidates_`
  std::vector<ValueId> candidates_;
  std::vector<ValueSet> interferes_;  ///< by two numbers of candidates; those of a class at its first value
  std::vector<ValueId> class_;        ///< a value that it is one with, or itself
  std::vector<ValueId> number_;       ///< in the new program, of the first value of a class
  KernelTable kernels_;
};

}  // namespace

void coalesce(Program& program) { Coalescing(program).run(); }

}  // namespace codegen::kernel
