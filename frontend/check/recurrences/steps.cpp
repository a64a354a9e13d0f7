#include "frontend/check/recurrences/steps.h"

#include <fmt/format.h>

#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/structured_values.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using Part = Declaration::Part;

/// Steps are copies that a loop carries, so that a lag is limited.
constexpr std::int64_t max_lag = 256;

std::optional<std::int64_t> integer(const ast::Expression& e) {
  const auto* number = ast::if_a<ast::Number>(e);
  const auto value = number != nullptr ? Number::parse(number->text) : std::nullopt;
  return value ? value->integer() : std::nullopt;
}

/// The counter of a block and what is added to it.
struct Step {
  Declaration* counter;
  std::int64_t offset;
};

/// `t`, `t-1`, `t+1`
std::optional<Step> step_of(const BodyContext& context, const ast::Subscript& subscript) {
  if (subscript.slice) return std::nullopt;
  const auto* sum = ast::if_a<ast::Binary>(*subscript.index);
  const auto* name = ast::if_a<ast::NameReference>(sum != nullptr ? *sum->operands[0] : *subscript.index);
  Declaration* counter = name != nullptr ? find_in_steps(context, name->text) : nullptr;
  if (counter == nullptr || counter->part != Part::counter) return std::nullopt;
  Step step{counter, 0};
  for (std::size_t i = 0; sum != nullptr && i < sum->operators.size(); ++i) {
    const auto op = sum->operators[i].op;
    const auto value = integer(*sum->operands[i + 1]);
    const bool is_sum = op == ast::BinaryOperator::add || op == ast::BinaryOperator::subtract;
    if (!value || !is_sum || *value > (std::int64_t{1} << 40)) return std::nullopt;
    step.offset += op == ast::BinaryOperator::add ? *value : -*value;
  }
  return step;
}

Declaration* value_in(const Recurrence& block, const ast::Expression& object) {
  const auto* name = ast::if_a<ast::NameReference>(object);
  const auto found = name == nullptr ? block.values.end() : block.values.find(name->text);
  return found == block.values.end() || found->second == block.counter ? nullptr : found->second;
}

void report_other(BodyContext& context, const ast::Index& e, const Recurrence& block) {
  const std::string object = quoted(e.object->location, "this");
  const std::string& counter = block.syntax->counter.names.front().text;
  auto& report = context.diagnostics.report(step_of_other, e.location, fmt::format("'{}'", object), counter);
  report.note(block.syntax->location, "the block is here");
  const std::string step = quoted(e.subscripts.front().location, counter + "-1");
  const auto* name = ast::if_a<ast::NameReference>(*e.object);
  const auto* field = ast::if_a<ast::Member>(*e.object);
  if (field != nullptr && value_in(block, *field->object) != nullptr)
    return void(report.fix(fmt::format("take the field of the earlier value: {}[{}].{}",
                                       quoted(field->object->location, "s"), step, field->member.text)));
  report.fix(name != nullptr
                 ? fmt::format("run over it: recurrent {0} over {1}_t = {1} {{ ... {1}_t[{2}] ... }}",
                               counter, name->text, step)
                 : fmt::format("give it a name in the block, and take that: name[{}]", step));
}

}  // namespace

std::optional<std::int64_t> lag_before_first(const ast::Expression& step) {
  const auto* difference = ast::if_a<ast::Binary>(step);
  if (difference == nullptr || difference->operators.size() != 1 ||
      difference->operators[0].op != ast::BinaryOperator::subtract || integer(*difference->operands[0]) != 0)
    return std::nullopt;
  const auto lag = integer(*difference->operands[1]);
  return lag && *lag >= 1 && *lag <= max_lag ? lag : std::nullopt;
}

Declaration* find_in_steps(const BodyContext& context, std::string_view name) {
  for (const Recurrence* block = context.recurrence; block != nullptr; block = block->outer)
    if (const auto found = block->values.find(name); found != block->values.end()) return found->second;
  return nullptr;
}

