// Sums of products, for the interpreter's contractions and convolutions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dlvm::evaluation {

/// A matrix [depth x width] of up to `widest` columns, by which rows are multiplied.
template <typename Number>
class Panel {
 public:
  static constexpr std::size_t widest = 16;

  /// Makes a matrix of zeros.
  Panel(std::size_t depth, std::size_t width);
  Number& at(std::size_t k, std::size_t column) { return elements_[k * stride_ + column]; }

  /// Adds the products of `depth` factors and the rows from `first` on to the sums of the columns, of which
  /// there are `widest`. Each sum gets its products one by one, in the order of the factors.
  void add_products(const Number* factors, std::size_t first, std::size_t depth, Number* sums) const;

 private:
  std::size_t stride_;  ///< 1, 4 or `widest`; columns beyond the width are zero
  std::vector<Number> elements_;
};

extern template class Panel<double>;
extern template class Panel<std::int64_t>;

}  // namespace dlvm::evaluation
