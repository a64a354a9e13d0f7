// Checks that need the instruction and its operands alone.
#include <fmt/format.h>

#include "dlvm/ir/erased.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/tensor_size.h"
#include "dlvm/verify/checks.h"
#include "dlvm/verify/diagnostics.h"

namespace dlvm::verification {
namespace {

/// The same, but for erased extents, which fit any.
bool returns(const Type& declared, const Type& given) {
  if (!declared.has_form_of(given)) return false;
  if (declared.is_tensor()) {
    for (std::size_t i = 0; i < declared.rank(); ++i) {
      const Extent &a = declared.shape()[i], &b = given.shape()[i];
      if (a != b && !has_erased(a) && !has_erased(b)) return false;
    }
    return true;
  }
  if (!declared.is_aggregate()) return declared == given;
  const std::vector<Type> parts = declared.parts(), others = given.parts();
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!returns(parts[i], others[i])) return false;
  return true;
}

/// Whether the attribute is what the part holds.
bool holds(const Part& part, const Attribute& attribute) {
  if (std::holds_alternative<std::monostate>(attribute)) return part.optional;
  switch (part.kind) {
    case PartKind::integers:
    case PartKind::path:
    case PartKind::cases:
      return std::holds_alternative<Integers>(attribute);
    case PartKind::extents:
      return std::holds_alternative<Shape>(attribute);
    case PartKind::extent_pairs:
      return std::holds_alternative<ExtentPairs>(attribute);
    case PartKind::axis_pairs:
      return std::holds_alternative<AxisPairs>(attribute);
    case PartKind::element:
    case PartKind::result_type:
      return std::holds_alternative<ElementType>(attribute);
    case PartKind::combinator:
      return std::holds_alternative<Combinator>(attribute);
    case PartKind::type:
      return std::holds_alternative<Type>(attribute);
    case PartKind::function:
      return std::holds_alternative<const Function*>(attribute);
    case PartKind::window_padding:
      return std::holds_alternative<WindowPadding>(attribute) ||
             std::holds_alternative<ExtentPairs>(attribute);
    case PartKind::failure:
      return std::holds_alternative<Failure>(attribute);
    case PartKind::operand:
    case PartKind::operands:
    case PartKind::successor:
      return false;
  }
  return false;
}

class InstructionCheck {
 public:
  InstructionCheck(const Context& context, const BasicBlock& block, const Instruction& instruction)
      : context_(context), block_(block), instruction_(instruction) {}

  bool run() { return check_parts() && check_type(); }
  bool check_literal(const Literal& literal) {
    const Type& type = literal.type();
    if (literal.form() != Literal::Form::data) return check_form(literal);
    if (!type.is_tensor() || type.element() != literal.data().element())
      return report(bad_operand, "a literal of type " + type.text() + " with data of another element type");
    if (literal.is_splat()) return true;
    const auto& extents = literal.data().extents();
    bool same = extents.size() == type.rank();
    for (std::size_t i = 0; same && i < extents.size(); ++i) same = type.shape()[i].is(extents[i]);
    return same || report(bad_operand, "a literal's data has other extents than " + type.text());
  }

 private:
  bool report(const DiagnosticKind& kind, const std::string& reason) const {
    return verification::report(context_, block_, instruction_, kind, reason);
  }

  bool check_form(const Literal& literal) {
    const Type& type = literal.type();
    const Global* global = literal.global();
    switch (literal.form()) {
      case Literal::Form::data:
      case Literal::Form::undefined:
        return true;
      case Literal::Form::zero:
        return has_zero(type) || report(bad_operand, "there is no zero of type " + type.text());
      case Literal::Form::null:
        return type.is_pointer() || type.is_box() || report(bad_operand, "null is no " + type.text());
      case Literal::Form::address:
        break;
    }
    if (global == nullptr || !context_.globals.contains(global))
      return report(bad_operand, "the address of a variable that is not in the module");
    return type == Type::pointer(global->type) ||
           report(bad_operand, "the address of a variable with another type than " + type.text());
  }

