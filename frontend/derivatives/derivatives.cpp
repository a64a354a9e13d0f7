#include "frontend/derivatives/derivatives.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "dlvm/differentiate/paths.h"
#include "dlvm/differentiate/rules.h"
#include "dlvm/ir/instruction_views.h"
#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/check/diagnostics/gradient_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::derivatives {
namespace {

using check::Declaration;
using check::Entry;
using dlvm::Edge;
using Declarations = std::vector<const Declaration*>;
using Step = dlvm::Dependence::Step;

/// Derivatives by several arguments that are missing for the same cause.
struct Group {
  Edge kind;
  const dlvm::Instruction* cause;  ///< null: no path
  std::vector<Step> path;          ///< by the first of them
  Declarations by;
};

/// `'a', 'b' or 'c'`.
std::string listed(const Declarations& declarations, std::string_view last) {
  std::string text;
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    if (i > 0) text += i + 1 < declarations.size() ? ", " : fmt::format(" {} ", last);
    text += "'" + declarations[i]->name + "'";
  }
  return text;
}

std::string differentiated(const Entry& entry) {
  Declarations of = entry.losses;
  of.insert(of.end(), entry.seeded.begin(), entry.seeded.end());
  return (of.size() > 1 ? "the sum of " : "") + listed(of, "and");
}

bool is_call(const Step& step) { return step.instruction->opcode() == dlvm::Opcode::apply; }

/// What makes the path what it is: the first instruction with such an edge, inside calls where it is there.
const dlvm::Instruction* cause_of(const dlvm::MissingDerivative& missing) {
  for (const Step& step : missing.path)
    if (step.edge == missing.kind && !is_call(step)) return step.instruction;
  return nullptr;
}

std::vector<Group> grouped(const Entry& entry, std::vector<dlvm::MissingDerivative> all,
                           const dlvm::Integers& arguments) {
  std::vector<Group> groups;
  for (dlvm::MissingDerivative& missing : all) {
    const auto position = std::find(arguments.begin(), arguments.end(), missing.argument) - arguments.begin();
    const Declaration* by = entry.wrt[static_cast<std::size_t>(position)];
    if (!by->used) continue;  // that has been reported
    const dlvm::Instruction* cause = cause_of(missing);
    const auto same = [&](const Group& group) { return group.kind == missing.kind && group.cause == cause; };
    const auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end())
      groups.push_back({missing.kind, cause, std::move(missing.path), {by}});
    else
      group->by.push_back(by);
  }
  return groups;
}

/// The calls that lead to the cause, and the cause.
void show(dlvm::Diagnostic& report, const Group& group, std::string_view what) {
  const auto note = [&](const dlvm::Instruction& at, std::string_view text) {
    if (!at.locations().empty()) report.note(at.locations().front(), std::string(text));
  };
  for (const Step& step : group.path) {
    if (step.edge != group.kind) continue;
    if (is_call(step)) {
      note(*step.instruction, "inside this call");
      continue;
    }
    note(*step.instruction, what);
    return;
  }
}

/// Whether the initial value is drawn at random, as that of a param alone can be.
bool is_drawn(const Declaration* declaration) {
  return std::ranges::any_of(declaration->initializer().nodes,
                             [](const auto& node) { return node->kind == check::Node::Kind::key; });
}

void report(const Entry& entry, const Group& group, dlvm::Location location, dlvm::Diagnostics& diagnostics) {
  const std::string of = differentiated(entry), either = listed(group.by, "or"),
                    all = listed(group.by, "and");
  const bool implicit = entry.kind == dlvm::EntryKind::gradient;
  const bool drawn = std::ranges::any_of(group.by, is_drawn);
  const bool fields = std::ranges::any_of(group.by, [](const auto* each) {
    return (each->pattern != nullptr ? each->pattern : each)->structure != nullptr;
  });
  const std::string constant =
      !implicit ? fmt::format("leave {} out of wrt", all)
      : fields  ? fmt::format("take {} out of the struct, into a const", all)
      : drawn   ? fmt::format("declare {} const; in the place of a random initial value it is loaded", all)
                : fmt::format("declare {} const", all);
  if (group.kind == Edge::unknown) {
    auto& message = diagnostics.report(check::derivative_not_known, location, of, either,
                                       dlvm::why_unknown(*group.cause));
    show(message, group, "this has no known derivative");
    message.fix("write stop_gradient(...) around it if a derivative of zero is intended");
  } else if (group.kind == Edge::step) {
    auto& message = diagnostics.report(check::derivative_of_steps, location, of, all);
    show(message, group, "this changes only in steps");
    message.fix(constant + ", or write stop_gradient(...) if a derivative of zero is intended");
  } else if (group.cause != nullptr) {
    auto& message = diagnostics.report(check::derivative_stopped, location, of, all);
    show(message, group, "here");
    message.fix(constant);
  } else {
    diagnostics.report(check::no_dependence, location, of, either).fix(constant);
  }
}

