#include "dlvm/interpret/products.h"

#include <algorithm>

#include "dlvm/interpret/operations.h"

namespace dlvm::evaluation {
namespace {

/// The sums of so many columns stay in registers over all factors.
template <std::size_t width, typename Number>
void add(const Number* factors, const Number* row, std::size_t depth, Number* sums) {
  Number local[width];
  std::copy_n(sums, width, local);
  for (std::size_t k = 0; k < depth; ++k)
    for (std::size_t column = 0; column < width; ++column)
      local[column] = Add()(local[column], Multiply()(factors[k], row[k * width + column]));
  std::copy_n(local, width, sums);
}

}  // namespace

template <typename Number>
Panel<Number>::Panel(std::size_t depth, std::size_t width)
    : stride_(width > 4   ? widest
              : width > 1 ? 4
                          : 1),
      elements_(depth * stride_) {}

template <typename Number>
void Panel<Number>::add_products(const Number* factors, std::size_t first, std::size_t depth,
                                 Number* sums) const {
  const Number* row = elements_.data() + first * stride_;
  if (stride_ == widest)
    add<widest>(factors, row, depth, sums);
  else if (stride_ == 4)
    add<4>(factors, row, depth, sums);
  else
    add<1>(factors, row, depth, sums);
}

template class Panel<double>;
template class Panel<std::int64_t>;

}  // namespace dlvm::evaluation
