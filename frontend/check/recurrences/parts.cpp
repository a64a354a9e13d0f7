// This file checks what recurrent blocks declare besides the values of a step: positions, elements, earlier
// and last values, sequences.
#include <fmt/format.h>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/open_dimensions.h"
#include "frontend/check/declarations/structured_values.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/diagnostics/structure_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/sizes.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

using Part = Declaration::Part;

void Checker::check_part(Declaration& d, dlvm::Diagnostics& messages) {
  switch (d.part) {
    case Part::counter:
      return check_counter(d, messages);
    case Part::element:
      return check_element(d, messages);
    case Part::earlier:
      return check_earlier(d, messages);
    case Part::initial:
      return check_initial(d, messages);
    case Part::last:
    case Part::sequence:
      return check_result(d, messages);
    case Part::changed:
    case Part::none:
    case Part::source:
      return;
  }
}

/// The counter is checked with the number of steps.
void Checker::check_counter(Declaration& d, dlvm::Diagnostics& messages) {
  Recurrence& block = *d.recurrence;
  d.type = {ElementType::i64, {}};
  if (block.syntax->length) {
    BodyContext context{*this, d.scope, nullptr, messages};
    const auto length = check_extent(context, *block.syntax->length);
    if (length && length->constant() && *length->constant() < 0)
      messages.report(extent_not_positive, block.syntax->length->location, *length->constant());
    d.failed = !length;
    if (length) block.length = *length;
  } else if (!block.sources.empty()) {
    d.failed = !ready(*block.sources.front());
    if (!d.failed) block.length = block.sources.front()->type.shape.front();
  } else if (!block.dimension.empty()) {
    const Dimension& dimension = d.scope->dimensions.find(block.dimension)->second;
    d.failed = dimension.failed;
    block.length = dimension.extent;
  } else {
    const std::string& counter = d.name;
    messages.report(length_unknown, block.syntax->location)
        .fix(fmt::format("name it: recurrent {} in T {{ ... }}", counter))
        .fix(fmt::format("run over a sequence: recurrent {} over x = e {{ ... }}", counter));
  }
}

void Checker::check_element(Declaration& d, dlvm::Diagnostics& messages) {
  const bool known = ready(*d.of) & ready(*d.recurrence->counter);
  d.failed = !known;
  if (!known) return;
  d.type = d.of->type;
  if (!d.type.is_tensor()) return assemble_part(d, *d.type.declared, messages);
  const Extent length = d.type.shape.front();
  d.type.shape.erase(d.type.shape.begin());
  if (d.of->part != Part::source) return;
  BodyContext context{*this, d.scope, nullptr, messages};
  const Declaration& first = *d.recurrence->sources.front();
  const auto explain = [&](dlvm::Diagnostic& report) {
    report.note(d.location, fmt::format("'{}' is {}", d.name, spelling(d.of->type)));
    if (d.recurrence->syntax->length)
      report.note(d.recurrence->syntax->length->location, "the number of steps is written here");
    else
      report.note(first.location, fmt::format("'{}' is {}", first.name, spelling(first.type)));
  };
  const std::string text =
      fmt::format("'{}' has {{left}} steps, but the recurrent block has {{right}}", d.name);
  if (!require_equal(context, length, d.recurrence->length, text, d.location, explain)) {
    explain(messages.report(lengths_differ, d.location, d.name, spelling(length),
                            spelling(d.recurrence->length)));
    return;
  }
  d.body = std::move(context.body);
}

std::optional<Type> Checker::declared_type(Declaration& value, dlvm::Diagnostics& messages) {
  if (value.part == Part::last) return declared_type(*value.of, messages);
  if (value.part == Part::element) return ready(value) ? std::optional(value.type) : std::nullopt;
  const ast::Type& written = value.syntax->type;
  if (value.structure != nullptr) return type_of_field(value);
  if (value.part != Part::none || (!written.shape && !written.declared)) return std::nullopt;
  BodyContext context{*this, value.scope, nullptr, messages};
  dlvm::Diagnostics reported;  // where the value itself is checked
  if (written.declared) {
    BodyContext quiet{*this, value.scope, nullptr, reported};
    const DeclaredType* type = check_declared(quiet, *written.declared);
    return type != nullptr && !type->failed ? std::optional(Type{{}, {}, type}) : std::nullopt;
  }
  BodyContext quiet{*this, value.scope, nullptr, reported};
  const auto pattern = check_pattern(quiet, *written.shape);
  if (!pattern) return std::nullopt;
  Type type{written.element ? element_of(*written.element) : own_element(context), {}};
  for (const auto& extent : *pattern) {
    if (!extent) return std::nullopt;
    type.shape.push_back(*extent);
  }
  return type;
}

