#include "dlvm/analysis/dependence.h"

#include <algorithm>
#include <iterator>

#include "dlvm/analysis/effects.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/analysis/stack_record.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr Edge every_edge[]{Edge::smooth, Edge::unknown, Edge::step, Edge::detached};

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

/// A leaf of the result of a derivative that is declared depends on at most what this leaf of the result of
/// the function does that it is the derivative of: the result that is differentiated, or one that is kept.
std::size_t differentiated_leaf(const Function& declared, std::size_t leaf) {
  const GradientDeclaration& declaration = *declared.gradient;
  const Function& of = *declaration.of;
  std::size_t derivatives = 0;
  if (declaration.mode == GradientDeclaration::Mode::forward) {
    derivatives = leaf_count(results_of(of.type())[static_cast<std::size_t>(declaration.from)]);
  } else {
    for (const std::int64_t i : differentiated_arguments(declaration))
      derivatives += leaf_count(of.type().parameters()[static_cast<std::size_t>(i)]);
  }
  const auto first_leaf = [&](std::int64_t result) {
    const Type& all = of.type().result();
    return all.is_tuple() ? leaf_offset(all.elements(), static_cast<std::size_t>(result)) : 0;
  };
  if (leaf < derivatives) return first_leaf(declaration.from);
  leaf -= derivatives;
  for (const std::int64_t kept : declaration.keeping) {
    const std::size_t count = leaf_count(results_of(of.type())[static_cast<std::size_t>(kept)]);
    if (leaf < count) return first_leaf(kept) + leaf;
    leaf -= count;
  }
  return 0;
}

}  // namespace

template <typename Use>
void Dependence::links(const Instruction& instruction, bool solving, const std::vector<bool>& wanted,
                       Use use) {
  if (instruction.type().is_enumeration()) return;  // it has no leaves
  switch (instruction.opcode()) {
    case Opcode::literal:
    case Opcode::extract:
    case Opcode::insert:
      return tuple_links(instruction, wanted, use);
    case Opcode::apply:
      return call_links(Apply(instruction), solving, wanted, use);
    case Opcode::push:
    case Opcode::peek:
    case Opcode::pop:
      return stack_links(instruction, use);
    default:
      break;
  }
  if (instruction.is(Trait::terminator)) return control_links(instruction, use);
  // The first leaf of a tuple (topk) has the derivative, and the others are integers.
  const auto& operands = instruction.operands();
  for (std::size_t leaf = 0; leaf < wanted.size(); ++leaf)
    for (std::size_t i = 0; wanted[leaf] && i < operands.size(); ++i) {
      Edge edge = leaf == 0 ? edge_(instruction, i) : Edge::step;
      // A comparison of bits is a step.
      const bool is_comparison = instruction.type().is_tensor() && is_boolean(instruction.type().element());
      if (edge == Edge::step && !is_comparison && carries_bits(*operands[i], instruction))
        edge = Edge::unknown;
      use({operands[i], 0, &instruction, leaf, paths_of(edge)});
    }
}

namespace {

bool is_integral(const Type& type) { return type.is_tensor() && is_integer(type.element()); }

/// The integers of a body that are made of the bits of floats. Where they come out of a call is not looked
/// into.
std::unordered_set<const Value*> values_with_bits(const Function& function) {
  std::unordered_set<const Value*> found;
  std::vector<const Value*> open;
  const auto add = [&](const Value* value) {
    if (is_integral(value->type()) && found.insert(value).second) open.push_back(value);
  };
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->opcode() == Opcode::bitCast && !is_integral(instruction->operand(0)->type()))
        add(instruction.get());
  while (!open.empty()) {
    const Value* value = open.back();
    open.pop_back();
    for (const Instruction* user : value->users()) {
      if (!user->is(Trait::terminator)) add(user);
      for (std::size_t i = 0; i < user->successors().size(); ++i) {
        const auto passed = user->passed(i);
        for (std::size_t k = 0; k < passed.size(); ++k)
          if (passed[k] == value) add(user->successors()[i].block->arguments()[k].get());
      }
    }
  }
  return found;
}

}  // namespace

bool Dependence::carries_bits(const Value& value, const Instruction& user) {
  if (!is_integral(value.type()) || user.block() == nullptr) return false;
  const Function& function = user.block()->function();
  const auto known = bits_.find(&function);
  if (known != bits_.end()) return known->second.contains(&value);
  return (bits_[&function] = values_with_bits(function)).contains(&value);
}

