#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"

/// Functions built in a few lines, differentiated to several orders, and held against central differences in
/// float64.
namespace derivatives {

using namespace dlvm;

inline Type f64(Shape shape = {}) { return Type::tensor(ElementType::f64, std::move(shape)); }

/// Adds `name` with these parameters; `body` gives the value that it returns.
Function* define(Module& module, std::string name, std::vector<Type> parameters,
                 const std::function<Value*(Builder&, const std::vector<Value*>&)>& body);

/// Declares the gradient of `of`; its type is as it should be.
Function* declare(Module& module, std::string name, GradientDeclaration declaration);

/// Uniform in [low, high), or integers there.
Tensor draw(std::mt19937_64& random, ElementType element, std::vector<std::int64_t> extents, double low,
            double high);

/// One order of derivatives of a function f: `sum` is Σ c (r + r² / 2) over its floating results r, with
/// the c as further arguments, and `gradient` the derivatives of the sum by f's floating parameters.
struct Order {
  Function *sum, *gradient;
};
/// Declares so many orders; each differentiates the gradient of the one before.
std::vector<Order> declare_orders(Module& module, const Function& function, int orders);

/// The largest disagreement of the derivatives of Σ c (r + r² / 2), over the floating results r of `function`
/// and drawn c, with central differences: relative to |g| + max |g|, over each floating input. Of the
/// first `orders` orders (the next differentiates Σ v g of the one before, again with the square). Nothing,
/// and the reason, where differentiation or evaluation fails. The module goes through the pass, or through
/// the whole pipeline, on the way.
enum class Through { differentiation, pipeline, budget };
struct Disagreement {
  double worst = 0;
  std::vector<double> by_order;  ///< the worst of each order
  std::string where;
  std::optional<std::string> failure;
};
Disagreement disagreement(Module& module, const Function& function, const std::vector<Tensor>& inputs,
                          int orders, std::uint64_t seed = 1, Through through = Through::differentiation);

/// Returns how far cotangent * (J * tangents) of forward mode is from (cotangent * J) * tangents of reverse
/// mode, relative to their terms, for the first result of `function` by its floating inputs, along drawn
/// directions. Returns nothing where differentiation fails.
std::optional<double> forward_disagreement(Module& module, const Function& function,
                                           const std::vector<Tensor>& inputs, std::uint64_t seed = 1);

/// The value of a function of tensors, flattened; the test fails where there is none.
std::vector<Tensor> evaluate(const Function& function, const std::vector<Tensor>& inputs);

}  // namespace derivatives
