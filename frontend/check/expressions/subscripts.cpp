#include "frontend/check/expressions/subscripts.h"

#include <fmt/format.h>

#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using dlvm::Proof;

/// Returns whether the position or bound is written with a minus sign in front of all of it: -1, -k, -(k +
/// 1).
bool counts_from_end(const ast::Expression& e) {
  const auto* unary = ast::if_a<ast::Unary>(e);
  return unary != nullptr && unary->op == ast::UnaryOperator::negate &&
         unary->operand->kind != ast::Expression::Kind::unary;
}

bool is_negative(const Extent& e) { return dlvm::provably_at_most(e, Extent(-1)) == Proof::yes; }

/// A bound or position as written, and whether an expression can be one (integer tensors cannot).
class Subscripts {
 public:
  Subscripts(BodyContext& context, Node* object) : context_(context), object_(object) {}

  std::optional<Selection> position(const ast::Expression& e, std::size_t axis, Location location) {
    if (!require_integers(context_, e, "an index")) return std::nullopt;
    const auto value = check_extent(context_, e);
    if (!value) return std::nullopt;
    const Extent &written = *value, &n = object_->type.shape[axis];
    const bool from_end = counts_from_end(e);
    if (!from_end && is_negative(written)) return report_negative("index", e, written, axis);
    const Extent at = from_end ? n + written : written;
    const auto text =
        fmt::format("the index {} of {} needs an extent of at least {{left}} on axis {}, but it is {{right}}",
                    spelling(written), name(), axis);
    const bool fits =
        from_end ? require_at_most(context_, Extent(0) - written, n, text, location) &&
                       require_at_most(
                           context_, written, Extent(-1),
                           fmt::format("the index {} on axis {} of {} is {{left}}, but must be at most -1",
                                       spelling(written), axis, name()),
                           location)
                 : require_at_most(
                       context_, 0, written,
                       fmt::format("the index {} on axis {} of {} is {{right}}, but must be at least 0",
                                   spelling(written), axis, name()),
                       location) &&
                       require_at_most(context_, written + Extent(1), n, text, location);
    if (!fits) {
      auto& report =
          context_.diagnostics.report(index_outside, location, spelling(written), axis, spelling(n));
      explain_value(context_, report, object_, "the tensor");
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
      if (!require_integers(context_, *s.step, "the step of a slice")) return std::nullopt;
      const auto written = constant_integer(context_, *s.step, "the step of a slice");
      if (!written) return std::nullopt;
      step = *written;
      constexpr std::int64_t largest = std::int64_t{1} << 47;
      if (step == 0 || step > largest || step < -largest) {
        context_.diagnostics.report(bad_step, s.step->location, step);
        return std::nullopt;
      }
    }
    std::optional<Extent> start, stop;
    for (auto [written, value] : {std::pair{s.start.get(), &start}, std::pair{s.stop.get(), &stop}}) {
      if (written == nullptr) continue;
      if (!require_integers(context_, *written, "the bound of a slice")) return std::nullopt;
      *value = check_extent(context_, *written);
      if (!*value) return std::nullopt;
      // A slice that runs backwards ends before position 0 at -1.
      const bool may_be_before = step < 0 && value == &stop && (*value)->is(-1);
      if (counts_from_end(*written))
        *value = n + **value;
      else if (is_negative(**value) && !may_be_before)
        return report_negative("bound", *written, **value, axis);
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
      context_.diagnostics.report(empty_slice, s.location, quoted(s.location, "this slice"));
      return std::nullopt;
    }
    return result;
  }

 private:
  /// Says that a position or bound which is computed is negative.
  std::nullopt_t report_negative(std::string_view what, const ast::Expression& e, const Extent& value,
                                 std::size_t axis) {
    auto& report = context_.diagnostics.report(negative_bound, e.location, what, quoted(e.location, "..."),
                                               axis, spelling(value));
    explain_names(report, e);
    if (value.constant())
      report.fix(fmt::format("to count from the end, write it with a minus sign: {}", *value.constant()));
    return std::nullopt;
  }

  /// Says where the dimensions in the expression have their values.
  void explain_names(dlvm::Diagnostic& report, const ast::Expression& e) {
    if (const auto* name = ast::if_a<ast::NameReference>(e))
      explain_given(report, *context_.scope, name->text);
    else if (const auto* unary = ast::if_a<ast::Unary>(e))
      explain_names(report, *unary->operand);
    else if (const auto* binary = ast::if_a<ast::Binary>(e))
      for (const auto& operand : binary->operands) explain_names(report, *operand);
  }

  std::string name() const { return quoted(object_->place(), "the tensor"); }

  /// The relations are between positions as they are written, whichever way the slice runs.
  bool inside(const Selection& s, const Extent& n, std::size_t axis, Location location) {
    const std::string slice = fmt::format("the slice {}[{}]", name(), quoted(location, "..."));
    const Extent last = n - Extent(1), start = last - s.first, stop = last - s.end;
    const auto at_most = [&](const Extent& left, const Extent& right, std::string_view text) {
      return require_at_most(context_, left, right,
                             fmt::format("{} {}", slice, fmt::format(fmt::runtime(text), axis)), location);
    };
    const bool fits =
        s.reversed
            ? at_most(start, last,
                      "begins at position {{left}} of axis {}, whose last position is {{right}}") &&
                  at_most(stop, start,
                          "runs backwards on axis {}, but begins at {{right}} and ends at {{left}}") &&
                  at_most(Extent(-1), stop,
                          "ends at position {{right}} of axis {}, whose first position is 0")
            : at_most(Extent(0), s.first,
                      "begins at position {{right}} of axis {}, whose first position is 0") &&
                  at_most(s.first, s.end, "begins on axis {} at {{left}}, after its end at {{right}}") &&
                  at_most(s.end, n, "ends at {{left}}, but axis {} has extent {{right}}");
    if (fits) return true;
    if (dlvm::provably_at_most(s.first, s.end) == Proof::no &&
        dlvm::provably_at_most(0, s.first) == Proof::yes && dlvm::provably_at_most(s.end, n) == Proof::yes) {
      auto& report = context_.diagnostics.report(empty_slice, location, quoted(location, "this slice"));
      if (!s.reversed) report.fix("to run backwards give a negative step: [3:1:-1] holds elements 3 and 2");
      return false;
    }
    auto& report = context_.diagnostics.report(slice_outside, location, quoted(location, "this slice"), axis,
                                               spelling(n));
    explain_value(context_, report, object_, "the tensor");
    report.note("a slice is never clamped; leave a bound out to go to the end");
    return false;
  }

  BodyContext& context_;
  Node* object_;
};

}  // namespace

std::optional<Selection> selected_position(BodyContext& context, Node* x, const ast::Subscript& s,
                                           std::size_t axis) {
  return Subscripts(context, x).position(*s.index, axis, s.location);
}

std::optional<Selection> selected_slice(BodyContext& context, Node* x, const ast::Subscript& s,
                                        std::size_t axis) {
  return Subscripts(context, x).slice(s, axis);
}

}  // namespace frontend::check