Node* make_step_value(BodyContext& context, Declaration& declaration, Location location) {
  Node* value = make_reference(context, declaration, location);
  if (value == nullptr || declaration.part != Part::counter) return value;
  return make_operation(context, dlvm::Opcode::dataTypeCast, {value}, {ElementType::i64}, location,
                        fresh_element(context));
}

std::optional<Node*> check_step(BodyContext& context, const ast::Index& e) {
  if (context.recurrence == nullptr) return std::nullopt;
  const auto step = step_of(context, e.subscripts.front());
  if (!step) return std::nullopt;
  const Recurrence& block = *step->counter->recurrence;
  Declaration* value = value_in(block, *e.object);
  if (value == nullptr && step->offset == 0) return std::nullopt;
  step->counter->used = true;
  if (value == nullptr) {
    report_other(context, e, block);
    return nullptr;
  }
  if (value->recurrence == nullptr) return nullptr;  // its role has been reported
  if (e.subscripts.size() > 1) {
    context.diagnostics.report(step_with_axes, e.subscripts[1].location)
        .fix(fmt::format("{}[{}][...]", value->name, quoted(e.subscripts[0].location, "t-1")));
    return nullptr;
  }
  if (step->offset > 0) {
    auto& report = context.diagnostics.report(later_step, e.location, quoted(e.location, value->name));
    if (block.syntax->backward)
      report.fix(fmt::format("in a block that runs backwards the step after it in time is {}[{}-{}]",
                             value->name, step->counter->name, step->offset));
    else
      report.fix(fmt::format("run backwards, recurrent {0} backward {{ ... }}, and write {1}[{0}-{2}]",
                             step->counter->name, value->name, step->offset));
    return nullptr;
  }
  if (step->offset == 0) return make_reference(context, *value, e.location);
  if (-step->offset > max_lag) {
    context.diagnostics.report(lag_too_large, e.location, max_lag);
    return nullptr;
  }
  return make_reference(context, context.checker.earlier(*value, -step->offset), e.location);
}

namespace {

Node* report_sequence_of_structure(BodyContext& context, const Node& value) {
  const DeclaredType& type = *value.type.declared;
  auto& report = context.diagnostics.report(sequence_of_structure, value.location,
                                            quoted(value.place(), "the argument"), kind_of(type), type.name);
  if (type.is_structure() && !type.members.empty())
    report.fix(fmt::format("sequence({}.{})", quoted(value.place(), "s"), type.members[0].name));
  return nullptr;
}

}  // namespace

Node* check_sequence(BodyContext& context, std::span<Argument> arguments, Location location) {
  const auto report = [&](Location where) -> dlvm::Diagnostic& {
    return context.diagnostics.report(sequence_of_no_value, where,
                                      fmt::format("'{}'", quoted(where, "the argument")));
  };
  if (arguments.size() != 1 || arguments[0].name != nullptr) {
    report(location).fix("it has one argument: sequence(h)");
    return nullptr;
  }
  const Location where = arguments[0].location;
  Node* value = argument_value(context, arguments[0], {}, true);
  if (value == nullptr) return nullptr;
  if (!value->type.is_tensor()) return report_sequence_of_structure(context, *value);
  const Node* whole = value;  // of which it is a field
  while (whole->kind == Node::Kind::field) whole = whole->operands[0];
  Declaration* field = whole != value ? declared_tensor(*value) : nullptr;
  const bool is_name = value->kind == Node::Kind::reference || field != nullptr;
  auto* declaration = field != nullptr ? field
                      : is_name        ? const_cast<Declaration*>(value->declaration)
                                       : nullptr;
  if (is_name && declaration->part == Part::last)
    return make_reference(context, context.checker.sequence(*declaration->of), location);
  if (is_name && declaration->recurrence != nullptr &&
      (declaration->part == Part::none || declaration->part == Part::element)) {
    context.diagnostics.report(sequence_in_step, location, declaration->name)
        .note(declaration->recurrence->syntax->location, "the block is here");
    return nullptr;
  }
  auto& message = report(where);
  if (is_name)
    message.note(declaration->location, fmt::format("'{}' is declared here", declaration->name));
  else
    message.fix("take the sequence of a name, and compute with that: 2 * sequence(h)");
  return nullptr;
}

}  // namespace frontend::check
