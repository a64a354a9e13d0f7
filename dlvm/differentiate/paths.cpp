#include "dlvm/differentiate/paths.h"

#include <fmt/format.h>

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/lasting_memory.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/rules.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr std::size_t max_notes = 12;
constexpr std::string_view external =
    "is external; '[derivative @g]' before its declaration names a function for it";

std::string described(const Dependence::Step& step) {
  const Instruction& instruction = *step.instruction;
  std::string text = fmt::format("through '{}' in @{}", instruction.definition().name, step.function->name());
  if (const auto call = as<Apply>(instruction)) text = fmt::format("through @{}", call.callee()->name());
  const bool has_positions = instruction.opcode() == Opcode::topk;
  if (step.edge == Edge::step)
    text += has_positions ? ", whose positions are piecewise constant" : ", which is piecewise constant";
  if (step.edge == Edge::detached) text += ", which has no derivative by declaration";
  if (step.edge == Edge::unknown) text += ", whose derivative is not known";
  return text;
}

/// The steps that make the path what it is, and of the others as many as there is room for.
void show(Diagnostic& diagnostic, const std::vector<Dependence::Step>& steps) {
  std::size_t room = max_notes, left_out = 0;
  for (const Dependence::Step& step : steps) {
    if (step.edge == Edge::smooth && room == 0) {
      ++left_out;
      continue;
    }
    if (room > 0) --room;
    diagnostic.note(step.instruction->place(), described(step));
  }
  if (left_out > 0) diagnostic.note(fmt::format("and {} more", left_out));
}

/// The stack that the instruction works on; null for other instructions.
Value* stack_of(const Instruction& instruction) {
  if (instruction.opcode() == Opcode::push) return instruction.operand(1);
  const bool takes = instruction.opcode() == Opcode::peek || instruction.opcode() == Opcode::pop;
  return takes ? instruction.operand(0) : nullptr;
}

std::string reason_of_stack(Value& stack) {
  const std::string made = as_instruction(&stack) == nullptr ? "" : why_it_lasts(stack);
  return fmt::format("of values on the stack %{}{} none is known", stack.name(),
                     made.empty() ? ", which comes from another block or from the caller," : made);
}

std::string reason(const std::vector<Dependence::Step>& steps) {
  for (auto at = steps.rbegin(); at != steps.rend(); ++at) {
    if (at->edge != Edge::unknown) continue;
    const Instruction& instruction = *at->instruction;
    if (const auto call = as<Apply>(instruction))
      return fmt::format("@{} {}", call.callee()->name(),
                         call.callee()->has_body() ? "has no known derivative" : external);
    if (Value* stack = stack_of(instruction)) return reason_of_stack(*stack);
    const std::string_view why = why_unknown(instruction);
    return fmt::format("of '{}', {}", instruction.definition().name,
                       why.empty() ? "on integers that are made of the bits of floats, none is known" : why);
  }
  return fmt::format("it {}", external);
}

std::string argument_text(const Function& of, std::int64_t index) {
  if (of.has_body()) {
    const std::string& name = of.entry().arguments()[static_cast<std::size_t>(index)]->name();
    if (!name.empty()) return fmt::format("argument {} ('{}')", index, name);
  }
  return fmt::format("argument {}", index);
}

}  // namespace

std::vector<MissingDerivative> missing_derivatives(const GradientDeclaration& declaration,
                                                   Dependence& dependence) {
  constexpr std::size_t longest_path = 100'000;
  const Function& of = *declaration.of;
  const Type& result = of.type().result();
  const auto from = static_cast<std::size_t>(declaration.from);
  const std::size_t result_leaf = result.is_tuple() ? leaf_offset(result.elements(), from) : 0;
  const auto& paths = dependence.of_result(of, result_leaf);
  const std::vector<std::size_t> offsets = leaf_offsets(of.type().parameters());
  std::vector<MissingDerivative> missing;
  for (const std::int64_t i : differentiated_arguments(declaration)) {
    const auto index = static_cast<std::size_t>(i);
    const std::size_t first = offsets[index], last = offsets[index + 1];
    Paths all = 0;
    for (std::size_t leaf = first; leaf < last; ++leaf) all = static_cast<Paths>(all | paths[leaf]);
    if (has(all, Edge::smooth) && !has(all, Edge::unknown)) continue;
    MissingDerivative each{i, Edge::detached, {}};
    if (has(all, Edge::step)) each.kind = Edge::step;
    if (has(all, Edge::unknown)) each.kind = Edge::unknown;
    for (std::size_t leaf = first; leaf < last && each.path.empty(); ++leaf)
      if (has(paths[leaf], each.kind))
        each.path = dependence.explain(of, leaf, result_leaf, each.kind, longest_path);
    missing.push_back(std::move(each));
  }
  return missing;
}

bool report_paths(const GradientDeclaration& declaration, Dependence& dependence, Diagnostics& diagnostics) {
  const Function& of = *declaration.of;
  bool good = true;
  for (const MissingDerivative& each : missing_derivatives(declaration, dependence)) {
    const bool error = each.kind != Edge::detached;
    good = good && !error;
    if (!error && declaration.warned) continue;
    const std::string by = argument_text(of, each.argument);
    const auto report = [&](const DiagnosticKind& kind, const auto&... arguments) -> Diagnostic& {
      return diagnostics.report(kind, declaration.place(), declaration.from, of.name(), by, arguments...);
    };
    show(each.kind == Edge::unknown ? report(differentiation::not_known, reason(each.path))
         : each.kind == Edge::step  ? report(differentiation::only_steps)
                                    : report(differentiation::independent),
         each.path);
  }
  return good;
}

}  // namespace dlvm
