// Random expressions, as text, as numbers modulo 5, and as nodes that the network reads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../shared/dataset.hpp"
#include "tree.hpp"

constexpr std::int32_t modulus = 5;

/// A digit, or an operation with its two operands.
struct Expression {
  tree::ExpressionNodes::Node node;
  std::int32_t value;
  std::string text;
};

/// Several expressions, and the nodes of all.
struct Batch {
  tree::ExpressionNodes nodes;
  std::vector<tree::ExpressionNodes::Node> roots;
  std::vector<std::int32_t> values;

  /// Adds a random expression of exactly this depth, where 0 is a digit.
  Expression add(std::size_t depth, Random& random) {
    Expression added = draw(depth, random);
    roots.push_back(added.node);
    values.push_back(added.value);
    return added;
  }

 private:
  Expression draw(std::size_t depth, Random& random) {
    if (depth == 0) {
      const auto digit = std::int32_t(random.below(modulus));
      return {nodes.digit(digit), digit, std::to_string(digit)};
    }
    Expression a = draw(depth - 1, random), b = draw(random.below(depth), random);
    if (random.below(2) == 1) std::swap(a, b);
    const auto infix = [&](const char* sign) { return "(" + a.text + sign + b.text + ")"; };
    switch (random.below(4)) {
      case 0:
        return {nodes.sum(a.node, b.node), (a.value + b.value) % modulus, infix(" + ")};
      case 1:
        return {nodes.difference(a.node, b.node), (a.value + modulus - b.value) % modulus, infix(" - ")};
      case 2:
        return {nodes.product(a.node, b.node), a.value * b.value % modulus, infix(" * ")};
      default:
        return {nodes.larger(a.node, b.node), std::max(a.value, b.value),
                "max(" + a.text + ", " + b.text + ")"};
    }
  }
};