  bool check_parts() {
    std::size_t passed = 0;
    for (const Successor& successor : instruction_.successors()) passed += successor.passed;
    if (passed > instruction_.operands().size())
      return report(bad_branch, "passes more values than it has operands");
    const std::size_t own = instruction_.operands().size() - passed;
    std::size_t fewest = 0, most = 0, attributes = 0, successors = 0;
    for (const Part& part : instruction_.definition().parts) {
      successors += part.kind == PartKind::successor ? 1 : 0;
      if (part.kind == PartKind::operands || part.kind == PartKind::path) most = own;
      if (part.kind == PartKind::operand) {
        ++most;
        fewest += part.optional ? 0 : 1;
      }
      if (!is_attribute(part.kind)) continue;
      if (part.optional && attributes == instruction_.attributes().size()) continue;  // left out at the end
      if (attributes >= instruction_.attributes().size() ||
          !holds(part, instruction_.attributes()[attributes]))
        return report(bad_instruction, fmt::format("lacks its {}", part.name));
      if (!check_attribute(instruction_.attributes()[attributes])) return false;
      if (part.kind == PartKind::cases)
        successors += std::get<Integers>(instruction_.attributes()[attributes]).size();
      ++attributes;
    }
    if (own < fewest || own > most) return report(bad_instruction, fmt::format("{} operands", own));
    if (instruction_.successors().size() != successors)
      return report(bad_branch,
                    fmt::format("has {} successors, not {}", instruction_.successors().size(), successors));
    if (attributes < instruction_.attributes().size())
      return report(bad_instruction, "more attributes than the table lists");
    return true;
  }

  bool check_attribute(const Attribute& attribute) {
    const Function* function = nullptr;
    if (const auto* callee = std::get_if<const Function*>(&attribute)) {
      function = *callee;
      if (function == nullptr && !as<ApplyValue>(instruction_))
        return report(bad_instruction, "lacks its callee");
    }
    if (const auto* combinator = std::get_if<Combinator>(&attribute)) function = combinator->function;
    if (function != nullptr && !context_.functions.contains(function))
      return report(bad_instruction, "refers to a function that is not in the module");
    bool valid = true;
    if (const auto* shape = std::get_if<Shape>(&attribute))
      for (const Extent& extent : *shape) valid = valid && extent.valid();
    if (const auto* pairs = std::get_if<ExtentPairs>(&attribute))
      for (const auto& [before, after] : *pairs) valid = valid && before.valid() && after.valid();
    return valid || report(bad_instruction, "an extent overflows");
  }

  bool check_type() {
    std::vector<Type> types;
    for (const Value* operand : instruction_.operands()) types.push_back(operand->type());
    std::string why;
    const auto type = infer_type(instruction_.opcode(), {types, instruction_.attributes()}, why);
    if (!type) return report(bad_instruction, why);
    if (!has_countable_bytes(*type))
      return report(bad_instruction, type->text() + " is too large: 2^63 bytes or more");
    if (!is_valid(*type)) return report(bad_instruction, "an extent of the result overflows");
    if (!(*type == instruction_.type()))
      return report(bad_instruction, fmt::format("has type {}; its operands give {}",
                                                 instruction_.type().text(), type->text()));
    if (instruction_.opcode() != Opcode::return_) return true;
    const Type given = types.empty() ? Type() : types[0];
    return returns(block_.function().type().result(), given) ||
           report(bad_instruction, fmt::format("returns {}, the function {}", given.text(),
                                               block_.function().type().result().text()));
  }

  const Context& context_;
  const BasicBlock& block_;
  const Instruction& instruction_;
};

}  // namespace

bool check_instruction(const Context& context, const BasicBlock& block, const Instruction& instruction) {
  return InstructionCheck(context, block, instruction).run();
}

bool check_literal(const Context& context, const BasicBlock& block, const Instruction& user,
                   const Literal& literal) {
  return InstructionCheck(context, block, user).check_literal(literal);
}

}  // namespace dlvm::verification
