// The programs of tests/dlvm/programs: networks, numerical methods and searches with control flow. The value
// of each, its gradient, and the gradient of that are compared: the interpreter of the module as it is
// written, with AD and what has to come before it, against compiled code on the processor and the emulator,
// and against central differences. The gradient takes no more than a few times the work of the value.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "codegen/kernel/build/build.h"
#include "dlvm/interpret/agreement.h"
#include "dlvm/ir/dimension_names.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/pipeline.h"
#include "dlvm/support/files.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "tests/codegen/programs/given.h"
#include "tests/codegen/scheduled.h"
#include "tests/codegen/target/cpu/jit.h"
#include "tests/codegen/target/emulator/emulated.h"
#include "tests/dlvm/differentiate/derivatives.h"

namespace programs {
namespace {

using namespace dlvm;
using derivatives::Order;

const PipelineOptions verified{true, nullptr};
constexpr int orders = 2;

/// Ends the comparison of a program.
struct Problem {
  std::string text;
};
void expect(bool good, const std::string& otherwise) {
  if (!good) throw Problem{otherwise};
}

/// The module of a program with the declarations of its derivatives, run through some passes.
struct Prepared {
  Sources sources;
  std::unique_ptr<Module> module;
  std::vector<Order> made;

  template <typename Passes>
  Prepared(const std::string& path, const std::string& text, Passes passes) {
    Diagnostics diagnostics;
    module = parse(*sources.add(path, text), sources, diagnostics);
    expect(module != nullptr, render(diagnostics));
    module->stage = Module::Stage::raw;
    made = derivatives::declare_orders(*module, *module->function("f"), orders);
    const bool passed = passes(*module, diagnostics);
    expect(passed, render(diagnostics));
  }
};

std::vector<Tensor> tensors(const RuntimeValue& value) {
  if (value.is_tensor()) return {value.tensor()};
  std::vector<Tensor> all;
  for (const RuntimeValue& element : value.elements()) all.push_back(element.tensor());
  return all;
}

/// The cost of all instructions that are run, as the table of instructions gives it for an element.
struct Work {
  double done = 0;

