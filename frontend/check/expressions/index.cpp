// `x[…]`: positions, slices, and gathers by integer tensors.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "frontend/check/checker.h"
#include "frontend/check/declarations/nets.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/subscripts.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/index_notation/equation.h"
#include "frontend/check/recurrences/steps.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// An extent expression: numbers, names of dimensions, + - * /. `is_dimension` says which names are.
bool is_extent_expression(const ast::Expression& e,
                          const std::function<bool(const std::string&)>& is_dimension) {
  const auto is_extent = [&](const auto& operand) { return is_extent_expression(*operand, is_dimension); };
  if (const auto* name = ast::if_a<ast::NameReference>(e)) return is_dimension(name->text);
  if (const auto* unary = ast::if_a<ast::Unary>(e))
    return unary->op == ast::UnaryOperator::negate && is_extent(unary->operand);
  if (const auto* binary = ast::if_a<ast::Binary>(e)) {
    const auto op = binary->operators.front().op;
    return op >= ast::BinaryOperator::add && op <= ast::BinaryOperator::divide &&
           std::ranges::all_of(binary->operands, is_extent);
  }
  return e.kind == ast::Expression::Kind::number;
}

/// The gathered axes replaced by the axes of the index tensors, which broadcast against each other.
Node* gather(BodyContext& context, Node* x, std::vector<Node*> indices, dlvm::Integers axes,
             const std::vector<Location>& places, Location location) {
  for (std::size_t i = 1; i < axes.size(); ++i)
    if (axes[i] != axes[i - 1] + 1) {
      context.diagnostics.report(gather_not_adjacent, places[i], axes[i - 1], axes[i])
          .note(places[i - 1], "the index tensor before")
          .fix("index one axis after the other, or move the axes together with transpose(x, [...])");
      return nullptr;
    }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Extent& extent = x->type.shape[static_cast<std::size_t>(axes[i])];
    indices[i] = make_checked_index(context, indices[i], extent, true, places[i]);
    if (indices[i] == nullptr) return nullptr;
  }
  Shape joint = indices[0]->type.shape;
  for (std::size_t i = 1; i < indices.size(); ++i) {
    Node* first = indices[0];
    if (!align_shapes(context, first, indices[i], "[ , ]", places[i])) return nullptr;
    std::string why;
    if (auto shape = dlvm::broadcast_shapes(joint, indices[i]->type.shape, why)) joint = std::move(*shape);
  }
  std::vector<Node*> operands{x};
  for (Node* index : indices) operands.push_back(make_broadcast(context, index, joint, location));
  return make_operation(context, dlvm::Opcode::gather, std::move(operands), {std::move(axes)}, location);
}

Node* apply(BodyContext& context, Node* x, const std::vector<Selection>& selections, Location location) {
  Shape from(x->type.rank(), Extent(0)), upto = x->type.shape;
  dlvm::Integers steps(x->type.rank(), 1), backwards;
  bool sliced = false;
  for (std::size_t i = 0; i < selections.size(); ++i) {
    const Selection& s = selections[i];
    if (s.reversed) backwards.push_back(static_cast<std::int64_t>(i));
    sliced = sliced || s.first != from[i] || s.end != upto[i] || s.step != 1;
    from[i] = s.first;
    upto[i] = s.end;
    steps[i] = s.step;
  }
  const bool stepped = std::any_of(steps.begin(), steps.end(), [](std::int64_t step) { return step != 1; });
  if (!backwards.empty()) x = make_operation(context, dlvm::Opcode::reverse, {x}, {backwards}, location);
  if (sliced)
    x = make_operation(context, dlvm::Opcode::slice, {x},
                       {from, upto, stepped ? dlvm::Attribute(steps) : dlvm::Attribute()}, location);
  std::vector<Node*> indices;
  std::vector<Location> places;
  dlvm::Integers axes;
  std::int64_t kept = 0;
  for (const Selection& s : selections) {
    if (s.single) {
      x = make_operation(context, dlvm::Opcode::squeezeShape, {x}, {dlvm::Integers{kept}}, location);
      continue;
    }
    if (s.gathered != nullptr) {
      indices.push_back(s.gathered);
      places.push_back(s.location);
      axes.push_back(kept);
    }
    ++kept;
  }
  // Scalars that are not next to each other select one after the other, from the last axis on.
  const auto is_scalar = [](const Node* index) { return index->type.is_scalar(); };
  while (indices.size() > 1 && axes.back() != axes[axes.size() - 2] + 1 &&
         std::ranges::all_of(indices, is_scalar) && x != nullptr) {
    x = gather(context, x, {indices.back()}, {axes.back()}, {places.back()}, location);
    indices.pop_back();
    axes.pop_back();
    places.pop_back();
  }
  if (indices.empty() || x == nullptr) return x;
  return gather(context, x, std::move(indices), std::move(axes), places, location);
}

}  // namespace

