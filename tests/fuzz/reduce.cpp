#include "tests/fuzz/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/builder.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/control_flow_simplification.h"
#include "dlvm/transform/dead_code_elimination.h"
#include "dlvm/transform/inlining.h"
#include "dlvm/verify/verify.h"

namespace fuzz {
namespace {

using namespace dlvm;

std::unique_ptr<Module> parsed(const std::string& text) {
  static Sources sources;  // of modules without locations
  Diagnostics diagnostics;
  return parse(*sources.add("reduced.dl", text), sources, diagnostics);
}

/// Returns zeros of the type.
Value* any_value(Builder& builder, const Type& type) {
  if (!type.is_tuple()) return builder.splat(type, 0);
  std::vector<Value*> elements;
  for (const Type& element : type.elements()) elements.push_back(any_value(builder, element));
  return builder.tuple(std::move(elements));
}

/// The instructions of all functions, in order.
std::vector<Instruction*> instructions_of(const Module& module) {
  std::vector<Instruction*> all;
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions()) all.push_back(instruction.get());
  return all;
}

/// What an edit of number i did. Numbers end where nothing is left to edit.
enum class Edit { done, nothing, end };

/// Goes one way at each conditional.
Edit straighten(Module& module, std::size_t i) {
  for (Instruction* end : instructions_of(module)) {
    if (end->opcode() != Opcode::conditional) continue;
    if (i >= 2) {
      i -= 2;
      continue;
    }
    BasicBlock& block = *end->block();
    const auto passed = end->passed(i);
    const std::vector<Value*> values(passed.begin(), passed.end());
    BasicBlock& to = *end->successors()[i].block;
    block.erase(end);
    Builder(block).branch(to, values);
    return Edit::done;
  }
  return Edit::end;
}

/// Returns instead of going on.
Edit cut(Module& module, std::size_t i) {
  for (Instruction* end : instructions_of(module)) {
    if (end->successors().empty() || i-- != 0) continue;
    BasicBlock& block = *end->block();
    block.erase(end);
    Builder builder(block);
    builder.return_(any_value(builder, block.function().type().result()));
    return Edit::done;
  }
  return Edit::end;
}

/// Puts an operand of the same type, or zeros, in the place of an instruction.
Edit bypass(Module& module, std::size_t i) {
  for (Instruction* instruction : instructions_of(module)) {
    if (instruction->is(Trait::terminator)) continue;
    const std::size_t choices = instruction->operands().size() + 1;
    if (i >= choices) {
      i -= choices;
      continue;
    }
    Builder builder(*instruction->block(), instruction);
    if (i + 1 < choices && !(instruction->operand(i)->type() == instruction->type())) return Edit::nothing;
    Value* value = i + 1 < choices ? instruction->operand(i) : any_value(builder, instruction->type());
    replace_all_uses(*instruction, *value);
    instruction->block()->erase(instruction);
    return Edit::done;
  }
  return Edit::end;
}

/// Puts zeros in the place of an operand.
Edit blank(Module& module, std::size_t i) {
  for (Instruction* user : instructions_of(module)) {
    if (i >= user->operands().size()) {
      i -= user->operands().size();
      continue;
    }
    const Value* operand = user->operand(i);
    if (as_literal(operand) != nullptr || !operand->type().is_tensor()) return Edit::nothing;
    user->set_operand(i, user->block()->function().splat(operand->type(), 0));
    return Edit::done;
  }
  return Edit::end;
}

/// Removes an argument of a block.
Edit drop_argument(Module& module, std::size_t i) {
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks()) {
      if (block.get() == &function->entry()) continue;
      if (i >= block->arguments().size()) {
        i -= block->arguments().size();
        continue;
      }
      Argument& argument = *block->arguments()[i];
      if (!argument.type().is_tensor()) return Edit::nothing;
      const ControlFlow flow(*function);
      const auto& edges = flow.predecessors(block.get());
      if (std::ranges::any_of(edges, [](const auto& edge) { return edge.terminator->supplies_arguments(); }))
        return Edit::nothing;
      replace_all_uses(argument, *function->splat(argument.type(), 0));
      for (const BlockEdge& edge : edges) edge.terminator->remove_passed(edge.successor, i);
      block->remove_argument(i);
      return Edit::done;
    }
  return Edit::end;
}

/// Forgets who calls `f`, puts callees in the place of calls, or joins blocks.
Edit join(Module& module, std::size_t i) {
  switch (i) {
    case 0:
      module.entries.clear();
      return Edit::done;
    case 1:
      inlining(module);
      return Edit::done;
    case 2:
      for (const auto& function : module.functions())
        if (function->has_body()) control_flow_simplification(*function);
      return Edit::done;
    default:
      return Edit::end;
  }
}

