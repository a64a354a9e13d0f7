#include "telc/memory_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/kernel/ir/walk.h"
#include "dlvm/analysis/checkpoint_schedule.h"
#include "dlvm/analysis/work.h"

namespace telc {
namespace {

using codegen::kernel::Launch;
using codegen::kernel::Program;
using codegen::kernel::Stage;
using codegen::kernel::ValueId;
using codegen::schedule::Origin;
using codegen::schedule::ScheduledProgram;
using dlvm::Extent;

constexpr std::size_t most_slots = 12, most_values = 4;

/// Returns `max(N, 8)` for several sizes of which none is known to be the largest.
std::string largest(const std::vector<Extent>& sizes) {
  std::string list;
  for (const Extent& size : sizes) list += (list.empty() ? "" : ", ") + size.text();
  return sizes.size() > 1 ? "max(" + list + ")" : list;
}

/// Returns the sum of the slots' sizes, each of which begins at a multiple of 64 bytes. `known`, if not null,
/// is set to the sum of those that are numbers; nothing if there are others.
std::string total(const std::vector<std::vector<Extent>>& slots,
                  std::optional<std::int64_t>* known = nullptr) {
  std::int64_t sum = 0;
  std::string text;
  for (const auto& sizes : slots) {
    if (const auto constant = sizes.front().constant(); constant && sizes.size() == 1)
      sum += (*constant + 63) / 64 * 64;
    else
      text += largest(sizes) + " + ";
  }
  if (known != nullptr) *known = text.empty() ? std::optional(sum) : std::nullopt;
  return fmt::format("{}{}", text, sum);
}

/// Returns the place in the source, in parentheses; empty if it is not known.
std::string place_of(const dlvm::Location& location) {
  if (!location.valid()) return "";
  return fmt::format(" ({}:{}:{})", location.source->name(), location.line, location.column);
}

/// Returns the place in the source of what first writes the value, in parentheses; empty if it has none.
std::string place_of(const Program& program, ValueId value) {
  for (const Launch* launch : codegen::kernel::collect<Launch>(program.body)) {
    const codegen::kernel::Kernel& kernel = program.kernels[launch->kernel];
    for (std::size_t b = 0; b < launch->values.size(); ++b) {
      if (launch->values[b] != value || !kernel.buffers[b].written) continue;
      dlvm::Location location;
      codegen::kernel::walk<Stage>(kernel.root, [&](const Stage& stage) {
        const bool stores =
            std::ranges::any_of(stage.stores, [&](const auto& store) { return store.access.buffer == b; });
        if (stores && !location.valid() && !stage.locations.empty()) location = stage.locations.front();
      });
      if (location.valid()) return place_of(location);
    }
  }
  return "";
}

using FindWorkspace = codegen::schedule::Workspace (*)(const codegen::schedule::Schedule&);

/// Returns the mark of the stage that allocates the buffer, or null if stages share the buffer.
const Origin* origin_of(const codegen::schedule::Body& body, codegen::schedule::BufferId buffer) {
  const Origin *last = nullptr, *found = nullptr;
  const auto visit = [&](const auto& self, const codegen::schedule::Body& statements) -> void {
    for (const auto& statement : statements) {
      if (const auto* origin = std::get_if<Origin>(&statement.node)) last = origin;
      if (const auto* loop = std::get_if<codegen::schedule::Loop>(&statement.node)) self(self, loop->body);
      const auto* allocate = std::get_if<codegen::schedule::Allocate>(&statement.node);
      if (allocate != nullptr && allocate->buffer == buffer && found == nullptr) found = last;
    }
  };
  visit(visit, body);
  return found;
}

/// Returns the largest of the kernels' buffers that share the slot of that number after those of values, with
/// the decision for which it is needed.
std::string buffers_of(const ScheduledProgram& scheduled, std::size_t number, FindWorkspace find) {
  std::string text;
  std::int64_t largest = -1;
  std::size_t count = 0;
  for (const codegen::schedule::Schedule& schedule : scheduled.schedules) {
    const codegen::schedule::Workspace workspace = find(schedule);
    if (number >= workspace.buffers.size()) continue;
    ++count;
    const std::int64_t bytes = workspace.bytes[number].constant().value_or(INT64_MAX);
    if (bytes <= largest) continue;
    largest = bytes;
    const codegen::schedule::Buffer& buffer = schedule.buffers[workspace.buffers[number]];
    text = fmt::format("{} {}", buffer.name, dlvm::Type::tensor(buffer.element, buffer.shape).text());
    const Origin* origin = origin_of(schedule.variants.back().body, workspace.buffers[number]);
    if (origin == nullptr) continue;
    text += place_of(origin->location);
    if (!origin->plan.empty()) text += ": " + origin->plan;
  }
  if (count > 1) text += ", and smaller ones of other kernels";
  return text;
}

/// Returns the values that share a slot, in the order in which the program names them.
std::string values_of(const ScheduledProgram& scheduled, std::size_t slot) {
  std::string text;
  std::size_t count = 0;
  for (ValueId value = 0; value < scheduled.program.values.size(); ++value) {
    if (scheduled.plan.slot_of[value] != slot) continue;
    if (++count > most_values) continue;
    const codegen::kernel::Value& each = scheduled.program.values[value];
    text +=
        fmt::format("{}{} {}{}", text.empty() ? "" : ", then ", each.name,
                    dlvm::Type::tensor(each.element, each.shape).text(), place_of(scheduled.program, value));
  }
  if (count > most_values) text += fmt::format(" and {} more", count - most_values);
  return text;
}

std::string table(const ScheduledProgram& scheduled, FindWorkspace find) {
  std::vector<std::size_t> order;
  for (std::size_t slot = 0; slot < scheduled.slots.size(); ++slot) order.push_back(slot);
  const auto constant = [&](std::size_t slot) {
    return scheduled.slots[slot].front().constant().value_or(INT64_MAX);
  };
  std::ranges::stable_sort(order, std::greater(), constant);
  std::string text;
  const std::size_t values = scheduled.plan.slots.size();
  for (std::size_t i = 0; i < std::min(order.size(), most_slots); ++i)
    text += fmt::format(
        "{:>12}  {}\n", largest(scheduled.slots[order[i]]),
        order[i] < values ? values_of(scheduled, order[i]) : buffers_of(scheduled, order[i] - values, find));
  std::vector<std::vector<Extent>> rest;
  for (std::size_t i = most_slots; i < order.size(); ++i) rest.push_back(scheduled.slots[order[i]]);
  if (!rest.empty()) text += fmt::format("{:>12}  {} smaller ones\n", total(rest), rest.size());
  return text;
}

/// Returns a line for each value, as many as a table of slots has.
std::string lines_of(std::string_view what, const std::vector<dlvm::CheckpointedValue>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), most_slots); ++i)
    text +=
        fmt::format("{:>12}  {}: {}{}\n", values[i].bytes, what, values[i].text, place_of(values[i].place));
  if (values.size() <= most_slots) return text;
  std::int64_t rest = 0;
  for (std::size_t i = most_slots; i < values.size(); ++i) rest += values[i].bytes;
  return text + fmt::format("{:>12}  {}: {} more\n", rest, what, values.size() - most_slots);
}

