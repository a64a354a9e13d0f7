#include "dlvm/text/number.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace dlvm {
namespace {

/// The shortest of a 16-bit float: 5 digits always suffice.
std::string short_float_text(ElementType element, double value) {
  std::string best = fmt::format("{}", value);
  Tensor probe(element, {});
  for (int digits = 1; digits < 6; ++digits) {
    const std::string text = fmt::format("{:.{}g}", value, digits);
    if (text.size() >= best.size() || !set_number(probe, 0, text) || probe.real(0) != value) continue;
    best = text;
    break;
  }
  return best;
}

std::string float_text(ElementType element, double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (element == ElementType::f64) return fmt::format("{}", value);
  if (element == ElementType::f32) return fmt::format("{}", static_cast<float>(value));
  return short_float_text(element, value);
}

bool set_float(Tensor& tensor, std::size_t i, std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string digits(text.substr(negative ? 1 : 0));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (digits == "inf" || digits == "nan") {
    const double value = digits == "inf" ? infinity : std::numeric_limits<double>::quiet_NaN();
    tensor.set(i, negative ? -value : value);
    return true;
  }
  if (digits.empty() || digits[0] < '0' || digits[0] > '9') return false;
  // f32 is read in its own precision: through f64 it could round twice.
  char* end = nullptr;
  const double value = tensor.element() == ElementType::f32
                           ? static_cast<double>(std::strtof(digits.c_str(), &end))
                           : std::strtod(digits.c_str(), &end);
  if (*end != '\0') return false;
  tensor.set(i, negative ? -value : value);
  return !std::isinf(tensor.real(i));
}

template <typename T>
bool set_integer(Tensor& tensor, std::size_t i, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  tensor.set(i, static_cast<std::int64_t>(value));
  // A number that the element type does not hold was wrapped.
  return static_cast<T>(tensor.integer(i)) == value;
}

}  // namespace

std::string number_text(const Tensor& tensor, std::size_t i) {
  const ElementType element = tensor.element();
  if (is_boolean(element)) return tensor.integer(i) != 0 ? "true" : "false";
  if (is_floating(element)) return float_text(element, tensor.real(i));
  if (is_signed(element)) return fmt::format("{}", tensor.integer(i));
  return fmt::format("{}", static_cast<std::uint64_t>(tensor.integer(i)));
}

bool set_number(Tensor& tensor, std::size_t i, std::string_view text) {
  if (is_boolean(tensor.element())) {
    if (text != "true" && text != "false") return false;
    tensor.set(i, static_cast<std::int64_t>(text == "true"));
    return true;
  }
  if (is_floating(tensor.element())) return set_float(tensor, i, text);
  if (is_signed(tensor.element())) return set_integer<std::int64_t>(tensor, i, text);
  return set_integer<std::uint64_t>(tensor, i, text);
}

}  // namespace dlvm
