#include "frontend/check/functions/matches.h"

#include <fmt/format.h>

#include "dlvm/support/suggest.h"
#include "frontend/check/checked_module.h"
#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/functions/local_values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// The case with its block, `node(a, b) { ... }`, or its value.
std::string written_case(const DeclaredType::Member& member, CaseForm form) {
  std::string text = member.name;
  for (std::size_t i = 0; i < member.types.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "(" : ", ", static_cast<char>('a' + i % 26));
  return text + (member.types.empty() ? "" : ")") + (form == CaseForm::block ? " { ... }" : " => ...");
}

void report_unknown_case(BodyContext& context, const ast::Name& name, const DeclaredType& type,
                         CaseForm form) {
  auto& report = context.diagnostics.report(unknown_case, name.location, type.name, name.text);
  report.note(type.syntax->name.location, fmt::format("'{}' is declared here", type.name));
  std::vector<std::string_view> names;
  for (const DeclaredType::Member& member : type.members) names.push_back(member.name);
  if (name.text == "_" || name.text == "default")
    report.fix(fmt::format("each case has a {} of its own, so that nothing is forgotten when a case is added",
                           form == CaseForm::block ? "block" : "value"));
  else if (const auto near = dlvm::closest(name.text, names); !near.empty())
    report.fix(fmt::format("did you mean '{}'?", near));
}

void report_missing_cases(BodyContext& context, Location place, const DeclaredType& type, CaseForm form,
                          const std::vector<const ast::Name*>& blocks) {
  std::string names, fix;
  std::size_t count = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] != nullptr) continue;
    names += fmt::format("{}'{}'", count++ == 0 ? "" : ", ", type.members[i].name);
    fix += fmt::format("{}{}", fix.empty() ? "" : " ", written_case(type.members[i], form));
  }
  if (count == 0) return;
  context.diagnostics
      .report(missing_case, place, form == CaseForm::block ? "block" : "value",
              fmt::format("the case{} {}", count > 1 ? "s" : "", names), type.name)
      .note(type.syntax->name.location, fmt::format("'{}' is declared here", type.name))
      .fix("add " + fix);
}

/// Returns the types of the payload of the case; null where there is no such case, or no type.
const std::vector<Type>* payload_of(const DeclaredType* type, std::string_view name) {
  if (type == nullptr || type->failed) return nullptr;
  for (const DeclaredType::Member& member : type->members)
    if (member.name == name) return &member.types;
  return nullptr;
}

}  // namespace

Node* check_matched(BodyContext& context, const ast::Expression& e, CaseForm form) {
  Node* x = check_any_expression(context, e);
  if (x == nullptr) return nullptr;
  if (!x->type.is_tensor() && !x->type.declared->is_structure()) return x;
  auto& report = context.diagnostics.report(match_of_other, x->place(), spelling(type_of(context, x)));
  if (x->type.is_tensor())
    report.fix(fmt::format("compare it: if {} == 0 {}", quoted_operand(x->place()),
                           form == CaseForm::block ? "{ ... } else { ... }" : "then ... else ..."));
  else
    report.note(x->type.declared->syntax->name.location,
                fmt::format("'{}' is a struct, declared here", x->type.declared->name));
  return nullptr;
}

std::optional<std::vector<std::size_t>> order_of_cases(BodyContext& context,
                                                       const std::vector<ast::Case>& cases, Location place,
                                                       const DeclaredType& type, CaseForm form) {
  if (type.failed) return std::nullopt;
  bool fine = true, known = true;
  std::vector<std::size_t> order;
  std::vector<const ast::Name*> blocks(type.members.size(), nullptr);
  for (const ast::Case& each : cases) {
    const auto index = type.find(each.name.text);
    if (!index) {
      report_unknown_case(context, each.name, type, form);
      fine = known = false;
      continue;
    }
    const DeclaredType::Member& member = type.members[*index];
    if (blocks[*index] != nullptr) {
      const std::string_view what = form == CaseForm::block ? "block" : "value";
      context.diagnostics.report(repeated_case, each.name.location, fmt::format("{}s", what), each.name.text)
          .note(blocks[*index]->location, fmt::format("its first {} is here", what));
      fine = false;
    } else if (each.payload.size() != member.types.size()) {
      context.diagnostics
          .report(payload_names, each.name.location, each.name.text, counted(member.types.size(), "value"),
                  each.payload.size())
          .note(member.location, fmt::format("'{}' is declared here", each.name.text))
          .fix(written_case(member, form));
      fine = false;
    }
    blocks[*index] = &each.name;
    order.push_back(*index);
  }
  if (known) report_missing_cases(context, place, type, form, blocks);
  for (const ast::Name* block : blocks) fine = fine && block != nullptr;
  return fine ? std::optional(order) : std::nullopt;
}

bool declare_payload(BodyContext& context, const ast::Case& written, const DeclaredType* type,
                     std::vector<std::optional<std::size_t>>& payload) {
  const std::vector<Type>* types = payload_of(type, written.name.text);
  bool fine = true;
  for (std::size_t i = 0; i < written.payload.size(); ++i) {
    const ast::Name& name = written.payload[i];
    payload.emplace_back();
    if (name.text == "_") continue;
    Variable variable;
    variable.is_payload = true;
    variable.failed = types == nullptr || i >= types->size();
    if (!variable.failed) variable.type = (*types)[i];
    payload.back() = declare(context, name, std::move(variable));
    fine = fine && payload.back();
  }
  return fine;
}

}  // namespace frontend::check
