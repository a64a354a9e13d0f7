#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <utility>

#include "../target/cpu/jit.h"
#include "codegen/kernel/interpret/interpret.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/interpret/interpret.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "codegen/schedule/text/text.h"
#include "codegen/schedule/verify/verify.h"
#include "codegen/target/cpu/emit_program.h"
#include "codegen/target/gpu/emit_kernels.h"
#include "dlvm/interpret/agreement.h"
#include "dlvm/interpret/interpret.h"
#include "tests/codegen/scheduled.h"

namespace kernel_tests {
namespace {

using codegen::kernel::ProductChains;
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

Call random_call(const dlvm::Function& function, const dlvm::Extent::Bindings& dimensions,
                 std::int64_t integers, std::mt19937& random) {
  Call call{{}, dimensions};
  for (const auto& argument : function.entry().arguments())
    call.inputs.push_back(random_tensor(argument->type(), dimensions, integers, random));
  return call;
}

/// Returns whether the sizes give every argument a shape. A random function may take an argument of N - 2
/// elements, and no tensor that a caller could pass has that extent where N is 1: headers and `telc run`
/// refuse such sizes before any code runs, so that the code for them means nothing.
bool fits(const dlvm::Function& function, const dlvm::Extent::Bindings& dimensions) {
  return std::ranges::all_of(function.entry().arguments(), [&](const auto& argument) {
    return std::ranges::all_of(argument->type().shape(), [&](const dlvm::Extent& extent) {
      const auto value = extent.evaluate(dimensions);
      return !value || *value >= 0;
    });
  });
}

dlvm::Extent::Bindings bindings(const codegen::kernel::Program& program, std::int64_t n) {
  dlvm::Extent::Bindings dimensions;
  for (const auto& name : program.dimensions) dimensions[name] = name == "M" ? (n + 1) / 2 : n;
  return dimensions;
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
                        const std::vector<Tensor>& actual, double factor) {
  if (rounded.size() != actual.size()) return "another number of outputs";
  std::vector<dlvm::Comparison> comparisons;
  for (std::size_t i = 0; i < rounded.size(); ++i)
    comparisons.push_back({fmt::format("output {}", i), actual[i], rounded[i], exact[i]});
  for (const auto& agreement : dlvm::compare(comparisons, factor))
    if (!agreement.agrees) return agreement.name + ": " + agreement.why;
  return "";
}

/// Holds the results of a call by the interpreter of DLVM. `factor` widens the tolerances of comparisons with
/// them.
struct Reference {
  Reference(const dlvm::Function& function, const Call& call, double factor = 1) : factor(factor) {
    const std::vector<RuntimeValue> arguments(call.inputs.begin(), call.inputs.end());
    dlvm::InterpretOptions options;
    options.dimensions = call.dimensions;
    rounded = dlvm::interpret(function, arguments, options);
    options.float64 = true;
    exact = dlvm::interpret(function, arguments, options);
  }
  bool is_legal() const { return rounded || rounded.error->kind == dlvm::InterpretError::Kind::index; }

  dlvm::Interpretation rounded, exact;
  double factor;
};

/// What is wrong with an execution.
std::string differences(const Reference& reference, const codegen::kernel::Execution& actual) {
  const auto& [rounded, exact, factor] = reference;
  if (!rounded) return actual.error ? "" : "no error, but: " + rounded.error->text;
  if (actual.error) return *actual.error;
  if (!exact) return "";  // an index went the other way
  return differences(tensors(rounded.value), tensors(exact.value), actual.outputs, factor);
}

std::string text(const codegen::schedule::ScheduledProgram& scheduled) {
  std::string result;
  for (const auto& schedule : scheduled.schedules) result += print(schedule) + "\n";
  return result;
}

/// For a class of chips: small networks in as few launches as may be, and, where that is something else, in
/// those that they had.
struct DeviceSchedules {
  codegen::schedule::ScheduledProgram joined;
  std::optional<codegen::schedule::ScheduledProgram> apart;