  void observe(const Instruction& i, std::span<const RuntimeValue> operands, const RuntimeValue& result) {
    if (!result.is_tensor()) return;
    double elements = static_cast<double>(result.tensor().size());
    if (i.opcode() == Opcode::reduce) elements = static_cast<double>(operands[0].tensor().size());
    double cost = i.opcode() == Opcode::reduce ? 1 : i.definition().cost;
    if (const auto dot = as<Dot>(i)) {
      cost = 2;
      for (const auto& [left, right] : dot.axes().contract)
        cost *= static_cast<double>(operands[0].tensor().extents()[static_cast<std::size_t>(left)]);
    }
    done += cost * elements;
  }
};

/// What the interpreter computes, rounded or in float64 throughout; the work is added to `work`.
std::vector<Tensor> interpreted(const Given& given, const Function& function,
                                const std::vector<Tensor>& arguments, bool float64 = false,
                                Work* work = nullptr) {
  InterpretOptions options;
  options.float64 = float64;
  const std::set<std::string> names = dimension_names(function);
  options.dimensions = given.dimensions({names.begin(), names.end()});
  if (work != nullptr) options.observe = std::bind_front(&Work::observe, work);
  const std::vector<RuntimeValue> values(arguments.begin(), arguments.end());
  const Interpretation done = interpret(function, values, options);
  expect(!done.error, done.error ? done.error->text : "");
  return tensors(done.value);
}

/// What a function gives in the interpreter, rounded and not.
struct Meant {
  Meant(const Given& given, const Function& function, const std::vector<Tensor>& arguments)
      : rounded(interpreted(given, function, arguments)),
        exact(interpreted(given, function, arguments, true)) {}
  std::vector<Tensor> rounded, exact;
};

/// Why results are not those of the interpreter; empty if they are.
std::string difference(const Meant& meant, const std::vector<Tensor>& actual) {
  const bool is_double = std::ranges::all_of(
      meant.rounded, [](const Tensor& each) { return each.element() == ElementType::f64; });
  const double factor = is_double ? 1000 : 1;  // of 1e-12, because passes reassociate
  std::vector<Comparison> comparisons;
  for (std::size_t i = 0; i < meant.rounded.size(); ++i)
    comparisons.push_back({fmt::format("result {}", i), actual.at(i), meant.rounded[i], meant.exact[i]});
  for (const Agreement& agreement : compare(comparisons, factor))
    if (!agreement.agrees) return agreement.name + " " + agreement.why;
  return "";
}

/// Compares compiled code of the function with the interpreter.
void check_compiled(const Function& function, const Given& given, const std::vector<Tensor>& arguments,
                    const Meant& meant) {
  Diagnostics diagnostics;
  const auto program = codegen::kernel::build(function, diagnostics);
  expect(program.has_value(), render(diagnostics));
  const Extent::Bindings dimensions = given.dimensions(program->dimensions);
  const auto run = test::CompiledProgram(*program, "native", 0).run(arguments, dimensions);
  CHECK_MESSAGE(run.context.site == 0, "the processor: a check fails");
  if (run.context.site == 0) CHECK_MESSAGE(difference(meant, run.outputs) == "", "the processor");
  const test::EmulatedProgram emulated(test::scheduled_for_gpu(*program, 80));
  const auto device = emulated.run({arguments, dimensions});
  CHECK(device.error == "");
  if (device.error.empty()) CHECK_MESSAGE(difference(meant, device.outputs) == "", "the emulator");
  if (!emulated.has_graph()) return;
  const auto graph = emulated.run({arguments, dimensions}, 0, {}, true);
  CHECK(graph.error == "");
  if (graph.error.empty()) CHECK_MESSAGE(graph.outputs == device.outputs, "the emulator, as a graph");
}

/// A float64 tensor of the same numbers.
Tensor widened(const Tensor& tensor) {
  if (!is_floating(tensor.element())) return tensor;
  Tensor wide(ElementType::f64, tensor.extents());
  for (std::size_t i = 0; i < tensor.size(); ++i) wide.set(i, tensor.real(i));
  return wide;
}

/// Compares the gradient with differences of the sum along some elements of each input.
void check_differences(const Given& given, const Order& order, const std::vector<Tensor>& arguments,
                       const std::vector<Tensor>& gradient) {
  constexpr std::size_t most_elements = 6;
  constexpr double step = 1e-5, allowed = 1e-6;
  double largest = 0;
  for (const Tensor& g : gradient)
    for (std::size_t e = 0; e < g.size(); ++e) largest = std::max(largest, std::abs(g.real(e)));
  CHECK(largest > 0);
  std::size_t input = 0;
  for (const Tensor& g : gradient) {
    while (!is_floating(arguments[input].element())) ++input;
    for (std::size_t e = 0; e < g.size(); e += 1 + g.size() / most_elements) {
      const auto moved = [&](double by) {
        std::vector<Tensor> all = arguments;
        all[input] = widened(all[input]);
        all[input].set(e, all[input].real(e) + by);
        return interpreted(given, *order.sum, all, true)[0].real(0);
      };
      const double expected =
          (8 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12 * step);
      const double off = std::abs(g.real(e) - expected) / (std::abs(expected) + largest);
      CHECK_MESSAGE(off < allowed, "differences: input ", input, ", element ", e, ": ", g.real(e),
                    " against ", expected);
    }
    ++input;
  }
}

void check_work(const Given& given, const Order& order, const std::vector<Tensor>& arguments) {
  Work value, gradient;
  interpreted(given, *order.sum, arguments, true, &value);
  interpreted(given, *order.gradient, arguments, true, &gradient);
  INFO("value ", value.done, ", gradient ", gradient.done);
  CHECK(gradient.done <= given.most_work() * value.done);
}

void check(const std::string& path) {
  FileError error;
  const auto text = read_file(path, error);
  expect(text.has_value(), error.text);
  const Prepared written(path, *text, [](Module& module, Diagnostics& diagnostics) {
    return expand_gradients(module, diagnostics);
  });
  const Prepared optimized(path, *text, [](Module& module, Diagnostics& diagnostics) {
    return optimize(module, diagnostics, verified);
  });
  const Given given(*text);
  std::mt19937_64 random(2);
  std::vector<Tensor> arguments = given.arguments(*written.module->function("f"));
  std::vector<std::vector<Tensor>> calls;
  const auto add_weights = [&](const std::vector<Tensor>& results) {
    for (const Tensor& result : results)
      if (is_floating(result.element()))
        arguments.push_back(derivatives::draw(random, result.element(), result.extents(), -1, 1));
  };
  add_weights(interpreted(given, *written.module->function("f"), arguments));
  std::vector<Meant> gradients;
  for (int order = 0; order < orders; ++order) {
    INFO("order ", order + 1);
    gradients.emplace_back(given, *written.made[order].gradient, arguments);
    check_differences(given, optimized.made[order], arguments, gradients.back().exact);
    calls.push_back(arguments);
    add_weights(gradients.back().rounded);
  }
  check_work(given, optimized.made[0], calls[0]);
  Diagnostics diagnostics;
  const bool lowered = lower_control_flow(*optimized.module, diagnostics, verified);
  expect(lowered, render(diagnostics));
  check_compiled(*optimized.made[0].sum, given, calls[0], {given, *written.made[0].sum, calls[0]});
  for (int order = 0; order < orders; ++order) {
    INFO("compiled, order ", order + 1);
    check_compiled(*optimized.made[order].gradient, given, calls[order], gradients[order]);
  }
}

TEST_CASE("programs: value, gradient and its gradient agree wherever they are computed") {
  std::vector<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator(TEST_FOLDER "/../dlvm/programs"))
    paths.push_back(file.path());
  std::ranges::sort(paths);
  CHECK(paths.size() >= 50);
  const char* only = std::getenv("TEL_TEST_PROGRAM");  // a part of a name
  for (const std::string& path : paths) {
    const std::string name = std::filesystem::path(path).stem();
    if (only != nullptr && name.find(only) == std::string::npos) continue;
    CAPTURE(name);
    try {
      check(path);
    } catch (const Problem& problem) {
      FAIL_CHECK(problem.text);
    }
  }
}

}  // namespace
}  // namespace programs
