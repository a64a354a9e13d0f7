// Extents and shapes as they are written, to polynomials over dimensions; what has to hold between extents.
#include <fmt/format.h>

#include <functional>

#include "frontend/check/body.h"
#include "frontend/check/checker.h"
#include "frontend/check/dimensions.h"
#include "frontend/check/name_diagnostics.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"

namespace frontend::check {

std::optional<Extent> BodyChecker::named_extent(const std::string& name, Location location, bool may_be_new) {
  if (instance_ != nullptr) {
    if (const auto found = instance_->dimensions.find(name); found != instance_->dimensions.end())
      return found->second;
    if (const auto found = instance_->axes.find(name); found != instance_->axes.end())
      return Extent(found->second);
  }
  return checker_.dimension(*scope_, name, location, may_be_new && instance_ == nullptr, diagnostics_,
                            instance_);
}

std::optional<Extent> BodyChecker::extent(const ast::Extent& e) {
  return evaluate_extent(
      e, [&](const ast::Extent& named) { return named_extent(named.text, named.location, true); },
      diagnostics_);
}

std::optional<Extent> BodyChecker::extent(const ast::Expression& e) {
  if (const auto* number = ast::if_a<ast::Number>(e)) {
    const auto value = Number::parse(number->text);
    if (!value || !value->integer()) {
      diagnostics_.report(not_an_extent, e.location, number->text);
      return std::nullopt;
    }
    return Extent(*value->integer());
  }
  if (const auto* name = ast::if_a<ast::NameReference>(e)) return named_extent(name->text, e.location, false);
  if (const auto* unary = ast::if_a<ast::Unary>(e); unary && unary->op == ast::UnaryOperator::negate) {
    auto operand = extent(*unary->operand);
    if (operand) operand = Extent(-1) * *operand;
    return operand;
  }
  if (const auto* binary = ast::if_a<ast::Binary>(e);
      binary && binary->operators.front().op >= ast::BinaryOperator::add &&
      binary->operators.front().op <= ast::BinaryOperator::divide) {
    auto result = extent(*binary->operands[0]);
    for (std::size_t i = 0; i < binary->operators.size() && result; ++i) {
      const auto right = extent(*binary->operands[i + 1]);
      if (!right) return std::nullopt;
      const char symbol = ast::spelling(binary->operators[i].op)[0];
      result = combine_extents(*result, symbol, *right, binary->operators[i].location, diagnostics_);
    }
    return result;
  }
  diagnostics_.report(not_an_extent, e.location, quoted(e.location, "this"));
  return std::nullopt;
}

std::optional<ShapePattern> BodyChecker::pattern(const ast::Shape& shape) {
  ShapePattern result;
  bool complete = true;
  for (const ast::Extent& each : shape.extents) {
    if (each.kind == ast::Extent::Kind::unknown) {
      result.emplace_back();
      continue;
    }
    if (each.kind == ast::Extent::Kind::rest) {
      const auto* rests = instance_ != nullptr ? &instance_->rests : nullptr;
      if (rests == nullptr || !rests->contains(each.text)) {
        diagnostics_.report(misplaced_rest, each.location, each.text);
        complete = false;
        continue;
      }
      for (const Extent& extent : rests->find(each.text)->second) result.emplace_back(extent);
      continue;
    }
    auto value = extent(each);
    if (!value)
      complete = false;
    else if (const auto constant = value->constant(); constant && *constant < 1) {
      auto& report = diagnostics_.report(extent_not_positive, each.location, *constant);
      for_each_name(each, [&](const ast::Extent& name) { explain_given(report, *scope_, name.text); });
      complete = false;
    }
    result.push_back(std::move(value));
  }
  if (!complete) return std::nullopt;
  return result;
}

std::optional<Shape> BodyChecker::shape(const ast::Shape& written, std::string_view what) {
  auto found = pattern(written);
  if (!found) return std::nullopt;
  Shape result;
  for (std::size_t i = 0; i < found->size(); ++i) {
    if (!(*found)[i]) {
      diagnostics_.report(misplaced_unknown, written.location, what);
      return std::nullopt;
    }
    result.push_back(std::move(*(*found)[i]));
  }
  return result;
}

namespace {

/// The one dimension that occurs in the difference, and the one value of it that makes it 0.
std::optional<std::pair<std::string, std::int64_t>> only_value(const Extent& difference) {
  const auto& terms = difference.terms();
  if (terms.empty() || terms.size() > 2 || terms[0].atoms.size() != 1 || terms[0].atoms[0].floor)
    return std::nullopt;
  if (terms.size() == 2 && !terms[1].atoms.empty()) return std::nullopt;
  const std::int64_t constant = terms.size() == 2 ? terms[1].coefficient : 0, scale = terms[0].coefficient;
  if (scale == -1) return std::pair(terms[0].atoms[0].name, constant);
  if (constant % scale != 0) return std::nullopt;
  return std::pair(terms[0].atoms[0].name, -(constant / scale));
}

}  // namespace

bool BodyChecker::require_equal(const Extent& left, const Extent& right, std::string text, Location location,
                                const Explanation& explanation, const std::string& likely) {
  const dlvm::Proof proof = dlvm::provably_equal(left, right);
  if (const auto only =
          proof == dlvm::Proof::unknown && instance_ == nullptr ? only_value(left - right) : std::nullopt;
      only && fixed_.insert(only->first).second) {
    const std::string name = spelling(Extent::dimension(only->first));
    auto& report = diagnostics_.report(dimension_fixed, location, name, only->second);
    explanation(report);
    report.note(fmt::format("extents that must be equal here: {} and {}", spelling(left), spelling(right)));
    if (!likely.empty())
      report.fix(likely);
    else if (name != "?")
      report.fix(fmt::format("if that is intended, give it the value: dim {} = {}", name, only->second));
  }
  if (proof == dlvm::Proof::unknown)
    body_.requirements.push_back(
        {left, dlvm::Requirement::Relation::equal, right, std::move(text), location});
  return proof != dlvm::Proof::no;
}

bool BodyChecker::require_at_most(const Extent& left, const Extent& right, std::string text,
                                  Location location) {
  const dlvm::Proof proof = dlvm::provably_at_most(left, right);
  if (proof == dlvm::Proof::unknown)
    body_.requirements.push_back(
        {left, dlvm::Requirement::Relation::at_most, right, std::move(text), location});
  return proof != dlvm::Proof::no;
}

bool BodyChecker::knows_dimension(const std::string& name) const {
  return (instance_ != nullptr && (instance_->dimensions.contains(name) || instance_->axes.contains(name))) ||
         scope_->dimensions.contains(name) || checker_.is_imported_dimension(*scope_, name);
}

std::optional<std::int64_t> BodyChecker::integer(const ast::Expression& e, std::string_view what) {
  const bool plausible = e.kind == ast::Expression::Kind::number || e.kind == ast::Expression::Kind::name ||
                         e.kind == ast::Expression::Kind::unary || e.kind == ast::Expression::Kind::binary;
  const auto* name = ast::if_a<ast::NameReference>(e);
  const bool foreign =
      name != nullptr && !knows_dimension(name->text) && !scope_->values.contains(name->text);
  if (plausible && !foreign) {
    const auto value = extent(e);
    if (!value) return std::nullopt;
    if (const auto constant = value->constant()) return constant;
  }
  auto& report = diagnostics_.report(constant_wanted, e.location, what);
  if (const auto* list = ast::if_a<ast::Concatenation>(e))
    report.fix(list->elements.size() == 1
                   ? fmt::format("it is one number, without brackets: {}",
                                 quoted(list->elements[0]->location, "..."))
                   : "it is one number, without brackets: this function takes a single axis");
  return std::nullopt;
}

std::optional<bool> BodyChecker::flag(const ast::Expression& e) {
  if (const auto* written = ast::if_a<ast::Boolean>(e)) return written->value;
  const auto* name = ast::if_a<ast::NameReference>(e);
  if (name != nullptr && instance_ != nullptr)
    if (const auto found = instance_->flags.find(name->text); found != instance_->flags.end())
      return found->second;
  diagnostics_.report(list_wanted, e.location, "true or false");
  return std::nullopt;
}

std::optional<std::int64_t> BodyChecker::axis(std::int64_t written, std::size_t rank, Location location) {
  const auto n = static_cast<std::int64_t>(rank);
  if (written >= -n && written < n) return written < 0 ? written + n : written;
  auto& report = diagnostics_.report(axis_outside, location, written,
                                     rank == 0   ? "a scalar"
                                     : rank == 1 ? "1 axis"
                                                 : fmt::format("{} axes", rank));
  if (rank > 0) report.fix(fmt::format("axes count from 0 to {}, or from -{} to -1", n - 1, n));
  return std::nullopt;
}

}  // namespace frontend::check
