#pragma once

#include <cstdint>
#include <iterator>
#include <random>
#include <vector>

#include "dlvm/interpret/interpret.h"

namespace fuzz {

/// The base class of generators, which draws their choices. The same seed gives the same choices.
class Draw {
 protected:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename List>
  auto pick(const List& list) {
    return list[below(std::size(list))];
  }

  /// Returns arguments for a function of a number, a row of three, an integer among seven from `least` on,
  /// and a condition. `number` draws the numbers.
  template <typename Number>
  std::vector<dlvm::RuntimeValue> draw_inputs(dlvm::ElementType element, Number number, std::int64_t least) {
    dlvm::Tensor row(element, {3});
    for (std::size_t i = 0; i < 3; ++i) row.set(i, number());
    return {dlvm::Tensor::scalar(element, number()), row,
            dlvm::Tensor::scalar(dlvm::ElementType::i32, static_cast<std::int64_t>(below(7)) + least),
            dlvm::Tensor::scalar(dlvm::ElementType::boolean, static_cast<std::int64_t>(below(2)))};
  }

  std::mt19937_64 random_;
};

}  // namespace fuzz
