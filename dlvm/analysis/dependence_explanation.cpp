// The instructions on one path of a dependence, for messages.
#include <algorithm>

#include "dlvm/analysis/dependence.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"

namespace dlvm {

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

  /// Returns the number of the leaf of a call among those of all parameters.
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
    const auto call = as<Apply>(*taken.by);
    if (call && taken.edge != Edge::smooth)
      explain_into(out, *call.callee(), taken.parameter_leaf, taken.result_leaf, taken.edge, limit);
  }
  return true;
}

}  // namespace dlvm
