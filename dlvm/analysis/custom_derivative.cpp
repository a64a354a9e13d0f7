#include "dlvm/analysis/custom_derivative.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"

namespace dlvm {
namespace {

bool are_tensors(const std::vector<Type>& types) {
  return std::ranges::all_of(types, [](const Type& type) { return type.is_tensor(); });
}

bool reads_variable(const Function& function) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      for (const Value* operand : instruction->operands())
        if (const Literal* literal = as_literal(operand); literal != nullptr && literal->global() != nullptr)
          return true;
  return false;
}

/// Whether the function, or one that it calls, uses a variable of the module.
bool reaches_variable(const Function& function) {
  std::unordered_set<const Function*> seen{&function};
  std::vector<const Function*> open{&function};
  while (!open.empty()) {
    const Function* next = open.back();
    open.pop_back();
    if (reads_variable(*next)) return true;
    for (const Function* called : references(*next))
      if (seen.insert(called).second) open.push_back(called);
  }
  return false;
}

std::string text_of(const std::vector<Type>& types) {
  return types.size() == 1 ? types.front().text() : Type::tuple(types).text();
}

}  // namespace

std::vector<Type> adjoint_arguments(const Type& function) {
  std::vector<Type> types = function.parameters();
  std::ranges::copy_if(results_of(function), std::back_inserter(types), is_differentiable);
  return types;
}

std::string wrong_with_adjoint(const Function& function) {
  const Type& type = function.type();
  const std::vector<Type> results = results_of(type);
  if (function.adjoint == &function) return fmt::format("@{} is its own derivative", function.name());
  if (function.gradient) return fmt::format("@{} is declared a derivative itself", function.name());
  if (!are_tensors(type.parameters()) || !are_tensors(results))
    return fmt::format("@{} takes or returns more than tensors: {}", function.name(), type.text());
  std::vector<Type> wanted;
  std::ranges::copy_if(type.parameters(), std::back_inserter(wanted), is_differentiable);
  if (wanted.empty() || std::ranges::none_of(results, is_differentiable))
    return fmt::format("@{} has no floating-point argument or no floating-point result", function.name());
  if (reaches_variable(function) || reaches_variable(*function.adjoint))
    return "a variable of the module is used";
  std::string why;
  const std::vector<Type> arguments = adjoint_arguments(type);
  const std::vector<Attribute> callee{Attribute(function.adjoint)};
  const auto returned = infer_type(Opcode::apply, {arguments, callee}, why);
  if (!returned)
    return fmt::format("@{} does not take {}: {}", function.adjoint->name(), Type::tuple(arguments).text(),
                       why);
  if (*returned == (wanted.size() == 1 ? wanted.front() : Type::tuple(wanted))) return "";
  return fmt::format("@{} returns {}, not {}", function.adjoint->name(), returned->text(), text_of(wanted));
}

}  // namespace dlvm
