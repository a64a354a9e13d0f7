// Arguments of builtins: which parameter each is for, and what it says.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/calls/argument_names.h"
#include "frontend/check/calls/builtins.h"
#include "frontend/check/calls/call.h"
#include "frontend/check/calls/constant_arguments.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// Reads the arguments of one call.
class ArgumentReader {
 public:
  ArgumentReader(BodyContext& context, BuiltinCall& call, Hint hint)
      : context_(context), call_(call), hint_(hint) {}

  bool read(std::vector<Argument>& arguments) {
    call_.arguments.resize(parameters().size());
    std::size_t next = 0, positional = 0;
    bool complete = true, variadic = false;
    for (const Argument& argument : arguments) positional += argument.name == nullptr;
    for (const BuiltinParameter& parameter : parameters())
      variadic = variadic || parameter.kind == ParameterKind::values;
    if (positional > parameters().size() && !variadic) {
      with_signature(context_.diagnostics.report(argument_count, call_.location, call_.builtin.name,
                                                 counted(parameters().size(), "argument"), positional));
      return false;
    }
    for (Argument& argument : arguments) {
      std::size_t at = next;
      if (argument.name != nullptr) {
        at = 0;
        while (at < parameters().size() && parameters()[at].name != argument.name->text) ++at;
        if (at == parameters().size()) {
          std::vector<std::string_view> names;
          for (const BuiltinParameter& parameter : parameters()) names.push_back(parameter.name);
          suggest_argument(
              with_signature(context_.diagnostics.report(unknown_argument, argument.name->location,
                                                         call_.builtin.name, argument.name->text)),
              argument.name->text, names);
          return false;
        }
      } else if (next < parameters().size() && parameters()[next].kind != ParameterKind::values) {
        ++next;
      }
      BuiltinArgument& slot = call_.arguments[at];
      if (slot.given && parameters()[at].kind != ParameterKind::values) {
        with_signature(context_.diagnostics.report(argument_twice, argument.location, parameters()[at].name,
                                                   call_.builtin.name));
        return false;
      }
      slot.given = true;
      slot.location = argument.location;
      complete = one(argument, parameters()[at].kind, slot) && complete;
    }
    for (std::size_t i = 0; i < parameters().size(); ++i)
      if (parameters()[i].required && !call_.arguments[i].given) {
        auto& report = with_signature(context_.diagnostics.report(argument_missing, call_.location,
                                                                  call_.builtin.name, parameters()[i].name));
        if (parameters()[i].kind == ParameterKind::permutation)
          report.fix("the last two axes are swapped by x^T; others by a list, transpose(x, [0, 2, 1])");
        else
          report.fix(with_argument(call_.location, call_.builtin.name, parameters()[i].name));
        return false;
      }
    return complete;
  }

 private:
  std::span<const BuiltinParameter> parameters() const { return call_.builtin.parameters; }

  dlvm::Diagnostic& with_signature(dlvm::Diagnostic& report) const {
    return report.note(
        fmt::format("the function is {}: {}", signature(call_.builtin), call_.builtin.summary));
  }

  bool one(Argument& argument, ParameterKind kind, BuiltinArgument& slot) {
    if (kind == ParameterKind::value || kind == ParameterKind::values) {
      Node* value = argument_value(context_, argument, hint_);
      if (value != nullptr && resolved(context_, value->type.element).known())
        hint_ = resolved(context_, value->type.element).type;
      slot.value = value;
      if (kind == ParameterKind::values) call_.many.push_back(value);
      return value != nullptr;
    }
    if (argument.expression == nullptr) {
      context_.diagnostics.report(constant_wanted, argument.location, "this argument");
      return false;
    }
    const ast::Expression& e = *argument.expression;
    switch (kind) {
      case ParameterKind::axis:
        return axis(e, slot);
      case ParameterKind::axes:
        return axes(e, true, slot);
      case ParameterKind::permutation:
        return axes(e, false, slot);
      case ParameterKind::flag:
        return flag(e, slot);
      case ParameterKind::extent:
        return extent(e, slot.extent, 1);
      case ParameterKind::extents:
        return extents(e, slot);
      case ParameterKind::shape:
        return shape(e, slot);
      case ParameterKind::amounts:
        return amounts(e, slot);
      case ParameterKind::paddings:
        return ast::if_a<ast::Matrix>(e) != nullptr ? amounts(e, slot) : extents(e, slot);
      case ParameterKind::value:
      case ParameterKind::values:
        break;
    }
    return false;
  }