template <typename Use>
void Dependence::tuple_links(const Instruction& instruction, const std::vector<bool>& wanted, Use& use) {
  const auto& operands = instruction.operands();
  const auto element = [&](std::size_t operand, std::size_t first_inner, std::size_t first_outer,
                           std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (wanted[first_outer + i])
        use({operands[operand], first_inner + i, &instruction, first_outer + i, paths_of(Edge::smooth)});
  };
  if (const auto extract = as<Extract>(instruction)) {
    element(0, leaf_offset(extract.aggregate()->type().components(), extract.position()), 0, wanted.size());
  } else if (const auto insert = as<Insert>(instruction)) {
    const std::size_t first = leaf_offset(instruction.type().components(), insert.position());
    const std::size_t count = leaf_count(insert.element()->type());
    element(0, 0, first, count);
    element(1, 0, 0, first);
    element(1, first + count, first + count, wanted.size() - first - count);
  } else {
    std::size_t at = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::size_t count = leaf_count(operands[i]->type());
      element(i, 0, at, count);
      at += count;
    }
  }
}

/// What is pushed is a leaf of the stack, and what is popped or peeked at shows it.
template <typename Use>
void Dependence::stack_links(const Instruction& instruction, Use& use) {
  const bool pushes = instruction.opcode() == Opcode::push;
  const Value *value = pushes ? instruction.operand(0) : &instruction, *stack = instruction.operands().back();
  const bool known = stack_record(*stack).has_value();
  const std::size_t count = leaf_count(value->type());
  for (std::size_t leaf = 0; leaf < count; ++leaf)
    if (known)
      use({pushes ? value : stack, leaf, pushes ? stack : value, leaf, paths_of(Edge::smooth)});
    else if (pushes)
      use({value, leaf, nullptr, 0, paths_of(Edge::unknown)});
}

template <typename Use>
void Dependence::control_links(const Instruction& instruction, Use& use) {
  for (std::size_t i = 0; i < instruction.successors().size(); ++i) {
    const auto passed = instruction.passed(i);
    const auto& arguments = instruction.successors()[i].block->arguments();
    for (std::size_t k = 0; k < passed.size(); ++k)
      for (std::size_t leaf = 0; leaf < leaf_count(passed[k]->type()); ++leaf)
        use({passed[k], leaf, arguments[k].get(), leaf, paths_of(Edge::smooth)});
  }
  if (instruction.successors().empty()) return;
  for (const Value* decides : instruction.own_operands())
    for (std::size_t leaf = 0; leaf < leaf_count(decides->type()); ++leaf)
      use({decides, leaf, nullptr, 0, paths_of(Edge::step)});
}

template <typename Use>
void Dependence::call_links(const Apply& call, bool solving, const std::vector<bool>& wanted, Use& use) {
  if (has_effect(call.instruction()))  // the callee may push what is popped elsewhere
    for (const Value* argument : call.arguments())
      for (std::size_t leaf = 0; leaf < leaf_count(argument->type()); ++leaf)
        use({argument, leaf, nullptr, 0, paths_of(Edge::unknown)});
  for (std::size_t result = 0; result < wanted.size(); ++result) {
    if (!wanted[result]) continue;
    const std::vector<Paths>& paths =
        solving ? entry({call.callee(), result}).paths : of_result(*call.callee(), result);
    std::size_t at = 0;
    for (const Value* argument : call.arguments()) {
      const std::size_t count = leaf_count(argument->type());
      for (std::size_t leaf = 0; leaf < count; ++leaf, ++at)
        if (paths[at] != 0) use({argument, leaf, &call.instruction(), result, paths[at]});
    }
  }
}

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

/// Searches a path of one kind from a parameter, depth first, along the links in the order of the body.
class Dependence::Explanation {
 public:
  /// A leaf, and the kind of the paths wanted from it to the result.
  struct State {
    const Value* value;
    std::size_t leaf;
    Edge kind;
    friend auto operator<=>(const State&, const State&) = default;
  };
  struct Taken {
    const Instruction* by;
    Edge edge;
    std::size_t parameter_leaf = 0, result_leaf = 0;  ///< of a call
  };

  Explanation(Dependence& dependence, const Function& function, std::size_t result_leaf)
      : dependence_(dependence), reaching_(dependence.backwards({&function, result_leaf})) {
    std::size_t position = 0;
    const ControlFlow flow(function);
    for (const BasicBlock* block : flow.order())
      for (const auto& instruction : block->instructions()) positions_[instruction.get()] = position++;
  }

