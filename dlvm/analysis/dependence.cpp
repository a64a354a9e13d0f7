#include "dlvm/analysis/dependence.h"

#include <algorithm>
#include <iterator>

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// Returns whether that adds any.
bool add_at(std::vector<Paths>& paths, std::size_t size, std::size_t at, Paths more) {
  if (paths.empty()) paths.resize(size);
  const Paths before = paths[at];
  paths[at] = static_cast<Paths>(before | more);
  return paths[at] != before;
}

/// A stack has the leaves of the values on it.
std::size_t leaf_count_of(const Value& value) {
  if (!value.type().is_stack()) return leaf_count(value.type());
  const auto record = stack_record(value);
  return record ? leaf_count(*record) : 0;
}

}  // namespace

std::vector<Paths> Dependence::opaque(const Function& function, std::size_t result_leaf, Edge floating) {
  const std::vector<Type> results = leaves(function.type().result());
  std::vector<Paths> paths;
  for (const Type& parameter : function.type().parameters())
    for (const Type& leaf : leaves(parameter))
      paths.push_back(paths_of(is_floating(leaf.element()) && is_floating(results[result_leaf].element())
                                   ? floating
                                   : Edge::step));
  return paths;
}

Dependence::Entry& Dependence::entry(const Key& key) {
  const auto [place, fresh] = entries_.try_emplace(key);
  if (fresh) {
    std::size_t count = 0;
    for (const Type& parameter : key.first->type().parameters()) count += leaf_count(parameter);
    place->second.paths.resize(count);
    pending_.push_back(key);
  }
  return place->second;
}

const std::vector<Paths>& Dependence::of_result(const Function& function, std::size_t result_leaf) {
  Entry& asked = entry({&function, result_leaf});
  solve();
  return asked.paths;
}

/// The least fixed point: callees first, so that without recursion each function is looked at once; with it,
/// paths only grow, and callers that have been looked at are so again when they do.
void Dependence::solve() {
  while (!pending_.empty()) {
    const Key key = pending_.back();
    Entry& entry = entries_.at(key);
    if (entry.state == Entry::State::fresh) {
      entry.state = Entry::State::open;
      open_callees(key);
      continue;
    }
    pending_.pop_back();
    entry.state = Entry::State::solved;
    std::vector<Paths> paths = solved(key);
    if (entry.paths == paths) continue;
    entry.paths = std::move(paths);
    for (const Key& dependent : entry.dependents) {
      Entry& caller = entries_.at(dependent);
      if (caller.state != Entry::State::solved) continue;
      caller.state = Entry::State::open;
      pending_.push_back(dependent);
    }
  }
}

/// Makes entries for all that `key`'s function calls; new ones are solved before it.
void Dependence::open_callees(const Key& key) {
  if (key.first->gradient)
    entry({key.first->gradient->of, differentiated_leaf(*key.first, key.second)}).dependents.insert(key);
  if (key.first->adjoint != nullptr) return;
  for (const auto& block : key.first->blocks())
    for (const auto& instruction : block->instructions()) {
      const auto call = as<Apply>(*instruction);
      if (!call) continue;
      for (std::size_t result = 0; result < leaf_count(call.type()); ++result)
        entry({call.callee(), result}).dependents.insert(key);
    }
}

/// From what is known of the callees.
std::vector<Paths> Dependence::solved(const Key& key) {
  if (key.first->gradient) {
    // A cotangent or a tangent is a factor of the derivative.
    std::vector<Paths> paths =
        entries_.at({key.first->gradient->of, differentiated_leaf(*key.first, key.second)}).paths;
    std::size_t count = 0;
    for (const Type& parameter : key.first->type().parameters()) count += leaf_count(parameter);
    paths.resize(count, paths_of(Edge::smooth));
    return paths;
  }
  if (key.first->adjoint != nullptr) return opaque(*key.first, key.second, Edge::smooth);
  if (!key.first->has_body()) return opaque(*key.first, key.second, Edge::unknown);
  Reaching reaching = backwards(key);
  std::vector<Paths> paths;
  for (const auto& argument : key.first->entry().arguments()) {
    std::vector<Paths>& of = reaching[argument.get()];
    of.resize(leaf_count(argument->type()));
    paths.insert(paths.end(), of.begin(), of.end());
  }
  return paths;
}

