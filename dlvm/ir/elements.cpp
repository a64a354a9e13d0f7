#include "dlvm/ir/elements.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace dlvm::elements {
namespace {

template <typename To, typename From>
void convert_all(const std::byte* from, std::size_t count, std::vector<To>& to) {
  to.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    From value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    to[i] = static_cast<To>(value);
  }
}

/// Copies `count` elements of so many bytes, whose distances are counted in elements.
template <std::size_t bytes>
void copy_row(const std::byte* from, std::int64_t from_stride, std::byte* to, std::int64_t to_stride,
              std::int64_t count) {
  constexpr auto step = static_cast<std::int64_t>(bytes);
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * to_stride * step, from + i * from_stride * step, bytes);
}

using CopyRow = void (*)(const std::byte*, std::int64_t, std::byte*, std::int64_t, std::int64_t);

CopyRow copy_row_of(std::size_t bytes) {
  return bytes == 8 ? copy_row<8> : bytes == 4 ? copy_row<4> : bytes == 2 ? copy_row<2> : copy_row<1>;
}

}  // namespace

std::int64_t element_count(const std::vector<std::int64_t>& extents) {
  std::int64_t count = 1;
  for (const auto extent : extents) count *= extent;
  return count;
}

std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t i = extents.size(); i-- > 1;) strides[i - 1] = strides[i] * extents[i];
  return strides;
}

std::string position(const std::vector<std::int64_t>& extents, std::size_t i) {
  std::vector<std::int64_t> at;
  auto rest = static_cast<std::int64_t>(i);
  for (const auto stride : strides_of(extents)) {
    at.push_back(stride == 0 ? 0 : rest / stride);
    rest -= at.back() * stride;
  }
  return fmt::format("[{}]", fmt::join(at, ", "));
}

std::vector<double> reals(const Tensor& tensor) {
  std::vector<double> values;
  if (tensor.element() == ElementType::f32) {
    convert_all<double, float>(tensor.data(), tensor.size(), values);
  } else if (tensor.element() == ElementType::f64) {
    convert_all<double, double>(tensor.data(), tensor.size(), values);
  } else {
    values.resize(tensor.size());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.real(i);
  }
  return values;
}

std::vector<std::int64_t> integers(const Tensor& tensor) {
  std::vector<std::int64_t> values(tensor.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = tensor.integer(i);
  return values;
}

void assign(Tensor& tensor, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set(i, values[i]);
}

void assign(Tensor& tensor, const std::vector<std::int64_t>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set(i, values[i]);
}

double to_odd(std::uint64_t value) {
  const int excess = 64 - std::countl_zero(value) - 53;
  if (excess <= 0) return static_cast<double>(value);
  const std::uint64_t dropped = value & ((std::uint64_t{1} << excess) - 1);
  value -= dropped;
  if (dropped != 0) value |= std::uint64_t{1} << excess;
  return static_cast<double>(value);
}

double to_odd(std::int64_t value) {
  if (value >= 0) return to_odd(static_cast<std::uint64_t>(value));
  return -to_odd(std::uint64_t{0} - static_cast<std::uint64_t>(value));
}

Tensor converted(const Tensor& tensor, ElementType to) {
  if (tensor.element() == to) return tensor;
  Tensor result(to, tensor.extents());
  const std::size_t count = tensor.size();
  if (is_floating(tensor.element())) {
    for (std::size_t i = 0; i < count; ++i) result.set(i, tensor.real(i));
  } else if (!is_floating(to)) {
    for (std::size_t i = 0; i < count; ++i) result.set(i, tensor.integer(i));
  } else {
    const bool wide = to == ElementType::f64, u64 = tensor.element() == ElementType::u64;
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t value = tensor.integer(i);
      const auto bits = static_cast<std::uint64_t>(value);
      const double exact_or_odd = u64 ? to_odd(bits) : to_odd(value);
      const double nearest = u64 ? static_cast<double>(bits) : static_cast<double>(value);
      result.set(i, wide ? nearest : exact_or_odd);
    }
  }
  return result;
}

void copy(const Tensor& from, const Walk& source, Tensor& to, const Walk& target,
          const std::vector<std::int64_t>& extents) {
  if (element_count(extents) == 0) return;
  const auto bytes = static_cast<std::int64_t>(info(to.element()).bytes);
  const CopyRow copy_row = copy_row_of(info(to.element()).bytes);
  const std::size_t outer = extents.empty() ? 0 : extents.size() - 1;  // the last axis is a row
  const std::int64_t row = extents.empty() ? 1 : extents[outer];
  const std::int64_t source_step = extents.empty() ? 0 : source.strides[outer];
  const std::int64_t target_step = extents.empty() ? 0 : target.strides[outer];
  std::vector<std::int64_t> position(outer, 0);
  std::int64_t s = source.offset, t = target.offset;
  for (std::int64_t left = element_count(extents) / row; left > 0; --left) {
    copy_row(from.data() + s * bytes, source_step, to.data() + t * bytes, target_step, row);
    for (std::size_t axis = outer; axis-- > 0;) {
      s += source.strides[axis];
      t += target.strides[axis];
      if (++position[axis] < extents[axis]) break;
      s -= source.strides[axis] * extents[axis];
      t -= target.strides[axis] * extents[axis];
      position[axis] = 0;
    }
  }
}

bool stretches(const std::vector<std::int64_t>& from, const std::vector<std::int64_t>& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t i = 1; i <= from.size(); ++i)
    if (from[from.size() - i] != 1 && from[from.size() - i] != to[to.size() - i]) return false;
  return true;
}

Tensor stretched(const Tensor& tensor, const std::vector<std::int64_t>& to) {
  if (tensor.extents() == to) return tensor;
  Tensor result(tensor.element(), to);
  const auto own = strides_of(tensor.extents());
  Walk source{0, std::vector<std::int64_t>(to.size(), 0)};
  for (std::size_t i = 1; i <= own.size(); ++i)
    if (tensor.extents()[own.size() - i] != 1) source.strides[to.size() - i] = own[own.size() - i];
  copy(tensor, source, result, {0, strides_of(to)}, to);
  return result;
}

std::vector<std::size_t> reduced_positions(const std::vector<std::int64_t>& extents,
                                           const std::vector<std::int64_t>& axes) {
  std::vector<std::int64_t> kept, strides(extents.size(), 0);
  for (std::size_t i = 0; i < extents.size(); ++i)
    if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) == axes.end())
      kept.push_back(extents[i]);
  const auto kept_strides = strides_of(kept);
  for (std::size_t i = 0, k = 0; i < extents.size(); ++i)
    if (std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(i)) == axes.end())
      strides[i] = kept_strides[k++];
  std::vector<std::size_t> positions(static_cast<std::size_t>(element_count(extents)));
  std::vector<std::int64_t> at(extents.size(), 0);
  std::int64_t target = 0;
  for (auto& position : positions) {
    position = static_cast<std::size_t>(target);
    for (std::size_t axis = extents.size(); axis-- > 0;) {
      target += strides[axis];
      if (++at[axis] < extents[axis]) break;
      target -= strides[axis] * extents[axis];
      at[axis] = 0;
    }
  }
  return positions;
}

}  // namespace dlvm::elements