void Checker::check_earlier(Declaration& d, dlvm::Diagnostics& messages) {
  std::optional<Type> type = declared_type(*d.of, messages);
  if (!type) {
    const auto& initial_values = d.recurrence->initial_values;
    const auto initial = initial_values.lower_bound({d.of, 1});
    const bool has_initial = initial != initial_values.end() && initial->first.first == d.of;
    Declaration* typed = has_initial ? initial->second : d.of;
    d.failed = !ready(*typed);
    type = typed->type;
  }
  d.type = *type;
  if (!d.failed && !d.type.is_tensor()) assemble_part(d, *d.type.declared, messages);
}

/// A struct goes from step to step as its tensors, which are members as well.
void Checker::take_apart_members(Recurrence& block) {
  for (std::size_t i = 0; i < block.members.size(); ++i) {
    Declaration& member = *block.members[i];
    const bool names_values = member.make != nullptr;  // of a call with several results
    const bool of_step =
        member.recurrence == &block && (member.part == Part::none || member.part == Part::last);
    if (of_step && ready(member) && !member.type.is_tensor() && !names_values)
      take_apart_step(member, *member.type.declared);
  }
}

/// The first result that is checked looks at all members.
void Checker::finish_block(Recurrence& block, dlvm::Diagnostics& messages) {
  take_apart_members(block);
  bool known = ready(*block.counter), done = block.counter->done;
  for (Declaration* member : block.members) {
    known = ready(*member) && known;
    done = done && member->done;
  }
  block.done = done;
  block.failed = !known;
  for (const auto& [lagged, initial] : block.initial_values) {
    const auto& [value, lag] = lagged;
    const bool both = initial->done && value->done && !initial->failed && !value->failed;
    if (!both || value->structure != nullptr) continue;
    const Shape shape = assume_equal(initial->type.shape, value->type.shape, initial->location);
    if (initial->type.element.type == value->type.element.type && shape == value->type.shape &&
        initial->type.declared == value->type.declared)
      continue;
    messages
        .report(initial_differs, initial->location, value->name, spelling(initial->type),
                spelling(value->type))
        .note(value->location, fmt::format("'{}' is declared here", value->name))
        .fix("declare the type of the value, to which a scalar is then stretched");
    block.failed = true;
  }
}

/// What a block gives is known when all of it has been checked, since one loop computes it.
void Checker::check_result(Declaration& d, dlvm::Diagnostics& messages) {
  Recurrence& block = *d.of->recurrence;
  if (!block.done) finish_block(block, messages);
  d.failed = block.failed;
  if (d.failed) return;
  d.failed = !ready(*d.of);
  if (d.failed) return;
  d.type = d.of->type;
  if (!d.type.is_tensor()) return assemble_part(d, *d.type.declared, messages);
  if (d.part == Part::last) return;
  d.type.shape.insert(d.type.shape.begin(), block.length);
  check_size(d.type, d.location, messages);
}

const Declaration* Checker::find_in_blocks(std::string_view name) const {
  for (const Recurrence& block : program_.recurrences)
    if (const auto found = block.values.find(name); found != block.values.end()) return found->second;
  return nullptr;
}

Declaration& Checker::earlier(Declaration& of, std::int64_t lag) {
  Declaration*& found = of.recurrence->earlier[{&of, lag}];
  if (found == nullptr) {
    found = &program_.declarations.emplace_back();
    found->name = fmt::format("{}[{}-{}]", of.name, of.recurrence->counter->name, lag);
    found->location = of.location;
    found->syntax = of.syntax;
    found->scope = of.scope;
    found->part = Part::earlier;
    found->recurrence = of.recurrence;
    found->of = &of;
    found->lag = lag;
    found->inner = true;
  }
  return *found;
}

Declaration& Checker::sequence(Declaration& of) {
  if (of.part == Part::element) return *of.of;
  Declaration*& found = of.recurrence->sequences[&of];
  if (found == nullptr) {
    found = &program_.declarations.emplace_back();
    found->name = of.name;
    found->location = of.location;
    found->syntax = of.syntax;
    found->scope = of.scope;
    found->part = Part::sequence;
    found->recurrence = of.recurrence->outer;
    found->of = &of;
    found->inner = true;
  }
  return *found;
}

}  // namespace frontend::check
