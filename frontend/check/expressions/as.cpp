// `e as float16[2x2]`: another element type, another shape of the same elements, or both.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/diagnostics/declared_type_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// The first extent that is not constant; null where all are.
const Extent* first_free(const Shape& shape) {
  const auto found = std::find_if(shape.begin(), shape.end(), [](const Extent& e) { return !e.constant(); });
  return found == shape.end() ? nullptr : &*found;
}

/// Whether the counts differ by a product of dimensions, so that they agree only where one of these is 0.
bool agree_without_elements_only(const Extent& count, const Extent& after) {
  const Extent difference = count - after;
  if (difference.terms().size() != 1) return false;
  const auto& atoms = difference.terms().front().atoms;
  return !atoms.empty() &&
         std::ranges::none_of(atoms, [](const auto& atom) { return atom.floor != nullptr; });
}

/// Whether an extent is a quotient that was rounded down.
bool is_rounded(BodyContext& context, const ast::Extent& written, const Extent& value) {
  if (written.operators.size() != 1 || written.operators[0].symbol != '/') return false;
  const auto dividend = check_extent(context, written.operands[0]),
             divisor = check_extent(context, written.operands[1]);
  return dividend && divisor && *dividend != value * *divisor;
}

/// One extent changed so that the number of elements is `count`, the last one where that is possible.
void suggest(BodyContext& context, dlvm::Diagnostic& report, const ast::Shape& written,
             const ShapePattern& shape, const Extent& count) {
  for (std::size_t i = 0; i < written.extents.size() && i < shape.size(); ++i)
    if (shape[i] && is_rounded(context, written.extents[i], *shape[i]))
      return void(
          report.fix(fmt::format("'/' rounds down, and {} is {}: give the dimensions values that divide",
                                 quoted(written.extents[i].location, "it"), spelling(*shape[i]))));
  for (std::size_t i = shape.size(); i-- > 0;) {
    Extent others(1);
    std::string text;
    for (std::size_t k = 0; k < shape.size(); ++k) {
      if (k != i) others = others * shape[k].value_or(Extent(1));
      text += (text.empty() ? "" : " x ") + (k == i ? "?" : shape[k] ? spelling(*shape[k]) : "1");
    }
    if (!others.valid() || others.is(0) || !Extent::exact_divide(count, others)) continue;
    report.fix(fmt::format("let one extent follow from the others: as [{}]", text));
    return;
  }
  report.fix(fmt::format("as one axis: as [{}]", spelling(count)));
}

}  // namespace

Node* check_as(BodyContext& context, const ast::As& e, Hint hint) {
  const Hint wanted = e.type.element ? Hint(element_of(*e.type.element)) : hint;
  Node* x = check_expression(context, *e.operand, wanted);
  if (e.type.declared) {
    context.diagnostics.report(as_declared, e.type.location, ast::spelling(*e.type.declared));
    return nullptr;
  }
  if (x != nullptr && e.type.element) x = make_conversion(context, x, *wanted, e.location);
  if (!e.type.shape) return x;
  const auto declared = check_pattern(context, *e.type.shape);
  if (x == nullptr || !declared) return nullptr;

  const Extent count = dlvm::unit_count(x->type.shape);
  Extent others(1);
  std::size_t open = 0;
  for (const auto& extent : *declared) {
    if (extent)
      others = others * *extent;
    else
      ++open;
  }
  if (open > 1) {
    context.diagnostics.report(several_unknowns, e.type.location, open);
    return nullptr;
  }
  if (!count.valid() || !others.valid()) {
    context.diagnostics.report(extent_overflow, e.type.location);
    return nullptr;
  }
  const Extent rest = open == 1 ? Extent::floor_divide(count, others) : Extent(1);
  Shape shape;
  for (const auto& extent : *declared) shape.push_back(extent.value_or(rest));
  const std::string text =
      fmt::format("a reshape keeps the number of elements, but {} has {{left}} and {} has {{right}}",
                  spelling(x->type.shape), spelling(shape));
  const Extent after = dlvm::unit_count(shape);
  const auto origins = [&](dlvm::Diagnostic& report) {
    explain_value(context, report, x, "the operand");
    report.note(e.type.location,
                open == 1 ? fmt::format("the other extents have a product of {}", spelling(others))
                          : fmt::format("{} has {}", spelling(shape), spelling(after) + " elements"));
  };
  std::string likely;
  if (const auto* free = first_free(x->type.shape))
    likely = fmt::format("keep the free dimension in the shape: as [{} x ?]", spelling(*free));
  if (agree_without_elements_only(count, after) ||
      !require_equal(context, count, after, text, e.location, origins, likely)) {
    auto& report =
        context.diagnostics.report(reshape_count, e.location, spelling(x->type.shape), spelling(count),
                                   open == 1 ? "a multiple of " + spelling(others) : spelling(after));
    origins(report);
    suggest(context, report, *e.type.shape, *declared, count);
    return nullptr;
  }
  return make_reshape(context, x, std::move(shape), e.location);
}

}  // namespace frontend::check