  std::string texts() const { return text(joined) + (apart ? text(*apart) : ""); }
};

/// For every class of chips, those alike once. `online` is for those with tensor cores.
std::vector<DeviceSchedules> device_schedules(const codegen::kernel::Program& kept,
                                              const codegen::kernel::Program& online) {
  std::vector<DeviceSchedules> result;
  for (const int architecture : {75, 80}) {
    const auto& program = architecture == 80 ? online : kept;
    DeviceSchedules made{test::scheduled_for_gpu(program, architecture),
                         test::scheduled_for_gpu(program, architecture, false)};
    if (text(made.joined) == text(*made.apart)) made.apart.reset();
    const bool known = !result.empty() && made.texts() == result.back().texts();
    if (!known) result.push_back(std::move(made));
  }
  return result;
}

/// The same bits in all orders joined, in the last one apart.
std::string device_differences(const Reference& reference, const DeviceSchedules& schedules, const Call& call,
                               const std::vector<std::uint32_t>& seeds) {
  std::optional<std::vector<Tensor>> first;
  for (const std::uint32_t seed : seeds) {
    const auto actual = codegen::schedule::interpret(schedules.joined, call.inputs, call.dimensions, seed);
    if (auto text = differences(reference, actual); !text.empty()) return text;
    if (!first) first = actual.outputs;
    if (reference.rounded && actual.outputs != *first) return "other bits in another order";
  }
  if (!schedules.apart) return "";
  const auto apart =
      codegen::schedule::interpret(*schedules.apart, call.inputs, call.dimensions, seeds.back());
  if (auto text = differences(reference, apart); !text.empty()) return "apart: " + text;
  if (reference.rounded && apart.outputs != *first) return "other bits apart";
  return "";
}

std::string differences(const dlvm::Function& function, const codegen::kernel::Program& program,
                        const test::CompiledProgram* compiled, const dlvm::Extent::Bindings& dimensions,
                        std::int64_t integers, std::mt19937& random) {
  if (!fits(function, dimensions)) return "";
  const Call call = random_call(function, dimensions, integers, random);
  const Reference reference(function, call);
  const auto& rounded = reference.rounded;
  if (!rounded && rounded.error->kind == dlvm::InterpretError::Kind::extent) return "";  // not a legal call
  if (!reference.is_legal()) return "the interpreter refuses: " + rounded.error->text;
  const auto actual = codegen::kernel::interpret(program, call.inputs, dimensions);
  if (const auto text = differences(reference, actual); !text.empty()) return text;
  if (compiled == nullptr) return "";
  const auto run = compiled->run(call.inputs, dimensions);
  const auto text = differences(reference, {run.outputs, index_error(run.context)});
  return text.empty() ? "" : "compiled: " + text;
}

/// What is wrong with the schedules' text.
std::string broken_text(const codegen::schedule::ScheduledProgram& scheduled) {
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

double points(const std::vector<codegen::kernel::Axis>& axes, const dlvm::Extent::Bindings& dimensions) {
  double all = 1;
  for (const auto& axis : axes) all *= static_cast<double>(axis.extent.evaluate(dimensions).value());
  return all;
}

double steps(const codegen::kernel::Block& block, const dlvm::Extent::Bindings& dimensions) {
  double inside = 0;
  for (const auto& child : block.children) {
    if (const auto* inner = std::get_if<codegen::kernel::Block>(&child)) inside += steps(*inner, dimensions);
    if (const auto* stage = std::get_if<codegen::kernel::Stage>(&child))
      inside += points(stage->axes, dimensions);
  }
  return inside * points(block.axes, dimensions);
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

double steps(const codegen::kernel::Program& program, std::int64_t n) {
  double all = 0;
  for (const auto* launch : collect<codegen::kernel::Launch>(program.body))
    all += steps(program.kernels[launch->kernel].root, bindings(program, n));
  return all;
}

std::string differences(const dlvm::Function& function, const std::vector<std::int64_t>& sizes,
                        std::int64_t integers, bool compile) {
  std::mt19937 random(7);
  std::string last;
  struct Form {
    const char* name;
    bool fuse;
    ProductChains chains;
  };
  for (const Form& form : {Form{"not fused", false, ProductChains::none},
                           {"fused", true, ProductChains::none},
                           {"online", true, ProductChains::online},
                           {"in chains", true, ProductChains::all}}) {
    dlvm::Diagnostics diagnostics;
    codegen::kernel::BuildOptions options;
    options.fuse = form.fuse;
    options.policy.chains = form.chains;
    if (form.chains == ProductChains::online) options.policy.recompute = {32, 0};
    const auto program = codegen::kernel::build(function, diagnostics, options);
    if (!program) return diagnostics.all().empty() ? "no program" : diagnostics.all()[0].text;
    if (const auto broken = codegen::kernel::verify(*program)) return *broken + "\n" + print(*program);
    const std::string before = std::exchange(last, print(*program));
    if (last == before) continue;  // nothing to fuse
    std::optional<test::CompiledProgram> compiled;
    if (compile) {
      compiled.emplace(*program);
      if (const auto text = broken_text(compiled->scheduled()); !text.empty()) return text;
    }
    for (const std::int64_t n : sizes) {
      const auto text = differences(function, *program, compiled ? &*compiled : nullptr,
                                    bindings(*program, n), integers, random);
      if (!text.empty()) return fmt::format("N = {}, {}: {}\n{}", n, form.name, text, print(*program));
    }
  }
  return "";
}

std::string interpreter_differences(const dlvm::Function& expected, const dlvm::Function& actual,
                                    const Call& call, double factor) {
  const Reference reference(expected, call, factor), other(actual, call);
  if (!reference.is_legal()) return other.is_legal() ? "what was refused is legal" : "";
  if (!other.is_legal()) return other.rounded.error->text;
  codegen::kernel::Execution execution;
  if (other.rounded)
    execution.outputs = tensors(other.rounded.value);
  else
    execution.error = other.rounded.error->text;
  return differences(reference, execution);
}

std::string schedule_differences(const dlvm::Function& function, const std::vector<Call>& calls,
                                 const Sweep& sweep) {
  std::vector<Reference> references;
  for (const Call& call : calls) references.emplace_back(function, call, sweep.factor);
  constexpr std::uint32_t shuffled = 3;  // the lanes of vectors
  std::string last;
  for (const bool fused : sweep.fused) {
    dlvm::Diagnostics diagnostics;
    codegen::kernel::BuildOptions options;
    options.fuse = fused;
    const auto program = codegen::kernel::build(function, diagnostics, options);
    if (!program) return diagnostics.all().empty() ? "no program" : diagnostics.all()[0].text;
    options.policy.chains = fused ? ProductChains::all : ProductChains::none;
    const auto chained = codegen::kernel::build(function, diagnostics, options);
    options.policy = {.recompute = {32, 0}, .chains = fused ? ProductChains::online : ProductChains::none};
    const auto online = codegen::kernel::build(function, diagnostics, options);
    const std::string before = std::exchange(last, print(*program) + print(*chained) + print(*online));
    if (last == before) continue;  // nothing to fuse
    const auto core = test::scheduled_for_cpu(*chained, {fused ? 32u : 64u});
    const auto devices = device_schedules(*program, *online);
    if (auto text = broken_text(core); !text.empty()) return text;
    for (const auto& device : devices) {
      if (auto text = broken_text(device.joined); !text.empty()) return text;
      if (device.apart)
        if (auto text = broken_text(*device.apart); !text.empty()) return text;
    }
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (!references[i].is_legal()) continue;
      const auto& [inputs, dimensions] = calls[i];
      const auto of_core =
          differences(references[i], codegen::schedule::interpret(core, inputs, dimensions, shuffled));
      if (!of_core.empty()) return fmt::format("call {}, core: {}\n{}", i, of_core, text(core));
      for (const auto& device : devices) {
        const auto of_device = device_differences(references[i], device, calls[i], sweep.seeds);
        if (!of_device.empty()) return fmt::format("call {}, device: {}\n{}", i, of_device, device.texts());
      }
    }
  }
  return "";
}

std::string schedule_differences(const dlvm::Function& function, const std::vector<std::int64_t>& sizes,
                                 std::int64_t integers, const Sweep& sweep) {
  std::mt19937 random(7);
  const auto dimensions = program(function);
  std::vector<Call> calls;
  for (const std::int64_t n : sizes)
    calls.push_back(random_call(function, bindings(dimensions, n), integers, random));
  return schedule_differences(function, calls, sweep);
}

}  // namespace kernel_tests
