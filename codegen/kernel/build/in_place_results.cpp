#include "codegen/kernel/build/in_place_results.h"

#include <algorithm>
#include <map>

#include "codegen/kernel/build/index_facts.h"
#include "codegen/kernel/build/program_values.h"
#include "codegen/kernel/ir/kernel_table.h"
#include "codegen/kernel/ir/walk.h"
#include "dlvm/analysis/control_flow.h"
#include "dlvm/differentiate/copy_body.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/support/internal_error.h"

namespace codegen::kernel {
namespace {

using dlvm::Instruction;
using dlvm::Scatter;
using dlvm::Type;

/// The scatters that make a parameter the next value, the first one first.
struct Chain {
  NextValue of;
  std::vector<Instruction*> scatters;
};

/// Returns the tensors that a function returns, of the operand of its `return`.
std::vector<dlvm::Value*> elements_of(dlvm::Value* returned) {
  if (returned == nullptr) return {};
  if (returned->type().is_tensor()) return {returned};
  const Instruction* tuple = dlvm::match(returned, dlvm::Opcode::literal);
  return tuple == nullptr ? std::vector<dlvm::Value*>{} : tuple->operands();
}

/// Returns the operand of the only reachable `return`, or null.
dlvm::Value* returned_by(const dlvm::Function& function) {
  const dlvm::ControlFlow flow(function);
  const Instruction* found = nullptr;
  for (const dlvm::BasicBlock* block : flow.order()) {
    const Instruction* end = block->terminator();
    if (!flow.is_reachable(block) || end->opcode() != dlvm::Opcode::return_) continue;
    if (found != nullptr) return nullptr;
    found = end;
  }
  return found == nullptr || found->operands().empty() ? nullptr : found->operand(0);
}

/// Returns the chain from the parameter to its next value; without scatters if other instructions make it, or
/// others use what the chain has made.
Chain chain_to(dlvm::Value* value, const dlvm::Value* parameter, const NextValue& of) {
  Chain chain{of, {}};
  while (value != parameter) {
    const auto scatter = dlvm::as<Scatter>(value);
    if (!scatter || value->users().size() != 1) return {of, {}};
    chain.scatters.push_back(dlvm::as_instruction(value));
    value = scatter.input();
  }
  std::ranges::reverse(chain.scatters);
  return chain;
}

std::vector<Chain> find_chains(const dlvm::Function& function, dlvm::Value* returned,
                               const std::vector<NextValue>& next_values) {
  const std::vector<dlvm::Value*> results = elements_of(returned);
  std::vector<Chain> chains;
  for (const NextValue& next : next_values) {
    if (next.result >= results.size()) continue;
    const dlvm::Value* parameter = function.entry().arguments()[next.parameter].get();
    Chain chain = chain_to(results[next.result], parameter, next);
    if (!chain.scatters.empty()) chains.push_back(std::move(chain));
  }
  return chains;
}

std::unique_ptr<dlvm::Function> function_like(const dlvm::Function& function, const std::string& name) {
  auto made = std::make_unique<dlvm::Function>(name, function.type());
  std::vector<std::string> names;
  for (const auto& argument : function.entry().arguments()) names.push_back(argument->name());
  made->add_entry(names);
  return made;
}

void set_result(dlvm::Function& function, const std::vector<dlvm::Value*>& results) {
  std::vector<Type> parameters, elements;
  for (const auto& argument : function.entry().arguments()) parameters.push_back(argument->type());
  for (const dlvm::Value* result : results) elements.push_back(result->type());
  function.set_type(Type::function(std::move(parameters), Type::tuple(std::move(elements))));
}

/// Divides a copy of the function.
class Division {
 public:
  Division(const dlvm::Function& function, const std::vector<NextValue>& next_values)
      : next_values_(next_values) {
    parts_.first = function_like(function, function.name());
    dlvm::Builder builder(parts_.first->entry());
    std::vector<dlvm::Value*> arguments;
    for (const auto& argument : parts_.first->entry().arguments()) arguments.push_back(argument.get());
    copy_ = dlvm::copy_body(builder, function, arguments, {});
    chains_ = find_chains(*parts_.first, copy_.result, next_values_);
  }

  PartedFunction run() {
    dlvm::Builder end(*copy_.exit);
    const std::vector<dlvm::Value*> all = elements_of(copy_.result);
    for (std::uint32_t r = 0; r < all.size(); ++r)
      if (std::ranges::none_of(chains_, [&](const Chain& chain) { return chain.of.result == r; })) {
        parts_.results.push_back(r);
        results_.push_back(all[r]);
      }
    pass_on(end);
    build_second();
    if (Instruction* tuple = dlvm::match(copy_.result, dlvm::Opcode::literal)) tuple->block()->erase(tuple);
    for (Chain& chain : chains_)
      for (auto at = chain.scatters.rbegin(); at != chain.scatters.rend(); ++at) (*at)->block()->erase(*at);
    end.return_(end.tuple(results_));
    set_result(*parts_.first, results_);
    return std::move(parts_);
  }