std::string describe(const dlvm::CheckpointingChoice& choice) {
  std::string text = fmt::format("@{} keeps {} bytes {}, {} a budget of {}", choice.function, choice.kept,
                                 choice.is_straight_line ? "for its reverse part" : "of its loops",
                                 choice.kept > choice.budget ? "more than" : "within", choice.budget);
  if (choice.is_typical) text += fmt::format(" (if every dimension is {})", dlvm::typical_dimension);
  if (choice.is_straight_line) {
    if (choice.kept < choice.all) text += fmt::format(", and not {}", choice.all);
    if (!choice.computed_again.empty())
      text += fmt::format(": it computes {:.1f} % of its work again", 100 * choice.more_work);
    return text + "\n" + lines_of("kept", choice.stored) + lines_of("computed again", choice.computed_again);
  }
  const auto& [levels, uncut] = choice.segments;
  if (levels.empty()) return text + "\n";
  const std::string rounds = uncut == 0
                                 ? "the steps of a loop"
                                 : fmt::format("the steps of a loop but for the last {:.1f} %",
                                               100 * static_cast<double>(uncut) / dlvm::Segments::all_rounds);
  double again = 0;
  std::string segments;
  for (const auto& [count, checkpoints] : levels) {
    again += dlvm::mean_repetitions(count, std::min(count, checkpoints));
    if (!segments.empty()) segments += ", inside of which there are ";
    segments += checkpoints < count ? fmt::format("{} checkpoints of {} segments", checkpoints, count)
                                    : fmt::format("checkpoints of {} segments", count);
  }
  return text + fmt::format(", and not {}: it computes {} {} from {}\n", choice.all, rounds,
                            again <= 1 ? "once more" : fmt::format("{:.1f} times more", again), segments);
}

}  // namespace

void MemoryReport::listen(codegen::PipelineOptions& pipeline) {
  listens_ = true;
  pipeline.after = [this, also = pipeline.after](const codegen::Step& step, const codegen::Unit& unit,
                                                 double seconds) {
    if (also) also(step, unit, seconds);
    if (step.to != codegen::Level::planned || unit.backend->form != codegen::ProgramForm::core) return;
    for (const auto& [name, function] : unit.functions)
      of_function_[name] =
          fmt::format("{} bytes of workspace\n{}", total(function.scheduled.slots, &bytes_[name]),
                      table(function.scheduled, unit.backend->workspace));
  };
}

std::string MemoryReport::text(const std::vector<dlvm::CheckpointingChoice>& choices) const {
  std::string text;
  for (const dlvm::EntryPoint& entry : module_.entries)
    if (const auto found = of_function_.find(entry.function); found != of_function_.end())
      text += fmt::format("{}: {}", entry.name, found->second);
  for (const dlvm::CheckpointingChoice& choice : choices) {
    if (!listens_) break;
    text += describe(choice);
    const auto bytes = bytes_.find(choice.function);
    if (choice.segments.levels.empty() || bytes == bytes_.end() || bytes->second <= choice.kept) continue;
    text += fmt::format("{:>12}  more are for what one step computes and the loops count\n",
                        *bytes->second - choice.kept);
  }
  return text;
}

}  // namespace telc
