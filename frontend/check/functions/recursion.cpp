#include "frontend/check/functions/recursion.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "frontend/check/diagnostics/name_diagnostics.h"

namespace frontend::check {
namespace {

template <typename Visit>
void for_each_call(const Body& body, const Visit& visit) {
  for (const auto& node : body.nodes)
    if (node->live && node->callee != nullptr) visit(*node);
}

/// Adds the requirements of what the body calls. Returns whether it lacked one.
bool take_requirements(Body& body) {
  bool changed = false;
  for_each_call(body, [&](const Node& call) {
    const std::vector<dlvm::Requirement> wanted = call.callee->body.requirements;
    for (const dlvm::Requirement& requirement : wanted)
      changed = dlvm::add_requirement(body.requirements, requirement) || changed;
  });
  return changed;
}

bool take_training(Instance& instance) {
  bool depends = instance.depends_on_training;
  for_each_call(instance.body,
                [&](const Node& call) { depends = depends || call.callee->depends_on_training; });
  return std::exchange(instance.depends_on_training, depends) != depends;
}

/// Which functions have a call that returns, as far as that can be seen: some way through the body calls only
/// functions that have one. Conditions are taken for such that may be true or false.
class Returns {
 public:
  void find(const Program& program) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& instance : program.instances)
        if (!returning_.contains(instance.get()) && returns(*instance))
          changed = returning_.insert(instance.get()).second;
    }
  }
  bool contains(const Instance& instance) const { return returning_.contains(&instance); }

 private:
  struct Ways {
    bool on = true;         ///< a way goes on behind the statements
    bool returned = false;  ///< a way returns
  };

  bool returns(const Instance& instance) const {
    return !instance.complete || ways(instance.body, instance.body.statements).returned;
  }

  /// Some way through these nodes is computed to its end.
  bool computed(const Body& body, std::size_t first, std::size_t last) const {
    for (std::size_t i = last; i > first; --i) {
      const Node& node = *body.nodes[i - 1];
      if (!node.live) continue;
      if (node.callee != nullptr && !returning_.contains(node.callee)) return false;
      if (node.sides.empty()) continue;
      std::size_t begin = i - 1;
      bool any = false;
      for (auto side = node.sides.rbegin(); side != node.sides.rend(); ++side) {
        const std::size_t end = begin;
        begin -= *side;
        any = any || computed(body, begin, end);
      }
      if (!any) return false;
      i = begin + 1;
    }
    return true;
  }

  bool computed(const Body& body, const Computation& computation) const {
    return computed(body, computation.first, computation.last);
  }

  Ways ways(const Body& body, const std::vector<Statement>& statements) const {
    Ways result;
    for (const Statement& statement : statements) {
      const Ways next = ways(body, statement);
      result.returned = result.returned || next.returned;
      result.on = next.on;
      if (!result.on) break;
    }
    return result;
  }

  Ways ways(const Body& body, const Statement& s) const {
    const bool begins = computed(body, s.computation);
    if (s.kind == Statement::Kind::result) return {false, begins};
    if (s.kind == Statement::Kind::conditional) return ways_of_branches(body, s);
    if (s.kind == Statement::Kind::match) return begins ? ways_of_cases(body, s) : Ways{false, false};
    if (!begins || s.branches.empty()) return {begins, false};
    return {true, ways(body, s.branches[0].body).returned};
  }

  Ways ways_of_branches(const Body& body, const Statement& s) const {
    Ways result{false, false};
    for (const Statement::Branch& branch : s.branches) {
      if (!computed(body, branch.condition)) return result;
      const Ways inside = ways(body, branch.body);
      result = {result.on || inside.on, result.returned || inside.returned};
      if (branch.condition.values.empty()) return result;
    }
    result.on = true;
    return result;
  }

  Ways ways_of_cases(const Body& body, const Statement& s) const {
    Ways result{false, false};
    for (const Statement::Branch& branch : s.branches) {
      const Ways inside = ways(body, branch.body);
      result = {result.on || inside.on, result.returned || inside.returned};
    }
    return result;
  }

  std::set<const Instance*> returning_;
};

void report_endless(const Instance& instance, const Returns& returns, dlvm::Diagnostics& diagnostics) {
  constexpr std::size_t most = 8;
  std::vector<const Node*> calls;
  std::set<const Instance*> seen;
  const Instance* at = &instance;
  while (calls.size() < most && seen.insert(at).second) {
    const Node* next = nullptr;
    for_each_call(at->body, [&](const Node& call) {
      if (next == nullptr && !returns.contains(*call.callee)) next = &call;
    });
    if (next == nullptr) break;
    calls.push_back(next);
    at = next->callee;
  }
  std::string path = instance.function->name();
  for (const Node* call : calls) path += " → " + call->callee->function->name();
  auto& report = diagnostics.report(endless_recursion, instance.function->syntax->name.location, path);
  for (const Node* call : calls)
    report.note(call->location, fmt::format("'{}' is called here", call->callee->function->name()));
  report.fix("return without a call on some way: if n <= 0 { return ... }");
}

}  // namespace

void complete_recursion(Program& program, dlvm::Diagnostics& diagnostics) {
  const auto is_recursive = [](const auto& instance) { return instance->recursive; };
  if (std::ranges::none_of(program.instances, is_recursive)) return;
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& instance : program.instances) {
      changed = take_requirements(instance->body) || changed;
      changed = take_training(*instance) || changed;
    }
  }
  for (Declaration& declaration : program.declarations) take_requirements(declaration.body);
  Returns returns;
  returns.find(program);
  std::set<const Function*> reported;
  for (const auto& instance : program.instances)
    if (instance->recursive && instance->complete && !returns.contains(*instance) &&
        reported.insert(instance->function).second)
      report_endless(*instance, returns, diagnostics);
}

}  // namespace frontend::check
