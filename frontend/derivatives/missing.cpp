#include "frontend/derivatives/missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "dlvm/differentiate/rules.h"
#include "dlvm/ir/instruction_views.h"
#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::derivatives {
namespace {

using check::Declaration;
using check::Entry;
using dlvm::Edge;
using Declarations = std::vector<const Declaration*>;
using Step = dlvm::Dependence::Step;

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

std::vector<Group> grouped(const Entry& entry, std::vector<dlvm::MissingDerivative> all,
                           const dlvm::Integers& arguments) {
  std::vector<Group> groups;
  for (dlvm::MissingDerivative& missing : all) {
    const auto position = std::find(arguments.begin(), arguments.end(), missing.argument) - arguments.begin();
    const Declaration* by = entry.wrt[static_cast<std::size_t>(position)];
    const bool used = by->used && (by->instance == nullptr || by->instance->used);
    if (!used) continue;  // that has been reported
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

/// Whether the initial value is drawn at random, as that of a param alone can be.
bool is_drawn(const Declaration* declaration) {
  return std::ranges::any_of(declaration->initializer().nodes,
                             [](const auto& node) { return node->kind == check::Node::Kind::key; });
}

/// Returns whether the one loss changes smoothly with no param, so that the loss is wrong and not the params.
bool is_measure(const Entry& entry, const Group& group) {
  const auto used = std::ranges::count_if(entry.wrt, [](const Declaration* each) { return each->used; });
  return entry.kind == dlvm::EntryKind::gradient && entry.losses.size() == 1 &&
         group.by.size() == static_cast<std::size_t>(used);
}

/// Returns whether the call stands behind a `|>`.
bool is_piped(const dlvm::Location& call) {
  if (!call.source->text()) return false;
  const std::string_view before =
      std::string_view(*call.source->text()).substr(0, call.source->offset(call.line, call.column));
  return before.substr(0, before.find_last_not_of(' ') + 1).ends_with("|>");
}

/// Whether the character before the position belongs to a name.
bool is_in_name(std::string_view text, std::size_t position) {
  if (position == 0) return false;
  const char before = text[position - 1];
  return before == '_' || std::isalnum(static_cast<unsigned char>(before)) != 0;
}

/// Returns what may be trained in the place of a loss that changes only in steps.
std::string smooth_loss(const Declaration& loss, const Group& group) {
  std::string losses = "cross_entropy(logits, label) for classes, mse(y, target) for numbers";
  constexpr std::string_view accuracy = "accuracy(";
  for (const Step& step : group.path) {
    if (!is_call(step) || step.instruction->locations().empty()) continue;
    const dlvm::Location& place = step.instruction->locations().front();
    std::string call = check::quoted(place, "");
    const std::size_t at = call.find(accuracy);
    if (at == std::string::npos || is_in_name(call, at)) continue;
    losses = (is_piped(place) ? "... |> " : "") + call.replace(at, accuracy.size(), "cross_entropy(");
  }
  return fmt::format(
      "train a loss that changes smoothly, {}, and declare this one as a metric, {}: metric = ...", losses,
      loss.name);
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
    report_unknown(group, location, of, either, diagnostics);
  } else if (group.kind == Edge::step) {
    const bool measure = is_measure(entry, group);
    auto& message = diagnostics.report(check::derivative_of_steps,
                                       measure ? entry.losses.front()->location : location, of, all);
    show(message, group, "this changes only in steps");
    if (measure) return void(message.fix(smooth_loss(*entry.losses.front(), group)));
    message.fix(constant + ", or write stop_gradient(...) if a derivative of zero is intended");
  } else if (group.cause != nullptr) {
    auto& message = diagnostics.report(check::derivative_stopped, location, of, all);
    show(message, group, "here");
    message.fix(constant);
  } else {
    diagnostics.report(check::no_dependence, location, of, either).fix(constant);
  }
}

}  // namespace

const dlvm::Instruction* cause_of(const dlvm::MissingDerivative& missing) {
  for (const Step& step : missing.path)
    if (step.edge == missing.kind && !is_call(step)) return step.instruction;
  return nullptr;
}

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

void report_unknown(const Group& group, dlvm::Location location, const std::string& of, const std::string& by,
                    dlvm::Diagnostics& diagnostics) {
  auto& message = diagnostics.report(
      check::derivative_not_known, location, of, by,
      group.cause != nullptr ? dlvm::why_unknown(*group.cause) : std::string("it goes through a function"));
  show(message, group, "this has no known derivative");
  message.fix("write stop_gradient(...) around it if a derivative of zero is intended");
}

void report_missing(const Entry& entry, const dlvm::GradientDeclaration& declaration,
                    std::vector<dlvm::MissingDerivative> missing, dlvm::Diagnostics& diagnostics) {
  for (const Group& group : grouped(entry, std::move(missing), *declaration.wrt))
    report(entry, group, entry.location.valid() ? entry.location : group.by.front()->location, diagnostics);
}

}  // namespace frontend::derivatives
