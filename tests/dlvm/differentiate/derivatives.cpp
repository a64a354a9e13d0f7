#include "tests/dlvm/differentiate/derivatives.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/differentiate/differentiate.h"
#include "dlvm/pipeline.h"

namespace derivatives {
namespace {

constexpr double step = 1e-5;

/// Σ c (r + r² / 2) over the floating results, with the c as further arguments.
Function* scalarised(Module& module, const Function& function) {
  std::vector<Type> parameters = function.type().parameters();
  const std::size_t own = parameters.size();
  for (const Type& result : results_of(function.type()))
    if (result.is_tensor() && is_floating(result.element())) parameters.push_back(result);
  return define(module, module.fresh_name(function.name() + ".sum"), parameters,
                [&](Builder& b, const std::vector<Value*>& arguments) {
                  Value* value = b.apply(&function, {arguments.begin(), arguments.begin() + own});
                  Value* total = nullptr;
                  std::size_t next = own;
                  const std::vector<Type> results = results_of(function.type());
                  for (std::size_t i = 0; i < results.size(); ++i) {
                    if (!is_floating(results[i].element())) continue;
                    Value* r =
                        value->type().is_tuple() ? b.extract(value, static_cast<std::int64_t>(i)) : value;
                    Value* half = b.constant(r->type().element(), 0.5);
                    Value* bent = b.add(r, b.multiply(half, b.multiply(r, r)));
                    Value* weighted = b.multiply(arguments[next++], bent);
                    Integers axes;
                    for (std::size_t k = 0; k < r->type().rank(); ++k) axes.push_back(static_cast<int>(k));
                    Value* sum = b.cast(b.sum(weighted, axes), ElementType::f64);
                    total = total == nullptr ? sum : b.add(total, sum);
                  }
                  return total;
                });
}

std::vector<Tensor> run(const Function& function, const std::vector<Tensor>& inputs,
                        std::optional<std::string>& failure) {
  std::vector<RuntimeValue> arguments(inputs.begin(), inputs.end());
  InterpretOptions options;
  options.float64 = true;
  const Interpretation done = interpret(function, arguments, options);
  std::vector<Tensor> out;
  if (!done) {
    failure = done.error->text;
    return out;
  }
  if (done.value.is_tensor()) return {done.value.tensor()};
  for (const RuntimeValue& element : done.value.elements()) out.push_back(element.tensor());
  return out;
}

Integers differentiable_parameters(const Function& function) {
  Integers all;
  for (std::size_t i = 0; i < function.type().parameters().size(); ++i)
    if (is_differentiable(function.type().parameters()[i])) all.push_back(static_cast<std::int64_t>(i));
  return all;
}

double product(const Tensor& a, const Tensor& b, double& magnitude) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a.real(i) * b.real(i);
    magnitude += std::abs(a.real(i) * b.real(i));
  }
  return sum;
}

std::string messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.all())
    if (diagnostic.kind->severity == Severity::error) text += diagnostic.text + "; ";
  return text;
}

}  // namespace

Function* define(Module& module, std::string name, std::vector<Type> parameters,
                 const std::function<Value*(Builder&, const std::vector<Value*>&)>& body) {
  // The result's type is known once the body is there.
  Function trial(name, Type::function(parameters, Type()));
  const auto build = [&](Function& into) {
    BasicBlock* entry = into.add_entry();
    Builder b(*entry);
    std::vector<Value*> arguments;
    for (const auto& argument : entry->arguments()) arguments.push_back(argument.get());
    Value* result = body(b, arguments);
    b.return_(result);
    return result->type();
  };
  const Type result = build(trial);
  Function* function = module.add_function(std::move(name), Type::function(std::move(parameters), result));
  build(*function);
  return function;
}

Function* declare(Module& module, std::string name, GradientDeclaration declaration) {
  std::string why;
  const auto type = gradient_type(declaration, why);
  REQUIRE_MESSAGE(type.has_value(), why);
  Function* function = module.add_function(std::move(name), *type);
  function->gradient = std::move(declaration);
  return function;
}

Tensor draw(std::mt19937_64& random, ElementType element, std::vector<std::int64_t> extents, double low,
            double high) {
  Tensor tensor(element, std::move(extents));
  std::uniform_real_distribution<double> uniform(low, high);
  for (std::size_t i = 0; i < tensor.size(); ++i) {
    const double value = uniform(random);
    tensor.set(i, is_floating(element) ? value : std::floor(value));
  }
  return tensor;
}

std::vector<Tensor> evaluate(const Function& function, const std::vector<Tensor>& inputs) {
  std::optional<std::string> failure;
  auto out = run(function, inputs, failure);
  REQUIRE_MESSAGE(!failure, failure.value_or(""));
  return out;
}

