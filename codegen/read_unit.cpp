#include "codegen/read_unit.h"

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

/// Adds the dimensions that the program lacks, in the order of their names.
void add_dimensions(Program& program, const std::set<std::string>& names) {
  for (const std::string& name : names)
    if (std::find(program.dimensions.begin(), program.dimensions.end(), name) == program.dimensions.end())
      program.dimensions.push_back(name);
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
  add_dimensions(program, names);
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

/// What a text holds. Of a schedule there is the kernel that it is taken to be of, too.
struct Parts {
  std::vector<Kernel> kernels;
  std::vector<Schedule> schedules;
  std::set<std::string> dimensions;
};

/// Returns false and sets `error` where the text is neither a kernel nor a schedule.
bool read_part(const std::string& part, Parts& parts, std::string& error) {
  if (is_kernel(part)) {
    auto kernel = kernel::parse_kernel(part, error, &parts.dimensions);
    if (!kernel) return false;
    parts.kernels.push_back(std::move(*kernel));
  } else {
    auto schedule = schedule::parse_schedule(part, error, &parts.dimensions);
    if (!schedule) return false;
    parts.kernels.push_back(signature_of(*schedule));
    parts.schedules.push_back(std::move(*schedule));
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
  const auto texts = parts_of(text);
  const bool are_kernels = !texts.empty() && is_kernel(texts.front());
  const auto alike = [&](const std::string& part) { return is_kernel(part) == are_kernels; };
  if (texts.empty()) {
    error = "the text has no `kernel @name` and no `schedule @name`";
    return std::nullopt;
  }
  if (!std::all_of(texts.begin(), texts.end(), alike)) {
    error = "the text has kernels and schedules; one step takes one kind";
    return std::nullopt;
  }
  Parts parts;
  for (const std::string& part : texts)
    if (!read_part(part, parts, error)) return std::nullopt;
  Program program = program_of(std::move(parts.kernels));
  add_dimensions(program, parts.dimensions);
  Unit unit = unit_of(std::move(program));
  if (!are_kernels) unit.level = Level::schedules;
  schedule::ScheduledProgram& scheduled = unit.functions.begin()->second.scheduled;
  for (const Schedule& schedule : parts.schedules) add_sites(scheduled.program, schedule);
  scheduled.schedules = std::move(parts.schedules);
  if (auto wrong = verify(unit)) {
    error = std::move(*wrong);
    return std::nullopt;
  }
  return unit;
}

}  // namespace codegen
