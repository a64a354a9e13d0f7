#include "dlvm/analysis/dependence.h"

#include <algorithm>
#include <iterator>

#include "dlvm/analysis/leaves.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr Edge every_edge[]{Edge::smooth, Edge::unknown, Edge::step, Edge::detached};

void add_at(std::vector<Paths>& paths, std::size_t size, std::size_t at, Paths more) {
  if (paths.empty()) paths.resize(size);
  paths[at] = static_cast<Paths>(paths[at] | more);
}

}  // namespace

template <typename Use>
void Dependence::edges(const Instruction& instruction, bool solving, const std::vector<bool>& wanted,
                       Use use) {
  const auto& operands = instruction.operands();
  const auto tuple_element = [&](std::size_t operand, std::size_t first_inner, std::size_t first_outer,
                                 std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (wanted[first_outer + i]) use(operand, first_inner + i, first_outer + i, paths_of(Edge::smooth));
  };
  if (instruction.opcode() == Opcode::literal) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const std::size_t count = leaf_count(operands[i]->type());
      tuple_element(i, 0, at, count);
      at += count;
    }
  } else if (const auto extract = as<Extract>(instruction)) {
    tuple_element(0, leaf_offset(extract.aggregate()->type().elements(), extract.position()), 0,
                  leaf_count(instruction.type()));
  } else if (const auto insert = as<Insert>(instruction)) {
    const std::size_t first = leaf_offset(instruction.type().elements(), insert.position());
    const std::size_t count = leaf_count(insert.element()->type());
    tuple_element(0, 0, first, count);
    tuple_element(1, 0, 0, first);
    tuple_element(1, first + count, first + count, leaf_count(instruction.type()) - first - count);
  } else if (const auto call = as<Apply>(instruction)) {
    call_edges(call, solving, wanted, use);
  } else {
    // Of a tuple (topk), the first leaf has the derivative and the others are integers.
    for (std::size_t leaf = 0; leaf < wanted.size(); ++leaf)
      for (std::size_t i = 0; wanted[leaf] && i < operands.size(); ++i)
        use(i, 0, leaf, paths_of(leaf == 0 ? edge_(instruction, i) : Edge::step));
  }
}

template <typename Use>
void Dependence::call_edges(const Apply& call, bool solving, const std::vector<bool>& wanted, Use& use) {
  for (std::size_t result = 0; result < wanted.size(); ++result) {
    if (!wanted[result]) continue;
    const std::vector<Paths>& paths =
        solving ? entry({call.callee(), result}).paths : of_result(*call.callee(), result);
    std::size_t at = 0;
    for (std::size_t i = 0; i < call.arguments().size(); ++i) {
      const std::size_t count = leaf_count(call.arguments()[i]->type());
      for (std::size_t leaf = 0; leaf < count; ++leaf, ++at)
        if (paths[at] != 0) use(i, leaf, result, paths[at]);
    }
  }
}

