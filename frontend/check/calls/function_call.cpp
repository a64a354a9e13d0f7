// Calls of functions written in TEL: which of several signatures is meant.
#include <algorithm>

#include "frontend/check/calls/call.h"
#include "frontend/check/calls/function_match.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Whether argument number `i` is for a parameter that is a value in some candidate, or for none at all.
bool may_be_value(const std::vector<Function*>& candidates, const std::vector<Argument>& arguments,
                  std::size_t i) {
  return std::ranges::any_of(candidates, [&](const Function* candidate) {
    const auto& parameters = candidate->syntax->parameters;
    const auto is_meant = [&](const ast::Parameter& parameter) {
      return arguments[i].name != nullptr ? parameter.name.text == arguments[i].name->text
                                          : &parameter == parameters.data() + i;
    };
    const auto found = std::ranges::find_if(parameters, is_meant);
    return found == parameters.end() || found->is_value();
  });
}

/// Leaves of the candidates that fit those whose ranks fit together. Where there is none or the only one does
/// not, a single candidate that wants integers in the place of floats takes its place: that says more.
void choose_by_ranks(BodyContext& context, const std::vector<Function*>& candidates,
                     std::vector<Argument>& arguments, Location location, const NetPlace* net,
                     std::vector<Function*>& fitting) {
  const bool are_several = fitting.size() > 1;
  std::vector<Function*> by_rank;
  for (Function* candidate : are_several ? fitting : candidates)
    if (FunctionMatch(context, *candidate, arguments, location, net).fits_ranks())
      by_rank.push_back(candidate);
  if (are_several ? !by_rank.empty() : by_rank.size() == 1) fitting = by_rank;
}

}  // namespace

Node* check_call(BodyContext& context, const std::vector<Function*>& candidates, std::string_view name,
                 std::vector<Argument>& arguments, Location location, Hint hint, const NetPlace* net) {
  for (Function* candidate : candidates) candidate->used = true;
  if (candidates.size() == 1)
    return FunctionMatch(context, *candidates[0], arguments, location, net).call(hint);
  const std::size_t errors = context.diagnostics.error_count();
  std::vector<Function*> fitting;
  for (Function* candidate : candidates)
    if (FunctionMatch(context, *candidate, arguments, location, net).fits()) fitting.push_back(candidate);
  for (const Argument& argument : arguments)
    if (argument.checked && argument.value == nullptr) return nullptr;
  choose_by_ranks(context, candidates, arguments, location, net, fitting);
  if (fitting.size() == 1 && context.diagnostics.error_count() == errors)
    return FunctionMatch(context, *fitting[0], arguments, location, net).call(hint);
  if (context.diagnostics.error_count() != errors) return nullptr;
  std::string given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Argument& argument = arguments[i];
    if (!argument.checked && may_be_value(candidates, arguments, i) &&
        argument_value(context, argument, {}, true) == nullptr)
      return nullptr;
    given += (given.empty() ? "" : ", ") + (argument.checked ? spelling(type_of(context, argument.value))
                                                             : quoted(argument.location, "..."));
  }
  std::string swapped;
  for (Function* candidate : candidates)
    if (fitting.empty() && swapped.empty())
      swapped = FunctionMatch(context, *candidate, arguments, location, net).swapped();
  auto& report = context.diagnostics.report(fitting.empty() ? no_signature_fits : several_signatures_fit,
                                            location, name, given);
  for (const Function* candidate : fitting.empty() ? candidates : fitting)
    report.note(candidate->syntax->name.location, signature(*candidate->syntax));
  if (!swapped.empty()) report.fix("swap the arguments: " + swapped);
  if (!fitting.empty()) report.fix("give the number a type: 1 as float32, or 1 as int32");
  return nullptr;
}

}  // namespace frontend::check
