// Each pool is a tensor for each leaf of its payloads, with a row for each node, and the number of rows in
// use. These are variables of the function: a literal that makes a node writes a row and adds one to the
// number, and blocks take what reaches them (ssa_updater.h). Rows are only added, so that a node keeps its
// number, and every later state of a pool has it. A row is added to one of negative zeros, which leaves all
// bits as they are, so that the derivative of making a node is a gather.
#include "dlvm/transform/node_expansion.h"

#include <algorithm>

#include "dlvm/analysis/expanded_type.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/transform/leaf_values.h"
#include "dlvm/transform/rewrite.h"
#include "dlvm/transform/ssa_updater.h"

namespace dlvm {
namespace {

constexpr ElementType number = EnumTypes::number;

/// Returns the value with which the elements of all rows begin.
Value* empty_element(Builder& b, ElementType element) {
  return b.constant(element, is_floating(element) ? -0.0 : 0);
}

class NodeExpansion {
 public:
  NodeExpansion(Function& function, const PoolUse& use, bool owns_pools, EnumTypes& types,
                NumberedFunctions& functions)
      : function_(function), use_(use), owns_pools_(owns_pools), types_(types), functions_(functions) {}

  void run() {
    remove_unreachable_blocks(function_);
    find();
    if (owns_pools_)
      create_pools();
    else
      take_pools();
    change_types();
    const ControlFlow flow(function_);
    for (BasicBlock* block : flow.order()) expand(*block);
    connect(flow);
    for (const Branch& branch : branches_) compare_cases(branch);
    remove_copied_arguments(function_);
  }

 private:
  /// The variables of a pool: one for each leaf of its rows, and one for their number if it is written.
  struct Pool {
    std::size_t first = 0, leaves = 0;
    bool written = false;
    Extent capacity;
    std::size_t count() const { return first + leaves; }
    std::size_t end() const { return first + leaves + (written ? 1 : 0); }
  };
  struct Made {
    const TypeDeclaration* declaration;
    std::size_t enum_case;
  };
  struct Branch {
    Instruction* end;
    const TypeDeclaration* declaration;
  };
  /// The values that the variables have where a block begins, as temporary values, and where it ends.
  struct State {
    std::vector<Value*> begin, now;
  };

  /// Finds what becomes something else, while it has its types.
  void find() {
    for (const auto& block : function_.blocks())
      for (const auto& instruction : block->instructions()) {
        if (instruction->opcode() == Opcode::literal && types_.is_node(instruction->type()))
          made_[instruction.get()] = {&instruction->type().declaration(),
                                      static_cast<std::size_t>((*Composite(*instruction).enum_case())[0])};
        if (instruction->opcode() == Opcode::branchEnum && types_.is_node(instruction->operand(0)->type()))
          branches_.push_back({instruction.get(), &instruction->operand(0)->type().declaration()});
      }
  }

  // ------------------------------------------------------------------------------------------- pools

  void create_pools() {
    const std::vector<Extent> capacities = pool_capacities(function_, types_, functions_);
    Builder b(function_.entry(), function_.entry().instructions().front().get());
    for (const std::size_t p : use_.all) {
      const NodePool& pool = types_.pools()[p];
      Pool& variables = add_pool(p, capacities[p]);
      for (const Type& leaf : pool.leaves) {
        Value* element = empty_element(b, leaf.element());
        initial_.push_back(b.broadcast(element, rows_type(leaf, variables.capacity).shape()));
        initial_.back()->set_name(names_[initial_.size() - 1]);
      }
      if (variables.written) initial_.push_back(b.constant(number, 0));
    }
  }

  Pool& add_pool(std::size_t p, Extent capacity) {
    const NodePool& pool = types_.pools()[p];
    Pool& made = pools_[p];
    made = {names_.size(), pool.leaves.size(), use_.written.contains(p), std::move(capacity)};
    const std::string name = pool_name(pool);
    for (const Type& leaf : pool.leaves) {
      names_.push_back(name);
      variable_types_.push_back(rows_type(leaf, made.capacity));
    }
    if (made.written) {
      names_.push_back(name + "_count");
      variable_types_.push_back(Type::scalar(number));
    }
    return made;
  }

  void take_pools() {
    BasicBlock& entry = function_.entry();
    const auto& parameters = function_.type().parameters();
    std::size_t at = entry.arguments().size();
    for (const std::size_t p : use_.all) {
      const Pool& pool = add_pool(p, parameters[at].shape()[0]);
      for (std::size_t v = pool.first; v < pool.end(); ++v)
        initial_.push_back(entry.add_argument(parameters[at++], names_[v]));
    }
  }

  // --------------------------------------------------------------------------------------------- types

  void change_types() {
    for (const auto& block : function_.blocks()) {
      for (const auto& argument : block->arguments()) set_type(*argument, types_.numbered(argument->type()));
      for (const auto& instruction : block->instructions()) change_types(*instruction);
    }
  }

