#include "codegen/memory/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/kernel/index.h"

namespace codegen::memory {
namespace {

using dlvm::Extent;
using dlvm::Proof;
using kernel::BufferId;
using kernel::Kernel;
using kernel::Lifetime;
using kernel::Program;
using kernel::Scalar;
using kernel::Stage;
using kernel::Value;

Extent bytes(const Value& value) { return unit_count(value.shape) * Extent(dlvm::info(value.element).bytes); }

/// What a kernel does with two of its buffers, as far as overwriting one by the other goes.
class InPlace {
 public:
  InPlace(const Kernel& kernel, BufferId read, BufferId written) : read_(read), written_(written) {
    const auto &a = kernel.buffers[read], &b = kernel.buffers[written];
    possible_ = a.shape == b.shape && a.element == b.element;
    visit(kernel.root);
  }

  /// One stage stores the written buffer, once and without a reduction; no other reads the other one, and
  /// this one reads it just where it stores.
  bool possible() const { return possible_ && stores_ == 1; }

 private:
  void visit(const kernel::Block& block) {
    for (const auto& child : block.children) {
      if (const auto* inner = std::get_if<kernel::Block>(&child))
        visit(*inner);
      else
        visit(std::get<Stage>(child));
    }
  }

  void visit(const Stage& stage) {
    const kernel::Store* store = nullptr;
    for (const auto& candidate : stage.stores)
      if (candidate.access.buffer == written_) {
        store = &candidate;
        ++stores_;
      }
    for (const auto* scalars : {&stage.body, &stage.epilogue})
      for (const Scalar& scalar : *scalars)
        if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
            load && load->access.buffer == read_)
          possible_ = possible_ && store != nullptr && !stage.reduction && !store->combine &&
                      store->bounds.empty() &&
                      kernel::compare(load->access.indices, store->access.indices) == 0;
  }

  BufferId read_, written_;
  bool possible_ = true;
  int stores_ = 0;
};

bool overwrites(const Program& program, std::size_t launch, std::uint32_t old_value,
                std::uint32_t new_value) {
  const auto& values = program.launches[launch].values;
  const Kernel& kernel = program.kernels[program.launches[launch].kernel];
  if (std::count(values.begin(), values.end(), old_value) != 1 ||
      std::count(values.begin(), values.end(), new_value) != 1)
    return false;
  const auto position = [&](std::uint32_t value) {
    return static_cast<BufferId>(std::find(values.begin(), values.end(), value) - values.begin());
  };
  const BufferId read = position(old_value), written = position(new_value);
  return !kernel.buffers[read].written && InPlace(kernel, read, written).possible();
}

/// How well a value of `size` fits a slot: 0 exactly, 1 within, 2 the slot grows, 3 not comparable.
int misfit(const std::vector<Extent>& slot, const Extent& size) {
  int best = 3;
  for (const Extent& other : slot) {
    if (other == size) return 0;
    if (provably_at_most(size, other) == Proof::yes) best = std::min(best, 1);
    if (provably_at_most(other, size) == Proof::yes) best = std::min(best, 2);
  }
  return best;
}

void enlarge(std::vector<Extent>& slot, const Extent& size) {
  for (const Extent& other : slot)
    if (provably_at_most(size, other) == Proof::yes) return;
  std::erase_if(slot, [&](const Extent& other) { return provably_at_most(other, size) == Proof::yes; });
  slot.push_back(size);
}

}  // namespace

// 1. The launches in order; at each, the arena values that begin there, largest trouble first come first
// served.
// 2. A value takes the best fitting slot of those whose value has ended before this launch, or ends in it and
// may
//    be overwritten in place; two values that share a slot cost the larger of the two, two slots their sum,
//    so any free slot is better than a new one.
Plan plan(const Program& program, bool in_place) {
  Plan plan;
  plan.slot_of.resize(program.values.size());
  const auto life = lifetimes(program);
  std::vector<std::uint32_t> holder;  // the value that a slot holds, or held last
  for (std::size_t launch = 0; launch < program.launches.size(); ++launch)
    for (const std::uint32_t value : program.launches[launch].values) {
      if (program.values[value].place != Value::Place::arena || life[value].first != launch ||
          plan.slot_of[value])
        continue;
      const Extent size = bytes(program.values[value]);
      std::optional<std::uint32_t> chosen;
      int least = 4;
      for (std::uint32_t slot = 0; slot < holder.size(); ++slot) {
        const std::size_t end = life[holder[slot]].last;
        const bool free = end < launch || (in_place && end == launch && life[holder[slot]].first < launch &&
                                           overwrites(program, launch, holder[slot], value));
        if (!free) continue;
        if (const int fit = misfit(plan.slots[slot], size); fit < least) {
          least = fit;
          chosen = slot;
        }
      }
      if (!chosen) {
        chosen = static_cast<std::uint32_t>(holder.size());
        holder.push_back(value);
        plan.slots.emplace_back();
      }
      enlarge(plan.slots[*chosen], size);
      holder[*chosen] = value;
      plan.slot_of[value] = chosen;
    }
  return plan;
}

std::string text(const Plan& plan, const Program& program) {
  const auto life = lifetimes(program);
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

}  // namespace codegen::memory
