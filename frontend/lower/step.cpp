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

/// Whether all elements are true.
Value* all(Value* x, dlvm::Builder& builder) {
  dlvm::Integers axes;
  for (std::size_t axis = 0; axis < x->type().rank(); ++axis) axes.push_back(static_cast<std::int64_t>(axis));
  if (axes.empty()) return x;
  return builder.reduce(x, {dlvm::Opcode::and_}, builder.constant(ElementType::boolean, 1), std::move(axes));
}

/// Makes the one block of the function.
class StepLowering {
 public:
  StepLowering(const StepParts& parts, dlvm::Function& function, Functions& functions)
      : parts_(parts), function_(function), body_(functions, function, true) {}

  void run() {
    body_.builder().set_locations({parts_.entry.location});
    call_gradient();
    set_results();
    set_derivatives();
    set_norm();
    std::vector<Value*> results = kept_results();
    std::vector<Value*> parameters;
    for (const auto& update : parts_.optimizer.updates) {
      const check::Body& body = update.value->body;
      body_.build_constants(body);
      updates_.push_back(body_.build(body, {0, body.nodes.size(), update.results}));
      take_if_finite(update);
      parameters.push_back(updates_.back().front());
    }
    results.insert(results.end(), parameters.begin(), parameters.end());
    for (std::size_t i = 1; i < updates_.front().size(); ++i)
      for (const auto& values : updates_) results.push_back(values[i]);
    if (parts_.optimizer.dynamic) next_factor(*parts_.optimizer.dynamic, results);
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
  }

  /// Of a loss with a factor the derivatives are divided by it; whether they all are finite is known then.
  void set_derivatives() {
    dlvm::Builder& builder = body_.builder();
    const Declaration* factor = parts_.optimizer.factor;
    for (std::size_t i = 0; i < parts_.entry.wrt.size(); ++i) {
      const Declaration& derivative = *parts_.optimizer.updates[i].derivative;
      Value* value = part(i);
      if (factor != nullptr) {
        const ElementType type = derivative.type.element.type;
        Value* by = body_.value(*factor);
        if (by->type().element() != type) by = builder.cast(by, type);
        if (value->type().element() != type) value = builder.cast(value, type);
        value = builder.multiply(value, builder.divide(builder.constant(type, 1), by));
        Value* finite = all(builder.unary(dlvm::Opcode::isFinite, value), builder);
        finite_ = finite_ == nullptr ? finite : builder.binary(dlvm::Opcode::and_, finite_, finite);
      }
      body_.set(derivative, value);
    }
  }

  /// The value if all derivatives are finite, otherwise what it was before the step.
  Value* if_finite(Value* value, const Declaration& before) {
    return finite_ == nullptr ? value : body_.builder().select(value, body_.value(before), finite_);
  }

  void take_if_finite(const check::Optimizer::Update& update) {
    std::vector<Value*>& values = updates_.back();
    values.front() = if_finite(values.front(), *update.parameter);
    for (std::size_t i = 1; i < values.size(); ++i) values[i] = if_finite(values[i], *update.memory[i - 1]);
  }

  /// What the states of a factor that follows the derivatives become. It stays where it or its reciprocal
  /// would be infinite.
  void next_factor(const check::DynamicScaling& dynamic, std::vector<Value*>& results) {
    dlvm::Builder& builder = body_.builder();
    const auto number = [&](const check::Number& x) {
      return builder.constant(ElementType::f32, *x.nearest(ElementType::f32));
    };
    Value *factor = body_.value(*dynamic.factor), *steps = body_.value(*dynamic.steps);
    Value* count = builder.add(steps, builder.constant(ElementType::i64, 1));
    Value* interval = builder.constant(ElementType::i64, static_cast<double>(*dynamic.interval.integer()));
    Value* grows = builder.binary(dlvm::Opcode::greaterThanOrEqual, count, interval);
    Value* larger = builder.multiply(factor, number(dynamic.growth));
    larger = builder.select(larger, factor, builder.unary(dlvm::Opcode::isFinite, larger));
    Value* smaller = builder.multiply(factor, number(dynamic.backoff));
    Value* reciprocal = builder.divide(builder.constant(ElementType::f32, 1), smaller);
    smaller = builder.select(smaller, factor, builder.unary(dlvm::Opcode::isFinite, reciprocal));
    Value* zero = builder.constant(ElementType::i64, 0);
    results.push_back(builder.select(builder.select(zero, count, grows), zero, finite_));
    results.push_back(builder.select(builder.select(larger, factor, grows), smaller, finite_));
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

  /// What the gradient keeps.
  void set_results() {
    const auto& all = parts_.entry.results;
    for (std::size_t i = 0; i < all.size(); ++i) body_.set(*all[i], part(parts_.entry.wrt.size() + i));
  }

  /// The results of the step. Those that are arguments of the updates alone stay here, and a step without
  /// finite derivatives is not counted.
  std::vector<Value*> kept_results() {
    const auto& all = parts_.entry.results;
    std::vector<Value*> values;
    for (std::size_t i = 0; i + parts_.optimizer.arguments.size() < all.size(); ++i) {
      Value* value = body_.value(*all[i]);
      const bool counts = all[i]->state != nullptr && all[i]->state == parts_.optimizer.count;
      values.push_back(counts ? if_finite(value, *parts_.optimizer.count) : value);
    }
    return values;
  }

  const StepParts& parts_;
  dlvm::Function& function_;
  BodyLowering body_;
  Value* gradient_ = nullptr;
  Value* finite_ = nullptr;  ///< whether all derivatives are finite; null where every step is taken
  std::vector<std::vector<Value*>> updates_;  ///< for each parameter its next value and those of its memory
};

}  // namespace

Declarations memory_of(const check::Optimizer& optimizer) {
  Declarations all;
  for (std::size_t i = 0; i < optimizer.updates.front().memory.size(); ++i)
    for (const auto& update : optimizer.updates) all.push_back(update.memory[i]);
  if (optimizer.dynamic) all.push_back(optimizer.dynamic->steps);
  return all;
}

Declarations updated(const check::Optimizer& optimizer) {
  Declarations all;
  for (const auto& update : optimizer.updates) all.push_back(update.parameter);
  std::ranges::copy(memory_of(optimizer), std::back_inserter(all));
  if (optimizer.dynamic) all.push_back(optimizer.dynamic->factor);
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