 private:
  /// The second part takes a value, and for an index the extent for which it has been checked. An index
  /// of several axes is passed on for each of their extents.
  using Passed = std::pair<const dlvm::Value*, std::optional<dlvm::Extent>>;

  static const dlvm::Extent& bound_of(const Instruction& scatter, std::size_t index) {
    return scatter.type().shape()[static_cast<std::size_t>(Scatter(scatter).axes()[0]) + index];
  }

  /// Lets the first part return what the scatters take, and check the indices.
  void pass_on(dlvm::Builder& end) {
    const Graph facts(*parts_.first);
    for (const Chain& chain : chains_)
      for (const Instruction* each : chain.scatters) {
        const Scatter scatter(*each);
        end.set_locations(each->locations());
        pass_on({scatter.updates(), std::nullopt}, scatter.updates());
        for (std::size_t k = 0; k < scatter.indices().size(); ++k) {
          dlvm::Value* index = scatter.indices()[k];
          const dlvm::Extent& bound = bound_of(*each, k);
          if (is_in_bounds(facts, index, bound))
            pass_on({index, bound}, index);
          else if (!passed_.contains({index, bound}))
            pass_on({index, bound}, end.check_index(index, 0, bound));
        }
      }
  }
  void pass_on(const Passed& passed, dlvm::Value* as) {
    if (passed_.try_emplace(passed, passed_.size()).second) results_.push_back(as);
  }

  void build_second() {
    std::vector<Type> parameters;
    std::vector<std::string> names;
    for (const Chain& chain : chains_) {
      parts_.updates.push_back(chain.of);
      parameters.push_back(chain.scatters[0]->type());
      names.push_back(Scatter(*chain.scatters[0]).input()->name());
    }
    for (std::size_t i = parts_.results.size(); i < results_.size(); ++i) {
      parameters.push_back(results_[i]->type());
      names.push_back(results_[i]->name());
    }
    parts_.second = std::make_unique<dlvm::Function>(parts_.first->name() + ".update",
                                                     Type::function(parameters, Type::tuple({})));
    dlvm::BasicBlock* entry = parts_.second->add_entry(names);
    dlvm::Builder builder(*entry);
    parts_.checked.resize(parameters.size());
    const auto passed = [&](const Passed& which) {
      const std::size_t position = chains_.size() + passed_.at(which);
      parts_.checked[position] = which.second.has_value();
      return entry->arguments()[position].get();
    };
    std::vector<dlvm::Value*> results;
    for (std::size_t c = 0; c < chains_.size(); ++c) {
      results.push_back(entry->arguments()[c].get());
      for (const Instruction* each : chains_[c].scatters) {
        const Scatter scatter(*each);
        std::vector<dlvm::Value*> indices;
        for (std::size_t k = 0; k < scatter.indices().size(); ++k)
          indices.push_back(passed({scatter.indices()[k], bound_of(*each, k)}));
        builder.set_locations(each->locations());
        results.back() = builder.scatter(passed({scatter.updates(), std::nullopt}), results.back(),
                                         std::move(indices), scatter.combinator(), scatter.axes());
        results.back()->set_name(each->name());
      }
    }
    builder.return_(builder.tuple(results));
    set_result(*parts_.second, results);
  }

  const std::vector<NextValue>& next_values_;
  PartedFunction parts_;
  dlvm::BodyCopy copy_;
  std::vector<Chain> chains_;
  std::vector<dlvm::Value*> results_;  ///< of the first part
  /// The positions of what the second part takes among the results behind the others.
  std::map<Passed, std::size_t> passed_;
};

void renumber(Sequence& sequence, const std::vector<ValueId>& numbers) {
  const auto renumber_values = [&](auto&... values) { ((values = numbers[values]), ...); };
  for (Statement& statement : sequence) {
    if (auto* launch = std::get_if<Launch>(&statement.node)) {
      for (ValueId& value : launch->values) value = numbers[value];
    } else if (auto* swap = std::get_if<Swap>(&statement.node)) {
      renumber_values(swap->first, swap->second);
    } else if (auto* branch = std::get_if<Branch>(&statement.node)) {
      renumber_values(branch->condition);
      renumber(branch->then, numbers);
      renumber(branch->otherwise, numbers);
    } else if (auto* scope = std::get_if<Scope>(&statement.node)) {
      renumber(scope->body, numbers);
    }
  }
}

/// Puts the programs of two parts together.
class Joining {
 public:
  Joining(const dlvm::Function& function, const PartedFunction& parts, Program first)
      : parts_(parts), program_(std::move(first)), numbers_(program_.values.size()) {
    for (const Value& value : program_.values) names_.insert(value.name);
    std::vector<Value> values = std::exchange(program_.values, {});
    take(values, Value::Place::input);
    add_outputs(function, values);
    take(values, Value::Place::arena);
    take(values, Value::Place::literal);
    pass_on(values);
    renumber(program_.body, numbers_);
  }

