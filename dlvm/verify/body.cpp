#include <fmt/format.h>

#include <unordered_map>

#include "dlvm/analysis/dominators.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/checks.h"
#include "dlvm/verify/diagnostics.h"

namespace dlvm::verification {
namespace {

bool is_erased(const Extent& extent) {
  std::set<std::string> names;
  extent.collect_names(names);
  return !names.empty() && names.begin()->starts_with('_');
}

/// The same, but for erased extents, which fit any.
bool returns(const Type& declared, const Type& given) {
  if (!declared.has_form_of(given)) return false;
  if (declared.is_tensor()) {
    for (std::size_t i = 0; i < declared.rank(); ++i) {
      const Extent &a = declared.shape()[i], &b = given.shape()[i];
      if (a != b && !is_erased(a) && !is_erased(b)) return false;
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
    case PartKind::operand:
    case PartKind::operands:
    case PartKind::successor:
      return false;
  }
  return false;
}

class BodyCheck {
 public:
  BodyCheck(const Context& context, const Function& function)
      : context_(context), function_(function), flow_(function), dominators_(flow_) {}

  void run() {
    for (const auto& block : function_.blocks()) blocks_.insert(block.get());
    for (const auto& block : function_.blocks()) {
      block_ = block.get();
      above_.clear();
      check_arguments();
      for (const auto& instruction : block->instructions()) {
        if (check_operands(*instruction) && check_parts(*instruction) && check_type(*instruction))
          check_successors(*instruction);
        above_.insert(instruction.get());
      }
      check_terminator();
    }
    check_users();
  }

 private:
  /// The block's name in the text, without the `'`, which the messages have.
  std::string label() const { return printed_name(*block_).substr(1); }

  void report(const std::string& reason) {
    context_.diagnostics.report(bad_block, function_.location, function_.name(), label(), reason);
  }

  bool report(const DiagnosticKind& kind, const Instruction& instruction, const std::string& reason) {
    const auto& locations = instruction.locations();
    context_.diagnostics.report(kind, locations.empty() ? function_.location : locations.front(),
                                function_.name(), label(), reason, print(instruction));
    return false;
  }

  void check_arguments() {
    for (const auto& argument : block_->arguments())
      if (argument->block() != block_) report("an argument that names another block as its own");
    if (block_ != &function_.entry()) return;
    if (!flow_.predecessors(block_).empty())
      report(fmt::format("a branch of {} goes to the entry block",
                         printed_name(*flow_.predecessors(block_).front().from())));
    const auto& parameters = function_.type().parameters();
    if (block_->arguments().size() != parameters.size())
      return report(fmt::format("{} arguments for the function's {} parameters", block_->arguments().size(),
                                parameters.size()));
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (!(block_->arguments()[i]->type() == parameters[i]))
        report(fmt::format("argument {} has type {}, the function's parameter {}", i,
                           block_->arguments()[i]->type().text(), parameters[i].text()));
  }

  void check_terminator() {
    if (block_->terminator() == nullptr) return report("the block does not end in a terminator");
    for (const auto& instruction : block_->instructions())
      if (instruction->is(Trait::terminator) && instruction.get() != block_->terminator())
        report(bad_instruction, *instruction, "a terminator before the end of the block");
  }

  bool check_operands(const Instruction& instruction) {
    for (std::size_t i = 0; i < instruction.operands().size(); ++i) {
      const Value* operand = instruction.operand(i);
      if (operand == nullptr)
        return report(bad_operand, instruction, fmt::format("operand {} is missing", i));
      ++uses_[operand];
      if (const Literal* literal = as_literal(operand)) {
        if (!check_literal(*literal, instruction)) return false;
      } else if (!blocks_.contains(defining_block(operand))) {
        return report(bad_operand, instruction, fmt::format("operand {} is not defined in the function", i));
      } else if (!check_order(*operand, instruction, i)) {
        return false;
      }
    }
    return true;
  }

  bool check_order(const Value& operand, const Instruction& user, std::size_t i) {
    const BasicBlock* home = defining_block(&operand);
    if (home == block_) {
      return above_.contains(&operand) || as_argument(&operand) != nullptr ||
             report(bad_operand, user, fmt::format("operand {} is not defined above it in the block", i));
    }
    const bool unreachable = !flow_.is_reachable(block_) && flow_.position(home) < flow_.position(block_);
    return unreachable || dominators_.dominates(home, block_) ||
           report(bad_operand, user,
                  fmt::format("operand {} is defined in {}, which is not on every way to its use", i,
                              printed_name(*home)));
  }

  bool check_successors(const Instruction& instruction) {
    for (std::size_t i = 0; i < instruction.successors().size(); ++i) {
      const BasicBlock* block = instruction.successors()[i].block;
      if (block == nullptr || &block->function() != &function_)
        return report(bad_branch, instruction, "goes to a block that is not in the function");
      const auto& arguments = block->arguments();
      const auto passed = instruction.passed(i);
      if (instruction.supplies_arguments()) {
        if (!check_case(instruction, i)) return false;
        continue;
      }
      if (passed.size() != arguments.size())
        return report(bad_branch, instruction,
                      fmt::format("passes {} values to {}, which takes {}", passed.size(),
                                  printed_name(*block), arguments.size()));
      for (std::size_t k = 0; k < passed.size(); ++k)
        if (!(passed[k]->type() == arguments[k]->type()))
          return report(
              bad_branch, instruction,
              fmt::format("passes {} to argument {} of {}, which has type {}", passed[k]->type().text(), k,
                          printed_name(*block), arguments[k]->type().text()));
    }
    return true;
  }

  /// The payload of a case becomes the arguments of a block that is there for it alone.
  bool check_case(const Instruction& instruction, std::size_t i) {
    const BasicBlock* block = instruction.successors()[i].block;
    const auto at = static_cast<std::size_t>(std::get<Integers>(instruction.attributes()[0])[i]);
    const auto& member = instruction.operand(0)->type().declaration().members[at];
    if (instruction.successors()[i].passed != 0)
      return report(bad_branch, instruction, "passes values besides the payload");
    if (flow_.predecessors(block).size() != 1)
      return report(bad_branch, instruction,
                    fmt::format("goes to {}, to which something else goes as well", printed_name(*block)));
    bool same = block->arguments().size() == member.types.size();
    for (std::size_t k = 0; same && k < member.types.size(); ++k)
      same = block->arguments()[k]->type() == member.types[k];
    return same || report(bad_branch, instruction,
                          fmt::format("the arguments of {} are not the payload of ?{}", printed_name(*block),
                                      member.name));
  }

  bool check_literal(const Literal& literal, const Instruction& user) {
    const Type& type = literal.type();
    if (literal.form() != Literal::Form::data) return check_form(literal, user);
    if (!type.is_tensor() || type.element() != literal.data().element())
      return report(bad_operand, user,
                    "a literal of type " + type.text() + " with data of another element type");
    if (literal.is_splat()) return true;
    const auto& extents = literal.data().extents();
    bool same = extents.size() == type.rank();
    for (std::size_t i = 0; same && i < extents.size(); ++i) same = type.shape()[i].is(extents[i]);
    return same || report(bad_operand, user, "a literal's data has other extents than " + type.text());
  }

  bool check_form(const Literal& literal, const Instruction& user) {
    const Type& type = literal.type();
    const Global* global = literal.global();
    switch (literal.form()) {
      case Literal::Form::data:
      case Literal::Form::undefined:
        return true;
      case Literal::Form::zero:
        return has_zero(type) || report(bad_operand, user, "there is no zero of type " + type.text());
      case Literal::Form::null:
        return type.is_pointer() || type.is_box() || report(bad_operand, user, "null is no " + type.text());
      case Literal::Form::address:
        break;
    }
    if (global == nullptr || !context_.globals.contains(global))
      return report(bad_operand, user, "the address of a variable that is not in the module");
    return type == Type::pointer(global->type) ||
           report(bad_operand, user, "the address of a variable with another type than " + type.text());
  }

  bool check_parts(const Instruction& instruction) {
    std::size_t passed = 0;
    for (const Successor& successor : instruction.successors()) passed += successor.passed;
    if (passed > instruction.operands().size())
      return report(bad_branch, instruction, "passes more values than it has operands");
    const std::size_t own = instruction.operands().size() - passed;
    std::size_t fewest = 0, most = 0, attributes = 0, successors = 0;
    for (const Part& part : instruction.definition().parts) {
      successors += part.kind == PartKind::successor ? 1 : 0;
      if (part.kind == PartKind::operands || part.kind == PartKind::path) most = own;
      if (part.kind == PartKind::operand) {
        ++most;
        fewest += part.optional ? 0 : 1;
      }
      if (!is_attribute(part.kind)) continue;
      if (part.optional && attributes == instruction.attributes().size()) continue;  // left out at the end
      if (attributes >= instruction.attributes().size() || !holds(part, instruction.attributes()[attributes]))
        return report(bad_instruction, instruction, fmt::format("lacks its {}", part.name));
      if (!check_attribute(instruction, instruction.attributes()[attributes])) return false;
      if (part.kind == PartKind::cases)
        successors += std::get<Integers>(instruction.attributes()[attributes]).size();
      ++attributes;
    }
    if (own < fewest || own > most)
      return report(bad_instruction, instruction, fmt::format("{} operands", own));
    if (instruction.successors().size() != successors)
      return report(bad_branch, instruction,
                    fmt::format("has {} successors, not {}", instruction.successors().size(), successors));
    if (attributes < instruction.attributes().size())
      return report(bad_instruction, instruction, "more attributes than the table lists");
    return true;
  }

  bool check_attribute(const Instruction& instruction, const Attribute& attribute) {
    const Function* function = nullptr;
    if (const auto* callee = std::get_if<const Function*>(&attribute)) {
      function = *callee;
      if (function == nullptr) return report(bad_instruction, instruction, "lacks its callee");
    }
    if (const auto* combinator = std::get_if<Combinator>(&attribute)) function = combinator->function;
    if (function != nullptr && !context_.functions.contains(function))
      return report(bad_instruction, instruction, "refers to a function that is not in the module");
    bool valid = true;
    if (const auto* shape = std::get_if<Shape>(&attribute))
      for (const Extent& extent : *shape) valid = valid && extent.valid();
    if (const auto* pairs = std::get_if<ExtentPairs>(&attribute))
      for (const auto& [before, after] : *pairs) valid = valid && before.valid() && after.valid();
    return valid || report(bad_instruction, instruction, "an extent overflows");
  }

  bool check_type(const Instruction& instruction) {
    std::vector<Type> types;
    for (const Value* operand : instruction.operands()) types.push_back(operand->type());
    std::string why;
    const auto type = infer_type(instruction.opcode(), {types, instruction.attributes()}, why);
    if (!type) return report(bad_instruction, instruction, why);
    if (!is_valid(*type)) return report(bad_instruction, instruction, "an extent of the result overflows");
    if (!(*type == instruction.type()))
      return report(
          bad_instruction, instruction,
          fmt::format("has type {}; its operands give {}", instruction.type().text(), type->text()));
    if (instruction.opcode() != Opcode::return_) return true;
    const Type given = types.empty() ? Type() : types[0];
    return returns(function_.type().result(), given) ||
           report(bad_instruction, instruction,
                  fmt::format("returns {}, the function {}", given.text(), function_.type().result().text()));
  }

  void check_users() {
    const auto check = [&](const Value& value, const std::string& what) {
      const auto found = uses_.find(&value);
      if ((found == uses_.end() ? 0 : found->second) != value.users().size())
        report(what + " lists other users than use it");
    };
    for (const auto& block : function_.blocks()) {
      block_ = block.get();
      for (const auto& argument : block->arguments()) check(*argument, "an argument");
      for (const auto& instruction : block->instructions()) check(*instruction, print_name(*instruction));
    }
  }

  static std::string print_name(const Instruction& instruction) {
    return fmt::format("'{}'", instruction.definition().name);
  }

  const Context& context_;
  const Function& function_;
  const BasicBlock* block_ = nullptr;
  ControlFlow flow_;
  DominatorTree dominators_;
  std::unordered_set<const BasicBlock*> blocks_;  ///< those of the function
  std::unordered_set<const Value*> above_;        ///< so far in the block
  std::unordered_map<const Value*, std::size_t> uses_;
};

}  // namespace

void check_body(const Context& context, const Function& function) {
  if (function.has_body()) BodyCheck(context, function).run();
}

}  // namespace dlvm::verification
