// Shapes of operands that have to fit each other, and the messages where they do not.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/calls/builtins.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// The shape with its last two axes swapped.
Shape transposed(Shape shape) {
  if (shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

bool broadcasts(const Shape& a, const Shape& b) {
  for (std::size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const Extent &left = a[a.size() - i], &right = b[b.size() - i];
    if (!left.is(1) && !right.is(1) && left != right) return false;
  }
  return true;
}

/// Returns the reduction along one axis as it is written, with `keep: true`; empty where it is something
/// else.
std::string keeping_axis(const Node* x) {
  std::string text = quoted(x->place(), "");
  const std::size_t open = text.find('(');
  if (open == std::string::npos || text.find("keep:") != std::string::npos) return "";
  const bool is_builtin = std::ranges::any_of(builtins(), [&](const Builtin& each) {
    return each.name == text.substr(0, open) &&
           std::ranges::find(each.parameters, "keep", &BuiltinParameter::name) != each.parameters.end();
  });
  const bool is_function =
      x->callee != nullptr &&
      std::ranges::any_of(x->callee->function->syntax->parameters, [](const ast::Parameter& each) {
        return each.kind == ast::Parameter::Kind::flag && each.name.text == "keep";
      });
  if (!is_builtin && !is_function) return "";
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0 && i + 1 < text.size()) return "";  // the call is a part of the expression
  }
  text.pop_back();
  return text + ", keep: true)";
}

/// `weights * rows` where each weight is for a row: one side has the axes of the other one but for the last.
/// A vector is for the rows of matrices in batches, too.
std::string likely_column(const Node* a, const Node* b) {
  for (const auto& [narrow, wide] : {std::pair(a, b), std::pair(b, a)}) {
    const Shape &less = narrow->type.shape, &more = wide->type.shape;
    if (less.empty() || less.size() >= more.size() || (less.size() > 1 && less.size() + 1 != more.size()))
      continue;
    if (!std::equal(less.rbegin(), less.rend(), more.rbegin() + 1)) continue;
    if (const std::string kept = keeping_axis(narrow); !kept.empty() && less.size() + 1 == more.size())
      return fmt::format("axes are aligned from the last; keep the axis: {}", kept);
    Shape column = less;
    column.push_back(1);
    return fmt::format("axes are aligned from the last; as a column: {} as {}",
                       quoted_operand(narrow->place()), spelling(column));
  }
  return {};
}

/// `b: param[256]`, where a param that is a vector has not as many elements as the last axis of the other
/// side.
std::string declared_as_last_axis(const Node* vector, const Node* other) {
  if (vector->kind != Node::Kind::reference || vector->declaration->role() != ast::Role::param) return {};
  if (vector->declaration->name.find('.') != std::string::npos) return {};  // that of a net
  if (vector->type.rank() != 1 || other->type.rank() < 2 || !other->type.shape.back().constant()) return {};
  const Shape& shape = other->type.shape;
  if (const auto axis = std::ranges::find(shape, vector->type.shape[0]); axis != shape.end()) {
    Shape aligned(static_cast<std::size_t>(shape.end() - axis), Extent(1));
    aligned[0] = *axis;
    return fmt::format("axes are aligned from the last; for the axis of {}: {} as {}", spelling(*axis),
                       vector->declaration->name, spelling(aligned));
  }
  return fmt::format("it needs as many elements as the last axis of the other side has: {}: param[{}]",
                     vector->declaration->name, spelling(shape.back()));
}

/// The likely mistake behind two shapes that do not broadcast.
void suggest(dlvm::Diagnostic& report, const Node* a, const Node* b) {
  const Shape &left = a->type.shape, &right = b->type.shape;
  const std::string b_text = quoted_operand(b->place());
  if (const std::string column = likely_column(a, b); !column.empty()) {
    report.fix(column);
  } else if (right.size() >= 2 && broadcasts(left, transposed(right))) {
    report.fix(
        fmt::format("transpose: {} is {}", quoted_transposed(b->place()), spelling(transposed(right))));
  } else if (left.size() >= 2 && broadcasts(transposed(left), right)) {
    report.fix(fmt::format("transpose: {} is {}", quoted_transposed(a->place()), spelling(transposed(left))));
  } else if (dlvm::unit_count(left) == dlvm::unit_count(right)) {
    report.fix(fmt::format("both have as many elements: {} as {}", b_text, spelling(left)));
  } else {
    report.note(
        "axes are aligned from the last, and only a literal extent of 1 (or a missing axis) stretches");
    for (const auto& [vector, other] : {std::pair(b, a), std::pair(a, b)})
      if (const std::string declared = declared_as_last_axis(vector, other); !declared.empty())
        return void(report.fix(declared));
  }
}

