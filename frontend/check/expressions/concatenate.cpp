// `[a, b]`, `[a, b] along 1`, `[1, 2; 3, 4]` and blocks, `stack`.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

bool all_numbers(const std::vector<Node*>& parts) {
  return std::all_of(parts.begin(), parts.end(), [](const Node* part) {
    return part != nullptr && part->is_constant() && part->type.is_scalar();
  });
}

Hint known(const Node* x, const Element& element, Hint otherwise) {
  return x != nullptr && element.known() ? Hint(element.type) : otherwise;
}

/// Returns how the one of the two that lacks the axis along which they are joined gets it; empty where that
/// is not what is wrong.
std::string fix_of_missing_axis(const Node& a, const Node& b, std::size_t axis) {
  const Node& shorter = a.type.rank() < b.type.rank() ? a : b;
  const Shape& longer = (&shorter == &a ? b : a).type.shape;
  Shape shape = shorter.type.shape, others = longer;
  if (shape.size() + 1 != longer.size()) return "";
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(axis));
  if (others != shape) return "";
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), Extent(1));
  return fmt::format("it lacks axis {}: {} as {}", axis, quoted_operand(shorter.place()), spelling(shape));
}

}  // namespace

Node* make_concatenation(BodyContext& context, std::vector<Node*> parts, std::int64_t axis,
                         Location location) {
  Node* first = parts.front();
  const auto at = static_cast<std::size_t>(axis);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    Node*& part = parts[i];
    if (part == nullptr || first == nullptr ||
        !require_same_element(context, first, part, "[ , ]", part->location))
      return nullptr;
    const Shape& expected = first->type.shape;
    Shape shape = part->type.shape;
    bool fits = shape.size() == expected.size();
    const auto origins = [&](dlvm::Diagnostic& report) {
      explain_value(context, report, first, "the first element");
      explain_value(context, report, part, "this element");
    };
    for (std::size_t k = 0; fits && k < shape.size(); ++k) {
      if (k == at || shape[k] == expected[k]) continue;
      const std::string text = fmt::format(
          "concatenated tensors have extents {{left}} and {{right}} on axis {}, which must be equal ({} and "
          "{})",
          k, spelling(expected[k]), spelling(shape[k]));
      fits = require_equal(context, expected[k], shape[k], text, part->location, origins);
      shape[k] = expected[k];
    }
    if (!fits) {
      auto& report =
          context.diagnostics.report(concatenation_shapes, part->location, spelling(type_of(context, first)),
                                     spelling(type_of(context, part)), axis);
      origins(report);
      report.note("extents must be equal on all axes but the one along which tensors are joined");
      if (const std::string fix = fix_of_missing_axis(*first, *part, at); !fix.empty()) report.fix(fix);
      return nullptr;
    }
    part = make_reshape(context, part, std::move(shape), part->location);
    if (part == nullptr) return nullptr;
  }
  if (parts.size() == 1) return first;
  return make_operation(context, dlvm::Opcode::concatenate, std::move(parts), {dlvm::Integers{axis}},
                        location);
}

Node* check_concatenation(BodyContext& context, const ast::Concatenation& e, Hint hint) {
  std::vector<Node*> parts;
  bool complete = true;
  for (const auto& element : e.elements) {
    Node* part = check_expression(context, *element, hint);
    complete = complete && part != nullptr;
    if (part != nullptr) hint = known(part, resolved(context, part->type.element), hint);
    parts.push_back(part);
  }
  if (!complete) return nullptr;
  std::size_t rank = 1;
  for (const Node* part : parts) rank = std::max(rank, part->type.rank());
  const auto along =
      counted_axis(context, e.along ? e.along->value : 0, rank, e.along ? e.along->location : e.location);
  if (!along) return nullptr;
  if (all_numbers(parts)) {
    Node tensor;
    tensor.kind = Node::Kind::constant;
    tensor.location = e.location;
    tensor.type = {parts[0]->type.element, {Extent(static_cast<std::int64_t>(parts.size()))}};
    for (Node* part : parts) {
      if (!require_same_element(context, parts[0], part, "[ , ]", part->location)) return nullptr;
      tensor.values.push_back(part->values[0]);
    }
    return add_node(context, std::move(tensor));
  }
  for (Node*& part : parts)
    if (part->type.is_scalar()) part = make_reshape(context, part, {Extent(1)}, part->location);
  if (std::find(parts.begin(), parts.end(), nullptr) != parts.end()) return nullptr;
  return make_concatenation(context, std::move(parts), *along, e.location);
}

Node* check_matrix(BodyContext& context, const ast::Matrix& e, Hint hint) {
  std::vector<std::vector<Node*>> rows;
  bool complete = true, numbers = true;
  for (const auto& row : e.rows) {
    rows.emplace_back();
    for (const auto& element : row) {
      Node* part = check_expression(context, *element, hint);
      complete = complete && part != nullptr;
      if (part == nullptr) continue;
      hint = known(part, resolved(context, part->type.element), hint);
      if (part->type.rank() != 0 && part->type.rank() != 2) {
        auto& report =
            context.diagnostics.report(matrix_element, part->location, spelling(type_of(context, part)));
        if (part->type.rank() == 1)
          report.fix(fmt::format("a row is {0} as [1 x {1}], a column {0} as [{1} x 1]",
                                 quoted_operand(part->place()), spelling(part->type.shape[0])));
        complete = false;
      }
      rows.back().push_back(part);
    }
    numbers = numbers && all_numbers(rows.back());
  }
  if (!complete) return nullptr;
  for (std::size_t i = 1; i < rows.size() && numbers; ++i)
    if (rows[i].size() != rows[0].size()) {
      context.diagnostics
          .report(ragged_matrix, rows[i][0]->location, i + 1, counted(rows[i].size(), "element"),
                  rows[0].size())
          .note(rows[0][0]->location, "the first row starts here");
      return nullptr;
    }
  if (numbers) {
    Node tensor;
    tensor.kind = Node::Kind::constant;
    tensor.location = e.location;
    tensor.type = {
        rows[0][0]->type.element,
        {Extent(static_cast<std::int64_t>(rows.size())), Extent(static_cast<std::int64_t>(rows[0].size()))}};
    for (const auto& row : rows)
      for (Node* part : row) {
        if (!require_same_element(context, rows[0][0], part, "[ ; ]", part->location)) return nullptr;
        tensor.values.push_back(part->values[0]);
      }
    return add_node(context, std::move(tensor));
  }
  std::vector<Node*> joined;
  for (auto& row : rows) {
    for (Node*& part : row)
      if (part->type.is_scalar()) part = make_reshape(context, part, {Extent(1), Extent(1)}, part->location);
    if (std::find(row.begin(), row.end(), nullptr) != row.end()) return nullptr;
    joined.push_back(make_concatenation(context, std::move(row), 1, e.location));
    if (joined.back() == nullptr) return nullptr;
  }
  return make_concatenation(context, std::move(joined), 0, e.location);
}

}  // namespace frontend::check
