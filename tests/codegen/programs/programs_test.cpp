// The programs of tests/dlvm/programs: networks, numerical methods and searches with control flow. The value
// of each, its gradient, and the gradient of that are compared: the interpreter of the module as it is
// written, with AD and what it needs, against compiled code on the processor and the emulator, and against central
// differences. The gradient takes no more than a few times the work of the value.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "codegen/kernel/build/build.h"
#include "dlvm/interpret/agreement.h"
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

constexpr int orders = 2;
constexpr double most_work = 6;  ///< of the gradient, where the value is 1

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

/// What the interpreter computes; the work is added to `work`.
std::vector<Tensor> interpreted(const Function& function, const std::vector<Tensor>& arguments,
                                Work* work = nullptr) {
  InterpretOptions options;
  if (work != nullptr) options.observe = std::bind_front(&Work::observe, work);
  const std::vector<RuntimeValue> values(arguments.begin(), arguments.end());
  const Interpretation done = interpret(function, values, options);
  expect(!done.error, done.error ? done.error->text : "");
  return tensors(done.value);
}

/// Why results are not those of the interpreter; empty if they are.
std::string difference(const std::vector<Tensor>& meant, const std::vector<Tensor>& actual) {
  constexpr double factor = 1000;  // of 1e-12, because passes reassociate and conditions amplify
  std::vector<Comparison> comparisons;
  for (std::size_t i = 0; i < meant.size(); ++i)
    comparisons.push_back({fmt::format("result {}", i), actual.at(i), meant[i], meant[i]});
  for (const Agreement& agreement : compare(comparisons, factor))
    if (!agreement.agrees) return agreement.name + " " + agreement.why;
  return "";
}

/// Compares compiled code of the function with the interpreter.
void check_compiled(const Function& function, const Given& given, const std::vector<Tensor>& arguments,
                    const std::vector<Tensor>& meant) {
  Diagnostics diagnostics;
  const auto program = codegen::kernel::build(function, diagnostics);
  expect(program.has_value(), render(diagnostics));
  const Extent::Bindings dimensions = given.dimensions(program->dimensions);
  const auto run = test::CompiledProgram(*program).run(arguments, dimensions);
  CHECK_MESSAGE(run.context.site == 0, "the processor: a check fails");
  if (run.context.site == 0) CHECK_MESSAGE(difference(meant, run.outputs) == "", "the processor");
  const auto device = test::EmulatedProgram(test::scheduled_for_gpu(*program, 80)).run({arguments, dimensions});
  CHECK(device.error == "");
  if (device.error.empty()) CHECK_MESSAGE(difference(meant, device.outputs) == "", "the emulator");
}

/// Compares the gradient with differences of the sum along some elements of each input.
void check_differences(const Order& order, const std::vector<Tensor>& arguments,
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
        all[input].set(e, arguments[input].real(e) + by);
        return interpreted(*order.sum, all)[0].real(0);
      };
      const double expected =
          (8 * (moved(step) - moved(-step)) - (moved(2 * step) - moved(-2 * step))) / (12 * step);
      const double off = std::abs(g.real(e) - expected) / (std::abs(expected) + largest);
      CHECK_MESSAGE(off < allowed, "differences: input ", input, ", element ", e, ": ", g.real(e), " against ",
                    expected);
    }
    ++input;
  }
}

void check_work(const Order& order, const std::vector<Tensor>& arguments) {
  Work value, gradient;
  interpreted(*order.sum, arguments, &value);
  interpreted(*order.gradient, arguments, &gradient);
  INFO("value ", value.done, ", gradient ", gradient.done);
  CHECK(gradient.done <= most_work * value.done);
}

void check(const std::string& path) {
  FileError error;
  const auto text = read_file(path, error);
  expect(text.has_value(), error.text);
  const Prepared written(path, *text, [](Module& module, Diagnostics& diagnostics) {
    const std::vector passes{pass_named("SP"), pass_named("VP"), pass_named("AE"), pass_named("EE"),
                             pass_named("AD")};
    return run_passes(module, passes, diagnostics, {.verify_each = true});
  });
  const Prepared optimized(path, *text, [](Module& module, Diagnostics& diagnostics) {
    return optimize(module, diagnostics, {.verify_each = true});
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
  add_weights(interpreted(*written.module->function("f"), arguments));
  std::vector<std::vector<Tensor>> gradients;
  for (int order = 0; order < orders; ++order) {
    INFO("order ", order + 1);
    gradients.push_back(interpreted(*written.made[order].gradient, arguments));
    check_differences(optimized.made[order], arguments, gradients.back());
    calls.push_back(arguments);
    add_weights(gradients.back());
  }
  check_work(optimized.made[0], calls[0]);
  Diagnostics diagnostics;
  const bool lowered = lower_control_flow(*optimized.module, diagnostics, {.verify_each = true});
  expect(lowered, render(diagnostics));
  check_compiled(*optimized.made[0].sum, given, calls[0], interpreted(*written.made[0].sum, calls[0]));
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
  const char* only = std::getenv("TEL_TEST_PROGRAM");
  for (const std::string& path : paths) {
    const std::string name = std::filesystem::path(path).stem();
    if (only != nullptr && name.find(only) == std::string::npos) continue;
    CAPTURE(name);
    const auto start = std::chrono::steady_clock::now();
    try {
      check(path);
    } catch (const Problem& problem) {
      FAIL_CHECK(problem.text);
    }
    MESSAGE(name, " ", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}

}  // namespace
}  // namespace programs