  std::vector<Taken> search(const State& start) {
    struct Frame {
      State state;
      std::vector<Step> steps;
      std::size_t next = 0;
    };
    std::vector<Frame> open{{start, steps_from(start)}};
    std::set<State> seen{start};
    while (!open.empty()) {
      Frame& top = open.back();
      if (top.next == top.steps.size()) {
        open.pop_back();
        continue;
      }
      const Step step = top.steps[top.next++];
      if (step.ends) {
        std::vector<Taken> path;
        for (const Frame& frame : open) path.push_back(frame.steps[frame.next - 1].taken);
        if (step.taken.by->opcode() == Opcode::return_) path.pop_back();
        return path;
      }
      if (seen.insert(step.to).second) open.push_back({step.to, steps_from(step.to)});
    }
    return {};
  }

 private:
  struct Step {
    Taken taken;
    State to;
    bool ends;  ///< the path ends here: in a `return`, or in what may be any result
  };

  std::vector<Step> steps_from(const State& from) {
    std::vector<const Instruction*> users(from.value->users().begin(), from.value->users().end());
    std::ranges::sort(users, {}, [&](const Instruction* user) { return positions_.at(user); });
    users.erase(std::unique(users.begin(), users.end()), users.end());
    std::vector<Step> steps;
    for (const Instruction* user : users) {
      if (user->opcode() == Opcode::return_ && from.kind == Edge::smooth)
        steps.push_back({{user, Edge::smooth}, from, true});
      const std::vector<bool> wanted(leaf_count(user->type()), true);
      dependence_.links(*user, true, wanted, [&](const Link& link) {
        if (link.from == from.value && link.from_leaf == from.leaf) add(steps, *user, from.kind, link);
      });
    }
    return steps;
  }

  void add(std::vector<Step>& steps, const Instruction& user, Edge kind, const Link& link) const {
    Paths rest = paths_of(Edge::smooth);
    if (link.to != nullptr) {
      const auto found = reaching_.find(link.to);
      if (found == reaching_.end()) return;
      rest = found->second[link.to_leaf];
    }
    for (const Edge edge : every_edge)
      for (const Edge after : every_edge)
        if (has(link.by, edge) && has(rest, after) && std::max(edge, after) == kind)
          steps.push_back({{&user, edge, parameter_leaf(user, link), link.to_leaf},
                           {link.to, link.to_leaf, after},
                           link.to == nullptr});
  }

  /// Of a call: the leaf among those of all parameters.
  static std::size_t parameter_leaf(const Instruction& user, const Link& link) {
    std::size_t leaf = link.from_leaf;
    for (const Value* operand : user.operands()) {
      if (operand == link.from) break;
      leaf += leaf_count(operand->type());
    }
    return leaf;
  }

  Dependence& dependence_;
  Reaching reaching_;
  std::unordered_map<const Instruction*, std::size_t> positions_;
};

std::vector<Dependence::Step> Dependence::explain(const Function& function, std::size_t parameter_leaf,
                                                  std::size_t result_leaf, Edge kind, std::size_t limit) {
  std::vector<Step> out;
  explaining_.clear();
  of_result(function, result_leaf);
  explain_into(out, function, parameter_leaf, result_leaf, kind, limit);
  return out;
}

bool Dependence::explain_into(std::vector<Step>& out, const Function& function, std::size_t parameter_leaf,
                              std::size_t result_leaf, Edge kind, std::size_t limit) {
  if (function.gradient)
    return explain_into(out, *function.gradient->of, parameter_leaf,
                        differentiated_leaf(function, result_leaf), kind, limit);
  if (!function.has_body() || function.adjoint != nullptr || out.size() >= limit) return false;
  if (!explaining_.insert({&function, parameter_leaf, result_leaf, kind}).second) return false;
  const Value* at = nullptr;
  std::size_t leaf = parameter_leaf;
  for (const auto& argument : function.entry().arguments()) {
    const std::size_t count = leaf_count(argument->type());
    at = argument.get();
    if (leaf < count) break;
    leaf -= count;
  }
  for (const auto& taken : Explanation(*this, function, result_leaf).search({at, leaf, kind})) {
    if (out.size() >= limit) break;
    // A branch is a step of its own only where its condition is.
    if (taken.by->is(Trait::terminator) && taken.edge == Edge::smooth) continue;
    out.push_back({&function, taken.by, taken.edge});
    if (taken.by->opcode() == Opcode::apply && taken.edge != Edge::smooth)
      explain_into(out, *Apply(*taken.by).callee(), taken.parameter_leaf, taken.result_leaf, taken.edge,
                   limit);
  }
  return true;
}

}  // namespace dlvm
