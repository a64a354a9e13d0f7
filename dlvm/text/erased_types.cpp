#include "dlvm/text/erased_types.h"

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/ir/erased.h"
#include "dlvm/text/reader.h"

namespace dlvm {
namespace {

/// The type that all returns give; null where they differ, or where there are none.
const Type* returned_type(const Function& function) {
  const Type* type = nullptr;
  for (const auto& block : function.blocks()) {
    const Instruction* end = block->instructions().empty() ? nullptr : block->instructions().back().get();
    if (end == nullptr || end->opcode() != Opcode::return_ || end->operands().empty()) continue;
    if (type != nullptr && !(*type == end->operand(0)->type())) return nullptr;
    type = &end->operand(0)->type();
  }
  return type;
}

void resolve_result(Function& function) {
  const Type& declared = function.type().result();
  const Type* returned = has_erased(declared) ? returned_type(function) : nullptr;
  if (returned == nullptr || !reading::fits(declared, *returned)) return;
  function.set_type(Type::function(function.type().parameters(), *returned));
}

/// Binds the lone dimensions of `expected` to what is declared in their places: to extents that are erased,
/// or to the others.
void bind(const Type& expected, const Type& declared, bool erased, Extent::Substitution& names) {
  if (!expected.has_form_of(declared)) return;
  if (expected.is_tensor()) {
    for (std::size_t i = 0; i < expected.rank(); ++i) {
      const auto name = expected.shape()[i].name();
      if (name && has_erased(declared.shape()[i]) == erased) names.try_emplace(*name, declared.shape()[i]);
    }
    return;
  }
  const std::vector<Type> parts = expected.parts(), others = declared.parts();
  for (std::size_t i = 0; i < parts.size(); ++i) bind(parts[i], others[i], erased, names);
}

void resolve_gradient(Function& function) {
  const Type& declared = function.type();
  std::string why;
  const auto expected = gradient_type(*function.gradient, why);
  if (!expected || declared.parameters().size() != expected->parameters().size()) return;
  Extent::Substitution names;
  for (const bool erased : {false, true})
    for (std::size_t i = 0; i < declared.parameters().size(); ++i)
      bind(expected->parameters()[i], declared.parameters()[i], erased, names);
  const Type resolved = expected->substitute(names);
  if (reading::fits(declared, resolved)) function.set_type(resolved);
}

}  // namespace

bool has_erased(const Type& type) {
  if (type.is_tensor())
    return std::ranges::any_of(type.shape(), [](const Extent& each) { return has_erased(each); });
  return std::ranges::any_of(type.parts(), [](const Type& each) { return has_erased(each); });
}

void resolve_erased_type(Function& function) {
  if (!has_erased(function.type())) return;
  if (function.has_body()) resolve_result(function);
  if (function.gradient && function.gradient->of != nullptr) resolve_gradient(function);
}

std::vector<Function*> ordered_by_need(const std::vector<Function*>& functions,
                                       const std::function<std::vector<Function*>(const Function&)>& needed) {
  struct Open {
    Function* function;
    std::vector<Function*> needed;
  };
  std::vector<Function*> order;
  std::unordered_set<const Function*> seen;
  for (Function* first : functions) {
    std::vector<Open> open;
    const auto begin = [&](Function* function) {
      if (seen.insert(function).second) open.push_back({function, needed(*function)});
    };
    for (begin(first); !open.empty();) {
      Open& last = open.back();
      if (last.needed.empty()) {
        order.push_back(last.function);
        open.pop_back();
        continue;
      }
      Function* next = last.needed.back();
      last.needed.pop_back();
      begin(next);
    }
  }
  return order;
}

}  // namespace dlvm
