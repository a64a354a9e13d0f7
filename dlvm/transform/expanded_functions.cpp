#include "dlvm/transform/expanded_functions.h"

#include <algorithm>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/expanded_type.h"
#include "dlvm/analysis/function_values.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/transform/leaf_values.h"

namespace dlvm {
namespace {

Type expanded_result(const Type& type) {
  return is_compound(type) ? Type::tuple(expanded_types(type)) : type;
}

/// The functions that no other one refers to.
FunctionSet roots(const Module& module) {
  FunctionSet all;
  for (const auto& function : module.functions()) all.insert(function.get());
  for (const auto& function : module.functions())
    for (const Function* callee : references(*function))
      if (callee != function.get()) all.erase(callee);
  return all;
}

/// Functions that are called from outside keep their types. In a module without entry points these are the
/// roots.
FunctionSet with_own_types(const Module& module) {
  FunctionSet all;
  if (module.entries.empty()) all = roots(module);
  for (const EntryPoint& entry : module.entries) all.insert(module.function(entry.function));
  for (const StoredTensor& tensor : module.tensors) all.insert(module.function(tensor.initializer));
  all.merge(functions_that_are_values(module));
  return all;
}

bool has_compounds(const Type& type) {
  const auto compound = [](const Type& each) { return is_compound(each); };
  return std::ranges::any_of(type.parameters(), compound) ||
         !(expanded_result(type.result()) == type.result());
}

/// The functions whose types change: in a canonical module with entry points all that take or return what is
/// made of several values; before differentiation those with an enum, which has no derivative, and their
/// gradients.
class ChangedFunctions {
 public:
  ChangedFunctions(const Module& module, const CanBeExpanded& can_be) : module_(module), can_be_(can_be) {
    if (module.entries.empty() && module.stage == Module::Stage::canonical) return;
    const auto kept = with_own_types(module);
    for (const auto& function : module.functions())
      if (function->has_body() && !kept.contains(function.get()) && has_to_change(function->type()))
        all_.insert(function.get());
    if (module.stage == Module::Stage::raw)
      for (const auto& function : module.functions())
        if (function->gradient && !kept.contains(function.get()) && all_.contains(function->gradient->of))
          all_.insert(function.get());
    while (!all_.empty() && remove_impossible()) {
    }
  }

  const FunctionSet& all() const { return all_; }

 private:
  bool has_to_change(const Type& type) const {
    if (module_.stage == Module::Stage::canonical) return has_compounds(type);
    return std::ranges::any_of(type.parameters(), holds_enum) || holds_enum(type.result());
  }

  /// A caller of a function that cannot be expanded cannot rely on its new type.
  bool remove_impossible() {
    bool again = false;
    for (const auto& function : module_.functions()) {
      if (function->has_body() && !can_be_(*function, all_)) again = keep_types(*function) || again;
      if (function->gradient && all_.contains(function.get()) != all_.contains(function->gradient->of))
        again = keep_types(*function) || again;
    }
    return again;
  }

  /// Returns whether the function, or one that it refers to, was among those whose types change.
  bool keep_types(const Function& function) {
    bool any = all_.erase(&function) > 0;
    for (const Function* callee : references(function)) any = all_.erase(callee) > 0 || any;
    return any;
  }

  const Module& module_;
  const CanBeExpanded& can_be_;
  FunctionSet all_;
};

/// The positions of the leaves of these components among the leaves of all.
Integers expanded_positions(const Integers& positions, const std::vector<Type>& all) {
  Integers out;
  for (const std::int64_t position : positions) {
    const auto at = static_cast<std::size_t>(position);
    std::size_t first = 0;
    for (std::size_t i = 0; i < at; ++i) first += expanded_count(all[i]);
    for (std::size_t i = 0; i < expanded_count(all[at]); ++i)
      out.push_back(static_cast<std::int64_t>(first + i));
  }
  return out;
}

/// The declaration of the gradient of a function whose type is about to be expanded.
GradientDeclaration expanded_declaration(GradientDeclaration declaration) {
  const Type& of = declaration.of->type();
  const std::vector<Type> results = results_of(of);
  declaration.wrt = expanded_positions(differentiated_arguments(declaration), of.parameters());
  declaration.from = expanded_positions({declaration.from}, results)[0];
  declaration.keeping = expanded_positions(declaration.keeping, results);
  return declaration;
}

Type expanded_function(const Type& type) {
  std::vector<Type> parameters;
  for (const Type& parameter : type.parameters())
    for (const Type& leaf : expanded_types(parameter)) parameters.push_back(leaf);
  return Type::function(std::move(parameters), expanded_result(type.result()));
}

}  // namespace

FunctionSet expand_function_types(Module& module, const CanBeExpanded& can_be) {
  FunctionSet changed = ChangedFunctions(module, can_be).all();
  for (const auto& function : module.functions())
    if (changed.contains(function.get()) && function->gradient)
      function->gradient = expanded_declaration(*function->gradient);
  for (const auto& function : module.functions())
    if (changed.contains(function.get())) function->set_type(expanded_function(function->type()));
  return changed;
}

}  // namespace dlvm
