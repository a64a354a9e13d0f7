// The matrix product, as NumPy's matmul, and `^T`.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/recurrences/batch_first.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

const Extent& inner(const Shape& shape, bool right) {
  return shape[right && shape.size() >= 2 ? shape.size() - 2 : shape.size() - 1];
}

bool fits(const Shape& left, const Shape& right) {
  return !left.empty() && !right.empty() && inner(left, false) == inner(right, true);
}

Shape transposed(Shape shape) {
  if (shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  return shape;
}

void suggest(dlvm::Diagnostic& report, const Node* a, const Node* b) {
  const Shape &left = a->type.shape, &right = b->type.shape;
  const std::string a_text = quoted_operand(a->place()), b_text = quoted_operand(b->place());
  if (right.size() >= 2 && fits(left, transposed(right)))
    report.fix(fmt::format("transpose the right side: {} • {}", a_text, quoted_transposed(b->place())));
  if (left.size() >= 2 && fits(transposed(left), right))
    report.fix(fmt::format("transpose the left side: {} • {}", quoted_transposed(a->place()), b_text));
  if (fits(right, left)) report.fix(fmt::format("swap the operands: {} • {}", b_text, a_text));
  const std::size_t given = report.fixes.size();
  if (given == 0 && b->kind == Node::Kind::reference && b->declaration->role() == ast::Role::param) {
    Shape fitting = right;
    fitting[right.size() >= 2 ? right.size() - 2 : 0] = inner(left, false);
    report.fix(
        fmt::format("with {} as it is, {} would have the shape {}", a_text, b_text, spelling(fitting)));
  }
}

/// Returns whether the value is a step of a sequence.
bool reads_step(const Node* value) {
  return value->kind == Node::Kind::reference && value->declaration->part == Declaration::Part::element &&
         value->type.rank() >= 2;
}

dlvm::Integers identity(std::size_t rank) {
  dlvm::Integers axes(rank);
  std::iota(axes.begin(), axes.end(), std::int64_t{0});
  return axes;
}

}  // namespace

namespace {

/// Declares the scalar of `x • W` with a shape, where the declaration has none; empty where it is another
/// value.
std::string missing_shape(const Node& a, const Node& b) {
  const Node &scalar = a.type.is_scalar() ? a : b, &other = a.type.is_scalar() ? b : a;
  const Declaration* declared = scalar.kind == Node::Kind::reference ? scalar.declaration : nullptr;
  if (declared == nullptr || declared->syntax == nullptr || declared->syntax->type.shape ||
      other.type.shape.empty())
    return "";
  const bool given = declared->role() == ast::Role::in || declared->role() == ast::Role::param;
  if (!given) return "";
  const Shape& shape = other.type.shape;
  const bool left = &scalar == &a;
  const Extent& extent = left && shape.size() > 1 ? shape[shape.size() - 2] : shape.back();
  if (declared->role() == ast::Role::param && !extent.constant()) return "";
  return fmt::format("give it a shape: {}: {}[{} x {}]", declared->name, ast::spelling(declared->role()),
                     left ? "8" : spelling(extent), left ? spelling(extent) : "8");
}

}  // namespace