/// The paths from each value to the leaf of the result.
Dependence::Reaching Dependence::backwards(const Key& key) {
  Reaching reaching;
  for (const auto& block : key.first->blocks()) {
    const Instruction* exit = block->terminator();
    if (exit->opcode() != Opcode::return_ || exit->operands().empty()) continue;
    const Value* result = exit->operand(0);
    add_at(reaching[result], leaf_count(result->type()), key.second, paths_of(Edge::smooth));
  }
  follow_backwards(reaching, ControlFlow(*key.first), true);
  return reaching;
}

/// Once, and again until nothing changes where there are loops.
void Dependence::follow_backwards(Reaching& reaching, const ControlFlow& body, bool solving) {
  const bool cyclic = body.has_cycle();
  bool changed = false;
  const auto visit = [&](const Instruction& instruction) {
    const auto found = reaching.find(&instruction);
    if (found == reaching.end() && gives_value(instruction.definition())) return;
    const std::vector<Paths> own = found == reaching.end() ? std::vector<Paths>() : found->second;
    std::vector<bool> wanted(own.size());
    std::transform(own.begin(), own.end(), wanted.begin(), [](Paths p) { return p != 0; });
    links(instruction, solving, wanted, [&](const Link& link) {
      Paths rest = paths_of(Edge::smooth);
      if (link.to != nullptr) {
        const auto of = reaching.find(link.to);
        if (of == reaching.end()) return;
        rest = of->second[link.to_leaf];
      }
      for (const Edge edge : every_edge)
        if (has(link.by, edge) &&
            add_at(reaching[link.from], leaf_count_of(*link.from), link.from_leaf, through(edge, rest)))
          changed = true;
    });
  };
  do {
    changed = false;
    for (auto block = body.order().rbegin(); block != body.order().rend(); ++block)
      for (auto at = (*block)->instructions().rbegin(); at != (*block)->instructions().rend(); ++at)
        visit(**at);
  } while (cyclic && changed);
}

bool Dependence::add_reached(Leaves& from, const Instruction& instruction) {
  const auto depends = [&](const Value* operand) { return from.contains(operand); };
  if (std::none_of(instruction.operands().begin(), instruction.operands().end(), depends)) return false;
  bool changed = false;
  links(instruction, false, std::vector<bool>(leaf_count(instruction.type()), true), [&](const Link& link) {
    if (link.to == nullptr || (!has(link.by, Edge::smooth) && !has(link.by, Edge::unknown))) return;
    const auto found = from.find(link.from);
    if (found == from.end() || !found->second[link.from_leaf]) return;
    std::vector<bool>& reached = from[link.to];
    if (reached.empty()) reached.resize(leaf_count_of(*link.to));
    changed = changed || !reached[link.to_leaf];
    reached[link.to_leaf] = true;
  });
  return changed;
}

void Dependence::add_reached(Leaves& from, const ControlFlow& body) {
  const bool cyclic = body.has_cycle();
  bool changed = false;
  do {
    changed = false;
    for (const BasicBlock* block : body.order())
      for (const auto& instruction : block->instructions())
        changed = add_reached(from, *instruction) || changed;
  } while (cyclic && changed);
}

void Dependence::add_reaching(Leaves& to, const ControlFlow& body) {
  Reaching reaching;
  for (const auto& [value, leaves] : to)
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      if (leaves[leaf]) add_at(reaching[value], leaves.size(), leaf, paths_of(Edge::smooth));
  follow_backwards(reaching, body, false);
  for (const auto& [value, paths] : reaching) {
    std::vector<bool>& leaves = to[value];
    leaves.resize(paths.size());
    for (std::size_t leaf = 0; leaf < paths.size(); ++leaf)
      if (has(paths[leaf], Edge::smooth) || has(paths[leaf], Edge::unknown)) leaves[leaf] = true;
  }
}

}  // namespace dlvm
