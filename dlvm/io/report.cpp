#include "dlvm/io/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "dlvm/ir/elements.h"
#include "dlvm/ir/spelling.h"

namespace dlvm {
namespace {

constexpr std::size_t few = 16;

/// An element, in the fewest digits that its type needs.
std::string number(const Tensor& tensor, std::size_t i) {
  if (is_boolean(tensor.element())) return tensor.integer(i) != 0 ? "true" : "false";
  if (tensor.element() == ElementType::u64)
    return fmt::format("{}", static_cast<std::uint64_t>(tensor.integer(i)));
  if (!is_floating(tensor.element())) return fmt::format("{}", tensor.integer(i));
  if (std::isnan(tensor.real(i))) return "nan";
  if (tensor.element() == ElementType::f64) return fmt::format("{}", tensor.real(i));
  return fmt::format("{}", static_cast<float>(tensor.real(i)));
}

struct Statistics {
  double least = 0, greatest = 0, mean = 0;  ///< of the finite elements
  std::size_t finite = 0, not_finite = 0;
};

Statistics statistics(const Tensor& tensor) {
  Statistics s;
  for (const double x : elements::reals(tensor)) {
    if (!std::isfinite(x)) {
      ++s.not_finite;
      continue;
    }
    s.least = s.finite == 0 ? x : std::min(s.least, x);
    s.greatest = s.finite == 0 ? x : std::max(s.greatest, x);
    s.mean += (x - s.mean) / static_cast<double>(++s.finite);
  }
  return s;
}

std::string line(const NamedTensor& result, std::size_t width) {
  const Tensor& tensor = result.tensor;
  std::string shape = tensor.extents().empty() ? "" : fmt::format("[{}]", fmt::join(tensor.extents(), " x "));
  std::string text = fmt::format("{:<{}}  {}{}", result.name, width, spelling(tensor.element()), shape);
  if (tensor.size() <= few) {
    std::vector<std::string> elements;
    for (std::size_t i = 0; i < tensor.size(); ++i) elements.push_back(number(tensor, i));
    return text + fmt::format("  {}\n", fmt::join(elements, " "));
  }
  const Statistics s = statistics(tensor);
  if (s.finite > 0) text += fmt::format("  {:.6g} … {:.6g}, mean {:.6g}", s.least, s.greatest, s.mean);
  if (s.not_finite > 0) text += fmt::format("  {} not finite", s.not_finite);
  return text + "\n";
}

nlohmann::ordered_json json_number(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

nlohmann::ordered_json json_of(const NamedTensor& result) {
  const Tensor& tensor = result.tensor;
  nlohmann::ordered_json json{
      {"name", result.name}, {"type", spelling(tensor.element())}, {"shape", tensor.extents()}};
  const Statistics s = statistics(tensor);
  if (s.finite > 0) {
    json["min"] = s.least;
    json["max"] = s.greatest;
    json["mean"] = s.mean;
  }
  json["not_finite"] = s.not_finite;
  if (tensor.size() > few) return json;
  json["values"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < tensor.size(); ++i)
    if (is_boolean(tensor.element()))
      json["values"].push_back(tensor.integer(i) != 0);
    else if (is_floating(tensor.element()))
      json["values"].push_back(json_number(tensor.real(i)));
    else if (tensor.element() == ElementType::u64)
      json["values"].push_back(static_cast<std::uint64_t>(tensor.integer(i)));
    else
      json["values"].push_back(tensor.integer(i));
  return json;
}

}  // namespace

std::string summary(const NamedTensors& results) {
  std::size_t width = 0;
  for (const NamedTensor& result : results) width = std::max(width, result.name.size());
  std::string text;
  for (const NamedTensor& result : results) text += line(result, width);
  return text;
}

std::string summary_json(std::string_view entry, std::string_view device, const NamedTensors& results,
                         const std::vector<double>& seconds) {
  nlohmann::ordered_json json{
      {"entry", entry}, {"device", device}, {"results", nlohmann::ordered_json::array()}};
  for (const NamedTensor& result : results) json["results"].push_back(json_of(result));
  if (!seconds.empty()) {
    json["median_seconds"] = median(seconds);
    json["seconds"] = std::move(seconds);
  }
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

double median(std::vector<double> numbers) {
  if (numbers.empty()) return 0;
  std::sort(numbers.begin(), numbers.end());
  const std::size_t middle = numbers.size() / 2;
  return numbers.size() % 2 != 0 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2;
}

}  // namespace dlvm
