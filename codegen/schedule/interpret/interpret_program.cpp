#include "codegen/schedule/interpret/interpret_program.h"

#include <algorithm>

#include "codegen/kernel/interpret/control_flow.h"
#include "codegen/schedule/interpret/launch.h"

namespace codegen::schedule {
namespace {

using dlvm::Extent;
using dlvm::Tensor;
using kernel::Value;
using machine::Memories;
using machine::Memory;

/// The launches of a program.
class Execution : kernel::StatementActions {
 public:
  Execution(const kernel::Program& program, const kernel::MemoryPlan& plan,
            const Extent::Bindings& dimensions)
      : program_(program), plan_(plan), run_{dimensions, program.name, {}, {}} {}

  kernel::Execution run(std::span<const Schedule> schedules, std::span<const Tensor> inputs,
                        std::uint32_t seed) {
    place_slots();
    begun_.resize(program_.values.size());
    for (const Value& value : program_.values) memory_.push_back(place(value, inputs));
    schedules_ = schedules;
    seed_ = seed;
    kernel::run(program_.body, *this);
    return {outputs(), run_.error};
  }

 private:
  bool launch(const kernel::Launch& launch) override {
    begin(launch);
    Memories arguments;
    for (const kernel::ValueId value : launch.values) arguments.push_back(memory_[value]);
    machine::launch(run_, schedules_[launch.kernel], arguments, seed_);
    return !run_.error;
  }
  void swap(const kernel::Swap& swap) override {
    std::swap(memory_[swap.first], memory_[swap.second]);
    begun_[swap.first] = begun_[swap.second] = true;
  }
  bool condition(kernel::ValueId value) override { return memory_[value]->bytes[0] != std::byte{0}; }

  Tensor empty(const Value& value) { return Tensor(value.element, run_.extents(value.shape)); }

  void place_slots() {
    for (const auto& sizes : plan_.slots) {
      std::int64_t most = 0;
      for (const Extent& size : sizes) most = std::max(most, run_.extent(size));
      slots_.push_back(std::make_shared<Memory>(static_cast<std::size_t>(most)));
    }
  }

  std::shared_ptr<Memory> place(const Value& value, std::span<const Tensor> inputs) {
    const std::size_t id = memory_.size();
    if (value.place == Value::Place::input) return machine::memory_of(inputs[value.index]);
    if (value.place == Value::Place::literal) return machine::memory_of(value.data);
    if (value.updated_input) return machine::memory_of(inputs[*value.updated_input]);
    if (id < plan_.slot_of.size() && plan_.slot_of[id]) return slots_[*plan_.slot_of[id]];
    return std::make_shared<Memory>(empty(value).byte_count());
  }

  /// A value that begins finds no other in its slot, unless it overwrites that in this launch.
  void begin(const kernel::Launch& launch) {
    const auto holds_other = [&](std::uint32_t value) {
      return std::any_of(launch.values.begin(), launch.values.end(), [&](std::uint32_t other) {
        return other != value && memory_[other] == memory_[value];
      });
    };
    for (const std::uint32_t value : launch.values) {
      if (begun_[value]) continue;
      begun_[value] = true;
      if (program_.values[value].place == Value::Place::arena && !holds_other(value))
        std::fill(memory_[value]->bytes.begin(), memory_[value]->bytes.end(), std::byte{0xff});
    }
  }

  std::vector<Tensor> outputs() {
    std::vector<Tensor> result;
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const Value& value = program_.values[i];
      if (value.place != Value::Place::output) continue;
      if (result.size() <= value.index) result.resize(value.index + 1);
      result[value.index] = empty(value);
      machine::copy(*memory_[i], result[value.index]);
    }
    return result;
  }

  const kernel::Program& program_;
  const kernel::MemoryPlan& plan_;
  kernel::Run run_;
  std::span<const Schedule> schedules_;
  std::uint32_t seed_ = 0;
  Memories memory_, slots_;  ///< of values, of slots
  std::vector<bool> begun_;  ///< values
};

}  // namespace

kernel::Execution interpret(const kernel::Program& program, std::span<const Schedule> schedules,
                            std::span<const Tensor> inputs, const Extent::Bindings& dimensions,
                            std::uint32_t seed) {
  const kernel::MemoryPlan none;
  return Execution(program, none, dimensions).run(schedules, inputs, seed);
}

kernel::Execution interpret(const ScheduledProgram& scheduled, std::span<const Tensor> inputs,
                            const Extent::Bindings& dimensions, std::uint32_t seed) {
  return Execution(scheduled.program, scheduled.plan, dimensions).run(scheduled.schedules, inputs, seed);
}

}  // namespace codegen::schedule