  Program run(Program second) {
    KernelTable kernels;
    for (Kernel& kernel : program_.kernels) kernels.add(std::move(kernel));
    const auto first_site = static_cast<std::uint32_t>(program_.check_sites.size());
    for (CheckSite& site : second.check_sites) program_.check_sites.push_back(std::move(site));
    std::vector<std::uint32_t> kernel_numbers;
    for (Kernel& kernel : second.kernels) {
      walk<Scalar>(kernel.root, [&](Scalar& scalar) {
        if (auto* check = std::get_if<Scalar::Check>(&scalar.definition)) check->site += first_site;
      });
      kernel_numbers.push_back(kernels.add(std::move(kernel)));
    }
    std::vector<ValueId> numbers;
    for (Value& value : second.values) numbers.push_back(number_of(value));
    for (Statement& statement : second.body)
      if (auto* launch = std::get_if<Launch>(&statement.node))
        launch->kernel = kernel_numbers[launch->kernel];
    renumber(second.body, numbers);
    std::ranges::move(second.body, std::back_inserter(program_.body));
    program_.kernels = kernels.take();
    return std::move(program_);
  }

 private:
  ValueId add(Value value) {
    program_.values.push_back(std::move(value));
    return static_cast<ValueId>(program_.values.size() - 1);
  }

  void take(std::vector<Value>& values, Value::Place place) {
    for (ValueId id = 0; id < values.size(); ++id)
      if (values[id].place == place) numbers_[id] = add(std::move(values[id]));
  }

  /// Adds the outputs of the whole function in their order.
  void add_outputs(const dlvm::Function& function, std::vector<Value>& values) {
    std::map<std::uint32_t, ValueId> by_index;
    for (ValueId id = 0; id < values.size(); ++id)
      if (values[id].place == Value::Place::output) by_index[values[id].index] = id;
    const std::size_t count = parts_.results.size() + parts_.updates.size();
    for (std::uint32_t r = 0; r < count; ++r) {
      const auto kept = std::ranges::find(parts_.results, r);
      if (kept == parts_.results.end()) {
        add_updated(function, *std::ranges::find(parts_.updates, r, &NextValue::result));
        continue;
      }
      const ValueId id = by_index.at(static_cast<std::uint32_t>(kept - parts_.results.begin()));
      numbers_[id] = add(std::move(values[id]));
      program_.values.back().index = r;
    }
  }

  /// Makes what the first part returns besides the outputs values of the arena.
  void pass_on(std::vector<Value>& values) {
    for (ValueId id = 0; id < values.size(); ++id) {
      const std::size_t index = values[id].index;
      if (values[id].place != Value::Place::output || index < parts_.results.size()) continue;
      values[id].place = Value::Place::arena;
      values[id].index = 0;
      numbers_[id] = passed_[index - parts_.results.size()] = add(std::move(values[id]));
    }
  }

  void add_updated(const dlvm::Function& function, const NextValue& next) {
    const dlvm::Value& parameter = *function.entry().arguments()[next.parameter];
    updated_[next.result] = add({Value::Place::output,
                                 next.result,
                                 unique_name(parameter.name() + "_updated", names_),
                                 parameter.type().element(),
                                 parameter.type().shape(),
                                 {},
                                 next.parameter});
  }

  /// Returns the number that a value of the second part gets. Its outputs are in the memory of parameters.
  ValueId number_of(Value& value) {
    const std::size_t updates = parts_.updates.size();
    if (value.place == Value::Place::input)
      return value.index < updates ? updated_.at(parts_.updates[value.index].result)
                                   : passed_.at(value.index - updates);
    if (value.place == Value::Place::output) return updated_.at(parts_.updates[value.index].result);
    value.name = unique_name(value.name, names_);
    return add(std::move(value));
  }

  const PartedFunction& parts_;
  Program program_;
  std::vector<ValueId> numbers_;  ///< the new numbers of the first part's values
  std::set<std::string> names_;
  std::map<std::uint32_t, ValueId> updated_;  ///< by the result
  std::map<std::size_t, ValueId> passed_;     ///< what the second part takes
};

}  // namespace

std::optional<PartedFunction> part_in_place_results(const dlvm::Function& function,
                                                    const std::vector<NextValue>& next_values) {
  dlvm::Value* returned = next_values.empty() ? nullptr : returned_by(function);
  if (find_chains(function, returned, next_values).empty()) return std::nullopt;
  return Division(function, next_values).run();
}

Program join_parts(const dlvm::Function& function, const PartedFunction& parts, Program first,
                   Program second) {
  return Joining(function, parts, std::move(first)).run(std::move(second));
}

}  // namespace codegen::kernel