  void change_types(Instruction& instruction) {
    const auto& operands = instruction.operands();
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (const Literal* literal = as_literal(operands[i]); literal && types_.holds_nodes(literal->type()))
        instruction.set_operand(i, function_.literal(types_.numbered(literal->type()), literal->form()));
    set_type(instruction, types_.numbered(instruction.type()));
    for (std::size_t i = 0; i < instruction.attributes().size(); ++i)
      if (const auto* type = std::get_if<Type>(&instruction.attributes()[i]))
        instruction.set_attribute(i, types_.numbered(*type));
  }

  // --------------------------------------------------------------------------------------- instructions

  const PoolUse* use_of_callee(const Instruction& instruction) const {
    const auto call = as<Apply>(instruction);
    return call ? functions_.use_of(*call.callee()) : nullptr;
  }

  bool is_concerned(const Instruction& instruction) const {
    if (made_.contains(&instruction) || use_of_callee(instruction) != nullptr) return true;
    if (instruction.opcode() == Opcode::return_) return !owns_pools_ && use_.returns && !use_.written.empty();
    return std::ranges::find(branches_, &instruction, &Branch::end) != branches_.end();
  }

  void expand(BasicBlock& block) {
    std::vector<Instruction*> concerned;
    for (const auto& instruction : block.instructions())
      if (is_concerned(*instruction)) concerned.push_back(instruction.get());
    const bool entry = &block == &function_.entry();
    if (concerned.empty() && !entry) return;
    State state;
    for (const Type& type : variable_types_)
      state.begin.push_back(entry ? initial_[state.begin.size()] : function_.splat(type, 0));
    state.now = state.begin;
    for (Instruction* instruction : concerned) {
      Builder b(block, instruction);
      b.set_locations(instruction->locations());
      if (const auto made = made_.find(instruction); made != made_.end())
        make(b, *instruction, Made(made->second), state.now);
      else if (instruction->opcode() == Opcode::apply)
        call(b, *instruction, state.now);
      else if (instruction->opcode() == Opcode::return_)
        give_pools(b, *instruction, state.now);
      else
        take_payloads(*std::ranges::find(branches_, instruction, &Branch::end), state.now);
    }
    states_.emplace_back(&block, std::move(state));
  }

  void replace(Instruction& instruction, Value* value) {
    if (value != nullptr && value->name().empty()) value->set_name(instruction.name());
    if (!instruction.users().empty()) replace_all_uses(instruction, *value);
    made_.erase(&instruction);
    instruction.block()->erase(&instruction);
  }

  void make(Builder& b, Instruction& literal, const Made& made, std::vector<Value*>& now) {
    const auto cases = static_cast<double>(made.declaration->members.size());
    Value* enum_case = b.constant(number, static_cast<double>(made.enum_case));
    const auto p = types_.pool(*made.declaration, made.enum_case);
    if (!p) return replace(literal, enum_case);
    const Pool& pool = pools_.at(*p);
    Value* row = b.check_index(now[pool.count()], 0, pool.capacity);
    std::vector<Value*> leaves;
    for (Value* operand : literal.operands()) extract_leaves(b, operand, leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      const bool truth = leaves[i]->type().element() == ElementType::boolean;
      Value*& rows = now[pool.first + i];
      rows = b.scatter(leaves[i], rows, {row}, Combinator{truth ? Opcode::or_ : Opcode::add, nullptr}, {0});
      rows->set_name(names_[pool.first + i]);
    }
    now[pool.count()] = b.add(row, b.constant(number, 1));
    now[pool.count()]->set_name(names_[pool.count()]);
    replace(literal, b.add(b.multiply(row, b.constant(number, cases)), enum_case));
  }

  void call(Builder& b, Instruction& call, std::vector<Value*>& now) {
    const Function& callee = *Apply(call).callee();
    const PoolUse& use = *functions_.use_of(callee);
    std::vector<Value*> arguments = call.operands(), behind;
    if (callee.gradient) {  // behind the pools stand the cotangent and the tangents
      const std::size_t own = callee.gradient->of->type().parameters().size();
      behind.assign(arguments.begin() + static_cast<std::ptrdiff_t>(own), arguments.end());
      arguments.resize(own);
    }
    for (const std::size_t p : use.all) {
      const Pool& pool = pools_.at(p);
      const std::size_t end = use.written.contains(p) ? pool.end() : pool.count();
      arguments.insert(arguments.end(), now.begin() + static_cast<std::ptrdiff_t>(pool.first),
                       now.begin() + static_cast<std::ptrdiff_t>(end));
    }
    arguments.insert(arguments.end(), behind.begin(), behind.end());
    const bool gives_value = has_value(call.type());
    Value* result = b.apply(&functions_.numbered(callee), std::move(arguments));
    if (use.written.empty() || !use.returns) return replace(call, result);
    std::int64_t at = 0;
    Value* value = gives_value ? b.extract(result, at++) : b.tuple({});
    for (const std::size_t p : use.written)
      for (std::size_t v = pools_.at(p).first; v < pools_.at(p).end(); ++v) {
        now[v] = b.extract(result, at++);
        now[v]->set_name(names_[v]);
      }
    replace(call, value);
  }

