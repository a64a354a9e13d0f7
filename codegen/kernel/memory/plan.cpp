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
    std::map<std::size_t, std::uint32_t> values;  ///< by their first launch
  };
  /// Two facts that decide at once, for most slots, whether a value fits in. They are apart from the values,
  /// because all slots are asked.
  struct Lives {
    Lifetime longest;      ///< of the value in the slot that lives longest
    std::size_t last = 0;  ///< the last launch of all
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

  /// Slots come with ever smaller sizes: of those in which the value fits, the smallest ones are the last.
  std::optional<std::uint32_t> find_slot(ValueId value) const {
    for (std::size_t end = slots_.size(), i = firsts_.size(); i-- > 0; end = firsts_[i])
      if (const auto found = nearest_slot(value, firsts_[i], end)) return found;
    return std::nullopt;
  }

  /// Returns the slot in [begin, end) in which the value fits and lies nearest to another in time.
  std::optional<std::uint32_t> nearest_slot(ValueId value, std::size_t begin, std::size_t end) const {
    std::optional<std::uint32_t> chosen;
    std::size_t least = 0;
    const Lifetime life = life_[value];
    for (std::size_t slot = begin; slot < end; ++slot) {
      const Lives& lives = lives_[slot];
      if (lives.longest.last > life.first && lives.longest.first < life.last) continue;
      const auto near =
          lives.last < life.first ? std::optional(life.first - lives.last) : distance(slots_[slot], value);
      if (near && (!chosen || *near < least)) least = *near, chosen = static_cast<std::uint32_t>(slot);
    }
    return chosen;
  }

  void add(ValueId value, double size) {
    std::optional<std::uint32_t> chosen = find_slot(value);
    if (!chosen) {
      chosen = static_cast<std::uint32_t>(slots_.size());
      if (slots_.empty() || size != size_) firsts_.push_back(slots_.size());
      size_ = size;
      slots_.emplace_back();
      lives_.push_back({life_[value], life_[value].last});
      plan_.slots.emplace_back();
    }
    Lives& lives = lives_[*chosen];
    if (length(life_[value]) > length(lives.longest)) lives.longest = life_[value];
    lives.last = std::max(lives.last, life_[value].last);
    slots_[*chosen].values.emplace(life_[value].first, value);
    enlarge(plan_.slots[*chosen], bytes(program_.values[value]));
    plan_.slot_of[value] = chosen;
  }

  static std::size_t length(const Lifetime& life) { return life.last - life.first; }

  const Program& program_;
  bool in_place_;
  const Lifetimes lifetimes_;
  const std::vector<Lifetime>& life_;
  std::vector<Slot> slots_;
  std::vector<Lives> lives_;         ///< of each slot
  std::vector<std::size_t> firsts_;  ///< the first slot of each size
  double size_ = 0;                  ///< of the last slot
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
