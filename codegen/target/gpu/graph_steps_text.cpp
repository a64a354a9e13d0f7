#include <fmt/format.h>

#include "codegen/target/gpu/graph_steps.h"

namespace codegen::target::gpu {
namespace {

std::string line(const kernel::Program& program, const GraphStep& step) {
  const auto name = [&](kernel::ValueId value) { return program.values[value].name; };
  if (const auto* run = std::get_if<RunLaunch>(&step))
    return "launch @" + program.kernels[run->launch->kernel].name;
  if (const auto* fused = std::get_if<RunFused>(&step)) return "fused " + fused->scope->name;
  if (const auto* swap = std::get_if<Exchange>(&step))
    return fmt::format("exchange {}, {}", name(swap->first), name(swap->second));
  if (const auto* open = std::get_if<Open>(&step))
    return fmt::format("{} %{} {{", open->is_loop ? "while" : "if", open->handle);
  if (const auto* decide = std::get_if<Decide>(&step)) {
    const std::string value = decide->condition ? fmt::format("{} ? {:d} : {:d}", name(*decide->condition),
                                                              decide->when_true, decide->when_false)
                                                : fmt::format("{:d}", decide->when_true);
    const std::string opposite =
        decide->opposite_of ? fmt::format(", the opposite of %{}", *decide->opposite_of) : "";
    return fmt::format("%{} = {}, after an error {:d}{}", decide->handle, value, decide->after_error,
                       opposite);
  }
  return "}";
}

}  // namespace

std::string print(const GraphProgram& steps, const kernel::Program& program) {
  std::string text;
  std::size_t depth = 0;
  for (const GraphStep& step : steps.steps) {
    if (std::holds_alternative<Close>(step)) --depth;
    text += std::string(2 * depth, ' ') + line(program, step) + "\n";
    if (std::holds_alternative<Open>(step)) ++depth;
  }
  return text;
}

}  // namespace codegen::target::gpu
