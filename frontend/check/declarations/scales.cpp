#include "frontend/check/declarations/scales.h"

#include <fmt/format.h>

#include "dlvm/ir/instruction_table.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/scale_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/number.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

ElementType element_without_type(const Declaration& d) {
  return d.net != nullptr ? d.net->element : d.scope->element();
}

/// A const whose scale would fit if it had one number for each row.
bool fits_rows(const Shape& scale, const Shape& whole) {
  return scale.size() == 1 && whole.size() >= 2 && scale[0] == whole[whole.size() - 2];
}

/// Says what the name of a scale is, where it is no value that can be one.
void report_no_value(const Declaration& d, const ast::NameReference& name, dlvm::Diagnostics& messages) {
  const auto report = [&](const std::string& what) -> dlvm::Diagnostic& {
    return messages.report(scale_form, name.location, d.name, fmt::format("{} '{}'", what, name.text));
  };
  Scope& scope = *d.scope;
  dlvm::Diagnostics ignored;
  if (const auto value = scope.values.find(name.text); value != scope.values.end()) {
    report("the module's")
        .note(value->second->location, fmt::format("'{}' is declared here", name.text))
        .fix(
            "declare the const in the net, or give it a value where it is: what is loaded or computed "
            "outside of "
            "a net is no scale inside");
  } else if (d.net == nullptr
                 ? scope.dimensions.contains(name.text)
                 : d.net->dimensions.contains(name.text) || scope.dimensions.contains(name.text)) {
    report("the dimension")
        .fix(fmt::format("declare a value: scale_of_{0}: const = {1}, and write scale scale_of_{0}", d.name,
                         name.text));
  } else if (known_net(scope, name.text) != nullptr) {
    report("the net").fix("give a number, scale 0.01, or the name of a const");
  } else if (scope.instances.contains(name.text)) {
    report("the instance of a net").fix("give a number, scale 0.01, or the name of a const");
  } else if (!find_functions(scope, "", name.text, name.location, ignored).candidates.empty()) {
    report("the function")
        .fix(fmt::format("declare its value: scale_of_{0}: const = {1}(...), and write scale "
                         "scale_of_{0}",
                         d.name, name.text));
  } else {
    messages.report(unknown_name_kind, name.location, name.text)
        .fix(fmt::format("declare it: {}: const, or give a number: scale 0.01", name.text));
  }
}

/// Checks the value that a scale names.
void check_named(Checker& checker, const Declaration& d, const ast::NameReference& name,
                 dlvm::Diagnostics& messages) {
  Declaration* scale = find_scale(d, name);
  if (scale == nullptr) return report_no_value(d, name, messages);
  if (!checker.ready(*scale)) return;
  const Type& type = scale->type;
  const auto with_place = [&](dlvm::Diagnostic& report) -> dlvm::Diagnostic& {
    return report.note(scale->location, fmt::format("'{}' is declared here", scale->name));
  };
  if (!type.is_tensor() || !dlvm::is_floating(type.element.type)) {
    with_place(messages.report(scale_type, name.location, d.name, spelling(type)));
    return;
  }
  std::string why;
  const auto joined = dlvm::broadcast_shapes(type.shape, d.type.shape, why);
  if (joined && *joined == d.type.shape) return;
  auto& report = with_place(
      messages.report(scale_shape, name.location, spelling(type.shape), spelling(d.type.shape), d.name));
  if (fits_rows(type.shape, d.type.shape))
    report.fix(fmt::format("one for each row: {}: {}[{} x 1]", name.text, ast::spelling(scale->role()),
                           spelling(type.shape[0])));
}

}  // namespace

Declaration* find_scale(const Declaration& d, const ast::NameReference& name) {
  if (d.net != nullptr)
    if (const auto* member = d.net->member(name.text); member != nullptr) return member->declaration;
  if (const auto found = d.scope->values.find(name.text); found != d.scope->values.end())
    return d.net == nullptr || found->second->is_computed_constant() ? found->second : nullptr;
  dlvm::Diagnostics ignored;
  return find_imported_value(*d.scope, name.text, name.location, ignored).value;
}

void check_scale(Checker& checker, const Declaration& d, dlvm::Diagnostics& messages) {
  const ast::Expression& written = *d.syntax->scale;
  if (d.role() != ast::Role::constant) {
    const bool vowel = d.role() == ast::Role::in || d.role() == ast::Role::out;
    messages
        .report(scale_of_role, written.location, d.name,
                fmt::format("{} '{}'", vowel ? "an" : "a", ast::spelling(d.role())))
        .fix("leave the scale out, and multiply where the value is used");
    return;
  }
  if (!d.type.is_tensor() || !dlvm::is_integer(d.type.element.type)) {
    messages.report(scale_of_type, written.location, d.name, spelling(d.type))
        .fix(fmt::format("{}: const int8{} scale {}", d.name,
                         d.type.is_tensor() && !d.type.is_scalar() ? spelling(d.type.shape) : "",
                         quoted(written.location, "s")));
    return;
  }
  if (const auto* name = ast::if_a<ast::NameReference>(written)) {
    check_named(checker, d, *name, messages);
  } else if (const auto* number = ast::if_a<ast::Number>(written)) {
    const ElementType type = element_without_type(d);
    const auto value = Number::parse(number->text);
    if (!value || !value->fits(type))
      messages.report(number_does_not_fit, number->location, spelling(type), number->text);
    else if (value->nearest(type) == 0)
      messages.report(scale_zero, number->location, d.name, number->text)
          .fix("give the value of one step of the integers: scale 0.01");
  } else {
    messages.report(scale_form, written.location, d.name, "an expression")
        .fix(fmt::format("declare it: s: const = {}, and write scale s", quoted(written.location, "...")));
  }
}

Node* scaled(BodyContext& context, const Declaration& d, Node* integers, const MakeNamed& make) {
  if (integers == nullptr || !d.syntax->scale) return integers;
  const ast::Expression& written = *d.syntax->scale;
  const Location where = integers->location;
  Node* scale = nullptr;
  if (const auto* name = ast::if_a<ast::NameReference>(written))
    scale = make(*name);
  else
    scale = make_constant(context, *Number::parse(ast::to<ast::Number>(written).text),
                          element_without_type(d), where);
  if (scale == nullptr) return nullptr;
  Node* value = make_conversion(context, integers, scale->type.element.type, where);
  return make_operation(context, dlvm::Opcode::multiply, {value, scale}, {}, where);
}

}  // namespace frontend::check
