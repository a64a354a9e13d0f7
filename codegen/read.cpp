#include "codegen/read.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "codegen/kernel/ir/walk.h"
#include "codegen/kernel/text/text.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/text/text.h"

namespace codegen {
namespace {

using kernel::Kernel;
using kernel::Program;
using kernel::Scalar;
using schedule::Schedule;

constexpr std::string_view kernel_word = "kernel @", schedule_word = "schedule @";

bool begins_part(std::string_view line) {
  return line.starts_with(kernel_word) || line.starts_with(schedule_word);
}

/// Whether the line begins what `--emit=kernels` prints of a program before its kernels: it ends a part.
bool begins_program(std::string_view line) { return line.starts_with("program @"); }

/// Each kernel or schedule behind as many empty lines as it has lines before it, so that messages count
/// right.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t lines = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size(); ++lines) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    if (begins_part(line)) parts.emplace_back(lines, '\n');
    inside = begins_part(line) || (inside && !begins_program(line));
    if (inside) parts.back() += line;
    at = end;
  }
  return parts;
}

bool is_kernel(const std::string& part) { return part.find(kernel_word) == part.find_first_not_of('\n'); }

/// The kernel that a schedule is taken to be of: its arguments alone.
Kernel signature_of(const Schedule& schedule) {
  Kernel kernel;
  kernel.name = schedule.name;
  for (std::size_t i = 0; i < schedule.arguments; ++i) {
    const schedule::Buffer& buffer = schedule.buffers[i];
    kernel.buffers.push_back({buffer.name, buffer.element, buffer.shape});
    kernel.buffers.back().written = buffer.written;
  }
  return kernel;
}

/// Adds a launch of a kernel, its values and the dimensions that these name.
void add_launch(Program& program, std::uint32_t number) {
  kernel::Launch launch{number, {}};
  std::set<std::string> names;
  for (const kernel::Buffer& buffer : program.kernels[number].buffers) {
    if (buffer.space != kernel::Buffer::Space::argument) continue;
    launch.values.push_back(static_cast<std::uint32_t>(program.values.size()));
    using Place = kernel::Value::Place;
    kernel::Value value{buffer.written ? Place::output : Place::input, 0, buffer.name, buffer.element,
                        buffer.shape};
    const auto is_alike = [&](const kernel::Value& other) { return other.place == value.place; };
    value.index =
        static_cast<std::uint32_t>(std::count_if(program.values.begin(), program.values.end(), is_alike));
    program.values.push_back(std::move(value));
    for (const dlvm::Extent& extent : buffer.shape) extent.collect_names(names);
  }
  for (const std::string& name : names)
    if (std::find(program.dimensions.begin(), program.dimensions.end(), name) == program.dimensions.end())
      program.dimensions.push_back(name);
  program.launches.push_back(std::move(launch));
}

/// Sites are not in the text: the program gets as many as its checks name.
void add_site(Program& program, const Scalar& scalar) {
  if (const auto* check = std::get_if<Scalar::Check>(&scalar.definition))
    program.check_sites.resize(std::max<std::size_t>(program.check_sites.size(), check->site + 1));
}
void add_sites(Program& program, const Kernel& kernel) {
  kernel::walk<Scalar>(kernel.root, [&](const Scalar& scalar) { add_site(program, scalar); });
}
void add_sites(Program& program, const Schedule& schedule) {
  for (const schedule::Variant& variant : schedule.variants)
    schedule::walk<schedule::Let>(variant.body,
                                  [&](const schedule::Let& let) { add_site(program, let.scalar); });
}

/// Adds what the text holds to the kernels, and, where it is a schedule, to the schedules.
bool read_part(const std::string& part, std::vector<Kernel>& kernels, std::vector<Schedule>& schedules,
               std::string& error) {
  if (is_kernel(part)) {
    auto kernel = kernel::parse_kernel(part, error);
    if (!kernel) return false;
    kernels.push_back(std::move(*kernel));
  } else {
    auto schedule = schedule::parse_schedule(part, error);
    if (!schedule) return false;
    kernels.push_back(signature_of(*schedule));
    schedules.push_back(std::move(*schedule));
  }
  return true;
}

}  // namespace

bool is_code_text(std::string_view file, std::string_view text) {
  if (file != "-") return file.ends_with(".kernel") || file.ends_with(".schedule");
  while (text.starts_with("//") || text.starts_with("\n")) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return begins_part(text) || begins_program(text);
}

Program program_of(std::vector<Kernel> kernels) {
  Program program;
  program.name = kernels.front().name;
  program.kernels = std::move(kernels);
  for (std::uint32_t i = 0; i < program.kernels.size(); ++i) {
    add_sites(program, program.kernels[i]);
    add_launch(program, i);
  }
  return program;
}

Unit unit_of(kernel::Program program) {
  Unit unit;
  unit.name = "text";
  unit.level = Level::kernels;
  Unit::Function function;
  function.dimensions = program.dimensions;
  function.scheduled = schedule::of_program(std::move(program));
  const std::string name = function.scheduled.program.name;
  unit.functions.emplace(name, std::move(function));
  return unit;
}

std::optional<Unit> read_unit(std::string_view text, std::string& error) {
  const auto parts = parts_of(text);
  const bool are_kernels = !parts.empty() && is_kernel(parts.front());
  const auto alike = [&](const std::string& part) { return is_kernel(part) == are_kernels; };
  if (parts.empty()) {
    error = "the text has no `kernel @name` and no `schedule @name`";
    return std::nullopt;
  }
  if (!std::all_of(parts.begin(), parts.end(), alike)) {
    error = "the text has kernels and schedules; one step takes one kind";
    return std::nullopt;
  }
  std::vector<Kernel> kernels;
  std::vector<Schedule> schedules;
  for (const std::string& part : parts)
    if (!read_part(part, kernels, schedules, error)) return std::nullopt;
  Unit unit = unit_of(program_of(std::move(kernels)));
  if (!are_kernels) unit.level = Level::schedules;
  schedule::ScheduledProgram& scheduled = unit.functions.begin()->second.scheduled;
  for (const Schedule& schedule : schedules) add_sites(scheduled.program, schedule);
  scheduled.schedules = std::move(schedules);
  if (auto wrong = verify(unit)) {
    error = std::move(*wrong);
    return std::nullopt;
  }
  return unit;
}

}  // namespace codegen