  void give_pools(Builder& b, Instruction& end, const std::vector<Value*>& now) {
    std::vector<Value*> all;
    if (!end.operands().empty() && has_value(end.operand(0)->type())) all.push_back(end.operand(0));
    for (const std::size_t p : use_.written)
      for (std::size_t v = pools_.at(p).first; v < pools_.at(p).end(); ++v) all.push_back(now[v]);
    b.return_(b.tuple(std::move(all)));
    end.block()->erase(&end);
  }

  // ---------------------------------------------------------------------------------------------- cases

  void take_payloads(const Branch& branch, const std::vector<Value*>& now) {
    const Integers& cases = BranchEnum(*branch.end).cases();
    for (std::size_t s = 0; s < cases.size(); ++s) {
      BasicBlock& block = *branch.end->successors()[s].block;
      Builder b(block, block.instructions().front().get());
      b.set_locations(branch.end->locations());
      const auto p = types_.pool(*branch.declaration, static_cast<std::size_t>(cases[s]));
      std::size_t at = p ? pools_.at(*p).first : 0;
      Value* row = nullptr;
      for (const auto& argument : block.arguments()) {
        const std::size_t count = expanded_count(argument->type());
        if (!argument->users().empty()) {
          if (row == nullptr && count > 0) row = row_of(b, branch, pools_.at(*p));
          std::vector<Value*> leaves;
          for (std::size_t i = 0; i < count; ++i) leaves.push_back(b.gather(now[at + i], {row}, {0}));
          Value* payload = assemble(b, argument->type(), leaves);
          payload->set_name(argument->name());
          replace_all_uses(*argument, *payload);
        }
        at += count;
      }
      while (!block.arguments().empty()) block.remove_argument(block.arguments().size() - 1);
    }
  }

  static Value* row_of(Builder& b, const Branch& branch, const Pool& pool) {
    const auto cases = static_cast<double>(branch.declaration->members.size());
    Value* row = b.binary(Opcode::floorDivide, branch.end->operand(0), b.constant(number, cases));
    return b.check_index(row, 0, pool.capacity);
  }

  /// Puts comparisons of the case in the place of the branch.
  void compare_cases(const Branch& branch) {
    BasicBlock* block = branch.end->block();
    Value* node = branch.end->operand(0);
    const auto locations = branch.end->locations();
    const Integers cases = BranchEnum(*branch.end).cases();
    const std::vector<Successor> successors = branch.end->successors();
    block->erase(branch.end);
    Builder b(*block);
    b.set_locations(locations);
    if (cases.size() == 1) return void(b.branch(*successors[0].block));
    const auto all = static_cast<double>(branch.declaration->members.size());
    Value* enum_case = b.binary(Opcode::modulo, node, b.constant(number, all));
    for (std::size_t s = 0; s + 1 < cases.size(); ++s) {
      Value* is_it = b.binary(Opcode::equal, enum_case, b.constant(number, static_cast<double>(cases[s])));
      const bool last = s + 2 == cases.size();
      BasicBlock* next = last ? successors[s + 1].block : function_.add_block("", block);
      b.conditional(is_it, *successors[s].block, {}, *next, {});
      b = Builder(*(block = next));
      b.set_locations(locations);
    }
  }

  /// Replaces the temporary values by those that the variables have where the blocks begin.
  void connect(const ControlFlow& flow) {
    const DominanceFrontiers frontiers(flow);
    for (std::size_t v = 0; v < variable_types_.size(); ++v) {
      SsaUpdater variable(frontiers, variable_types_[v], names_[v]);
      for (auto& [block, state] : states_)
        if (state.now[v] != state.begin[v] || block == &function_.entry())
          variable.define(block, state.now[v]);
      for (auto& [block, state] : states_)
        if (block != &function_.entry() && !state.begin[v]->users().empty())
          replace_all_uses(*state.begin[v], *variable.at_begin(block));
    }
  }

  Function& function_;
  const PoolUse& use_;
  const bool owns_pools_;
  EnumTypes& types_;
  NumberedFunctions& functions_;
  std::map<std::size_t, Pool> pools_;
  std::vector<Type> variable_types_;
  std::vector<std::string> names_;
  std::vector<Value*> initial_;
  std::unordered_map<const Instruction*, Made> made_;
  std::vector<Branch> branches_;
  std::vector<std::pair<BasicBlock*, State>> states_;
};

}  // namespace

void expand_nodes(Function& function, const PoolUse& use, bool owns_pools, EnumTypes& types,
                  NumberedFunctions& functions) {
  NodeExpansion(function, use, owns_pools, types, functions).run();
}

}  // namespace dlvm
