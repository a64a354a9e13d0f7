// The analysis goes backwards over the statements, and repeats a loop until what lives at its begin no longer
// grows. Each `pass` takes the values that live behind a statement and leaves those that live before it.
#include "codegen/kernel/ir/liveness.h"

#include <algorithm>
#include <utility>

#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {
namespace {

/// Whether a launch of the kernel always ends the call: a stage that runs once checks that an index is in an
/// empty range.
bool is_trap(const Kernel& kernel) {
  const Block& root = kernel.root;
  return root.axes.empty() && kernel.guards.empty() &&
         std::ranges::any_of(root.children, [&](const auto& child) {
           const auto* stage = std::get_if<Stage>(&child);
           return stage != nullptr && stage->axes.empty() &&
                  std::ranges::any_of(stage->body, [&](const Scalar& scalar) {
                    const auto* check = std::get_if<Scalar::Check>(&scalar.definition);
                    return check != nullptr && check->bounds.empty() && check->first == check->end;
                  });
         });
}

}  // namespace

bool ValueSet::insert(const ValueSet& from) {
  std::uint64_t added = 0;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    added |= from.words_[i] & ~words_[i];
    words_[i] |= from.words_[i];
  }
  return added != 0;
}

Liveness::Liveness(const Program& program) : Liveness(program, ValueSet(program.values.size())) {}

Liveness::Liveness(const Program& program, ValueSet at_end)
    : program_(program), at_end_(std::move(at_end)), on_entry_(at_end_) {
  pass(program.body, on_entry_);
}

void Liveness::for_each(const Visit& visit) {
  visit_ = &visit;
  ValueSet live = at_end_;
  pass(program_.body, live);
  visit_ = nullptr;
}

void Liveness::pass(const Sequence& sequence, ValueSet& live) {
  for (auto at = sequence.rbegin(); at != sequence.rend(); ++at) {
    const bool moves = std::holds_alternative<Launch>(at->node) || std::holds_alternative<Swap>(at->node);
    if (visit_ != nullptr && moves) (*visit_)(*at, live);
    std::visit([&](const auto& node) { pass(node, live); }, at->node);
  }
}

void Liveness::pass(const Launch& launch, ValueSet& live) {
  const auto& buffers = program_.kernels[launch.kernel].buffers;
  if (is_trap(program_.kernels[launch.kernel])) live.clear();
  for (std::size_t i = 0; i < launch.values.size(); ++i)
    if (buffers[i].written && !buffers[i].updated) live.erase(launch.values[i]);
  for (std::size_t i = 0; i < launch.values.size(); ++i)
    if (!buffers[i].written || buffers[i].updated) live.insert(launch.values[i]);
}

void Liveness::pass(const Swap& swap, ValueSet& live) {
  const bool first = live.contains(swap.first);
  live.put(swap.first, live.contains(swap.second));
  live.put(swap.second, first);
}

void Liveness::pass(const Branch& branch, ValueSet& live) {
  ValueSet otherwise = live;
  pass(branch.then, live);
  pass(branch.otherwise, otherwise);
  live.insert(otherwise);
  live.insert(branch.condition);
}

void Liveness::pass(const Scope& scope, ValueSet& live) {
  behind_[scope.name] = live;
  if (scope.kind == Scope::Kind::block) {
    at_scope_[scope.name] = live;
    return pass(scope.body, live);
  }
  // A pass of `for_each` finds what lives at the loop's begin complete, and does not repeat it.
  ValueSet& at_begin = at_scope_.try_emplace(scope.name, live.size()).first->second;
  const ValueSet behind = std::exchange(live, ValueSet());
  do {
    live = behind;
    pass(scope.body, live);
  } while (at_begin.insert(live));
}

void Liveness::pass(const Jump& jump, ValueSet& live) { live = at_scope_.at(jump.scope); }

}  // namespace codegen::kernel
