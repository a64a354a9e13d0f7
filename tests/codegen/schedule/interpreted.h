#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "codegen/schedule/interpret/interpret.h"
#include "codegen/schedule/text/text.h"

/// Schedules in text, run by their interpreter.
namespace schedule_tests {

using Reals = std::vector<double>;

inline dlvm::Tensor tensor(dlvm::ElementType element, const Reals& values,
                           const std::vector<std::int64_t>& extents = {}) {
  dlvm::Tensor result(element,
                      extents.empty() ? std::vector{static_cast<std::int64_t>(values.size())} : extents);
  for (std::size_t i = 0; i < values.size(); ++i) result.set(i, values[i]);
  return result;
}
inline dlvm::Tensor f32(const Reals& values, const std::vector<std::int64_t>& extents = {}) {
  return tensor(dlvm::ElementType::f32, values, extents);
}

struct Ran {
  std::string error;
  std::vector<dlvm::Tensor> arguments;
  /// Elements of the last argument.
  Reals result() const {
    Reals values;
    for (std::size_t i = 0; i < arguments.back().size(); ++i) values.push_back(arguments.back().real(i));
    return values;
  }
};

/// `schedule` from its buffers on: `(x: <4 x f32>) { … }`; N is the last argument's first extent.
inline Ran run(const std::string& schedule, std::vector<dlvm::Tensor> arguments, std::uint32_t seed = 0) {
  std::string error;
  const auto parsed = codegen::schedule::parse_schedule("schedule @s" + schedule, error);
  REQUIRE_MESSAGE(parsed.has_value(), error);
  const auto& extents = arguments.back().extents();
  const dlvm::Extent::Bindings dimensions{{"N", extents.empty() ? 1 : extents[0]}};
  Ran ran{"", std::move(arguments)};
  ran.error = codegen::schedule::interpret(*parsed, ran.arguments, dimensions, seed).value_or("");
  return ran;
}

}  // namespace schedule_tests
