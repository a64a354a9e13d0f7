#include "codegen/read_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

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

/// The word that a part of a text begins with.
constexpr std::string_view program_word = "program @", kernel_word = "kernel @", schedule_word = "schedule @";

bool begins_part(std::string_view line) {
  return line.starts_with(program_word) || line.starts_with(kernel_word) || line.starts_with(schedule_word);
}

/// The statements of a program, or a kernel or a schedule.
struct Part {
  std::string_view word;
  std::string text;  ///< behind as many empty lines as stand before it, so that messages count right
};

std::vector<Part> parts_of(std::string_view text) {
  std::vector<Part> parts;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.size(); ++lines) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    for (const std::string_view word : {program_word, kernel_word, schedule_word})
      if (line.starts_with(word)) parts.push_back({word, std::string(lines, '\n')});
    if (!parts.empty()) parts.back().text += line;
    at = end;
  }
  return parts;
}

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
  program.body.push_back({std::move(launch)});
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

/// Reads the parts of a text into the functions of a unit.
class Reader {
 public:
  explicit Reader(std::string& error) : error_(error) {}

  std::optional<Unit> read(std::span<const Part> parts) {
    if (parts.empty()) return fail("the text has no `kernel @name` and no `schedule @name`");
    const std::string_view first = parts.front().word;
    for (const Part& part : parts) {
      if ((part.word == schedule_word) != (first == schedule_word))
        return fail("the text has kernels and schedules; one step takes one kind");
      if (part.word == program_word && first != program_word)
        return fail("the text has kernels before its first program; a program has the kernels behind it");
    }
    if (first == schedule_word) return read_schedules(parts);
    if (first == kernel_word) return read_kernels(parts);
    return read_programs(parts);
  }

 private:
  std::nullopt_t fail(std::string text) {
    error_ = std::move(text);
    return std::nullopt;
  }

  /// Reads parts that are kernels, and the dimensions that they name.
  std::optional<std::vector<Kernel>> kernels(std::span<const Part> parts) {
    std::vector<Kernel> result;
    for (const Part& part : parts) {
      auto kernel = kernel::parse_kernel(part.text, error_, &dimensions_);
      if (!kernel) return std::nullopt;
      result.push_back(std::move(*kernel));
    }
    return result;
  }

  std::optional<Unit> read_kernels(std::span<const Part> parts) {
    auto all = kernels(parts);
    if (!all) return std::nullopt;
    Program program = program_of(std::move(*all));
    add_dimensions(program, dimensions_);
    return unit_of(std::move(program));
  }

  std::optional<Unit> read_schedules(std::span<const Part> parts) {
    std::vector<Schedule> schedules;
    std::vector<Kernel> signatures;
    for (const Part& part : parts) {
      auto schedule = schedule::parse_schedule(part.text, error_, &dimensions_);
      if (!schedule) return std::nullopt;
      signatures.push_back(signature_of(*schedule));
      schedules.push_back(std::move(*schedule));
    }
    Program program = program_of(std::move(signatures));
    add_dimensions(program, dimensions_);
    for (const Schedule& schedule : schedules) add_sites(program, schedule);
    Unit unit = unit_of(std::move(program));
    unit.level = Level::schedules;
    unit.functions.begin()->second.scheduled.schedules = std::move(schedules);
    return unit;
  }

  std::optional<Unit> read_programs(std::span<const Part> parts) {
    std::optional<Unit> unit;
    while (!parts.empty()) {
      const auto next = std::ranges::find(parts.subspan(1), program_word, &Part::word);
      const auto count = static_cast<std::size_t>(next - parts.subspan(1).begin());
      dimensions_.clear();
      auto own = kernels(parts.subspan(1, count));
      auto program = own ? kernel::parse_program(parts.front().text, std::move(*own), error_) : std::nullopt;
      if (!program) return std::nullopt;
      add_dimensions(*program, dimensions_);
      for (const Kernel& kernel : program->kernels) add_sites(*program, kernel);
      Unit read = unit_of(std::move(*program));
      if (unit)
        unit->functions.merge(read.functions);
      else
        unit = std::move(read);
      parts = parts.subspan(1 + count);
    }
    return unit;
  }

  std::string& error_;
  std::set<std::string> dimensions_;
};

}  // namespace

bool is_code_text(std::string_view file, std::string_view text) {
  if (file != "-") return file.ends_with(".kernel") || file.ends_with(".schedule");
  while (text.starts_with("//") || text.starts_with("\n")) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return begins_part(text);
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
  auto unit = Reader(error).read(parts_of(text));
  if (!unit) return std::nullopt;
  if (auto wrong = verify(*unit)) {
    error = std::move(*wrong);
    return std::nullopt;
  }
  return unit;
}

}  // namespace codegen
