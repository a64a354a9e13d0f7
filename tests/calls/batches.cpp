// Structs whose fields have free dimensions are structs of views with extents.
#include "batches.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "check.h"

namespace {

const std::vector<float> x{1, 2, 3, 4, 5, 6};
const std::vector<std::int32_t> label{1, 10};

void check_values(const batches::Parameters& parameters) {
  const batches::ForwardInputs inputs{.batch = {.x = {x, 2}, .label = label}, .other = {x, 2}};
  const auto result = batches::forward(inputs, parameters);
  CHECK(result.next.x.extent(0) == 2 && result.next.x(1, 2) == 12 && result.next.label(1) == 10);
  CHECK(result.both.first.x(1, 0) == 4 && result.both.second.x(1, 0) == 8 && result.both.scale == 7);
  CHECK(result.few.label.extent(0) == 2 && result.few.label(1) == 1);
  CHECK(result.y(0) == 0 && result.y(1) == 4 + 10 + 24);
  const auto again = batches::forward({.batch = result.next, .other = {x, 2}}, parameters);
  CHECK(again.next.x(1, 2) == 24);
  CHECK(batches::forward({.batch = result.few, .other = {x, 2}}, parameters).next.label(1) == 1);
}

void check_gradients(const batches::Parameters& parameters) {
  const auto result = batches::by_batch({.batch = {.x = {x, 2}, .label = label}}, parameters);
  CHECK(result.gradient.batch_x(0, 1) == 2 && result.gradient.batch_x(1, 2) == 40);
  CHECK(result.next.x(0, 0) == 2);
}

void check_errors(const batches::Parameters& parameters) {
  const std::vector<std::int32_t> few{1};
  const auto error =
      batches::try_forward({.batch = {.x = {x, 2}, .label = few}, .other = {x, 2}}, parameters);
  CHECK(!error && error.status() == tel::Status::extent);
  CHECK(std::string(error.error().text).find("batch.label") != std::string::npos);
}

}  // namespace

int main() {
  const batches::Parameters parameters(1);
  check_values(parameters);
  check_gradients(parameters);
  check_errors(parameters);
}