std::vector<Paths> Dependence::external(const Function& function, std::size_t result_leaf) const {
  const std::vector<Type> results = leaves(function.type().result());
  std::vector<Paths> paths;
  for (const Type& parameter : function.type().parameters())
    for (const Type& leaf : leaves(parameter))
      paths.push_back(paths_of(is_floating(leaf.element()) && is_floating(results[result_leaf].element())
                                   ? Edge::unknown
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
  if (!key.first->is_straight_line()) return;
  for (const auto& instruction : key.first->entry().instructions()) {
    const auto call = as<Apply>(*instruction);
    if (!call) continue;
    for (std::size_t result = 0; result < leaf_count(call.type()); ++result)
      entry({call.callee(), result}).dependents.insert(key);
  }
}

/// From what is known of the callees.
std::vector<Paths> Dependence::solved(const Key& key) {
  if (!key.first->is_straight_line()) return external(*key.first, key.second);
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
  const Instruction& exit = *key.first->entry().terminator();
  if (exit.operands().empty()) return reaching;
  const Value* result = exit.operand(0);
  add_at(reaching[result], leaf_count(result->type()), key.second, paths_of(Edge::smooth));
  const auto& body = key.first->entry().instructions();
  for (auto at = body.rbegin(); at != body.rend(); ++at) {
    const Instruction& instruction = **at;
    const auto found = reaching.find(&instruction);
    if (found == reaching.end()) continue;
    const std::vector<Paths> rest = found->second;
    std::vector<bool> wanted(rest.size());
    std::transform(rest.begin(), rest.end(), wanted.begin(), [](Paths p) { return p != 0; });
    edges(instruction, true, wanted,
          [&](std::size_t operand, std::size_t inner, std::size_t outer, Paths by) {
            const Value* of = instruction.operand(operand);
            for (const Edge edge : every_edge)
              if (has(by, edge))
                add_at(reaching[of], leaf_count(of->type()), inner, through(edge, rest[outer]));
          });
  }
  return reaching;
}

void Dependence::extend(Varied& from, const std::vector<Instruction*>& body) {
  for (const Instruction* instruction : body) {
    const auto depends = [&](const Value* operand) { return from.contains(operand); };
    if (std::none_of(instruction->operands().begin(), instruction->operands().end(), depends)) continue;
    std::vector<bool> varied(leaf_count(instruction->type()));
    edges(*instruction, false, std::vector<bool>(varied.size(), true),
          [&](std::size_t operand, std::size_t inner, std::size_t outer, Paths by) {
            if (!has(by, Edge::smooth) && !has(by, Edge::unknown)) return;
            const auto found = from.find(instruction->operand(operand));
            if (found != from.end() && found->second[inner]) varied[outer] = true;
          });
    if (std::find(varied.begin(), varied.end(), true) != varied.end()) from[instruction] = std::move(varied);
  }
}

std::vector<Dependence::Step> Dependence::explain(const Function& function, std::size_t parameter_leaf,
                                                  std::size_t result_leaf, Edge kind, std::size_t limit) {
  std::vector<Step> out;
  explaining_.clear();
  of_result(function, result_leaf);
  explain_into(out, function, parameter_leaf, result_leaf, kind, limit);
  return out;
}

/// Walks from the parameter, always to a use from which the rest of the path has the kind wanted.
bool Dependence::explain_into(std::vector<Step>& out, const Function& function, std::size_t parameter_leaf,
                              std::size_t result_leaf, Edge kind, std::size_t limit) {
  if (!function.is_straight_line() || out.size() >= limit) return false;
  if (!explaining_.insert({&function, parameter_leaf, result_leaf, kind}).second) return false;
  const Reaching reaching = backwards({&function, result_leaf});
  const Value* at = nullptr;
  std::size_t leaf = parameter_leaf;
  for (const auto& argument : function.entry().arguments()) {
    const std::size_t count = leaf_count(argument->type());
    at = argument.get();
    if (leaf < count) break;
    leaf -= count;
  }
  for (const auto& instruction : function.entry().instructions()) {
    const auto found = reaching.find(instruction.get());
    if (found == reaching.end() || out.size() >= limit) continue;
    const std::vector<Paths>& rest = found->second;
    bool taken = false;
    Edge edge_taken = Edge::smooth, rest_kind = kind;
    std::size_t outer_taken = 0, parameter_taken = 0;
    edges(*instruction, true, std::vector<bool>(rest.size(), true),
          [&](std::size_t operand, std::size_t inner, std::size_t outer, Paths by) {
            if (taken || instruction->operand(operand) != at || inner != leaf) return;
            for (const Edge edge : every_edge)
              for (const Edge after : every_edge)
                if (!taken && has(by, edge) && has(rest[outer], after) && std::max(edge, after) == kind) {
                  taken = true;
                  edge_taken = edge;
                  rest_kind = after;
                  outer_taken = outer;
                  parameter_taken = inner;
                  for (std::size_t i = 0; i < operand; ++i)
                    parameter_taken += leaf_count(instruction->operand(i)->type());
                }
          });
    if (!taken) continue;
    out.push_back({&function, instruction.get(), edge_taken});
    if (const auto call = as<Apply>(*instruction); call && edge_taken != Edge::smooth)
      explain_into(out, *call.callee(), parameter_taken, outer_taken, edge_taken, limit);
    at = instruction.get();
    leaf = outer_taken;
    kind = rest_kind;
  }
  return true;
}

}  // namespace dlvm
