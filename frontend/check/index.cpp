// `x[…]`: positions, slices, and gathers by integer tensors.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "frontend/check/body.h"
#include "frontend/check/checker.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {
namespace {

using dlvm::Proof;

bool is_negative(const Extent& e) { return dlvm::provably_at_most(e, Extent(-1)) == Proof::yes; }

/// What one subscript does to its axis.
struct Selection {
  Extent first, end;      ///< of the axis, or (where `reversed`) of the axis run backwards
  std::int64_t step = 1;  ///< at least 1
  bool reversed = false, single = false;
  Node* gathered = nullptr;  ///< the index tensor
  Location location;
};

}  // namespace

/// A bound or position as written, and whether an expression can be one (integer tensors cannot).
class Subscripts {
 public:
  Subscripts(BodyChecker& body, Node* object) : body_(body), object_(object) {}

  std::optional<Selection> position(const Extent& written, std::size_t axis, Location location) {
    const Extent& n = object_->type.shape[axis];
    const Extent at = is_negative(written) ? n + written : written;
    const std::string index = fmt::format("index {} of {}", spelling(written), name());
    if (!body_.require_at_most(
            0, at, fmt::format("{} is position {{right}} on axis {}, before the first element", index, axis),
            location) ||
        !body_.require_at_most(
            at + Extent(1), n,
            fmt::format("{} needs an extent of at least {{left}} on axis {}, which is {{right}}", index,
                        axis),
            location)) {
      auto& report =
          body_.diagnostics().report(index_outside, location, spelling(written), axis, spelling(n));
      body_.explain(report, object_, "the tensor");
      if (const auto extent = n.constant())
        report.fix(fmt::format("its positions are 0 to {}, or from the end -1 to -{}", *extent - 1, *extent));
      return std::nullopt;
    }
    return Selection{at, at + Extent(1), 1, false, true, nullptr, location};
  }

  std::optional<Selection> slice(const ast::Subscript& s, std::size_t axis) {
    Selection result;
    result.location = s.location;
    const Extent& n = object_->type.shape[axis];
    std::int64_t step = 1;
    if (s.step) {
      const auto written = body_.integer(*s.step, "the step of a slice");
      if (!written) return std::nullopt;
      step = *written;
      constexpr std::int64_t largest = std::int64_t{1} << 47;
      if (step == 0 || step > largest || step < -largest) {
        body_.diagnostics().report(bad_step, s.step->location, step);
        return std::nullopt;
      }
    }
    std::optional<Extent> start, stop;
    for (auto [written, value] : {std::pair{s.start.get(), &start}, std::pair{s.stop.get(), &stop}}) {
      if (written == nullptr) continue;
      *value = body_.extent(*written);
      if (!*value) return std::nullopt;
      if (is_negative(**value)) *value = n + **value;
    }
    result.step = step < 0 ? -step : step;
    result.reversed = step < 0;
    if (step > 0) {
      result.first = start.value_or(Extent(0));
      result.end = stop.value_or(n);
    } else {  // position i is position n - 1 - i of the axis run backwards
      result.first = start ? n - Extent(1) - *start : Extent(0);
      result.end = stop ? n - Extent(1) - *stop : n;
    }
    if (!inside(result, n, axis, s.location)) return std::nullopt;
    const auto first = result.first.constant(), end = result.end.constant();
    if (first && end && *first >= *end) {
      body_.diagnostics().report(empty_slice, s.location, quoted(s.location, "this slice"));
      return std::nullopt;
    }
    return result;
  }

 private:
  std::string name() const { return quoted(object_->place(), "the tensor"); }