  bool axis(const ast::Expression& e, BuiltinArgument& slot) {
    const auto value = constant_axis(context_, e);
    if (value) slot.integers.push_back(*value);
    return value.has_value();
  }

  bool axes(const ast::Expression& e, bool alone, BuiltinArgument& slot) {
    const auto* list = ast::if_a<ast::Concatenation>(e);
    if (list == nullptr && alone) return axis(e, slot);
    if (list == nullptr || list->along) {
      context_.diagnostics.report(list_wanted, e.location, "a list of axes, such as [0, 2, 1]");
      return false;
    }
    for (const auto& element : list->elements)
      if (!axis(*element, slot)) return false;
    return true;
  }

  bool flag(const ast::Expression& e, BuiltinArgument& slot) {
    const auto value = constant_condition(context_, e);
    slot.flag = value.value_or(false);
    return value.has_value();
  }

  bool extent(const ast::Expression& e, Extent& result, std::int64_t least) {
    const auto value = check_extent(context_, e);
    if (!value) return false;
    if (const auto constant = value->constant(); constant && *constant < least) {
      context_.diagnostics.report(extent_not_positive, e.location, *constant);
      return false;
    }
    result = *value;
    return true;
  }

  /// A number or a list of numbers; the function checks how large they are.
  bool extents(const ast::Expression& e, BuiltinArgument& slot) {
    const auto one = [&](const ast::Expression& element) {
      auto value = check_extent(context_, element);
      if (value) slot.extents.push_back(std::move(*value));
      return value.has_value();
    };
    const auto* list = ast::if_a<ast::Concatenation>(e);
    if (list == nullptr) return one(e);
    for (const auto& element : list->elements)
      if (!one(*element)) return false;
    return true;
  }

  bool shape(const ast::Expression& e, BuiltinArgument& slot) {
    const auto written = ast::as_shape(e);
    if (!written) {
      context_.diagnostics.report(list_wanted, e.location, "a shape, such as [4 x 3]");
      return false;
    }
    auto shape = check_shape(context_, *written, "this shape");
    if (shape) slot.shape = std::move(*shape);
    return shape.has_value();
  }

  bool pair(const std::vector<ast::ExpressionPointer>& row, Location location, BuiltinArgument& slot) {
    Extent before, after;
    if (row.size() != 2) {
      context_.diagnostics.report(list_wanted, location,
                                  "a pair of amounts, before and after, for each axis: [1, 2; 0, 0]");
      return false;
    }
    if (!extent(*row[0], before, 0) || !extent(*row[1], after, 0)) return false;
    slot.amounts.emplace_back(std::move(before), std::move(after));
    return true;
  }

  bool amounts(const ast::Expression& e, BuiltinArgument& slot) {
    if (const auto* list = ast::if_a<ast::Concatenation>(e)) return pair(list->elements, e.location, slot);
    const auto* matrix = ast::if_a<ast::Matrix>(e);
    if (matrix == nullptr) return pair({}, e.location, slot);
    for (const auto& row : matrix->rows)
      if (!pair(row, e.location, slot)) return false;
    return true;
  }

  BodyContext& context_;
  BuiltinCall& call_;
  Hint hint_;
};

/// Warns about `stack([a, b])`, which has one operand.
void warn_about_list(BodyContext& context, const BuiltinCall& call, const std::vector<Argument>& arguments) {
  if (call.builtin.name != "stack" || call.many.size() != 1) return;
  const auto part = std::ranges::find(arguments, call.many.front(), &Argument::value);
  const auto* list = part != arguments.end() && part->expression != nullptr
                         ? ast::if_a<ast::Concatenation>(*part->expression)
                         : nullptr;
  if (list == nullptr || list->along || list->elements.size() < 2) return;
  auto& report = context.diagnostics.report(stacked_list, call.location, list->elements.size());
  const std::string text = quoted(list->location, "");
  if (text.empty()) return void(report.fix("leave the brackets out: each element is an operand then"));
  const std::string elements = text.substr(1, text.size() - 2);
  const BuiltinArgument& along = call.arguments[1];
  report.fix(fmt::format("leave the brackets out: stack({}{})", elements,
                         along.given ? fmt::format(", along: {}", along.integers.front()) : ""),
             dlvm::replacement(list->location, elements));
}

}  // namespace

Node* check_call(BodyContext& context, const Builtin& builtin, std::vector<Argument>& arguments,
                 Location location, Hint hint) {
  BuiltinCall call{builtin, location, {}, {}};
  if (!ArgumentReader(context, call, hint).read(arguments)) return nullptr;
  warn_about_list(context, call, arguments);
  return builtin.make(context, call);
}

}  // namespace frontend::check
