#include "dlvm/transform/enum_expansion.h"

#include <algorithm>
#include <deque>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/ir/copy_blocks.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/support/internal_error.h"
#include "dlvm/transform/dead_code_elimination.h"
#include "dlvm/transform/node_expansion.h"

namespace dlvm {
namespace {

class EnumExpansion : public NumberedFunctions {
 public:
  explicit EnumExpansion(Module& module) : module_(module), types_(module) {}

  bool run() {
    find_possible();
    find_uses();
    std::vector<Function*> owners;
    for (const auto& function : module_.functions())
      if (uses_.contains(function.get()) && !has_nodes(function->type())) owners.push_back(function.get());
    for (Function* owner : owners) expand_nodes(*owner, uses_.at(owner), true, types_, *this);
    while (!pending_.empty()) {
      const auto [made, use] = pending_.front();
      pending_.pop_front();
      expand_nodes(*made, *use, false, types_, *this);
    }
    if (!without_pools_.empty()) remove_replaced_declarations();
    return !owners.empty();
  }

  const PoolUse* use_of(const Function& callee) const override {
    if (!has_nodes(callee.type())) return nullptr;
    if (callee.gradient) return use_of_gradient(callee);
    const auto found = uses_.find(&callee);
    return found != uses_.end() ? &found->second : nullptr;
  }

  const Function& numbered(const Function& callee) override {
    Function*& made = numbered_[&callee];
    if (made == nullptr) made = &(callee.gradient ? declare(callee) : copy(callee, uses_.at(&callee)));
    return *made;
  }

 private:
  bool has_nodes(const Type& type) const { return types_.holds_nodes(type); }

  bool touches_nodes(const Function& function) const {
    const auto holds = [&](const auto& value) { return has_nodes(value->type()); };
    return std::ranges::any_of(function.blocks(), [&](const auto& block) {
      return std::ranges::any_of(block->arguments(), holds) ||
             std::ranges::any_of(block->instructions(), [&](const auto& instruction) {
               return holds(instruction) || std::ranges::any_of(instruction->operands(), holds);
             });
    });
  }

  /// Whether the value is the address of a variable of the module, which other functions may use.
  bool is_variable_of_nodes(const Value& value) const {
    const Literal* literal = as_literal(&value);
    return literal != nullptr && literal->global() != nullptr && has_nodes(literal->type());
  }

  /// Whether nodes can be numbers in the function, if they can be in those that it calls.
  bool can_be_numbered(const Function& function) const {
    const auto fits = [&](const Type& type) { return types_.can_be_numbered(type); };
    const auto is_stack = [](const auto& value) { return value->type().is_stack(); };
    if (std::ranges::any_of(function.entry().arguments(), is_stack)) return false;
    for (const auto& block : function.blocks()) {
      for (const auto& argument : block->arguments())
        if (!fits(argument->type())) return false;
      for (const auto& instruction : block->instructions()) {
        const auto& operands = instruction->operands();
        if (!fits(instruction->type())) return false;
        if (!std::ranges::all_of(operands, [&](const Value* each) {
              return fits(each->type()) && !is_variable_of_nodes(*each);
            }))
          return false;
        const bool calls = instruction->opcode() == Opcode::apply;
        if (calls && (instruction->type().is_stack() || std::ranges::any_of(operands, is_stack)))
          return false;
      }
    }
    return true;
  }

  static std::vector<const Function*> callees(const Function& function) {
    std::vector<const Function*> all;
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions())
        if (const auto call = as<Apply>(*instruction)) all.push_back(call.callee());
    return all;
  }

  /// Null where nodes cannot be numbers.
  const PoolUse* use_of_gradient(const Function& declared) const {
    const GradientDeclaration& gradient = *declared.gradient;
    if (has_nodes(declared.type().result())) return nullptr;
    const auto found = uses_.find(gradient.of);
    if (found == uses_.end()) return nullptr;
    const auto differentiated = differentiated_.find(gradient.of);
    return differentiated != differentiated_.end() ? &differentiated->second : &found->second;
  }