  bool inside(const Selection& s, const Extent& n, std::size_t axis, Location location) {
    const std::string written = fmt::format("{}[{}]", name(), quoted(location, "..."));
    // Positions of an axis that runs backwards are not those that were written.
    const auto text = [&](std::string forwards) {
      return s.reversed
                 ? fmt::format("{} does not fit axis {}: {{left}} must be at most {{right}}", written, axis)
                 : forwards;
    };
    const bool fits =
        body_.require_at_most(
            0, s.first,
            text(fmt::format("{} starts at {{right}} on axis {}, before the first element", written, axis)),
            location) &&
        body_.require_at_most(
            s.first, s.end,
            text(fmt::format("{} starts at {{left}} on axis {}, but ends at {{right}}", written, axis)),
            location) &&
        body_.require_at_most(
            s.end, n,
            text(fmt::format("{} ends at {{left}}, but axis {} has extent {{right}}", written, axis)),
            location);
    if (fits) return true;
    if (dlvm::provably_at_most(s.first, s.end) == Proof::no &&
        dlvm::provably_at_most(0, s.first) == Proof::yes && dlvm::provably_at_most(s.end, n) == Proof::yes) {
      auto& report = body_.diagnostics().report(empty_slice, location, quoted(location, "this slice"));
      if (!s.reversed) report.fix("to run backwards give a negative step: [3:1:-1] holds elements 3 and 2");
      return false;
    }
    auto& report = body_.diagnostics().report(slice_outside, location, quoted(location, "this slice"), axis,
                                              spelling(n));
    body_.explain(report, object_, "the tensor");
    report.note("a slice is never clamped; leave a bound out to go to the end");
    return false;
  }

  BodyChecker& body_;
  Node* object_;
};

namespace {

/// An extent expression: numbers, names of dimensions, + - * /. `is_dimension` says which names are.
bool is_extent_expression(const ast::Expression& e,
                          const std::function<bool(const std::string&)>& is_dimension) {
  switch (e.kind) {
    case ast::Expression::Kind::number:
      return true;
    case ast::Expression::Kind::name:
      return is_dimension(ast::to<ast::NameReference>(e).text);
    case ast::Expression::Kind::unary:
      return ast::to<ast::Unary>(e).op == ast::UnaryOperator::negate &&
             is_extent_expression(*ast::to<ast::Unary>(e).operand, is_dimension);
    case ast::Expression::Kind::binary: {
      const auto& binary = ast::to<ast::Binary>(e);
      const auto op = binary.operators.front().op;
      return op >= ast::BinaryOperator::add && op <= ast::BinaryOperator::divide &&
             std::all_of(binary.operands.begin(), binary.operands.end(),
                         [&](const auto& operand) { return is_extent_expression(*operand, is_dimension); });
    }
    default:
      return false;
  }
}

}  // namespace

namespace {

/// The gathered axes replaced by the axes of the index tensors, which broadcast against each other.
Node* gather(BodyChecker& body, Node* x, std::vector<Node*> indices, dlvm::Integers axes,
             const std::vector<Location>& places, Location location) {
  for (std::size_t i = 1; i < axes.size(); ++i)
    if (axes[i] != axes[i - 1] + 1) {
      body.diagnostics()
          .report(gather_not_adjacent, places[i], axes[i - 1], axes[i])
          .note(places[i - 1], "the index tensor before")
          .fix("index one axis after the other, or move the axes together with transpose(x, [...])");
      return nullptr;
    }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const Extent& extent = x->type.shape[static_cast<std::size_t>(axes[i])];
    indices[i] = body.checked_index(indices[i], extent, true, places[i]);
    if (indices[i] == nullptr) return nullptr;
  }
  Shape joint = indices[0]->type.shape;
  for (std::size_t i = 1; i < indices.size(); ++i) {
    Node* first = indices[0];
    if (!body.align(first, indices[i], "[ , ]", places[i])) return nullptr;
    std::string why;
    if (auto shape = dlvm::broadcast_shapes(joint, indices[i]->type.shape, why)) joint = std::move(*shape);
  }
  std::vector<Node*> operands{x};
  for (Node* index : indices) operands.push_back(body.broadcast(index, joint, location));
  return body.operation(dlvm::Opcode::gather, std::move(operands), {std::move(axes)}, location);
}

