// Extents and shapes as they are written, to polynomials over dimensions; what has to hold between extents.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/index_diagnostics.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/functions/locals.h"
#include "frontend/check/index_notation/equation.h"
#include "frontend/check/recurrences/batch_first.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

std::optional<Extent> named_extent(BodyContext& context, const std::string& name, Location location,
                                   bool may_be_new) {
  if (context.equation != nullptr && context.equation->find(name)) {
    context.diagnostics.report(index_as_extent, location, name);
    return std::nullopt;
  }
  if (context.locals != nullptr)
    if (const auto local = context.locals->find(name)) {
      const Variable& variable = context.body.variables[*local];
      context.diagnostics.report(value_as_extent, location, name)
          .note(variable.location, fmt::format("'{}' is declared here, a value", name))
          .fix(
              "an extent, or the bound of a slice, is a number or a dimension; a single position may be a "
              "value: x[" +
              name + "]");
      return std::nullopt;
    }
  if (context.instance != nullptr) {
    if (const auto found = context.instance->dimensions.find(name);
        found != context.instance->dimensions.end())
      return found->second;
    if (const auto found = context.instance->axes.find(name); found != context.instance->axes.end())
      return Extent(found->second);
  }
  if (context.net != nullptr)
    if (const auto found = context.net->dimensions.find(name); found != context.net->dimensions.end())
      return found->second;
  const bool outside = context.instance == nullptr && context.net == nullptr;
  return context.checker.dimension(*context.scope, name, location, may_be_new && outside, context.diagnostics,
                                   context.instance, context.net);
}

std::optional<Extent> known_extent(BodyContext& context, const ast::Extent& e) {
  const auto lookup = [&](const ast::Extent& name) {
    return named_extent(context, name.text, name.location, false);
  };
  return evaluate_extent(e, lookup, context.diagnostics);
}

std::optional<Extent> check_extent(BodyContext& context, const ast::Extent& e) {
  return evaluate_extent(
      e, [&](const ast::Extent& named) { return named_extent(context, named.text, named.location, true); },
      context.diagnostics);
}

std::string integers_beside(const Number& number) {
  const Number below = number.floor();
  const auto above = below + Number(1);
  return fmt::format("write an integer: {} or {}", below.text(), above ? above->text() : below.text());
}

bool require_integers(BodyContext& context, const ast::Expression& e, std::string_view what) {
  if (const auto* unary = ast::if_a<ast::Unary>(e)) return require_integers(context, *unary->operand, what);
  if (const auto* binary = ast::if_a<ast::Binary>(e))
    return std::ranges::all_of(binary->operands, [&](const ast::ExpressionPointer& operand) {
      return require_integers(context, *operand, what);
    });
  const auto* number = ast::if_a<ast::Number>(e);
  const auto value = number != nullptr ? Number::parse(number->text) : std::nullopt;
  if (!value || value->is_integer()) return true;
  context.diagnostics.report(index_not_integer, e.location, what, number->text).fix(integers_beside(*value));
  return false;
}

std::optional<Extent> check_extent(BodyContext& context, const ast::Expression& e) {
  if (const auto* number = ast::if_a<ast::Number>(e)) {
    const auto value = Number::parse(number->text);
    if (!value || !value->integer()) {
      auto& report = context.diagnostics.report(not_an_extent, e.location, number->text);
      if (value && !value->is_integer()) report.fix(integers_beside(*value));
      return std::nullopt;
    }
    return Extent(*value->integer());
  }
  if (const auto* name = ast::if_a<ast::NameReference>(e))
    return named_extent(context, name->text, e.location, false);
  if (const auto* unary = ast::if_a<ast::Unary>(e); unary && unary->op == ast::UnaryOperator::negate) {
    auto operand = check_extent(context, *unary->operand);
    if (operand) operand = Extent(-1) * *operand;
    return operand;
  }
  if (const auto* binary = ast::if_a<ast::Binary>(e);
      binary && binary->operators.front().op >= ast::BinaryOperator::add &&
      binary->operators.front().op <= ast::BinaryOperator::divide) {
    const auto *left = ast::if_a<ast::Number>(*binary->operands[0]),
               *number = ast::if_a<ast::Number>(*binary->operands[1]);
    if (left != nullptr && number != nullptr && binary->operators.front().op == ast::BinaryOperator::divide)
      check_quotient(left->text, number->text, binary->operators.front().location, context.diagnostics);
    auto result = check_extent(context, *binary->operands[0]);
    for (std::size_t i = 0; i < binary->operators.size() && result; ++i) {
      const auto right = check_extent(context, *binary->operands[i + 1]);
      if (!right) return std::nullopt;
      const char symbol = ast::spelling(binary->operators[i].op)[0];
      result = combine_extents(*result, symbol, *right, binary->operators[i].location, context.diagnostics);
    }
    return result;
  }
  context.diagnostics.report(not_an_extent, e.location, quoted(e.location, "this"));
  return std::nullopt;
}

