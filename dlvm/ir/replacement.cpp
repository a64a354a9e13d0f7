#include "dlvm/ir/replacement.h"

#include "dlvm/ir/builder.h"

namespace dlvm {

const Function* replacement(Module& module, ElementType element) {
  const std::string name = "replace." + std::string(info(element).name);
  if (const Function* known = module.function(name)) return known;
  const Type scalar = Type::scalar(element);
  Function* made = module.add_function(name, Type::function({scalar, scalar}, scalar));
  BasicBlock* entry = made->add_entry({"old", "new"});
  Builder(*entry).return_(entry->arguments()[1].get());
  return made;
}

bool replaces(const Combinator& combinator) {
  if (combinator.function == nullptr || !combinator.function->is_straight_line()) return false;
  const BasicBlock& body = combinator.function->entry();
  return body.terminator()->operand(0) == body.arguments()[1].get();
}

}  // namespace dlvm
