// Inputs must be set and may be empty; views are made of containers, with a check of their sizes.
#include "inputs.hpp"

#include <string>
#include <vector>

#include "check.h"
#include "seeded.hpp"

namespace {

const inputs::Parameters parameters(1);
const inputs::Constants constants(tel::zeros);
const std::vector<float> x(2 * 4, 0.5f), bias(3, 0.25f);
const std::vector<std::int32_t> labels{0, 2};

std::string message(auto call) {
  try {
    call();
  } catch (const tel::Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

std::string not_set(const std::string& entry, const std::string& input) {
  return entry + ": the input '" + input + "' is not set: its pointer is null";
}

/// Every form of `gradient`, and what it says.
void check_gradient(const inputs::GradientInputs& given, const std::string& expected) {
  inputs::Gradients gradients;
  tel::Workspace workspace(inputs::gradient_workspace(2));
  CHECK(message([&] { inputs::gradient(given, parameters, constants); }) == expected);
  CHECK(message([&] { inputs::gradient(given, parameters, constants, gradients); }) == expected);
  CHECK(message([&] { inputs::gradient(given, parameters, constants, gradients, workspace); }) == expected);
  CHECK(message([&] { inputs::gradient(given, parameters, constants, gradients, {}, workspace); }) ==
        expected);
  CHECK(message([&] {
          inputs::start_gradient(given, parameters, constants, gradients, {}, workspace).wait();
        }) == expected);
}

void test_forgotten() {
  const std::string good = "nothing was thrown";
  CHECK(message([] { inputs::forward({}, parameters, constants); }) == not_set("inputs::forward", "x"));
  CHECK(message([] { inputs::forward({.x = {x, 2}}, parameters, constants); }) ==
        not_set("inputs::forward", "bias"));
  CHECK(message([] { inputs::forward({.bias = bias}, parameters, constants); }) ==
        not_set("inputs::forward", "x"));
  CHECK(message([] { inputs::evaluate({.x = {x, 2}, .bias = bias}, parameters, constants); }) ==
        not_set("inputs::evaluate", "label"));
  CHECK(message([] { inputs::saliency({.label = labels, .bias = bias}, parameters, constants); }) ==
        not_set("inputs::saliency", "x"));
  check_gradient({.x = {x, 2}, .label = labels, .bias = bias}, good);
  check_gradient({.label = labels, .bias = bias}, not_set("inputs::gradient", "x"));
  check_gradient({.x = {x, 2}, .bias = bias}, not_set("inputs::gradient", "label"));
  check_gradient({.x = {x, 2}, .label = labels}, not_set("inputs::gradient", "bias"));

  const seeded::Parameters weights(1);
  const std::vector<float> dy(2 * 3, 1.0f), dz(2, 1.0f);
  CHECK(message([&] { seeded::gradient({.x = {x, 2}, .cotangent = {.y = {dy, 2}, .z = dz}}, weights); }) ==
        good);
  CHECK(message([&] { seeded::gradient({.x = {x, 2}, .cotangent = {.z = dz}}, weights); }) ==
        not_set("seeded::gradient", "cotangent.y"));
  CHECK(message([&] {
          seeded::gradient({.x = {x, 2}, .cotangent = {.y = {dy, 2}, .z = {dz.data(), 1}}}, weights);
        }) == "seeded::gradient: axis 0 of 'cotangent.z' is 1, expected 2 for N = 2 (axis 0 of 'x')");
}

void check_empty(const tel::View<const float, tel::dynamic, 4>& none,
                 const tel::View<const std::int32_t, tel::dynamic>& no_label) {
  auto owned = inputs::forward({.x = none, .bias = bias}, parameters, constants);
  CHECK(owned.y.extent(0) == 0 && owned.y.extent(1) == 3 && owned.top.size() == 0);
  tel::Workspace workspace(inputs::gradient_workspace(0));
  const auto within = inputs::forward({.x = none, .bias = bias}, parameters, constants, workspace);
  CHECK(within.y.size() == 0 && within.top.extent(0) == 0);
  inputs::forward({.x = none, .bias = bias}, parameters, constants, {.y = owned.y, .top = within.top},
                  workspace);
  inputs::Gradients gradients;
  inputs::gradient({.x = none, .label = no_label, .bias = bias}, parameters, constants, gradients, workspace);
  inputs::evaluate({.x = none, .label = no_label, .bias = bias}, parameters, constants);
  const auto saliency = inputs::saliency({.x = none, .label = no_label, .bias = bias}, parameters, constants);
  CHECK(saliency.gradient.x.extent(0) == 0 && saliency.gradient.x.extent(1) == 4 && saliency.y.size() == 0);
  // A result without elements is set when it is the input of the next call.
  const auto again = seeded::forward({.x = saliency.gradient.x}, seeded::Parameters(1));
  CHECK(again.y.extent(0) == 0 && again.z.extent(0) == 0);
  const auto seeded =
      seeded::gradient({.x = none, .cotangent = {.y = within.y, .z = again.z}}, seeded::Parameters(1));
  for (const float each : seeded.gradient.W) CHECK(each == 0);
}

void test_empty() {
  const std::vector<float> no_rows;
  const std::vector<std::int32_t> no_labels;
  const tel::Tensor<float, tel::dynamic, 4> tensor(0);
  check_empty({no_rows, 0}, no_labels);
  check_empty({nullptr, 0}, {nullptr, 0});
  check_empty(tensor, no_labels);
  check_empty(tel::View<const float, tel::dynamic, 4>(x, 2).rows(2, 0), {labels.data(), 0});
  const tel::DeviceTensor<float, tel::dynamic, 4> there({no_rows, 0}, tel::serial);
  check_empty(there.view(), std::span<const std::int32_t>());
  CHECK(message([&] { check_empty({}, no_labels); }) == not_set("inputs::forward", "x"));
  tel::Tensor<float, tel::dynamic, 4> moved(2);
  const auto other = std::move(moved);
  CHECK(message([&] { inputs::forward({.x = moved, .bias = bias}, parameters, constants); }) ==
        not_set("inputs::forward", "x"));
  // An output of no elements for a batch that has some.
  std::vector<std::int32_t> top;
  tel::Workspace workspace(inputs::forward_workspace(2));
  CHECK(message([&] {
          inputs::forward({.x = {x, 2}, .bias = bias}, parameters, constants, {.top = top}, workspace);
        }) == "inputs::forward: axis 0 of 'top' is 0, expected 2 for N = 2 (axis 0 of 'x')");
}

void test_views() {
  using Rows = tel::View<const float, tel::dynamic, 4>;
  using Cube = tel::View<float, tel::dynamic, 3, tel::dynamic>;
  std::vector<float> values(24);
  float array[8] = {};
  CHECK(Rows(x, 2).extent(0) == 2 && Rows(array, 2).data() == array);
  CHECK((Cube(values, 4, 2).size() == 24 && Cube(std::span(values).first(12), 2u, 2LL).extent(2) == 2));
  CHECK((tel::View<const double, 3>(std::array<double, 3>{1, 2, 3})(2) == 3));
  CHECK(message([&] { Rows(values, 5); }) == "tel::View: 24 elements are given for the extents [5 x 4]");
  CHECK(message([&] { Rows(values, 7); }) == "tel::View: 24 elements are given for the extents [7 x 4]");
  CHECK(message([&] { Rows(values, 0); }) == "tel::View: 24 elements are given for the extents [0 x 4]");
  CHECK(message([&] { Cube(values, 4, 3); }) ==
        "tel::View: 24 elements are given for the extents [4 x 3 x 3]");
  CHECK(message([&] {
          inputs::forward({.x = {x, 2}, .bias = std::vector<float>(2)}, parameters, constants);
        }) == "inputs::forward: the input 'bias' has 2 elements, expected [3]");
  CHECK(message([&] { inputs::forward({.x = {x, 5}, .bias = bias}, parameters, constants); }) ==
        "inputs::forward: the input 'x' has 8 elements, expected [5 x 4]");
  tel::Workspace workspace(inputs::forward_workspace(2));
  CHECK(message([&] {
          inputs::forward({.x = {x, 2}, .bias = std::array<float, 1>{}}, parameters, constants, workspace);
        }) == "inputs::forward: the input 'bias' has 1 element, expected [3]");
  const auto started =
      inputs::try_start_forward({.x = {x, 0}, .bias = bias}, parameters, constants, {}, workspace);
  CHECK((!started && started.status() == tel::Status::extent));
  CHECK(std::string(started.error().text) ==
        "inputs::forward: the input 'x' has 8 elements, expected [0 x 4]");
  // Products that 64 bits do not hold: here they would wrap to 24 and to 0.
  constexpr std::size_t large = (std::size_t{1} << 62) + 6;
  CHECK(message([&] { Rows(values, large); }).starts_with("tel::View: 24 elements"));
  CHECK(message([&] {
          Rows(std::vector<float>(), std::size_t{1} << 62);
        }).starts_with("tel::View: 0 elements"));
  CHECK(message([&] { Rows(values, -1); }).starts_with("tel::View: 24 elements"));
  CHECK(Rows::try_make(values, 5).status() == tel::Status::extent &&
        Rows::try_make(values, 6)->extent(0) == 6);
  static_assert(!std::is_constructible_v<Cube, const std::vector<float>&, int, int>);
  static_assert(!std::is_constructible_v<Rows, const std::vector<double>&, int>);
  static_assert(!std::is_constructible_v<Rows, const std::vector<float>&>);
}

using Names = std::vector<std::string>;

void test_partial_loads() {
  parameters.save("inputs.safetensors", constants);
  const auto [all, loaded, kept, passed_over] = inputs::Parameters::load("inputs.safetensors", tel::partial);
  CHECK(all.W(3, 2) == parameters.W(3, 2));
  CHECK((loaded == Names{"W", "b"} && kept.empty() && passed_over == Names{"shift"}));
  const auto fixed = inputs::Constants::load("inputs.safetensors", tel::partial);
  CHECK((fixed.loaded == Names{"shift"} && fixed.passed_over == Names{"W", "b"}));

  seeded::Parameters(7).save("seeded.safetensors");
  const auto part = inputs::Parameters::load("seeded.safetensors", tel::partial, 3);
  CHECK((part.loaded == Names{"W"} && part.kept == Names{"b"} && part.passed_over.empty()));
  CHECK(part.value.W(0, 0) == seeded::Parameters(7).W(0, 0) && part.value.b(0) == inputs::Parameters(3).b(0));
  CHECK(inputs::Constants::try_load("seeded.safetensors", tel::partial).status() == tel::Status::tensors);
  CHECK(
      message([] { inputs::Constants::load("seeded.safetensors", tel::partial); }) ==
      "cannot load 'seeded.safetensors': it has none of the tensors, but 'W'; inputs::Constants has 'shift'");
}

/// Sizes that no memory holds, also where their product wraps around.
void test_sizes() {
  CHECK(!tel::Workspace::try_make(SIZE_MAX, tel::serial));
  CHECK(tel::Workspace(SIZE_MAX).data() == nullptr);
  CHECK((tel::Tensor<float, tel::dynamic, 4>(std::size_t{1} << 60).data()) == nullptr);
  CHECK((tel::Tensor<float, tel::dynamic, tel::dynamic>(std::size_t{1} << 32, std::size_t{1} << 32).data()) ==
        nullptr);
  CHECK((tel::Tensor<float, tel::dynamic, tel::dynamic>(std::size_t{1} << 60, 0).data()) != nullptr);
}

}  // namespace

/// A view that does not fill its extents stays so in inputs of other extents, and is not set as a plain view.
void test_misfits() {
  const std::vector<float> few(8);
  const tel::Input<const float, tel::dynamic, 3> rows(few, 100);
  CHECK(!rows.fills());
  const tel::Input<const float, tel::dynamic, tel::dynamic> free = rows;
  CHECK(!free.fills() && free.count() == 8 && free.extent(0) == 100);
  const tel::View<const float, tel::dynamic, 3> view = rows;
  CHECK(view.data() == nullptr);
}

int main() {
  test_forgotten();
  test_empty();
  test_views();
  test_partial_loads();
  test_sizes();
  test_misfits();
}