std::vector<Order> declare_orders(Module& module, const Function& function, int orders) {
  GradientDeclaration declaration;
  declaration.wrt = differentiable_parameters(function);
  std::vector<Order> made;
  const Function* next = &function;
  for (int order = 0; order < orders; ++order) {
    Function* sum = scalarised(module, *next);
    declaration.of = sum;
    Function* gradient = declare(module, module.fresh_name(sum->name() + ".gradient"), declaration);
    made.push_back({sum, gradient});
    next = gradient;
  }
  return made;
}

Disagreement disagreement(Module& module, const Function& function, const std::vector<Tensor>& inputs,
                          int orders, std::uint64_t seed, Through through) {
  const Integers wrt = differentiable_parameters(function);
  const std::vector<Order> made = declare_orders(module, function, orders);
  Disagreement out;
  Diagnostics diagnostics;
  PipelineOptions options;
  if (through == Through::budget) options.memory_budget = MemoryBudget{25, true};
  if (through == Through::differentiation ? !differentiate(module, diagnostics)
                                          : !optimize(module, diagnostics, options)) {
    out.failure = messages(diagnostics);
    return out;
  }
  std::mt19937_64 random(seed);
  std::vector<Tensor> arguments = inputs;
  const std::vector<Tensor> values = run(function, inputs, out.failure);
  if (out.failure) return out;
  for (const Tensor& value : values)
    if (is_floating(value.element()))
      arguments.push_back(draw(random, value.element(), value.extents(), -1, 1));
  for (int order = 0; order < orders; ++order) {
    const std::vector<Tensor> gradient = run(*made[order].gradient, arguments, out.failure);
    if (out.failure) return out;
    double largest = 0;
    out.by_order.push_back(0);
    for (const Tensor& g : gradient)
      for (std::size_t e = 0; e < g.size(); ++e) largest = std::max(largest, std::abs(g.real(e)));
    for (std::size_t k = 0; k < wrt.size(); ++k) {
      const auto input = static_cast<std::size_t>(wrt[k]);
      for (std::size_t e = 0; e < arguments[input].size(); ++e) {
        const double at = arguments[input].real(e);
        const auto value = [&](double x) {
          std::vector<Tensor> moved = arguments;
          moved[input].set(e, x);
          const auto result = run(*made[order].sum, moved, out.failure);
          return out.failure ? 0.0 : result[0].real(0);
        };
        const double right = value(at + step), left = value(at - step);
        const double expected =
            (8 * (right - left) - (value(at + 2 * step) - value(at - 2 * step))) / (12 * step);
        if (out.failure) return out;
        const double g = gradient[k].real(e);
        // What rounds a value of this size is 1e-10 of it in the quotient.
        const double rounding = 1e-4 * std::max(1.0, std::abs(right));
        double off = std::abs(g - expected) / (std::abs(g) + largest + rounding);
        if (std::isnan(off)) off = INFINITY;
        out.by_order.back() = std::max(out.by_order.back(), off);
        if (off > out.worst) {
          out.worst = off;
          out.where = "order " + std::to_string(order + 1) + ", input " + std::to_string(input) +
                      ", element " + std::to_string(e) + ": " + std::to_string(g) + " against " +
                      std::to_string(expected);
        }
      }
    }
    for (const Tensor& g : gradient) arguments.push_back(draw(random, g.element(), g.extents(), -1, 1));
  }
  return out;
}

std::optional<double> forward_disagreement(Module& module, const Function& function,
                                           const std::vector<Tensor>& inputs, std::uint64_t seed) {
  GradientDeclaration declaration;
  declaration.of = &function;
  declaration.wrt = differentiable_parameters(function);
  declaration.mode = GradientDeclaration::Mode::forward;
  const Function* forward = declare(module, module.fresh_name("forward"), declaration);
  declaration.mode = GradientDeclaration::Mode::reverse;
  declaration.seedable = true;
  const Function* reverse = declare(module, module.fresh_name("reverse"), declaration);
  Diagnostics diagnostics;
  if (!differentiate(module, diagnostics)) return std::nullopt;
  std::mt19937_64 random(seed);
  std::vector<Tensor> arguments = inputs, tangents;
  for (const auto i : *declaration.wrt) {
    const Tensor& input = inputs[static_cast<std::size_t>(i)];
    tangents.push_back(draw(random, input.element(), input.extents(), -1.5, 1.5));
  }
  arguments.insert(arguments.end(), tangents.begin(), tangents.end());
  const Tensor tangent = evaluate(*forward, arguments)[0];
  const Tensor cotangent = draw(random, tangent.element(), tangent.extents(), -1, 1);
  arguments = inputs;
  arguments.push_back(cotangent);
  const std::vector<Tensor> derivatives = evaluate(*reverse, arguments);
  double scale = 1e-300, by_reverse = 0;
  const double by_forward = product(cotangent, tangent, scale);
  for (std::size_t i = 0; i < tangents.size(); ++i) by_reverse += product(derivatives[i], tangents[i], scale);
  if (!std::isfinite(scale)) return std::isfinite(by_forward) == std::isfinite(by_reverse) ? 0 : 1;
  return std::abs(by_forward - by_reverse) / scale;
}

}  // namespace derivatives
