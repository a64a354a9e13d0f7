// Structs in recurrent blocks. Where a struct goes from step to step, behind the block, or to the caller, its
// tensors do: they have the same parts as tensors that the block declares, of which the struct is made.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/declared_types.h"
#include "frontend/check/declarations/outer_parts.h"
#include "frontend/check/declarations/structured_roles.h"
#include "frontend/check/diagnostics/recurrence_diagnostics.h"
#include "frontend/check/diagnostics/structure_diagnostics.h"

namespace frontend::check {

using Part = Declaration::Part;

bool Checker::take_apart_step(Declaration& value, const DeclaredType& type) {
  if (!value.tensors.empty()) return value.type_of_tensors == &type;
  if (!has_only_tensors(type)) return false;
  if (value.of != nullptr && !take_apart_step(*value.of, type)) return false;
  take_apart(value, type);
  if (value.recurrence == nullptr || value.part == Part::earlier) return true;
  for (const auto& [lagged, initial] : value.recurrence->initial_values)
    if (lagged.first == &value) take_apart_step(*initial, type);
  return true;
}

void Checker::declare_part(Declaration& tensor) {
  const Declaration& whole = *tensor.structure;
  tensor.part = whole.part;
  tensor.recurrence = whole.recurrence;
  tensor.lag = whole.lag;
  if (whole.of != nullptr)
    tensor.of = *std::ranges::find(whole.of->tensors, tensor.fields, &Declaration::fields);
  Recurrence* block = tensor.part == Part::initial ? tensor.of->recurrence : tensor.recurrence;
  if (block != nullptr && tensor.part != Part::earlier) block->members.push_back(&tensor);
  if (tensor.part == Part::initial) block->initial_values[{tensor.of, tensor.lag}] = &tensor;
  if (tensor.part == Part::sequence) tensor.of->recurrence->sequences[tensor.of] = &tensor;
}

void Checker::assemble_part(Declaration& d, const DeclaredType& type, dlvm::Diagnostics& messages) {
  d.type = {{}, {}, &type};
  if (d.part == Part::element && holds_itself(type)) return assemble_step_of_trees(d, messages);
  if (take_apart_step(d, type)) return assemble(d, messages);
  if (d.part != Part::sequence) return;
  auto& report = messages.report(structure_of_steps, d.of->location, ast::spelling(d.role()), d.name,
                                 type.name, kind_of(type));
  note_enum(report, type, d.name);
  if (const DeclaredType::Member* field = first_tensor(type); field != nullptr)
    report.fix(fmt::format("name its fields in the block: {0}: {1} = {2}.{0}", field->name,
                           ast::spelling(d.role()), d.name));
  else if (!type.is_structure() && !type.members.empty())
    report.fix(fmt::format("make a tensor of it in the block: {}: {} int32 = match ... {{ {} => 0 ... }}",
                           d.name, ast::spelling(d.role()), type.members[0].name));
}

/// The value has another type than its initial value, from which its type in the step before follows.
void Checker::report_other_structure(Declaration& d, const Node* found, dlvm::Diagnostics& messages) {
  const auto& initial_values =
      d.recurrence != nullptr ? d.recurrence->initial_values : decltype(Recurrence::initial_values)();
  const auto initial = initial_values.lower_bound({&d, 1});
  const bool has_initial = initial != initial_values.end() && initial->first.first == &d;
  const Declaration& other = has_initial ? *initial->second : d;
  messages
      .report(initial_differs, other.location, d.name, d.type_of_tensors->name, found->type.declared->name)
      .note(d.location, fmt::format("'{}' is declared here", d.name));
}

}  // namespace frontend::check
