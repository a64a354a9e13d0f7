#include "frontend/lower/step.h"

#include <algorithm>
#include <iterator>

namespace frontend::lower {
namespace {

using dlvm::ElementType;
using dlvm::Type;
using dlvm::Value;
using Declarations = std::vector<const Declaration*>;

/// The sum of the squares of all elements, as a value of that type.
Value* sum_of_squares(Value* x, ElementType type, dlvm::Builder& builder) {
  if (x->type().element() != type) x = builder.cast(x, type);
  dlvm::Integers axes;
  for (std::size_t axis = 0; axis < x->type().rank(); ++axis) axes.push_back(static_cast<std::int64_t>(axis));
  return builder.sum(builder.multiply(x, x), std::move(axes));
}

/// Makes the one block of the function.
class StepLowering {
 public:
  StepLowering(const StepParts& parts, dlvm::Function& function, Functions& functions)
      : parts_(parts), function_(function), body_(functions, function, true) {}

  void run() {
    body_.builder().set_locations({parts_.entry.location});
    call_gradient();
    set_norm();
    std::vector<Value*> results = kept_results();
    std::vector<Value*> parameters;
    for (const auto& update : parts_.optimizer.updates) {
      const check::Body& body = update.value->body;
      body_.build_constants(body);
      updates_.push_back(body_.build(body, {0, body.nodes.size(), update.results}));
      parameters.push_back(updates_.back().front());
    }
    results.insert(results.end(), parameters.begin(), parameters.end());
    for (std::size_t i = 1; i < updates_.front().size(); ++i)
      for (const auto& values : updates_) results.push_back(values[i]);
    body_.builder().set_locations({});
    body_.builder().return_(body_.builder().tuple(std::move(results)));
  }

 private:
  Value* argument(std::size_t i) const { return function_.entry().arguments()[i].get(); }

  void call_gradient() {
    std::vector<Value*> arguments;
    const std::size_t given = parts_.given.size();
    for (std::size_t i = 0; i < given; ++i) {
      arguments.push_back(argument(i));
      body_.set(*parts_.given[i], argument(i));
    }
    const Declarations memory = memory_of(parts_.optimizer);
    for (std::size_t i = 0; i < memory.size(); ++i) body_.set(*memory[i], argument(given + i));
    if (parts_.draws) arguments.push_back(argument(given + memory.size()));
    gradient_ = body_.builder().apply(&parts_.gradient, std::move(arguments));
    for (std::size_t i = 0; i < parts_.entry.wrt.size(); ++i)
      body_.set(*parts_.optimizer.updates[i].derivative, part(i));
  }

  Value* part(std::size_t i) { return body_.builder().extract(gradient_, static_cast<std::int64_t>(i)); }

  void set_norm() {
    const Declaration* norm = parts_.optimizer.norm;
    if (norm == nullptr) return;
    Value* sum = nullptr;
    for (const auto& update : parts_.optimizer.updates) {
      Value* squares =
          sum_of_squares(body_.value(*update.derivative), norm->type.element.type, body_.builder());
      sum = sum == nullptr ? squares : body_.builder().add(sum, squares);
    }
    body_.set(*norm, body_.builder().unary(dlvm::Opcode::sqrt, sum));
  }

  /// What the gradient keeps. Those results that are arguments of the updates alone stay here.
  std::vector<Value*> kept_results() {
    const auto& all = parts_.entry.results;
    std::vector<Value*> values;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Value* value = part(parts_.entry.wrt.size() + i);
      body_.set(*all[i], value);
      if (i + parts_.optimizer.arguments.size() < all.size()) values.push_back(value);
    }
    return values;
  }

  const StepParts& parts_;
  dlvm::Function& function_;
  BodyLowering body_;
  Value* gradient_ = nullptr;
  std::vector<std::vector<Value*>> updates_;  ///< for each parameter its next value and those of its memory
};

}  // namespace

Declarations memory_of(const check::Optimizer& optimizer) {
  Declarations all;
  for (std::size_t i = 0; i < optimizer.updates.front().memory.size(); ++i)
    for (const auto& update : optimizer.updates) all.push_back(update.memory[i]);
  return all;
}

Declarations updated(const check::Optimizer& optimizer) {
  Declarations all;
  for (const auto& update : optimizer.updates) all.push_back(update.parameter);
  std::ranges::copy(memory_of(optimizer), std::back_inserter(all));
  return all;
}

dlvm::Function* lower_step(const StepParts& parts, Functions& functions) {
  std::vector<Type> parameters, results;
  std::vector<std::string> names;
  const auto parameter = [&](const Declaration& d) {
    parameters.push_back(d.type.dlvm());
    names.push_back(d.name);
  };
  for (const Declaration* d : parts.given) parameter(*d);
  for (const Declaration* d : memory_of(parts.optimizer)) parameter(*d);
  if (parts.draws) parameters.push_back(Type::scalar(ElementType::u64)), names.emplace_back("seed");
  const auto& kept = parts.entry.results;
  for (std::size_t i = 0; i + parts.optimizer.arguments.size() < kept.size(); ++i)
    results.push_back(kept[i]->type.dlvm());
  for (const Declaration* d : updated(parts.optimizer)) results.push_back(d->type.dlvm());
  dlvm::Function* function =
      functions.add(parts.entry.name, Type::function(std::move(parameters), Type::tuple(std::move(results))));
  function->location = parts.entry.location;
  function->requirements = parts.gradient.gradient->of->requirements;
  function->add_entry(names);
  StepLowering(parts, *function, functions).run();
  return function;
}

}  // namespace frontend::lower