/// Removes what `f` does not need.
void tidy(Module& module) {
  std::unordered_set<const Function*> needed, dead;
  std::vector<const Function*> open{module.function("f")};
  while (!open.empty()) {
    const Function* function = open.back();
    open.pop_back();
    if (!needed.insert(function).second) continue;
    for (const Function* next : references(*function)) open.push_back(next);
  }
  for (const auto& function : module.functions()) {
    if (!needed.contains(function.get())) {
      function->clear_body();
      dead.insert(function.get());
    } else if (function->has_body()) {
      remove_unreachable_blocks(*function);
      remove_dead_instructions(*function);
    }
  }
  module.erase_functions(dead);
}

class Reduction {
 public:
  Reduction(const Module& module, std::vector<RuntimeValue> inputs, const Disagrees& disagrees)
      : text_(print(module)), inputs_(std::move(inputs)), disagrees_(disagrees) {}

  Failing run() {
    constexpr Edit (*edits[])(Module&, std::size_t){cut, straighten, join, bypass, drop_argument, blank};
    for (bool progress = true; progress;) {
      progress = shrink_inputs();
      for (const auto edit : edits) progress = try_all(edit) || progress;
    }
    return {parsed(text_), inputs_};
  }

 private:
  /// A shorter text at each step, so that this ends.
  bool accept(Module& module) {
    std::string text = print(module);
    Diagnostics diagnostics;
    if (text.size() >= text_.size() || !verify(module, diagnostics) || !disagrees_(module, inputs_))
      return false;
    text_ = std::move(text);
    return true;
  }

  bool try_all(Edit (*edit)(Module&, std::size_t)) {
    bool progress = false;
    for (std::size_t i = 0;;) {
      const auto module = parsed(text_);
      const Edit what = edit(*module, i);
      if (what == Edit::end) return progress;
      bool accepted = false;
      if (what == Edit::done) {
        tidy(*module);
        accepted = accept(*module);
      }
      progress = progress || accepted;
      if (!accepted) ++i;
    }
  }

  /// Takes elements from the tensors of dimensions with names, one dimension at a time.
  bool shrink_inputs() {
    const auto module = parsed(text_);
    const auto& types = module->function("f")->type().parameters();
    bool progress = false;
    for (const std::string& name : names_of(types)) {
      for (;;) {
        auto smaller = inputs_;
        bool possible = false;
        for (std::size_t i = 0; i < types.size(); ++i)
          possible = shrink(types[i], name, smaller[i]) || possible;
        if (!possible || !disagrees_(*module, smaller)) break;
        inputs_ = std::move(smaller);
        progress = true;
      }
    }
    return progress;
  }

  static std::set<std::string> names_of(const std::vector<Type>& types) {
    std::set<std::string> names;
    for (const Type& type : types) type.collect_names(names);
    return names;
  }

  /// Takes the last element of each axis whose extent is the dimension.
  static bool shrink(const Type& type, const std::string& name, RuntimeValue& value) {
    if (!type.is_tensor()) return false;
    const Tensor& tensor = value.tensor();
    std::vector<std::int64_t> extents = tensor.extents();
    bool changed = false;
    for (std::size_t axis = 0; axis < type.rank(); ++axis)
      if (type.shape()[axis].name() == name && extents[axis] > 0) {
        --extents[axis];
        changed = true;
      }
    if (!changed) return false;
    Tensor smaller(tensor.element(), extents);
    for (std::size_t i = 0; i < smaller.size(); ++i) {
      std::size_t rest = i, from = 0, stride = 1;
      for (std::size_t axis = extents.size(); axis-- > 0;) {
        from += rest % static_cast<std::size_t>(extents[axis]) * stride;
        rest /= static_cast<std::size_t>(extents[axis]);
        stride *= static_cast<std::size_t>(tensor.extents()[axis]);
      }
      smaller.set(i, tensor.real(from));
    }
    value = RuntimeValue(std::move(smaller));
    return true;
  }

  std::string text_;
  std::vector<RuntimeValue> inputs_;
  const Disagrees& disagrees_;
};

}  // namespace

Failing reduced(const Module& module, std::vector<RuntimeValue> inputs, const Disagrees& disagrees) {
  return Reduction(module, std::move(inputs), disagrees).run();
}

std::unique_ptr<Module> copied(const Module& module) { return parsed(print(module)); }

std::string text(const Failing& failing) {
  std::string out = print(*failing.module);
  for (const RuntimeValue& input : failing.inputs) {
    out += "// input";
    for (std::size_t i = 0; i < input.tensor().size(); ++i) out += fmt::format(" {}", input.tensor().real(i));
    out += "\n";
  }
  return out;
}

}  // namespace fuzz
