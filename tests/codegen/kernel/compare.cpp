#include "compare.h"

#include <fmt/format.h>

#include <random>

#include "../cpu/jit.h"
#include "codegen/kernel/interpret.h"
#include "codegen/kernel/text.h"
#include "codegen/kernel/verify.h"
#include "codegen/schedule/text.h"
#include "codegen/schedule/verify.h"
#include "dlvm/interpret/agreement.h"
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

/// The results one by one.
std::vector<Tensor> tensors(const RuntimeValue& value) {
  std::vector<Tensor> result;
  if (value.is_tensor()) result.push_back(value.tensor());
  for (const RuntimeValue& element : value.elements()) result.push_back(element.tensor());
  return result;
}

/// Of compiled code; an error is the first check that failed.
std::optional<std::string> index_error(const tel_context& context) {
  if (context.site == 0) return std::nullopt;
  return fmt::format("site {}: index {} at {}", context.site - 1, context.value, context.position);
}

std::string differences(const std::vector<Tensor>& rounded, const std::vector<Tensor>& exact,
                        const std::vector<Tensor>& actual) {
  if (rounded.size() != actual.size()) return "another number of outputs";
  std::vector<dlvm::Comparison> comparisons;
  for (std::size_t i = 0; i < rounded.size(); ++i)
    comparisons.push_back({fmt::format("output {}", i), actual[i], rounded[i], exact[i]});
  for (const auto& agreement : dlvm::compare(comparisons))
    if (!agreement.agrees) return agreement.name + ": " + agreement.why;
  return "";
}

std::string differences(const dlvm::Function& function, const codegen::kernel::Program& program,
                        const test::CompiledProgram* compiled, const dlvm::Extent::Bindings& dimensions,
                        std::int64_t integers, std::mt19937& random) {
  std::vector<Tensor> inputs;
  std::vector<RuntimeValue> arguments;
  for (const auto& argument : function.entry().arguments()) {
    inputs.push_back(random_tensor(argument->type(), dimensions, integers, random));
    arguments.emplace_back(inputs.back());
  }
  dlvm::InterpretOptions options;
  options.dimensions = dimensions;
  const auto rounded = dlvm::interpret(function, arguments, options);
  if (!rounded && rounded.error->kind == dlvm::InterpretError::Kind::extent) return "";  // not a legal call
  const auto actual = codegen::kernel::interpret(program, inputs, dimensions);
  const auto run = compiled != nullptr ? std::optional(compiled->run(inputs, dimensions)) : std::nullopt;
  const auto failed = run ? index_error(run->context) : std::nullopt;
  if (!rounded && rounded.error->kind == dlvm::InterpretError::Kind::index) {
    if (run && !failed) return "no error in compiled code, but: " + rounded.error->text;
    return actual.error ? "" : "no error, but: " + rounded.error->text;
  }
  if (!rounded) return "the interpreter refuses: " + rounded.error->text;
  if (actual.error) return *actual.error;
  if (failed) return "compiled: " + *failed;
  options.float64 = true;
  const auto exact = dlvm::interpret(function, arguments, options);
  if (!exact) return "";  // an index went the other way
  const auto r = tensors(rounded.value), u = tensors(exact.value);
  if (const auto text = differences(r, u, actual.outputs); !text.empty()) return text;
  if (!run) return "";
  const auto text = differences(r, u, run->outputs);
  return text.empty() ? "" : "compiled: " + text;
}

/// What is wrong with the schedules' text.
std::string broken_text(const codegen::Scheduled& scheduled) {
  for (const auto& schedule : scheduled.schedules) {
    const std::string text = print(schedule);
    if (const auto broken = codegen::schedule::verify(schedule)) return *broken + "\n" + text;
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
                        std::int64_t integers, bool compile) {
  std::mt19937 random(7);
  for (const bool fused : {false, true}) {
    dlvm::Diagnostics diagnostics;
    codegen::kernel::BuildOptions options;
    options.fuse = fused;
    const auto program = codegen::kernel::build(function, diagnostics, options);
    if (!program) return diagnostics.all().empty() ? "no program" : diagnostics.all()[0].text;
    if (const auto broken = codegen::kernel::verify(*program)) return *broken + "\n" + print(*program);
    std::optional<test::CompiledProgram> compiled;
    if (compile) {
      compiled.emplace(*program, function);
      if (const auto text = broken_text(compiled->scheduled()); !text.empty()) return text;
    }
    for (const std::int64_t n : sizes) {
      dlvm::Extent::Bindings dimensions;
      for (const auto& name : program->dimensions) dimensions[name] = name == "M" ? (n + 1) / 2 : n;
      const auto text =
          differences(function, *program, compiled ? &*compiled : nullptr, dimensions, integers, random);
      if (!text.empty())
        return fmt::format("N = {}, {}: {}\n{}", n, fused ? "fused" : "not fused", text, print(*program));
    }
  }
  return "";
}

}  // namespace kernel_tests
