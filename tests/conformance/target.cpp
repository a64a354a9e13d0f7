#include "tests/conformance/target.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "dlvm/call/entry_call.h"
#include "dlvm/interpret/agreement.h"
#include "tests/support/object.h"

namespace conformance {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Tensor element_of(const Tensor& tensor, std::size_t i) {
  Tensor scalar(tensor.element(), {});
  const std::size_t bytes = info(tensor.element()).bytes;
  std::copy_n(tensor.data() + i * bytes, bytes, scalar.data());
  return scalar;
}

/// The first element that does not agree, judged with 1 as a scale beside its own magnitude.
std::string difference(const Tensor& actual, const Tensor& rounded, const Tensor& exact, double factor) {
  if (actual.element() != rounded.element() || actual.extents() != rounded.extents())
    return "another type or other extents";
  std::size_t count = 0;
  std::string first;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    // A thousand beside it makes s, 1e-3 of the largest magnitude among the results, 1.
    const Comparison pair[]{
        {"y", element_of(actual, i), element_of(rounded, i), element_of(exact, i)},
        {"scale", Tensor::scalar(ElementType::f64, 1000.0), Tensor::scalar(ElementType::f64, 1000.0),
         Tensor::scalar(ElementType::f64, 1000.0)}};
    const Agreement agreement = compare(pair, factor)[0];
    if (!agreement.agrees && count++ == 0) first = fmt::format("element {}: {}", i, agreement.why);
  }
  return count == 0 ? "" : fmt::format("{} elements, {}", count, first);
}

}  // namespace

codegen::jit::CallTarget place_under_test() {
  using Kind = codegen::jit::CallTarget::Kind;
  const char* name = std::getenv("TEL_TEST_DEVICE");
  const std::string device = name == nullptr ? "" : name;
  return {device == "emulator" ? Kind::emulator : device == "cuda" ? Kind::gpu : Kind::processor, 0, 0};
}

test::Devices devices_under_test() {
  const codegen::jit::CallTarget place = place_under_test();
  test::Devices devices;
  devices.cuda = place.kind == codegen::jit::CallTarget::Kind::gpu;
  devices.emulator = place.kind == codegen::jit::CallTarget::Kind::emulator;
  return devices;
}

std::vector<std::string> disagreements(const Cases& cases) {
  std::string problem;
  if (test::recording()) {
    if (!test::record(cases.module, "cases", problem)) return {problem};
    return {};
  }
  const codegen::jit::CallTarget place = place_under_test();
  const test::Devices devices = devices_under_test();
  const double factor = devices.any() ? 2 : 1;
  const auto object = test::load(cases.module, "cases", problem, devices);
  if (object == nullptr) return {problem};
  std::vector<std::string> wrong;
  for (std::size_t k = 0; k < cases.module.entries.size(); ++k) {
    const EntryPoint& entry = cases.module.entries[k];
    const auto fail = [&](const std::string& why) {
      wrong.push_back(fmt::format("{}: {}", entry.name, why));
    };
    EntryInputs given;
    for (std::size_t i = 0; i < cases.inputs[k].size(); ++i)
      given.inputs.push_back({entry.arguments[i].name, cases.inputs[k][i]});
    std::vector<std::string> problems;
    const auto call = prepare_call(cases.module, entry, given, problems);
    if (!call) {
      fail(problems[0]);
      continue;
    }
    InterpretError error;
    InterpretOptions exactly;
    exactly.float64 = true;
    const auto rounded = interpret_entry(cases.module, entry, *call, {}, error);
    const auto exact = interpret_entry(cases.module, entry, *call, exactly, error);
    auto loaded = object->prepare(entry, *call, problem, place);
    const bool ran = loaded && loaded->run(problem);
    if (!rounded || !exact || !ran) {
      if (rounded.has_value() != ran) fail(ran ? "only the interpreter refuses: " + error.text : problem);
      continue;
    }
    const std::string why =
        difference(loaded->results()[0].tensor, (*rounded)[0].tensor, (*exact)[0].tensor, factor);
    if (!why.empty()) fail(why);
  }
  return wrong;
}

Tensor samples(ElementType element) {
  std::vector<double> values{0, 1, 2, 3, 7, 10, 100};
  if (is_boolean(element)) values = {0, 1};
  if (is_signed(element)) values.insert(values.end(), {-1, -2, -3, -7, -100, -1e30});
  if (is_integer(element)) values.insert(values.end(), {126, 1e30});
  if (is_floating(element))
    values.insert(values.end(),
                  {-0.0, -1,   -2,   -3,       -7,        0.5,          -0.5, 1.5,   -1.5,  2.5,
                   0.1,  -0.1, 1e-3, -1e-3,    0.99,      -0.99,        3.7,  -3.7,  12.25, -12.25,
                   -100, 1e4,  -1e4, infinity, -infinity, std::nan(""), 3e38, -3e38, 1e-38, 1e-44});
  Tensor tensor(element, {static_cast<std::int64_t>(values.size())});
  for (std::size_t i = 0; i < values.size(); ++i) tensor.set(i, values[i]);
  return tensor;
}

}  // namespace conformance
