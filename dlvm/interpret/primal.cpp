#include "dlvm/interpret/primal.h"

#include <fmt/format.h>

#include <cmath>

#include "dlvm/interpret/decisions.h"
#include "dlvm/interpret/elements.h"
#include "dlvm/interpret/evaluation.h"

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
  if (function == nullptr || (!function->gradient && !use_call(*function))) {
    use_results(expanded);
    return;
  }
  if (!function->gradient) return;
  for (std::size_t i = 0; i < function->gradient->of->type().parameters().size(); ++i) sources_.push_back(i);
  if (entry_.arguments.size() != sources_.size() + (function->gradient->seedable ? 1 : 0))
    problem_ = fmt::format("the entry point does not take what @{} takes", function->gradient->of->name());
  else
    use_declaration(*function->gradient);
}

/// Where intermediate values are differentiated by, the entry's function does nothing but call a gradient,
/// with its own arguments and zeros.
bool Primal::use_call(const Function& function) {
  if (!function.has_body()) return false;
  const Instruction* end = function.entry().terminator();
  const Instruction* call = end->operands().empty() ? nullptr : as_instruction(end->operands()[0]);
  if (call == nullptr || call->opcode() != Opcode::apply || !call->callee()->gradient) return false;
  for (const dlvm::Value* operand : call->operands()) {
    if (const Argument* argument = as_argument(operand)) {
      sources_.push_back(argument->index());
    } else if (as_literal(operand) != nullptr) {
      sources_.push_back(entry_.arguments.size() + changes_.size());
      changes_.push_back(operand->type());
    } else {
      return false;
    }
  }
  use_declaration(*call->callee()->gradient);
  return true;
}

void Primal::use_declaration(const GradientDeclaration& declaration) {
  function_ = declaration.of;
  const std::size_t parameters = function_->type().parameters().size();
  summands_.push_back({static_cast<std::size_t>(declaration.from),
                       declaration.seedable
                           ? std::optional(sources_.size() > parameters ? sources_[parameters] : parameters)
                           : std::nullopt});
  sources_.resize(parameters);
  if (!function_->has_body()) problem_ = fmt::format("@{} has no body", function_->name());
  if (declaration.wrt)
    for (const std::int64_t parameter : *declaration.wrt)
      by_.push_back(sources_[static_cast<std::size_t>(parameter)]);
}

bool Primal::append_changes(EntryCall& call, std::string& why) const {
  for (const Type& type : changes_) {
    InterpretError error;
    const auto extents = evaluation::concrete_shape(type.shape(), ElementType::f64, call.dimensions,
                                                    std::int64_t{1} << 30, error);
    if (!extents) {
      why = error.text;
      return false;
    }
    call.arguments.push_back(Tensor(ElementType::f64, *extents));
  }
  return true;
}

std::optional<std::size_t> Primal::differentiated_by(std::size_t derivative) const {
  return derivative < by_.size() ? std::optional(by_[derivative]) : std::nullopt;
}

void Primal::use_results(const Module& expanded) {
  function_ = expanded.function(entry_.function);
  sources_.clear();
  changes_.clear();
  for (std::size_t i = 0; i < entry_.arguments.size(); ++i) sources_.push_back(i);
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
  std::vector<RuntimeValue> arguments;
  for (const std::size_t source : sources_) arguments.push_back(call.arguments[source]);
  const auto result = interpret(*function_, arguments, options);
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