namespace {

/// Suggests what is written for an extent of -1, if that is the only extent which is not given.
void suggest_for_omitted(dlvm::Diagnostic& report, const ast::Shape& shape, const ast::Extent& extent,
                         Omitted omitted) {
  const auto is_omitted = [](const ast::Extent& each) {
    const bool negative = each.kind == ast::Extent::Kind::negate;
    return each.kind == ast::Extent::Kind::unknown || (negative && each.operands[0].text == "1");
  };
  if (!is_omitted(extent) || std::ranges::count_if(shape.extents, is_omitted) > 1) return;
  switch (omitted) {
    case Omitted::follows:
      report.fix("an extent that follows from the others is written ?",
                 dlvm::replacement(extent.location, "?"));
      return;
    case Omitted::chosen:
      report.fix("an extent that each call chooses has a name, such as N");
      return;
    case Omitted::known:
      report.fix("write the extent: a number, or the name of a dimension");
      return;
  }
}

}  // namespace

std::optional<ShapePattern> check_pattern(BodyContext& context, const ast::Shape& shape, Omitted omitted) {
  ShapePattern result;
  bool complete = true;
  for (const ast::Extent& each : shape.extents) {
    if (each.kind == ast::Extent::Kind::unknown) {
      result.emplace_back();
      continue;
    }
    if (each.kind == ast::Extent::Kind::rest) {
      const auto* rests = context.instance != nullptr ? &context.instance->rests : nullptr;
      if (rests == nullptr || !rests->contains(each.text)) {
        context.diagnostics.report(misplaced_rest, each.location, each.text);
        complete = false;
        continue;
      }
      for (const Extent& extent : rests->find(each.text)->second) result.emplace_back(extent);
      continue;
    }
    auto value = check_extent(context, each);
    if (!value)
      complete = false;
    else if (const auto constant = value->constant(); constant && *constant < 1) {
      auto& report = context.diagnostics.report(extent_not_positive, each.location, *constant);
      for_each_name(each, [&](const ast::Extent& name) { explain_given(report, *context.scope, name.text); });
      suggest_for_omitted(report, shape, each, omitted);
      complete = false;
    }
    result.push_back(std::move(value));
  }
  if (!complete) return std::nullopt;
  return result;
}