Node* apply(BodyChecker& body, Node* x, const std::vector<Selection>& selections, Location location) {
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
  if (!backwards.empty()) x = body.operation(dlvm::Opcode::reverse, {x}, {backwards}, location);
  if (sliced)
    x = body.operation(dlvm::Opcode::slice, {x},
                       {from, upto, stepped ? dlvm::Attribute(steps) : dlvm::Attribute()}, location);
  std::vector<Node*> indices;
  std::vector<Location> places;
  dlvm::Integers axes;
  std::int64_t kept = 0;
  for (const Selection& s : selections) {
    if (s.single) {
      x = body.operation(dlvm::Opcode::squeezeShape, {x}, {dlvm::Integers{kept}}, location);
      continue;
    }
    if (s.gathered != nullptr) {
      indices.push_back(s.gathered);
      places.push_back(s.location);
      axes.push_back(kept);
    }
    ++kept;
  }
  if (indices.empty() || x == nullptr) return x;
  return gather(body, x, std::move(indices), std::move(axes), places, location);
}

}  // namespace

/// Indices may be negative, then they count from the end. Small integer types are widened first, so that
/// adding the extent cannot wrap.
Node* BodyChecker::checked_index(Node* index, const Extent& extent, bool negative, Location location) {
  if (index == nullptr) return nullptr;
  default_to(index, ElementType::i64);
  const Element element = resolved(index->type.element);
  if (!element.known() || !dlvm::is_integer(element.type)) {
    auto& report = diagnostics_.report(index_not_integer, index->location, spelling(type_of(index)));
    explain(report, index, "the index");
    report.fix(
        dlvm::is_boolean(element.type)
            ? fmt::format("a condition selects with: if {} then ... else ...", quoted(index->place(), "..."))
            : fmt::format("convert it: {} as int32", quoted_operand(index->place())));
    return nullptr;
  }
  if (index->is_constant() && extent.constant()) {
    for (const Number& value : index->values) {
      const auto at = value.integer();
      if (at && *at < *extent.constant() && *at >= (negative ? -*extent.constant() : 0)) continue;
      diagnostics_.report(index_value_outside, index->location, value.text(), spelling(extent));
      return nullptr;
    }
  }
  const bool is_signed = dlvm::is_signed(element.type);
  if (dlvm::info(element.type).bytes < 4) index = convert(index, ElementType::i32, location);
  const Extent first = negative && is_signed ? Extent(-1) * extent : Extent(0);
  Node* checked =
      operation(dlvm::Opcode::checkIndex, {index}, {Shape{first}, Shape{extent}}, index->location);
  if (checked == nullptr || !negative || !is_signed) return checked;
  const Element type = checked->type.element;
  Node* below = operation(dlvm::Opcode::lessThan, {checked, constant(0, type, location)}, {}, location);
  Node* wrapped = operation(dlvm::Opcode::add, {checked, extent_value(extent, location, type)}, {}, location);
  return operation(dlvm::Opcode::select, {wrapped, checked, below}, {}, location);
}

Node* BodyChecker::index(const ast::Index& e, Hint hint) {
  Node* x = expression(*e.object, hint);
  if (x == nullptr) return nullptr;
  if (e.subscripts.size() > x->type.rank()) {
    auto& report = diagnostics_.report(too_many_subscripts, e.subscripts[x->type.rank()].location,
                                       counted(e.subscripts.size(), "subscript"), spelling(type_of(x)));
    explain(report, x, "the tensor");
    return nullptr;
  }
  const auto is_dimension = [&](const std::string& name) { return knows_dimension(name); };
  std::vector<Selection> selections;
  bool complete = true;
  for (std::size_t axis = 0; axis < e.subscripts.size(); ++axis) {
    const ast::Subscript& s = e.subscripts[axis];
    Subscripts subscripts(*this, x);
    std::optional<Selection> selection;
    if (s.slice) {
      selection = subscripts.slice(s, axis);
    } else if (is_extent_expression(*s.index, is_dimension)) {
      if (const auto at = extent(*s.index)) selection = subscripts.position(*at, axis, s.location);
    } else if (Node* index = expression(*s.index)) {
      selection = Selection{0, x->type.shape[axis], 1, false, false, index, s.location};
    }
    complete = complete && selection;
    if (selection) selections.push_back(*selection);
  }
  if (!complete) return nullptr;
  return apply(*this, x, selections, e.location);
}

}  // namespace frontend::check