void report_missing(const Entry& entry, const dlvm::GradientDeclaration& declaration,
                    dlvm::Diagnostics& diagnostics) {
  dlvm::Dependence dependence(&dlvm::derivative_edge);
  auto missing = dlvm::missing_derivatives(declaration, dependence);
  for (const Group& group : grouped(entry, std::move(missing), *declaration.wrt))
    report(entry, group, entry.location.valid() ? entry.location : group.by.front()->location, diagnostics);
}

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
  report_missing(entry, asked, diagnostics);
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

/// Gradients of expressions inside functions are checked for each function that lowering makes; the message
/// of one place is printed once.
class ExpressionGradients {
 public:
  explicit ExpressionGradients(dlvm::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void check(const dlvm::GradientDeclaration& declaration) {
    dlvm::Dependence dependence(&dlvm::derivative_edge);
    for (dlvm::MissingDerivative& missing : dlvm::missing_derivatives(declaration, dependence))
      report(declaration, {missing.kind, cause_of(missing), std::move(missing.path), {}},
             declaration.of->entry().arguments()[static_cast<std::size_t>(missing.argument)]->name());
  }

  /// Differentiation warns of a derivative that turns out to be zero, once for all functions with the place.
  void mark(dlvm::GradientDeclaration& declaration) {
    declaration.warned = !seen_.insert(place_of(declaration, "")).second;
  }

 private:
  using Place = std::tuple<const dlvm::Source*, std::uint32_t, std::uint32_t, std::string>;

  static Place place_of(const dlvm::GradientDeclaration& declaration, const std::string& name) {
    const dlvm::Location at = declaration.location;
    return {at.source, at.line, at.column, name};
  }

  void report(const dlvm::GradientDeclaration& declaration, const Group& group, const std::string& name) {
    const dlvm::Location at = declaration.location;
    const std::string of = fmt::format("'{}'", check::quoted(declaration.of->location, "the expression")),
                      by = fmt::format("'{}'", name);
    const bool is_zero = group.kind == Edge::detached || group.cause == nullptr;
    if (is_zero && group.kind != Edge::unknown) seen_.insert(place_of(declaration, ""));
    if (!seen_.insert(place_of(declaration, name)).second) return;
    if (group.kind == Edge::unknown) {
      auto& message = diagnostics_.report(check::derivative_not_known, at, of, by,
                                          group.cause != nullptr ? dlvm::why_unknown(*group.cause)
                                                                 : std::string("it goes through a function"));
      show(message, group, "this has no known derivative");
      message.fix("write stop_gradient(...) around it if a derivative of zero is intended");
    } else if (group.kind == Edge::step) {
      auto& message = diagnostics_.report(check::derivative_of_steps, at, of, by);
      show(message, group, "this changes only in steps");
      message.fix("write 0 if a derivative of zero is intended");
    } else if (group.cause != nullptr) {
      show(diagnostics_.report(check::derivative_stopped, at, of, by), group, "here");
    } else {
      diagnostics_.report(check::gradient_independent, at, of, name);
    }
  }

  dlvm::Diagnostics& diagnostics_;
  std::set<Place> seen_;
};

}  // namespace

void check_derivatives(const check::Program& program, dlvm::Module& module, const dlvm::Module* expanded,
                       dlvm::Diagnostics& diagnostics) {
  ExpressionGradients expressions(diagnostics);
  for (const dlvm::Function* each : expression_gradients(expanded != nullptr ? *expanded : module))
    expressions.check(*each->gradient);
  for (dlvm::Function* each : expression_gradients(module)) expressions.mark(*each->gradient);
  if (diagnostics.has_errors()) return;
  for (const Entry& entry : program.entries)
    if (entry.optimizer != nullptr)  // whose derivatives are those of `gradient`
      mark_as_warned(entry, module);
    else if (!entry.wrt.empty())
      check_entry(entry, module, expanded, diagnostics);
}

}  // namespace frontend::derivatives