  Function& copy(const Function& function, const PoolUse& use) {
    const Type type = numbered_function(function, use, types_);
    Function& made = *module_.add_function(module_.fresh_name(function.name() + ".numbered"), type);
    made.attributes = function.attributes;
    made.location = function.location;
    copy_blocks(made, function, {});
    copy_requirements(made, function, {});
    pending_.emplace_back(&made, &use);
    return made;
  }

  /// Declares the gradient of the function with numbers in the place of nodes.
  Function& declare(const Function& declared) {
    GradientDeclaration gradient = *declared.gradient;
    Function*& of = without_pools_[gradient.of];
    if (of == nullptr) of = &copy(*gradient.of, differentiated_.at(gradient.of));
    gradient.wrt = differentiated_arguments(gradient);
    gradient.of = of;
    std::string why;
    const auto type = gradient_type(gradient, why);
    if (!type) internal_error("a gradient by numbers of nodes: " + why);
    Function& made = *module_.add_function(module_.fresh_name(declared.name() + ".numbered"), *type);
    made.attributes = declared.attributes;
    made.location = declared.location;
    made.gradient = std::move(gradient);
    return made;
  }

  /// Removes the declarations that nothing refers to any more: of nodes, they could not be differentiated.
  void remove_replaced_declarations() {
    remove_unreachable_functions(module_);
    std::unordered_set<const Function*> unused;
    for (const auto& function : module_.functions())
      if (function->gradient && numbered_.contains(function.get())) unused.insert(function.get());
    for (const auto& function : module_.functions())
      for (const Function* callee : references(*function)) unused.erase(callee);
    module_.erase_functions(unused);
  }

  void find_possible() {
    for (const auto& function : module_.functions())
      if (function->has_body() && touches_nodes(*function) && can_be_numbered(*function))
        uses_[function.get()] = {};
    const auto is_foreign = [&](const Function* callee) {
      return has_nodes(callee->type()) && use_of(*callee) == nullptr;
    };
    for (bool again = true; again;)
      again = std::erase_if(uses_, [&](const auto& each) {
                return std::ranges::any_of(callees(*each.first), is_foreign);
              }) > 0;
  }

  void find_uses() {
    for (auto& [function, use] : uses_) add_own(*function, use);
    for (bool again = true; again;) {
      again = false;
      for (auto& [function, use] : uses_) {
        const PoolUse before = use;
        for (const Function* callee : callees(*function))
          if (const PoolUse* more = use_of(*callee)) {
            use.all.insert(more->all.begin(), more->all.end());
            use.written.insert(more->written.begin(), more->written.end());
          }
        again = again || use != before;
      }
    }
    for (const auto& [function, use] : uses_)
      if (has_nodes(function->type())) differentiated_[function] = {use.all, use.written, false};
  }

  void add_own(const Function& function, PoolUse& use) const {
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() == Opcode::branchEnum && types_.is_node(instruction->operand(0)->type()))
          for (const std::int64_t enum_case : BranchEnum(*instruction).cases())
            add(instruction->operand(0)->type(), enum_case, use.all);
        if (instruction->opcode() != Opcode::literal || !types_.is_node(instruction->type())) continue;
        const std::int64_t enum_case = (*Composite(*instruction).enum_case())[0];
        add(instruction->type(), enum_case, use.all);
        add(instruction->type(), enum_case, use.written);
      }
  }
  void add(const Type& type, std::int64_t enum_case, std::set<std::size_t>& to) const {
    const auto pool = types_.pool(type.declaration(), static_cast<std::size_t>(enum_case));
    if (pool) to.insert(*pool);
  }

  Module& module_;
  EnumTypes types_;
  std::map<const Function*, PoolUse> uses_;            ///< of the functions in which nodes can be numbers
  std::map<const Function*, PoolUse> differentiated_;  ///< the same where none of its results is a node
  std::map<const Function*, Function*> numbered_, without_pools_;
  std::deque<std::pair<Function*, const PoolUse*>> pending_;
};

}  // namespace

bool enum_expansion(Module& module) { return EnumExpansion(module).run(); }

}  // namespace dlvm
