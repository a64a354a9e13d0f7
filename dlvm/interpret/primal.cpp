#include "dlvm/interpret/primal.h"

#include <fmt/format.h>

#include <cmath>

#include "dlvm/interpret/decisions.h"
#include "dlvm/interpret/elements.h"

namespace dlvm {
namespace {

std::optional<std::size_t> cotangent_of(const EntryPoint& entry, std::string_view output) {
  for (std::size_t i = 0; i < entry.arguments.size(); ++i)
    if (entry.arguments[i].role == ArgumentRole::cotangent && entry.arguments[i].name == output) return i;
  return std::nullopt;
}

}  // namespace

Primal::Primal(const Module& expanded, const Module& declared, const EntryPoint& entry) : entry_(entry) {
  const Function* function = declared.function(entry.function);
  if (function != nullptr && function->gradient)
    use_declaration(*function);
  else
    use_results(expanded);
}

void Primal::use_declaration(const Function& function) {
  const GradientDeclaration& declaration = *function.gradient;
  function_ = declaration.of;
  const std::size_t parameters = function_->type().parameters().size();
  summands_.push_back({static_cast<std::size_t>(declaration.from),
                       declaration.seedable ? std::optional(parameters) : std::nullopt});
  if (!function_->has_body())
    problem_ = fmt::format("@{} has no body", function_->name());
  else if (entry_.arguments.size() != parameters + (declaration.seedable ? 1 : 0))
    problem_ = fmt::format("the entry point does not take what @{} takes", function_->name());
}

void Primal::use_results(const Module& expanded) {
  function_ = expanded.function(entry_.function);
  const auto& results = entry_.results;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].role == ResultRole::loss) summands_.push_back({i, std::nullopt});
  if (!summands_.empty()) return;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (const auto cotangent = cotangent_of(entry_, results[i].name);
        cotangent && results[i].role != ResultRole::derivative)
      summands_.push_back({i, cotangent});
  if (summands_.empty()) problem_ = "neither a gradient declaration nor a result says what is differentiated";
}

Primal::Value Primal::evaluate(const EntryCall& call, Detached detached) const {
  Decisions decisions;
  InterpretOptions options;
  options.float64 = true;
  options.dimensions = call.dimensions;
  options.detached = detached.values;
  options.replay_detached = detached.replay;
  options.observe = [&](const Instruction& instruction, std::span<const RuntimeValue> operands,
                        const RuntimeValue& result) { decisions.observe(instruction, operands, result); };
  const std::size_t count = function_->type().parameters().size();
  const auto result = interpret(*function_, std::span(call.arguments).first(count), options);
  Value value;
  if (!result) {
    value.error = result.error->text;
    return value;
  }
  for (const Summand& summand : summands_) {
    const RuntimeValue& tuple = result.value;
    const Tensor& tensor = tuple.is_tensor() ? tuple.tensor() : tuple.elements()[summand.result].tensor();
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      const double factor = summand.cotangent ? call.arguments[*summand.cotangent].tensor().real(i) : 1;
      value.value += factor * tensor.real(i);
      value.magnitude += std::fabs(factor * tensor.real(i));
    }
  }
  value.decisions = decisions.fingerprint();
  return value;
}

}  // namespace dlvm
