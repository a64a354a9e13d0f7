// Random expressions, as text, as numbers modulo 5, and as the tables that the network reads.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../shared/dataset.hpp"

constexpr std::int32_t modulus = 5;

/// A digit, or an operation with its two operands.
struct Expression {
  std::int32_t kind;  // a digit, or modulus + 0 … 3 for sum, difference, product and larger
  std::unique_ptr<Expression> left, right;
};

/// Draws an expression of exactly this depth: 0 is a digit.
inline std::unique_ptr<Expression> draw(std::size_t depth, Random& random) {
  if (depth == 0)
    return std::make_unique<Expression>(Expression{std::int32_t(random.below(modulus)), {}, {}});
  auto deep = draw(depth - 1, random), other = draw(random.below(depth), random);
  if (random.below(2) == 1) std::swap(deep, other);
  const auto operation = modulus + std::int32_t(random.below(4));
  return std::make_unique<Expression>(Expression{operation, std::move(deep), std::move(other)});
}

inline std::int32_t value(const Expression& e) {
  if (e.kind < modulus) return e.kind;
  const std::int32_t a = value(*e.left), b = value(*e.right);
  switch (e.kind - modulus) {
    case 0:
      return (a + b) % modulus;
    case 1:
      return (a + modulus - b) % modulus;
    case 2:
      return a * b % modulus;
    default:
      return std::max(a, b);
  }
}

inline std::string text(const Expression& e) {
  if (e.kind < modulus) return std::to_string(e.kind);
  if (e.kind == modulus + 3) return "max(" + text(*e.left) + ", " + text(*e.right) + ")";
  constexpr std::array<std::string_view, 3> signs{" + ", " - ", " * "};
  return "(" + text(*e.left) + std::string(signs[std::size_t(e.kind - modulus)]) + text(*e.right) + ")";
}

/// Several expressions as one table of nodes.
struct Batch {
  std::vector<std::int32_t> kind, value;
  std::vector<std::int64_t> left, right, root;
  std::size_t depth = 1;  // of the deepest expression, its digits included

  void add(const Expression& e) {
    root.push_back(add_node(e, 1));
    value.push_back(::value(e));
  }

  /// Writes the tables as safetensors: the length of a header, the header in JSON, the elements.
  void save(const std::string& path) const {
    std::string header = "{", elements;
    const auto append = [&](const char* name, const char* type, const auto& tensor) {
      const std::size_t first = elements.size();
      elements.append(reinterpret_cast<const char*>(tensor.data()), tensor.size() * sizeof tensor[0]);
      header += std::string(header.size() > 1 ? "," : "") + '"' + name + "\":{\"dtype\":\"" + type +
                "\",\"shape\":[" + std::to_string(tensor.size()) + "],\"data_offsets\":[" +
                std::to_string(first) + "," + std::to_string(elements.size()) + "]}";
    };
    append("left", "I64", left);
    append("right", "I64", right);
    append("root", "I64", root);
    append("kind", "I32", kind);
    append("value", "I32", value);
    header += "}";
    std::ofstream file(path, std::ios::binary);
    for (std::size_t i = 0; i < 8; ++i) file.put(char(header.size() >> (8 * i) & 255));
    file << header << elements;
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
  }

 private:
  std::int64_t add_node(const Expression& e, std::size_t at) {
    depth = std::max(depth, at);
    const std::int64_t l = e.left ? add_node(*e.left, at + 1) : -1;
    const std::int64_t r = e.right ? add_node(*e.right, at + 1) : -1;
    kind.push_back(e.kind);
    left.push_back(l);
    right.push_back(r);
    return std::int64_t(kind.size()) - 1;
  }
};