// With the batch axes of both sides made equal, the contraction is one `dot`, whose result has the batch axes
// first, then what is left of the left side, then of the right. Where one side alone has batch axes they are
// free axes of the `dot`; on the right they come out behind the rows and are moved to the front.
Node* make_product(BodyContext& context, Node* a, Node* b, Location location) {
  if (a == nullptr || b == nullptr) return nullptr;
  if (a->type.is_scalar() || b->type.is_scalar()) {
    auto& report = context.diagnostics.report(product_of_scalar, location, spelling(type_of(context, a)),
                                              spelling(type_of(context, b)));
    explain_value(context, report, a->type.is_scalar() ? a : b, "the scalar");
    if (const std::string shape = missing_shape(*a, *b); !shape.empty())
      report.fix(shape);
    else
      report.fix(
          fmt::format("scale with *: {} * {}", quoted_operand(a->place()), quoted_operand(b->place())));
    return nullptr;
  }
  if (!require_accepted(context, dlvm::Opcode::dot, a, "•", location) ||
      !require_accepted(context, dlvm::Opcode::dot, b, "•", location))
    return nullptr;
  if (!require_same_element(context, a, b, "•", location)) return nullptr;

  const auto origins = [&](dlvm::Diagnostic& report) {
    explain_value(context, report, a, "the left side");
    explain_value(context, report, b, "the right side");
  };
  const Shape left = a->type.shape;
  Shape right = b->type.shape;
  const std::size_t right_inner = right.size() >= 2 ? right.size() - 2 : 0;
  const std::string text = fmt::format(
      "the contracted axes of '•' have extents {{left}} and {{right}}, which must be equal ({} and {})",
      spelling(left.back()), spelling(right[right_inner]));
  std::string likely;
  if (right.size() == 2 && left.size() == 2 && left[0] == right[0])
    likely = fmt::format("transpose the left side: {} • {}", quoted_transposed(a->place()),
                         quoted_operand(b->place()));
  else if (fits(right, left))
    likely =
        fmt::format("swap the operands: {} • {}", quoted_operand(b->place()), quoted_operand(a->place()));
  else if (right.size() >= 2 && left.back() == right.back())
    likely = fmt::format("transpose the right side: {} • {}", quoted_operand(a->place()),
                         quoted_transposed(b->place()));
  if (!require_equal(context, left.back(), right[right_inner], text, location, origins, likely)) {
    auto& report = context.diagnostics.report(product_shapes, location, spelling(type_of(context, a)),
                                              spelling(type_of(context, b)), spelling(left.back()),
                                              spelling(right[right_inner]));
    origins(report);
    const bool has_step = reads_step(a) || reads_step(b);
    const std::string order =
        has_step && steps_are_named_as_batch(context) ? advice_for_batch_first(context) : "";
    if (!order.empty())
      report.fix(order);
    else
      suggest(report, a, b);
    return nullptr;
  }
  right[right_inner] = left.back();
  b = make_reshape(context, b, right, location);
  if (b == nullptr) return nullptr;

  const std::size_t left_batch = left.size() >= 2 ? left.size() - 2 : 0;
  const std::size_t right_batch = right.size() >= 2 ? right.size() - 2 : 0;
  const auto last = static_cast<std::int64_t>(left.size()) - 1;
  if (left_batch == 0 || right_batch == 0) {
    const bool plain = right_inner == 0;  // what `dot` does without clauses
    const dlvm::Attribute contract =
        plain ? dlvm::Attribute() : dlvm::AxisPairs{{last, static_cast<std::int64_t>(right_inner)}};
    Node* result =
        make_operation(context, dlvm::Opcode::dot, {a, b}, {contract, dlvm::Attribute()}, location);
    if (right_batch == 0 || left.size() == 1) return result;
    dlvm::Integers order = identity(result->type.rank());
    std::rotate(order.begin(), order.begin() + 1, order.end() - 1);
    return make_operation(context, dlvm::Opcode::transpose, {result}, {order}, location);
  }

  // Both have batch axes: an axis that one side lacks, or has with extent 1, is stretched.
  const std::size_t batch = std::max(left_batch, right_batch);
  Shape left_whole = left, right_whole = right;
  left_whole.insert(left_whole.begin(), batch - left_batch, Extent(1));
  right_whole.insert(right_whole.begin(), batch - right_batch, Extent(1));
  Shape right_narrow = right_whole;
  for (std::size_t i = 0; i < batch; ++i) {
    Extent &l = left_whole[i], &r = right_whole[i];
    if (l.is(1)) {
      l = r;
    } else if (r.is(1)) {
      r = l;
    } else if (l != r) {
      const std::string batch_text = fmt::format(
          "batch axis {} of '•' has extents {{left}} and {{right}}, which must be equal ({} and {})", i,
          spelling(l), spelling(r));
      if (!require_equal(context, l, r, batch_text, location, origins)) {
        auto& report = context.diagnostics.report(product_shapes, location, spelling(type_of(context, a)),
                                                  spelling(type_of(context, b)), spelling(l), spelling(r));
        origins(report);
        return nullptr;
      }
      right_narrow[i] = l;
      r = l;
    }
  }
  b = make_reshape(context, b,
                   Shape(right_narrow.end() - static_cast<std::ptrdiff_t>(right.size()), right_narrow.end()),
                   location);
  a = make_broadcast(context, a, left_whole, location);
  b = make_broadcast(context, b, right_whole, location);
  if (a == nullptr || b == nullptr) return nullptr;
  dlvm::AxisPairs pairs;
  for (std::size_t i = 0; i < batch; ++i)
    pairs.emplace_back(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i));
  const auto rows = static_cast<std::int64_t>(batch);
  return make_operation(context, dlvm::Opcode::dot, {a, b}, {dlvm::AxisPairs{{rows + 1, rows}}, pairs},
                        location);
}

Node* swap_last_axes(BodyContext& context, Node* x, Location location) {
  if (x == nullptr) return nullptr;
  const std::size_t rank = x->type.rank();
  if (rank < 2) {
    auto& report = context.diagnostics.report(transpose_of_vector, location, spelling(type_of(context, x)));
    explain_value(context, report, x, "the operand");
    if (rank == 1) {
      const std::string n = spelling(x->type.shape[0]);
      report.fix(
          fmt::format("a row is {0} as [1 x {1}], a column {0} as [{1} x 1]", quoted_operand(x->place()), n));
    }
    return nullptr;
  }
  dlvm::Integers order = identity(rank);
  std::swap(order[rank - 1], order[rank - 2]);
  return make_operation(context, dlvm::Opcode::transpose, {x}, {order}, location);
}

Node* check_transpose(BodyContext& context, const ast::Transpose& e, Hint hint) {
  return swap_last_axes(context, check_expression(context, *e.operand, hint), e.location);
}

}  // namespace frontend::check
