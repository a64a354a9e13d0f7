#include "dlvm/differentiate/custom_adjoint.h"

#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/linear_function.h"
#include "dlvm/differentiate/rules.h"

namespace dlvm {

CalledAdjoint call_adjoint(Builder& builder, const Function& of, const std::vector<Value*>& arguments,
                           const std::vector<bool>& wrt, const std::vector<Value*>& seeds,
                           const std::vector<Value*>& onto) {
  builder.set_locations({of.adjoint->location});
  CalledAdjoint called{builder.apply(&of, arguments), onto};
  const Type& type = called.result->type();
  const std::vector<Type> results = type.is_tuple() ? type.elements() : std::vector<Type>{type};
  std::vector<Value*> given = arguments;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (is_differentiable(results[i]))
      given.push_back(seeds[i] != nullptr ? seeds[i] : zeros(builder, results[i]));
  Value* all = builder.apply(of.adjoint, std::move(given));
  std::int64_t position = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!is_differentiable(arguments[i]->type())) continue;
    if (wrt[i]) {
      Value* own = all->type().is_tuple() ? builder.extract(all, position) : all;
      called.cotangents[i] = onto[i] != nullptr ? builder.add(onto[i], own) : own;
    }
    ++position;
  }
  return called;
}

void erase_unused(Value* call) {
  Instruction* instruction = as_instruction(call);
  if (instruction->users().empty()) instruction->block()->erase(instruction);
}

bool check_transposable(const Function& declared, Diagnostics& diagnostics) {
  std::unordered_set<const Function*> seen{declared.gradient->of};
  std::vector<const Function*> open{declared.gradient->of};
  bool good = true;
  while (!open.empty()) {
    const Function* next = open.back();
    open.pop_back();
    if (next->adjoint == nullptr) {
      for (const Function* called : references(*next))
        if (seen.insert(called).second) open.push_back(called);
      continue;
    }
    const bool opaque = !next->adjoint->has_body();
    const Instruction* problem =
        opaque ? nullptr : nonlinear_instruction(*next->adjoint, next->type().parameters().size());
    if (!opaque && problem == nullptr) continue;
    auto& report = diagnostics.report(differentiation::not_linear, declared.gradient->place(),
                                      declared.name(), next->name());
    if (problem != nullptr) report.note(problem->place(), "because of what stands here");
    good = false;
  }
  return good;
}

}  // namespace dlvm
