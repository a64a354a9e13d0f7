#include <fmt/format.h>

#include <unordered_map>

#include "dlvm/analysis/dominators.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/checks.h"
#include "dlvm/verify/diagnostics.h"

namespace dlvm::verification {
namespace {

/// The block's name in the text, without the `'`, which the messages have.
std::string label(const BasicBlock& block) { return printed_name(block).substr(1); }

class BodyCheck {
 public:
  BodyCheck(const Context& context, const Function& function)
      : context_(context), function_(function), flow_(function), dominators_(flow_) {}

  void run() {
    const std::size_t errors = context_.diagnostics.error_count();
    std::size_t count = 0;
    for (const auto& block : function_.blocks()) {
      blocks_.insert(block.get());
      count += block->arguments().size() + block->instructions().size();
    }
    uses_.reserve(count);
    above_.reserve(function_.entry().instructions().size());
    for (const auto& block : function_.blocks()) {
      block_ = block.get();
      above_.clear();
      check_arguments();
      for (const auto& instruction : block->instructions()) {
        if (check_operands(*instruction) && check_instruction(context_, *block_, *instruction))
          check_successors(*instruction);
        above_.insert(instruction.get());
      }
      check_terminator();
    }
    if (context_.diagnostics.error_count() == errors) check_users();  // else not all uses have been counted
  }

 private:
  void report(const std::string& reason) {
    context_.diagnostics.report(bad_block, function_.place(), function_.name(), label(*block_), reason);
  }

  bool report(const DiagnosticKind& kind, const Instruction& instruction, const std::string& reason) {
    return verification::report(context_, *block_, instruction, kind, reason);
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
        if (!check_literal(context_, *block_, instruction, *literal)) return false;
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

  void check_users() {
    const auto is_wrong = [&](const Value& value) {
      const auto found = uses_.find(&value);
      return (found == uses_.end() ? 0 : found->second) != value.users().size();
    };
    const std::string reason = " lists other users than use it";
    for (const auto& block : function_.blocks()) {
      block_ = block.get();
      for (const auto& argument : block->arguments())
        if (is_wrong(*argument)) report("an argument" + reason);
      for (const auto& instruction : block->instructions())
        if (is_wrong(*instruction)) report(print_name(*instruction) + reason);
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

bool report(const Context& context, const BasicBlock& block, const Instruction& instruction,
            const DiagnosticKind& kind, const std::string& reason) {
  const Function& function = block.function();
  const Location place = instruction.place();
  context.diagnostics.report(kind, place.valid() ? place : function.place(), function.name(), label(block),
                             reason, print(instruction));
  return false;
}

void check_body(const Context& context, const Function& function) {
  if (function.has_body()) BodyCheck(context, function).run();
}

}  // namespace dlvm::verification