std::optional<Shape> check_shape(BodyContext& context, const ast::Shape& written, std::string_view what) {
  auto found = check_pattern(context, written, Omitted::known);
  if (!found) return std::nullopt;
  Shape result;
  for (std::size_t i = 0; i < found->size(); ++i) {
    if (!(*found)[i]) {
      context.diagnostics.report(misplaced_unknown, written.location, what);
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

/// The two dimensions whose difference, with either sign, is `difference`.
std::optional<std::pair<std::string, std::string>> two_dimensions(const Extent& difference) {
  const auto& terms = difference.terms();
  const auto is_dimension = [](const auto& term) { return term.atoms.size() == 1 && !term.atoms[0].floor; };
  if (terms.size() != 2 || !std::ranges::all_of(terms, is_dimension)) return std::nullopt;
  const auto first = terms[0].coefficient, second = terms[1].coefficient;
  if (first + second != 0 || first * second != -1) return std::nullopt;
  return std::pair(terms[0].atoms[0].name, terms[1].atoms[0].name);
}

/// Warns where a step has to have as many rows as the block has steps: then the sequence has the batch first.
void warn_about_batch_first(BodyContext& context, const Extent& left, const Extent& right, Location location,
                            const Explanation& explanation) {
  const bool is_left = is_number_of_steps(context, left);
  if (is_left == is_number_of_steps(context, right)) return;
  const Extent &steps = is_left ? left : right, &other = is_left ? right : left;
  if (other.constant() || !context.fixed.insert(spelling(steps)).second) return;
  const std::string advice = advice_for_batch_first(context);
  if (advice.empty()) return;
  auto& report = context.diagnostics.report(steps_as_rows, location, spelling(other), spelling(steps));
  explanation(report);
  report.fix(advice);
}

/// Warns if the extents, whose equality cannot be proved, are equal for one value of one free dimension only.
void warn_about_fixed_dimension(BodyContext& context, const Extent& left, const Extent& right,
                                Location location, const Explanation& explanation,
                                const std::string& likely) {
  const auto only = only_value(left - right);
  if (!only || !context.fixed.insert(only->first).second) return;
  const std::string name = spelling(Extent::dimension(only->first));
  auto& report = context.diagnostics.report(dimension_fixed, location, name, only->second);
  explanation(report);
  const std::string order =
      is_number_of_steps(context, Extent::dimension(only->first)) ? advice_for_batch_first(context) : "";
  if (!order.empty())
    report.fix(order);
  else if (!likely.empty())
    report.fix(likely);
  else if (name != "?" && only->second != 0)
    report.fix(fmt::format("if that is intended, give it the value: dim {} = {}", name, only->second));
}

/// Warns if the extents, whose equality cannot be proved, are two free dimensions.
void warn_about_equal_dimensions(BodyContext& context, const Extent& left, const Extent& right,
                                 Location location, const Explanation& explanation,
                                 const std::string& likely) {
  const auto two = two_dimensions(left - right);
  if (!two) return;
  std::string first = spelling(Extent::dimension(two->first)),
              second = spelling(Extent::dimension(two->second));
  if (first == spelling(right)) std::swap(first, second);  // in the order of the notes
  if (context.fixed.contains(first) || context.fixed.contains(second)) return;
  if (!context.fixed.insert(first + " == " + second).second) return;
  auto& report = context.diagnostics.report(dimensions_equal, location, first, second);
  explanation(report);
  if (!likely.empty())
    report.fix(likely);
  else if (first != "?" && second != "?")
    report.fix(fmt::format("if that is intended, use one name for both, {} or {}", first, second));
  else
    report.fix("if that is intended, give both axes one name");
}

std::string equal_extents(const Extent& left, const Extent& right) {
  return fmt::format("extents that must be equal here: {} and {}", spelling(left), spelling(right));
}

}  // namespace

void warn_about_requirements(BodyContext& context, const std::vector<dlvm::Requirement>& requirements,
                             Location call) {
  if (context.instance != nullptr) return;  // the calls of this function say it
  for (const dlvm::Requirement& each : requirements) {
    if (each.relation != dlvm::Requirement::Relation::equal) continue;
    const auto explanation = [&](dlvm::Diagnostic& report) {
      report.note(each.location, equal_extents(each.left, each.right));
    };
    warn_about_fixed_dimension(context, each.left, each.right, call, explanation, {});
    warn_about_batch_first(context, each.left, each.right, call, explanation);
    warn_about_equal_dimensions(context, each.left, each.right, call, explanation, {});
  }
}

bool require_equal(BodyContext& context, const Extent& left, const Extent& right, std::string text,
                   Location location, const Explanation& explanation, const std::string& likely) {
  context.checker.note_equation({left, right, dlvm::Requirement::Relation::equal, location});
  const dlvm::Proof proof = dlvm::provably_equal(left, right);
  if (proof == dlvm::Proof::unknown) {
    const auto with_extents = [&](dlvm::Diagnostic& report) {
      explanation(report);
      report.note(equal_extents(left, right));
    };
    if (context.instance == nullptr)
      warn_about_fixed_dimension(context, left, right, location, with_extents, likely);
    warn_about_batch_first(context, left, right, location, explanation);
    if (context.instance == nullptr)
      warn_about_equal_dimensions(context, left, right, location, with_extents, likely);
    dlvm::add_requirement(context.body.requirements,
                          {left, dlvm::Requirement::Relation::equal, right, std::move(text), location});
  }
  return proof != dlvm::Proof::no;
}

bool require_at_most(BodyContext& context, const Extent& left, const Extent& right, std::string text,
                     Location location) {
  context.checker.note_equation({left, right, dlvm::Requirement::Relation::at_most, location});
  const dlvm::Proof proof = dlvm::provably_at_most(left, right);
  if (proof == dlvm::Proof::unknown)
    dlvm::add_requirement(context.body.requirements,
                          {left, dlvm::Requirement::Relation::at_most, right, std::move(text), location});
  return proof != dlvm::Proof::no;
}

bool knows_dimension(const BodyContext& context, const std::string& name) {
  return (context.instance != nullptr &&
          (context.instance->dimensions.contains(name) || context.instance->axes.contains(name))) ||
         (context.net != nullptr && context.net->dimensions.contains(name)) ||
         context.scope->dimensions.contains(name) ||
         context.checker.is_imported_dimension(*context.scope, name);
}

namespace {

/// Returns whether the name has been reported as unknown: what else is wrong with it follows from that.
bool is_reported_unknown(const BodyContext& context, const ast::NameReference* name) {
  return name != nullptr && std::ranges::any_of(context.diagnostics.all(), [&](const dlvm::Diagnostic& each) {
           return each.kind == &unknown_name_kind && each.text.ends_with("'" + name->text + "'");
         });
}

}  // namespace

std::optional<std::int64_t> constant_integer(BodyContext& context, const ast::Expression& e,
                                             std::string_view what) {
  const bool plausible = e.kind == ast::Expression::Kind::number || e.kind == ast::Expression::Kind::name ||
                         e.kind == ast::Expression::Kind::unary || e.kind == ast::Expression::Kind::binary;
  const auto* name = ast::if_a<ast::NameReference>(e);
  const bool foreign =
      name != nullptr && !knows_dimension(context, name->text) && !context.scope->values.contains(name->text);
  if (plausible && !foreign) {
    const auto value = check_extent(context, e);
    if (!value) return std::nullopt;
    if (const auto constant = value->constant()) return constant;
  }
  if (is_reported_unknown(context, name)) return std::nullopt;
  auto& report = context.diagnostics.report(constant_wanted, e.location, what);
  if (const auto* list = ast::if_a<ast::Concatenation>(e))
    report.fix(list->elements.size() == 1
                   ? fmt::format("it is one number, without brackets: {}",
                                 quoted(list->elements[0]->location, "..."))
                   : "it is one number, without brackets: this function takes a single axis");
  return std::nullopt;
}

std::optional<bool> constant_flag(BodyContext& context, const ast::Expression& e) {
  if (const auto* written = ast::if_a<ast::Boolean>(e)) return written->value;
  const auto* name = ast::if_a<ast::NameReference>(e);
  if (name != nullptr && context.instance != nullptr)
    if (const auto found = context.instance->flags.find(name->text); found != context.instance->flags.end())
      return found->second;
  if (!is_reported_unknown(context, name))
    context.diagnostics.report(list_wanted, e.location, "true or false");
  return std::nullopt;
}

std::optional<std::int64_t> counted_axis(BodyContext& context, std::int64_t written, std::size_t rank,
                                         Location location) {
  const auto n = static_cast<std::int64_t>(rank);
  if (written >= -n && written < n) return written < 0 ? written + n : written;
  auto& report = context.diagnostics.report(axis_outside, location, written,
                                            rank == 0   ? "a scalar"
                                            : rank == 1 ? "1 axis"
                                                        : fmt::format("{} axes", rank));
  if (rank == 1) report.fix("the one axis is 0, or -1");
  if (rank > 1) report.fix(fmt::format("axes count from 0 to {}, or from -{} to -1", n - 1, n));
  return std::nullopt;
}

}  // namespace frontend::check
