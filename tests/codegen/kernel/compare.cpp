#include "compare.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "../cpu/jit.h"
#include "codegen/kernel/interpret.h"
#include "codegen/kernel/text.h"
#include "codegen/kernel/verify.h"
#include "codegen/schedule/text.h"
#include "dlvm/interpret/interpret.h"

namespace kernel_tests {
namespace {

using dlvm::ElementType;
using dlvm::RuntimeValue;
using dlvm::Tensor;

Tensor random_tensor(const dlvm::Type& type, const dlvm::Extent::Bindings& dimensions, std::int64_t integers,
                     std::mt19937& random) {
  std::vector<std::int64_t> extents;
  for (const auto& extent : type.shape()) extents.push_back(extent.evaluate(dimensions).value());
  Tensor result(type.element(), extents);
  std::uniform_real_distribution<double> real(-2, 2);
  std::uniform_int_distribution<std::int64_t> integer(0, integers - 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (dlvm::is_floating(type.element()))
      result.set(i, real(random));
    else
      result.set(i, integer(random));
  }
  return result;
}

double tolerance(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return 4e-3;
    case ElementType::bf16:
      return 3.2e-2;
    case ElementType::f32:
      return 2e-5;
    default:
      return 1e-12;
  }
}

std::string compare(const Tensor& expected, const Tensor& actual) {
  if (expected.element() != actual.element() || expected.extents() != actual.extents()) return "another type";
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (std::isfinite(expected.real(i))) largest = std::max(largest, std::abs(expected.real(i)));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    bool same = false;
    if (dlvm::is_floating(expected.element())) {
      const double e = expected.real(i), a = actual.real(i);
      same = e == a || (std::isnan(e) && std::isnan(a)) ||
             std::abs(e - a) <= tolerance(expected.element()) * (std::abs(e) + largest);
    } else {
      same = expected.integer(i) == actual.integer(i);
    }
    if (!same) return fmt::format("element {}: {} instead of {}", i, actual.real(i), expected.real(i));
  }
  return "";
}

/// Of compiled code; an error is the first check that failed.
std::optional<std::string> index_error(const tel_context& context) {
  if (context.site == 0) return std::nullopt;
  return fmt::format("site {}: index {} at {}", context.site - 1, context.value, context.position);
}

std::string differences(const std::vector<RuntimeValue>& expected, const std::vector<Tensor>& actual) {
  if (expected.size() != actual.size()) return "another number of outputs";
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (const auto text = compare(expected[i].tensor(), actual[i]); !text.empty())
      return fmt::format("output {}: {}", i, text);
  return "";
}

std::string differences(const dlvm::Function& function, const codegen::kernel::Program& program,
                        const test::CompiledProgram& compiled, const dlvm::Extent::Bindings& dimensions,
                        std::int64_t integers, std::mt19937& random) {
  std::vector<Tensor> inputs;
  std::vector<RuntimeValue> arguments;
  for (const auto& argument : function.entry().arguments()) {
    inputs.push_back(random_tensor(argument->type(), dimensions, integers, random));
    arguments.emplace_back(inputs.back());
  }
  dlvm::InterpretOptions options;
  options.dimensions = dimensions;
  const auto expected = dlvm::interpret(function, arguments, options);
  const auto actual = codegen::kernel::interpret(program, inputs, dimensions);
  const auto run = compiled.run(inputs, dimensions);
  const auto failed = index_error(run.context);
  if (!expected && expected.error->kind == dlvm::InterpretError::Kind::index) {
    if (!failed) return "no error in compiled code, but: " + expected.error->text;
    return actual.error ? "" : "no error, but: " + expected.error->text;
  }
  if (!expected) return "the interpreter refuses: " + expected.error->text;
  if (actual.error) return *actual.error;
  if (failed) return "compiled: " + *failed;
  std::vector<RuntimeValue> results(expected.value.elements().begin(), expected.value.elements().end());
  if (expected.value.is_tensor()) results = {expected.value};
  if (const auto text = differences(results, actual.outputs); !text.empty()) return text;
  const auto text = differences(results, run.outputs);
  return text.empty() ? "" : "compiled: " + text;
}

/// What is wrong with the schedules' text.
std::string broken_text(const codegen::cpu::Scheduled& scheduled) {
  for (const auto& schedule : scheduled.schedules) {
    const std::string text = print(schedule);
    std::string error;
    const auto read = codegen::schedule::parse_schedule(text, error);
    if (!read) return error + "\n" + text;
    if (print(*read) != text) return "another text: " + print(*read) + "instead of\n" + text;
  }
  return "";
}

}  // namespace

Scene::Scene(std::vector<dlvm::Type> parameters, std::vector<std::string> names)
    : function(std::make_unique<dlvm::Function>("scene",
                                                dlvm::Type::function(std::move(parameters), dlvm::Type()))),
      b([&]() -> dlvm::BasicBlock& {
        if (names.empty())
          for (std::size_t i = 0; i < function->type().parameters().size(); ++i)
            names.push_back(std::string(1, static_cast<char>('a' + i)));
        return *function->add_entry(names);
      }()) {}

const dlvm::Function& Scene::results(std::vector<dlvm::Value*> values) {
  dlvm::Value* result = values.size() == 1 ? values[0] : b.tuple(values);
  b.return_(result);
  function->set_type(dlvm::Type::function(function->type().parameters(), result->type()));
  return *function;
}

dlvm::Type tensor(ElementType element, dlvm::Shape shape) {
  return dlvm::Type::tensor(element, std::move(shape));
}

codegen::kernel::Program program(const dlvm::Function& function) {
  dlvm::Diagnostics diagnostics;
  auto result = codegen::kernel::build(function, diagnostics);
  return result ? std::move(*result) : codegen::kernel::Program();
}

std::string differences(const dlvm::Function& function, std::vector<std::int64_t> sizes,
                        std::int64_t integers) {
  std::mt19937 random(7);
  for (const bool fused : {false, true}) {
    dlvm::Diagnostics diagnostics;
    codegen::kernel::BuildOptions options;
    options.fuse = fused;
    const auto program = codegen::kernel::build(function, diagnostics, options);
    if (!program) return diagnostics.all().empty() ? "no program" : diagnostics.all()[0].text;
    if (const auto broken = codegen::kernel::verify(*program)) return *broken + "\n" + print(*program);
    const test::CompiledProgram compiled(*program, function);
    if (const auto text = broken_text(compiled.scheduled()); !text.empty()) return text;
    for (const std::int64_t n : sizes) {
      const auto text =
          differences(function, *program, compiled, {{"N", n}, {"M", (n + 1) / 2}}, integers, random);
      if (text.empty()) continue;
      std::string schedules;
      for (const auto& schedule : compiled.scheduled().schedules) schedules += print(schedule);
      return fmt::format("N = {}, {}: {}\n{}{}", n, fused ? "fused" : "not fused", text, print(*program),
                         schedules);
    }
  }
  return "";
}

}  // namespace kernel_tests
