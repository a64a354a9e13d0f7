#include "telc/dlopt/differentiate_first.h"

#include <algorithm>

#include "dlvm/analysis/call_graph.h"
#include "telc/streams.h"

namespace telc {
namespace {

/// Whether values of the type are, or hold, what has no derivative before passes make tensors of it.
bool is_expanded(const dlvm::Type& type) {
  if (type.is_pointer() || type.is_box() || type.is_structure() || type.is_enumeration() ||
      type.kind() == dlvm::Type::Kind::array)
    return true;
  return std::ranges::any_of(type.parts(), is_expanded);
}

bool has_what_is_expanded(const dlvm::Function& function) {
  const auto has_type = [](const auto& value) { return is_expanded(value->type()); };
  return is_expanded(function.type()) || std::ranges::any_of(function.blocks(), [&](const auto& block) {
           return std::ranges::any_of(block->arguments(), has_type) ||
                  std::ranges::any_of(block->instructions(), [&](const auto& instruction) {
                    return has_type(instruction) || std::ranges::any_of(instruction->operands(), has_type);
                  });
         });
}

}  // namespace

void differentiate_first(const dlvm::Module& module, bool print_ir, std::vector<const dlvm::Pass*>& passes) {
  const dlvm::Pass *differentiation = dlvm::pass_named("AD"), *checkpointing = dlvm::pass_named("CKP");
  const auto is_named = [&](const dlvm::Pass* pass) {
    return std::ranges::find(passes, pass) != passes.end();
  };
  if (is_named(differentiation) || is_named(checkpointing)) return;
  const auto reached = dlvm::differentiated_functions(module);
  if (reached.empty()) {
    if (print_ir) print("// AD: unchanged\n");  // the report on differentiation is always there
    return;
  }
  if (passes.empty()) return;
  std::vector<const dlvm::Pass*> first{dlvm::pass_named("STA"), differentiation};
  const auto is_expanded = [](const dlvm::Function* function) { return has_what_is_expanded(*function); };
  if (std::ranges::any_of(reached, is_expanded)) first = dlvm::passes_of_expansion();
  passes.insert(passes.begin(), first.begin(), first.end());
}

}  // namespace telc
