#include "dlvm/transform/inlining.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/control_flow.h"
#include "dlvm/analysis/shared_functions.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/inlined_call.h"

namespace dlvm {
namespace {

/// Inlines what is called until nothing is left that fits, within one budget for the whole module. A function
/// that has a derivative of its own stays, until differentiation has used that.
class Inlining {
 public:
  Inlining(Module& module, std::size_t limit)
      : module_(module), components_(call_components(module)), limit_(limit), budget_(limit) {
    for (const Component& component : components_)
      for (const Function* function : component.functions)
        if (!component.recursive && function->has_body() && function->adjoint == nullptr) {
          sizes_[function] = inlined_size(*function);
          if (is_straight(*function)) straight_.insert(function);
        }
  }

  /// Callers first: a function that nothing refers to any more need not be expanded, so that a chain of calls
  /// takes time linear in its length. Where not all that a function calls fits, only what is small is inlined
  /// in it and in what it calls: no code can be built for it in any case, and copies would be in vain.
  bool run() {
    std::unordered_set<const Function*> needed = roots(), in_vain;
    bool changed = false;
    for (auto component = components_.rbegin(); component != components_.rend(); ++component) {
      const auto& functions = component->functions;
      if (std::none_of(functions.begin(), functions.end(),
                       [&](Function* each) { return needed.contains(each); }))
        continue;
      for (Function* function : functions) {
        const bool fits = !in_vain.contains(function) && growth(*function) <= budget_;
        changed = expand(*function, fits ? limit_ : small) || changed;
        for (const Function* left : references(*function)) {
          needed.insert(left);
          if (!fits) in_vain.insert(left);
        }
      }
    }
    return changed;
  }

 private:
  /// The most instructions of a function that is small.
  static constexpr std::size_t small = 64;
  static constexpr std::size_t very_many = std::size_t{1} << 60;

  /// Returns the functions called from outside; without entry points these are all functions.
  std::unordered_set<const Function*> roots() const {
    std::unordered_set<const Function*> roots;
    for (const EntryPoint& entry : module_.entries) roots.insert(module_.function(entry.function));
    for (const StoredTensor& tensor : module_.tensors) roots.insert(module_.function(tensor.initializer));
    if (module_.entries.empty())
      for (const auto& function : module_.functions()) roots.insert(function.get());
    return roots;
  }

  /// How many instructions the function has more with everything inlined.
  std::size_t growth(const Function& function) const {
    std::size_t now = 0;
    for (const auto& block : function.blocks()) now += block->instructions().size();
    const std::size_t all = inlined_size(function);
    return all > now ? all - now : 0;
  }

  /// Instructions of the function with everything inlined; saturates at `very_many`.
  std::size_t inlined_size(const Function& function) const {
    std::size_t count = 0;
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions()) {
        const auto call = as<Apply>(*instruction);
        const auto callee = call ? sizes_.find(call.callee()) : sizes_.end();
        count = std::min(very_many, count + (callee == sizes_.end() ? 1 : callee->second));
      }
    return count;
  }

  /// Returns whether the function is straight-line code with everything inlined.
  bool is_straight(const Function& function) const {
    if (!function.is_straight_line()) return false;
    return std::ranges::all_of(function.entry().instructions(), [&](const auto& instruction) {
      const auto call = as<Apply>(*instruction);
      return !call || !sizes_.contains(call.callee()) || straight_.contains(call.callee());
    });
  }

  /// Returns whether the call is one of shared code, if its caller remains straight-line code.
  bool may_stay(const Instruction& call) const {
    return is_shared_call(call) && !is_shared(call.block()->function()) &&
           straight_.contains(Apply(call).callee());
  }

  /// The calls of shared functions stay if nothing else that is inlined brings control flow. Those of
  /// functions that are shared in memory stay where kernels end in any case, which shows once the others are
  /// inlined.
  bool expand(Function& caller, std::size_t largest) {
    std::vector<Instruction*> calls, staying;
    for (const auto& block : caller.blocks())
      for (const auto& instruction : block->instructions())
        if (as<Apply>(*instruction)) calls.push_back(instruction.get());
    bool changed = expand(caller, std::move(calls), &staying, largest);
    if (!caller.is_straight_line()) return expand(caller, std::move(staying), nullptr, largest) || changed;
    while (true) {  // what is inlined may have computed what another call takes
      const auto others = std::ranges::stable_partition(staying, [&](const Instruction* call) {
        return is_shared(*Apply(*call).callee()) || is_between_memory(*call);
      });
      std::vector<Instruction*> inlined(others.begin(), others.end());
      if (inlined.empty()) break;
      staying.erase(others.begin(), others.end());
      changed = expand(caller, std::move(inlined), nullptr, largest) || changed;
    }
    for (const Instruction* call : staying) copy_requirements(caller, *Apply(*call).callee(), {});
    return changed;
  }

  /// The last call of a block comes first, because what stands behind a call is moved to another block. A
  /// call that is copied with its caller's body is looked at next, so that nothing is copied twice. Each copy
  /// is charged, and a call that is inlined is given back, so that copies of calls that do not fit count,
  /// too. Calls that may stay are added to `staying`, unless it is null. No callee has more than `largest`
  /// instructions.
  bool expand(Function& caller, std::vector<Instruction*> calls, std::vector<Instruction*>* staying,
              std::size_t largest) {
    std::vector<Instruction*> dead;
    while (!calls.empty()) {
      Instruction* call = calls.back();
      calls.pop_back();
      const Function* callee = Apply(*call).callee();
      if (staying != nullptr && may_stay(*call)) {
        staying->push_back(call);
        continue;
      }
      const auto size = sizes_.find(callee);
      if (size == sizes_.end() || size->second > std::min(largest, budget_)) continue;
      const auto inlined = inline_call(*call);
      if (!inlined) continue;
      copy_requirements(caller, *callee, inlined->names);
      if (!call->users().empty()) replace_all_uses(*call, *inlined->result);
      dead.push_back(call);
      for (Instruction* made : inlined->made)
        if (const auto inner = as<Apply>(made); inner && sizes_.contains(inner.callee()))
          calls.push_back(made);
      budget_ = budget_ + 1 - inlined->made.size();
    }
    for (auto at = dead.rbegin(); at != dead.rend(); ++at) (*at)->block()->erase(*at);
    remove_unreachable_blocks(caller);  // what stood behind the call of a function that does not return
    return !dead.empty();
  }

  Module& module_;
  std::vector<Component> components_;
  std::unordered_map<const Function*, std::size_t> sizes_;  ///< of functions that can be inlined
  std::unordered_set<const Function*> straight_;            ///< of these, those without control flow
  std::size_t limit_;
  std::size_t budget_;  ///< what is left of the limit
};

}  // namespace

bool inlining(Module& module) { return inlining(module, inlining_limit); }
bool inlining(Module& module, std::size_t limit) { return Inlining(module, limit).run(); }

}  // namespace dlvm
