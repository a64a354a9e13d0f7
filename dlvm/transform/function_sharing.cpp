#include "dlvm/transform/function_sharing.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/shared_functions.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

constexpr std::size_t many = 1'000'000'000;  ///< counts saturate here

bool is_tensors(const Type& type) {
  return type.is_tensor() || (type.is_tuple() && !type.elements().empty() &&
                              std::ranges::all_of(type.elements(), &Type::is_tensor));
}

/// What is known of a function with all that it calls.
struct Summary {
  bool fits = false;  ///< it is straight-line code without effects
  bool multiplies = false;
  std::size_t instructions = 0;
};

class Sharing {
 public:
  explicit Sharing(Module& module) : module_(module), components_(call_components(module)) {
    for (const Component& component : components_)
      for (Function* function : component.functions)
        summaries_[function] = component.recursive ? Summary{} : summary(*function);
  }

  bool run() {
    for (const auto& function : module_.functions())
      if (function->gradient && !is_first_order(*function->gradient)) return false;
    for (const Function* root : roots()) share_callees(*root);
    return changed_;
  }

 private:
  static bool is_first_order(const GradientDeclaration& declaration) {
    std::vector<const Function*> open{declaration.of};
    std::unordered_set<const Function*> seen;
    while (!open.empty()) {
      const Function* function = open.back();
      open.pop_back();
      if (!seen.insert(function).second) continue;
      if (function->gradient) return false;
      for (const Function* left : references(*function)) open.push_back(left);
    }
    return declaration.mode == GradientDeclaration::Mode::reverse;
  }

  Summary summary(const Function& function) const {
    Summary all{function.has_body() && function.is_straight_line() && function.adjoint == nullptr, false, 0};
    if (!all.fits) return all;
    for (const auto& instruction : function.entry().instructions()) {
      const auto call = as<Apply>(*instruction);
      const auto callee = call ? summaries_.find(call.callee()) : summaries_.end();
      const Opcode opcode = instruction->opcode();
      const bool is_inlined = callee != summaries_.end();
      all.instructions = std::min(many, all.instructions + (is_inlined ? callee->second.instructions : 1));
      all.multiplies |= opcode == Opcode::dot || opcode == Opcode::convolve;
      all.multiplies |= is_inlined && callee->second.multiplies;
      all.fits &= !instruction->is(Trait::effect);
      all.fits &= !call || (is_inlined && callee->second.fits) || has_own_adjoint(*call.callee());
    }
    return all;
  }

  /// Such a function is called until differentiation has used its derivative.
  bool has_own_adjoint(const Function& callee) const {
    return callee.adjoint != nullptr && callee.has_body() && callee.is_straight_line();
  }

  /// Returns the functions whose bodies entry points have, and the bodies that are differentiated; without
  /// any, these are all functions.
  std::unordered_set<const Function*> roots() const {
    std::unordered_set<const Function*> roots;
    for (const EntryPoint& entry : module_.entries) roots.insert(module_.function(entry.function));
    for (const auto& function : module_.functions())
      if (function->gradient) roots.insert(function->gradient->of);
    if (roots.empty())
      for (const auto& function : module_.functions()) roots.insert(function.get());
    return roots;
  }

  /// Counts the copies from the root on, callers first.
  void share_callees(const Function& root) {
    std::unordered_map<const Function*, std::size_t> copies{{&root, 1}}, called;
    for_each_call(root, [&](const Function* callee) { ++called[callee]; });
    for (auto component = components_.rbegin(); component != components_.rend(); ++component)
      for (Function* function : component->functions) {
        const auto found = copies.find(function);
        if (found == copies.end() || component->recursive) continue;
        std::size_t count = found->second;
        const Summary& all = summaries_.at(function);
        if (function != &root && count >= min_shared_copies && can_be_shared(*function)) {
          if (!all.multiplies && called[function] >= min_shared_copies)
            mark(*function, shared_in_memory_attribute);
          if (all.multiplies && all.instructions >= min_shared_instructions) {
            mark(*function, shared_attribute);
            count = 1;
          }
        }
        for_each_call(*function, [&](const Function* callee) {
          copies[callee] = std::min(many, copies[callee] + count);
        });
      }
  }

  template <typename Visit>
  static void for_each_call(const Function& function, const Visit& visit) {
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions())
        if (const auto call = as<Apply>(*instruction)) visit(call.callee());
  }

  bool can_be_shared(const Function& function) const {
    return summaries_.at(&function).fits &&
           std::ranges::all_of(function.type().parameters(), &Type::is_tensor) &&
           is_tensors(function.type().result());
  }

  void mark(Function& function, std::string_view attribute) {
    if (may_be_shared(function)) return;
    function.attributes.emplace_back(attribute);
    changed_ = true;
  }

  Module& module_;
  std::vector<Component> components_;  ///< callees first
  std::unordered_map<const Function*, Summary> summaries_;
  bool changed_ = false;
};

}  // namespace

bool function_sharing(Module& module) { return Sharing(module).run(); }

}  // namespace dlvm
