#include "dlvm/interpret/monoid.h"

#include <fmt/format.h>

#include <array>

#include "dlvm/interpret/operations.h"
#include "dlvm/support/internal_error.h"

namespace dlvm::evaluation {
namespace {

struct Monoid {
  Opcode opcode;
  double (*real)(double, double);
  std::int64_t (*of_signed)(std::int64_t, std::int64_t);
  std::int64_t (*of_unsigned)(std::int64_t, std::int64_t);
};

template <typename Operation>
constexpr Monoid numeric(Opcode opcode) {
  return {opcode, [](double x, double y) { return Operation()(x, y); },
          [](std::int64_t x, std::int64_t y) { return Operation()(x, y); },
          [](std::int64_t x, std::int64_t y) {
            return static_cast<std::int64_t>(
                Operation()(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)));
          }};
}
template <typename Operation>
constexpr Monoid logical(Opcode opcode) {
  return {opcode, nullptr, [](std::int64_t x, std::int64_t y) { return Operation()(x, y); }, nullptr};
}

constexpr std::array monoids{numeric<Add>(Opcode::add),  numeric<Multiply>(Opcode::multiply),
                             numeric<Min>(Opcode::min),  numeric<Max>(Opcode::max),
                             logical<And>(Opcode::and_), logical<Or>(Opcode::or_)};

const Monoid& monoid(Opcode opcode) {
  for (const Monoid& row : monoids)
    if (row.opcode == opcode) return row;
  internal_error(
      fmt::format("{} combines elements and has no row in the interpreter", definition(opcode).name));
}

Tensor element_of(const Tensor& values, std::size_t at) {
  Tensor scalar(values.element(), {});
  std::copy_n(values.data() + at * scalar.byte_count(), scalar.byte_count(), scalar.data());
  return scalar;
}

}  // namespace

Accumulators::Accumulators(Evaluation& e, const Combinator& by, ElementType element, std::size_t count)
    : e_(e), function_(by.function) {
  if (function_ != nullptr) {
    scalars_.resize(count);
  } else if (is_floating(element)) {
    real_ = monoid(by.opcode).real;
    reals_.resize(count);
  } else {
    const Monoid& row = monoid(by.opcode);
    integer_ = element == ElementType::u64 ? row.of_unsigned : row.of_signed;
    integers_.resize(count);
  }
}

void Accumulators::start(std::size_t i, const Tensor& values, std::size_t at) {
  if (function_ != nullptr)
    scalars_[i] = element_of(values, at);
  else if (real_ != nullptr)
    reals_[i] = values.real(at);
  else
    integers_[i] = values.integer(at);
}

bool Accumulators::step(std::size_t i, const Tensor& values, std::size_t at) {
  if (function_ == nullptr) {
    if (real_ != nullptr)
      reals_[i] = real_(reals_[i], values.real(at));
    else
      integers_[i] = integer_(integers_[i], values.integer(at));
    return true;
  }
  auto combined = e_.call(
      *function_, {RuntimeValue(std::move(scalars_[i])), RuntimeValue(element_of(values, at))}, e_.error);
  if (!combined) return false;
  scalars_[i] = combined->tensor();
  return true;
}

void Accumulators::write(std::size_t i, Tensor& result, std::size_t at) const {
  if (function_ != nullptr) {
    const std::size_t bytes = scalars_[i].byte_count();
    std::copy_n(scalars_[i].data(), bytes, result.data() + at * bytes);
  } else if (real_ != nullptr) {
    result.set(at, reals_[i]);
  } else {
    result.set(at, integers_[i]);
  }
}

}  // namespace dlvm::evaluation