/// Indices may be negative, then they count from the end. Small integer types are widened first, so that
/// adding the extent cannot wrap.
Node* make_checked_index(BodyContext& context, Node* index, const Extent& extent, bool negative,
                         Location location) {
  if (index == nullptr) return nullptr;
  default_to(context, index, ElementType::i64);
  const Element element = resolved(context, index->type.element);
  if (!element.known() || !dlvm::is_integer(element.type)) {
    auto& report = context.diagnostics.report(index_not_integer, index->location, "an index",
                                              spelling(type_of(context, index)));
    explain_value(context, report, index, "the index");
    report.fix(
        dlvm::is_boolean(element.type)
            ? fmt::format("a condition selects with: if {} then ... else ...", quoted(index->place(), "..."))
            : fmt::format("convert it: {}", converted(index->place(), ElementType::i32)));
    return nullptr;
  }
  if (index->is_constant())
    for (const Number& value : index->values) {
      if (value.is_integer()) continue;
      context.diagnostics.report(index_not_integer, index->location, "an index", value.text())
          .fix(integers_beside(value));
      return nullptr;
    }
  if (index->is_constant() && extent.constant()) {
    for (const Number& value : index->values) {
      const auto at = value.integer();
      if (at && *at < *extent.constant() && *at >= (negative ? -*extent.constant() : 0)) continue;
      context.diagnostics.report(index_value_outside, index->location, value.text(), spelling(extent));
      return nullptr;
    }
  }
  const bool counts_up =
      index->kind == Node::Kind::variable && context.body.variables[index->index].not_negative;
  const bool is_signed = dlvm::is_signed(element.type) && !counts_up;
  if (dlvm::info(element.type).bytes < 4) index = make_conversion(context, index, ElementType::i32, location);
  const Extent first = negative && is_signed ? Extent(-1) * extent : Extent(0);
  Node* checked = make_operation(context, dlvm::Opcode::checkIndex, {index},
                                 {Shape{first}, Shape{extent}, dlvm::Attribute()}, index->location);
  if (checked == nullptr || !negative || !is_signed) return checked;
  const Element type = checked->type.element;
  Node* below = make_operation(context, dlvm::Opcode::lessThan,
                               {checked, make_constant(context, 0, type, location)}, {}, location);
  Node* wrapped = make_operation(context, dlvm::Opcode::add,
                                 {checked, make_extent_value(context, extent, location, type)}, {}, location);
  return make_operation(context, dlvm::Opcode::select, {wrapped, checked, below}, {}, location);
}

namespace {

/// Returns the subscript by which NumPy adds an axis, `None` or `np.newaxis`.
const ast::Subscript* new_axis(const ast::Index& e) {
  const auto found = std::ranges::find_if(e.subscripts, [](const ast::Subscript& s) {
    const std::string text = quoted(s.location, "");
    return s.index != nullptr && (text == "None" || text.ends_with("newaxis"));
  });
  return found == e.subscripts.end() ? nullptr : &*found;
}

}  // namespace

Node* check_index(BodyContext& context, const ast::Index& e, Hint hint) {
  if (const auto step = check_step(context, e)) return *step;
  if (has_index(context, e)) return check_element(context, e, hint);
  if (const auto net = find_net(context, *e.object)) {
    report_net_as_value(context, *net, e.object->location, &e);
    return nullptr;
  }
  Node* x = check_expression(context, *e.object, hint);
  if (x == nullptr) return nullptr;
  if (e.subscripts.size() > x->type.rank()) {
    if (const ast::Subscript* axis = new_axis(e); axis != nullptr) {
      check_expression(context, *axis->index);  // reports it
      return nullptr;
    }
    auto& report =
        context.diagnostics.report(too_many_subscripts, e.subscripts[x->type.rank()].location,
                                   counted(e.subscripts.size(), "subscript"), spelling(type_of(context, x)));
    explain_value(context, report, x, "the tensor");
    return nullptr;
  }
  const auto is_dimension = [&](const std::string& name) { return knows_dimension(context, name); };
  std::vector<Selection> selections;
  bool complete = true;
  for (std::size_t axis = 0; axis < e.subscripts.size(); ++axis) {
    const ast::Subscript& s = e.subscripts[axis];
    std::optional<Selection> selection;
    if (s.slice) {
      selection = selected_slice(context, x, s, axis);
    } else if (is_extent_expression(*s.index, is_dimension)) {
      selection = selected_position(context, x, s, axis);
    } else {
      context.subscript = s.index.get();
      if (Node* index = check_expression(context, *s.index))
        selection = Selection{0, x->type.shape[axis], 1, false, false, index, s.location};
    }
    complete = complete && selection;
    if (selection) selections.push_back(*selection);
  }
  if (!complete) return nullptr;
  return apply(context, x, selections, e.location);
}

}  // namespace frontend::check
