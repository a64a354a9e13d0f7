#include "codegen/kernel/memory/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "codegen/kernel/ir/index.h"
#include "codegen/kernel/ir/lifetimes.h"
#include "codegen/kernel/memory/in_place.h"

namespace codegen::kernel {
namespace {

using dlvm::Extent;
using dlvm::Proof;

Extent bytes(const Value& value) { return unit_count(value.shape) * Extent(dlvm::info(value.element).bytes); }

bool overwrites(const Program& program, const Launch* launch, ValueId old_value, ValueId new_value) {
  if (launch == nullptr) return false;
  const auto& values = launch->values;
  const Kernel& kernel = program.kernels[launch->kernel];
  if (std::count(values.begin(), values.end(), old_value) != 1 ||
      std::count(values.begin(), values.end(), new_value) != 1)
    return false;
  const auto position = [&](ValueId value) {
    return static_cast<BufferId>(std::find(values.begin(), values.end(), value) - values.begin());
  };
  const BufferId read = position(old_value), written = position(new_value);
  return !kernel.buffers[read].written && may_overwrite(kernel, read, written);
}

/// Bytes where every dimension is 128: for comparing sizes of which neither is provably below the other.
double typical(const Extent& size) {
  std::set<std::string> names;
  size.collect_names(names);
  Extent::Bindings bindings;
  for (const auto& name : names) bindings[name] = 128;
  return static_cast<double>(size.evaluate(bindings).value_or(INT64_MAX));
}

/// Puts values into slots, one after the other.
class Planner {
 public:
  Planner(const Program& program, bool in_place)
      : program_(program), in_place_(in_place), lifetimes_(lifetimes(program)), life_(lifetimes_.of_value) {}

  MemoryPlan run() {
    plan_.slot_of.resize(program_.values.size());
    std::vector<std::uint32_t> order;
    std::vector<double> sizes(program_.values.size());
    for (ValueId value = 0; value < program_.values.size(); ++value) {
      if (program_.values[value].place != Value::Place::arena || life_[value].first > life_[value].last)
        continue;
      order.push_back(value);
      sizes[value] = typical(bytes(program_.values[value]));
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return sizes[a] != sizes[b] ? sizes[a] > sizes[b] : life_[a].first < life_[b].first;
    });
    for (const ValueId value : order) add(value, sizes[value]);
    return std::move(plan_);
  }

 private:
  struct Slot {
    double size = 0;
    std::map<std::size_t, std::uint32_t> values;  ///< by their first launch
  };

  /// Whether `early` has ended when `late` begins, or is overwritten by it.
  bool follows(std::uint32_t early, std::uint32_t late) const {
    const std::size_t end = life_[early].last, begin = life_[late].first;
    if (end != begin) return end < begin;
    return in_place_ && life_[early].first < begin && begin <= life_[late].last &&
           overwrites(program_, lifetimes_.launch_at[begin], early, late);
  }

  /// How many launches the value begins after the one before it in the slot, or ends before the one behind
  /// it; nothing where it lives at the same time as one of them.
  std::optional<std::size_t> distance(const Slot& slot, ValueId value) const {
    std::size_t nearest = SIZE_MAX;
    auto next = slot.values.lower_bound(life_[value].first);
    if (next != slot.values.end()) {
      if (next->first == life_[value].first || !follows(value, next->second)) return std::nullopt;
      nearest = next->first - life_[value].last;
    }
    if (next != slot.values.begin()) {
      const std::uint32_t before = std::prev(next)->second;
      if (!follows(before, value)) return std::nullopt;
      nearest = std::min(nearest, life_[value].first - life_[before].last);
    }
    return nearest;
  }

  void add(ValueId value, double size) {
    std::optional<std::uint32_t> chosen;
    std::pair<double, std::size_t> least{};
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot)
      if (const auto near = distance(slots_[slot], value))
        if (const std::pair fit{slots_[slot].size, *near}; !chosen || fit < least) least = fit, chosen = slot;
    if (!chosen) {
      chosen = static_cast<std::uint32_t>(slots_.size());
      slots_.push_back({size, {}});
      plan_.slots.emplace_back();
    }
    slots_[*chosen].values.emplace(life_[value].first, value);
    enlarge(plan_.slots[*chosen], bytes(program_.values[value]));
    plan_.slot_of[value] = chosen;
  }

  const Program& program_;
  bool in_place_;
  const Lifetimes lifetimes_;
  const std::vector<Lifetime>& life_;
  std::vector<Slot> slots_;
  MemoryPlan plan_;
};

}  // namespace

void enlarge(std::vector<Extent>& slot, const Extent& size) {
  for (const Extent& other : slot)
    if (provably_at_most(size, other) == Proof::yes) return;
  std::erase_if(slot, [&](const Extent& other) { return provably_at_most(other, size) == Proof::yes; });
  slot.push_back(size);
}

// The largest values first, of equal ones the earliest: each takes, of the slots that are free while it
// lives, the smallest one, and of equal ones that in which it lies next to another in time. Two values that
// share a slot cost the larger of the two, two slots their sum, so any free slot is better than a new one.
// Since slots are there before smaller values come, no long life of a small value holds a large slot that a
// large one needs.
MemoryPlan plan_memory(const Program& program, bool in_place) { return Planner(program, in_place).run(); }

std::optional<std::string> verify(const MemoryPlan& plan, const Program& program) {
  const auto life = lifetimes(program).of_value;
  std::vector<std::vector<std::size_t>> values(plan.slots.size());
  for (std::size_t value = 0; value < program.values.size(); ++value) {
    if (program.values[value].place != Value::Place::arena || life[value].first > life[value].last) continue;
    const auto slot = value < plan.slot_of.size() ? plan.slot_of[value] : std::nullopt;
    if (!slot || *slot >= plan.slots.size()) return fmt::format("M1: {}", program.values[value].name);
    values[*slot].push_back(value);
  }
  for (auto& in_slot : values) {
    std::ranges::sort(in_slot, {},
                      [&](std::size_t value) { return std::pair(life[value].first, life[value].last); });
    for (std::size_t i = 1; i < in_slot.size(); ++i) {
      const Lifetime &a = life[in_slot[i - 1]], &b = life[in_slot[i]];
      if (a.last > b.first || a.first == b.first)
        return fmt::format("M2: {} and {}", program.values[in_slot[i - 1]].name,
                           program.values[in_slot[i]].name);
    }
  }
  return std::nullopt;
}

std::string print_plan(const MemoryPlan& plan, const Program& program) {
  const auto life = lifetimes(program).of_value;
  std::string out = fmt::format("memory of @{}: {} slots\n", program.name, plan.slots.size());
  for (std::size_t slot = 0; slot < plan.slots.size(); ++slot) {
    std::string sizes;
    for (const Extent& size : plan.slots[slot]) sizes += (sizes.empty() ? "" : ", ") + size.text();
    out += fmt::format("  slot {}: {} bytes\n", slot,
                       plan.slots[slot].size() > 1 ? "max(" + sizes + ")" : sizes);
    for (std::size_t value = 0; value < program.values.size(); ++value)
      if (plan.slot_of[value] == slot)
        out += fmt::format("    {}: {} bytes, launches {} to {}\n", program.values[value].name,
                           bytes(program.values[value]).text(), life[value].first, life[value].last);
  }
  return out;
}

}  // namespace codegen::kernel