/// `x * W` where x • W is one: the axes that a product contracts are equal.
std::string likely_product(const Node* a, const Node* b, std::string_view what) {
  if (what != "*") return {};
  for (const auto& [left, right] : {std::pair(a, b), std::pair(b, a)}) {
    const Shape &rows = left->type.shape, &columns = right->type.shape;
    if (rows.empty() || columns.size() < 2 || rows.back() != columns[columns.size() - 2]) continue;
    if (rows.size() > 2 && columns.size() > 2 &&
        !broadcasts(Shape(rows.begin(), rows.end() - 2), Shape(columns.begin(), columns.end() - 2)))
      continue;
    return fmt::format("the product of matrices is written {} • {}", quoted_operand(left->place()),
                       quoted_operand(right->place()));
  }
  return {};
}

}  // namespace

void explain_value(BodyContext& context, dlvm::Diagnostic& diagnostic, const Node* x, std::string_view role) {
  if (x == nullptr) return;
  const std::string type = spelling(type_of(context, x));
  if (x->kind == Node::Kind::reference) {
    diagnostic.note(x->declaration->location,
                    fmt::format("{}, '{}', is {}", role, x->declaration->name, type));
    const Declaration* pattern = x->declaration->pattern;
    if (const Location use = (pattern != nullptr ? pattern : x->declaration)->shape_use; use.valid())
      diagnostic.note(use, "its shape follows from this use of it");
  } else if (x->kind == Node::Kind::variable) {
    const Variable& variable = context.body.variables[x->index];
    diagnostic.note(variable.location, fmt::format("{}, '{}', is {}", role, variable.name, type));
  } else if (x->kind == Node::Kind::parameter && context.instance != nullptr) {
    std::size_t index = 0;
    for (const ast::Parameter& parameter : context.instance->function->syntax->parameters) {
      if (!parameter.is_value()) continue;
      if (index++ == x->index)
        diagnostic.note(parameter.name.location,
                        fmt::format("{}, '{}', is {}", role, parameter.name.text, type));
    }
  } else if (x->place().valid()) {
    diagnostic.note(x->place(), fmt::format("{} is {}", role, type));
  } else {
    diagnostic.note(fmt::format("{} is {}", role, type));
  }
}

bool align_shapes(BodyContext& context, Node*& a, Node*& b, std::string_view what, Location location,
                  std::string_view a_role, std::string_view b_role) {
  if (a == nullptr || b == nullptr) return false;
  context.checker.note_stretching(context, *a, *b, location);
  context.checker.note_stretching(context, *b, *a, location);
  if (a->type.is_scalar() || b->type.is_scalar() || a->type.shape == b->type.shape) return true;
  const auto origins = [&](dlvm::Diagnostic& report) {
    explain_value(context, report, a, a_role);
    explain_value(context, report, b, b_role);
  };
  const Shape left = a->type.shape;
  Shape right = b->type.shape;
  for (std::size_t i = 1; i <= std::min(left.size(), right.size()); ++i) {
    const Extent& l = left[left.size() - i];
    Extent& r = right[right.size() - i];
    if (l == r || l.is(1) || r.is(1)) continue;
    const std::string text = fmt::format(
        "the operands of '{}' have extents {{left}} and {{right}} on axis -{}, which must be equal ({} and "
        "{})",
        what, i, spelling(l), spelling(r));
    const std::string column = likely_column(a, b);
    if (!require_equal(context, l, r, text, location, origins,
                       column.empty() ? likely_product(a, b, what) : column)) {
      auto& report = context.diagnostics.report(shapes_differ, location, what, spelling(type_of(context, a)),
                                                spelling(type_of(context, b)));
      origins(report);
      report.note(fmt::format("on axis -{} the extents are {} and {}", i, spelling(l), spelling(r)));
      if (const std::string product = likely_product(a, b, what); column.empty() && !product.empty())
        report.fix(product);
      suggest(report, a, b);
      return false;
    }
    r = l;
  }
  b = make_reshape(context, b, std::move(right), location);
  return true;
}

}  // namespace frontend::check
