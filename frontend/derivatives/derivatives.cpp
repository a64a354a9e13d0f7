#include "frontend/derivatives/derivatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "dlvm/differentiate/paths.h"
#include "dlvm/differentiate/rules.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/pipeline.h"
#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/derivatives/expression_gradients.h"
#include "frontend/derivatives/missing.h"

namespace frontend::derivatives {
namespace {

using check::Declaration;
using check::Entry;
using dlvm::Edge;

void warn_left_out(const Entry& entry, std::string_view why, dlvm::Diagnostics& diagnostics) {
  auto& report = diagnostics.report(check::gradient_left_out, entry.wrt.front()->location, why);
  for (const Declaration* d : entry.results)
    if (d->role() == ast::Role::out) report.note(d->location, fmt::format("the out '{}'", d->name));
  report.fix("declare what is to be minimized: L: loss = ...");
}

/// What the paths from the params to the floating-point outs are; results of the function that is
/// differentiated stand where the declaration keeps them.
dlvm::Paths paths_to_outs(const Entry& entry, const dlvm::EntryPoint& point,
                          const dlvm::GradientDeclaration& declaration) {
  dlvm::Dependence dependence(&dlvm::derivative_edge);
  dlvm::Paths all = 0;
  for (std::size_t i = 0; i < entry.results.size(); ++i) {
    const Declaration& d = *entry.results[i];
    if (d.role() != ast::Role::out || !dlvm::is_floating(d.type.element.type)) continue;
    const auto result = static_cast<std::size_t>(declaration.keeping[i]);
    const auto& paths = dependence.of_result(*declaration.of, result);
    for (std::size_t k = 0; k < point.arguments.size(); ++k)
      if (point.arguments[k].role == dlvm::ArgumentRole::parameter)
        all = static_cast<dlvm::Paths>(all | paths[k]);
  }
  return all;
}

void erase_entry(dlvm::Module& module, const dlvm::EntryPoint& point, const dlvm::Function& declared) {
  module.erase_functions({&declared, declared.gradient->of});
  std::erase_if(module.entries, [&](const dlvm::EntryPoint& each) { return &each == &point; });
}

/// The function that declares the entry point's gradient; null where nothing can be differentiated.
dlvm::Function* declaration_of(const dlvm::Module& module, const dlvm::EntryPoint& point) {
  dlvm::Function* function = module.function(point.function);
  if (function->gradient) return function;
  const auto is_derivative = [](const dlvm::EntryPoint::Result& result) {
    return result.role == dlvm::ResultRole::derivative;
  };
  if (point.kind != dlvm::EntryKind::step && std::ranges::none_of(point.results, is_derivative))
    return nullptr;
  // Around a declaration that takes values which the entry point sets to zero, or in front of the updates.
  for (const auto& instruction : function->entry().instructions())
    if (const auto call = dlvm::as<dlvm::Apply>(*instruction); call && call.callee()->gradient)
      return module.function(call.callee()->name());
  return nullptr;
}

void check_entry(const Entry& entry, dlvm::Module& module, const dlvm::Module* expanded,
                 dlvm::Diagnostics& diagnostics) {
  const auto point = std::ranges::find(module.entries, entry.name, &dlvm::EntryPoint::name);
  if (point == module.entries.end())
    return warn_left_out(entry, "no out is floating-point, and there is no loss", diagnostics);
  dlvm::Function& declared = *declaration_of(module, *point);
  const dlvm::GradientDeclaration& asked =
      *(expanded != nullptr ? declaration_of(*expanded, *point) : &declared)->gradient;
  if (entry.losses.empty() && entry.kind == dlvm::EntryKind::gradient) {
    const dlvm::Paths paths = paths_to_outs(entry, *point, asked);
    if (!dlvm::has(paths, Edge::smooth)) {
      warn_left_out(entry,
                    paths != 0 ? "the outs depend on params only through steps or stop_gradient"
                               : "no out depends on a param",
                    diagnostics);
      return erase_entry(module, *point, declared);
    }
  }
  declared.gradient->warned = true;
  dlvm::Dependence dependence(&dlvm::derivative_edge);
  report_missing(entry, asked, dlvm::missing_derivatives(asked, dependence), diagnostics);
}

void mark_as_warned(const Entry& entry, dlvm::Module& module) {
  const auto point = std::ranges::find(module.entries, entry.name, &dlvm::EntryPoint::name);
  if (point != module.entries.end()) declaration_of(module, *point)->gradient->warned = true;
}

/// The functions that declare the gradients of expressions, and not of entry points.
std::vector<dlvm::Function*> expression_gradients(const dlvm::Module& module) {
  std::set<const dlvm::Function*> of_entries;
  for (const dlvm::EntryPoint& point : module.entries) of_entries.insert(declaration_of(module, point));
  std::vector<dlvm::Function*> all;
  for (const auto& function : module.functions())
    if (function->gradient && !of_entries.contains(function.get())) all.push_back(function.get());
  return all;
}

/// Returns whether some gradient is taken of a function in which another one is taken.
bool has_nested_gradients(const dlvm::Module& module) {
  for (const auto& declared : module.functions()) {
    if (!declared->gradient) continue;
    std::set<const dlvm::Function*> reached{declared->gradient->of};
    std::vector<const dlvm::Function*> open{declared->gradient->of};
    while (!open.empty()) {
      const dlvm::Function* at = open.back();
      open.pop_back();
      if (at->gradient) return true;
      for (const auto& block : at->blocks())
        for (const auto& instruction : block->instructions())
          if (const auto call = dlvm::as<dlvm::Apply>(*instruction);
              call && call.callee() != nullptr && reached.insert(call.callee()).second)
            open.push_back(call.callee());
    }
  }
  return false;
}

/// Asks differentiation itself, which makes the inner gradients first and then looks into them. `copy` is the
/// module again, which this uses up. Takes the messages that are not there already.
void check_nested(const check::Program& program, const dlvm::Module& module, dlvm::Module& copy,
                  ExpressionGradients& expressions, dlvm::Diagnostics& diagnostics) {
  std::map<const dlvm::Function*, const Entry*> entries;
  for (const Entry& entry : program.entries) {
    const auto point = std::ranges::find(copy.entries, entry.name, &dlvm::EntryPoint::name);
    if (point == copy.entries.end()) continue;
    const dlvm::Function* declared = declaration_of(copy, *point);
    if (declared == nullptr) continue;
    if (std::ranges::find(module.entries, entry.name, &dlvm::EntryPoint::name) == module.entries.end())
      erase_entry(copy, *point, *declared);
    else
      entries.emplace(declared, &entry);
  }
  dlvm::Diagnostics ignored, found;
  dlvm::PipelineOptions options;
  options.verify_each = false;  // after an error the copy is not whole
  options.on_missing = [&](const dlvm::Function& declared, std::vector<dlvm::MissingDerivative> missing) {
    if (const auto entry = entries.find(&declared); entry != entries.end())
      report_missing(*entry->second, *declared.gradient, std::move(missing), found);
    else
      expressions.report(*declared.gradient, std::move(missing), true);
  };
  if (!dlvm::expand_gradients(copy, ignored, options) && !found.has_errors() && !diagnostics.has_errors())
    return;  // differentiation says why where the module itself is compiled
  for (const dlvm::Diagnostic& each : found.all()) {
    const auto is_same = [&](const dlvm::Diagnostic& other) {
      return other.kind == each.kind && other.text == each.text;
    };
    if (std::ranges::none_of(diagnostics.all(), is_same)) diagnostics.append(each);
  }
}

}  // namespace

void check_derivatives(const check::Program& program, dlvm::Module& module, const dlvm::Module* expanded,
                       const std::function<std::unique_ptr<dlvm::Module>()>& lower_again,
                       dlvm::Diagnostics& diagnostics) {
  ExpressionGradients expressions(diagnostics);
  for (const dlvm::Function* each : expression_gradients(expanded != nullptr ? *expanded : module)) {
    dlvm::Dependence dependence(&dlvm::derivative_edge);
    expressions.report(*each->gradient, dlvm::missing_derivatives(*each->gradient, dependence), false);
  }
  if (diagnostics.has_errors()) return;
  for (const Entry& entry : program.entries)
    if (entry.optimizer != nullptr)  // whose derivatives are those of `gradient`
      mark_as_warned(entry, module);
    else if (!entry.wrt.empty())
      check_entry(entry, module, expanded, diagnostics);
  if (!diagnostics.has_errors() && has_nested_gradients(module))
    check_nested(program, module, *lower_again(), expressions, diagnostics);
  for (dlvm::Function* each : expression_gradients(module)) expressions.mark(*each->gradient);
}

}  // namespace frontend::derivatives
