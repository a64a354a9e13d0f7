#include "dlvm/gradcheck/differentiated.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/gradcheck/decisions.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// The gradient declaration that a function calls; null where there is none.
const Function* called_declaration(const Function& function) {
  if (!function.has_body()) return nullptr;
  for (const auto& instruction : function.entry().instructions())
    if (const auto call = as<Apply>(*instruction); call && call.callee()->gradient) return call.callee();
  return nullptr;
}

/// Whether the function is a gradient declaration, or one is called when it runs.
bool needs_derivatives(const Function& function, std::unordered_set<const Function*>& seen) {
  if (function.gradient) return true;
  if (!seen.insert(&function).second) return false;
  return std::ranges::any_of(references(function),
                             [&](const Function* each) { return needs_derivatives(*each, seen); });
}

std::size_t parameter_count(const Function& function) { return function.type().parameters().size(); }

}  // namespace

Differentiated::Differentiated(const Module& expanded, const Module& declared, const EntryPoint& entry,
                               Effort& effort)
    : entry_(entry), effort_(effort) {
  const Function* function = declared.function(entry.function);
  const Function* called = function == nullptr ? nullptr : called_declaration(*function);
  if (called != nullptr) wrapper_ = function;
  if (called != nullptr || (function != nullptr && function->gradient)) {
    use_declaration(called != nullptr ? *called : *function, expanded);
  } else {
    primal_ = derivative_ = expanded.function(entry.function);
    use_results();
  }
}

std::optional<std::size_t> Differentiated::argument_named(std::string_view name, bool cotangent) const {
  for (std::size_t i = 0; i < entry_.arguments.size(); ++i)
    if (entry_.arguments[i].name == name &&
        (entry_.arguments[i].role == ArgumentRole::cotangent) == cotangent)
      return i;
  return std::nullopt;
}

void Differentiated::use_declaration(const Function& declaration, const Module& expanded) {
  const GradientDeclaration& gradient = *declaration.gradient;
  primal_ = gradient.of;
  derivative_ = expanded.function(declaration.name());
  // A derivative of a derivative is compared with differences of the function that the latter has become.
  std::unordered_set<const Function*> seen;
  if (needs_derivatives(*primal_, seen)) {
    const Function* made = expanded.function(primal_->name());
    if (made != nullptr && made->type().parameters() == primal_->type().parameters()) primal_ = made;
  }
  if (derivative_ == nullptr || !primal_->has_body()) {
    problem_ = fmt::format("@{} has no body", derivative_ == nullptr ? declaration.name() : primal_->name());
    return;
  }
  Integers wrt = gradient.wrt.value_or(Integers());
  if (!gradient.wrt)
    for (std::size_t i = 0; i < parameter_count(*primal_); ++i) wrt.push_back(static_cast<std::int64_t>(i));
  for (const auto& result : entry_.results)
    if (result.role == ResultRole::derivative && derivatives_.size() < wrt.size())
      derivatives_.push_back(
          {result.name, static_cast<std::size_t>(wrt[derivatives_.size()]), derivatives_.size()});
  scalar_.push_back({static_cast<std::size_t>(gradient.from),
                     gradient.seedable ? std::optional(parameter_count(*primal_)) : std::nullopt});
  // Kept results follow the derivatives, in the entry as in the declaration.
  for (std::size_t k = 0; k < gradient.keeping.size() && wrt.size() + k < entry_.results.size(); ++k)
    if (const auto cotangent = argument_named(entry_.results[wrt.size() + k].name, true))
      outputs_.push_back({static_cast<std::size_t>(gradient.keeping[k]), cotangent});
}

void Differentiated::use_results() {
  const auto& results = entry_.results;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].role == ResultRole::loss) scalar_.push_back({i, std::nullopt});
    if (results[i].role == ResultRole::derivative) {
      const auto argument = argument_named(results[i].name, false);
      if (!argument) problem_ = fmt::format("no argument is called '{}'", results[i].name);
      derivatives_.push_back({results[i].name, argument.value_or(0), i});
    } else if (const auto cotangent = argument_named(results[i].name, true)) {
      outputs_.push_back({i, cotangent});
    }
  }
  if (scalar_.empty()) scalar_ = outputs_;
  if (scalar_.empty()) problem_ = "neither a gradient declaration nor a result says what is differentiated";
}

std::vector<RuntimeValue> Differentiated::arguments(const EntryCall& call) const {
  if (wrapper_ == nullptr) return call.arguments;
  // The arguments with which the wrapper calls the declaration are the last thing seen before that call
  // fails.
  std::vector<RuntimeValue> passed;
  InterpretOptions options;
  options.float64 = true;
  options.dimensions = call.dimensions;
  options.call_external = [&](const Function& function, std::span<const RuntimeValue> arguments) {
    if (function.gradient) passed.assign(arguments.begin(), arguments.end());
  };
  interpret(*wrapper_, call.arguments, options);
  return passed;
}

Differentiated::Value Differentiated::value(const std::vector<RuntimeValue>& arguments,
                                            const Extent::Bindings& dimensions,
                                            std::vector<RuntimeValue>& detached, bool replay,
                                            bool outputs) const {
  Decisions decisions;
  InterpretOptions options;
  options.float64 = true;
  options.dimensions = dimensions;
  options.detached = &detached;
  options.replay_detached = replay;
  options.observe = [&](const Instruction& instruction, std::span<const RuntimeValue> operands,
                        const RuntimeValue& result) { decisions.observe(instruction, operands, result); };
  options.proceed = std::bind_front(&Effort::proceed, &effort_);
  const auto result = interpret(*primal_, std::span(arguments).first(parameter_count(*primal_)), options);
  Value value;
  if (!result) {
    value.error = result.error->text;
    return value;
  }
  for (const Summand& summand : outputs ? outputs_ : scalar_) {
    const RuntimeValue& whole = result.value;
    const Tensor& tensor = whole.is_tensor() ? whole.tensor() : whole.elements()[summand.result].tensor();
    for (std::size_t i = 0; i < tensor.size(); ++i)
      value.terms.push_back(tensor.real(i) *
                            (summand.cotangent ? arguments[*summand.cotangent].tensor().real(i) : 1));
  }
  value.decisions = decisions.fingerprint();
  return value;
}

Interpretation Differentiated::derivative(const std::vector<RuntimeValue>& arguments,
                                          const Extent::Bindings& dimensions) const {
  InterpretOptions options;
  options.float64 = true;
  options.dimensions = dimensions;
  options.proceed = std::bind_front(&Effort::proceed, &effort_);
  return interpret(*derivative_, arguments, options);
}

}  // namespace dlvm
