#include "codegen/schedule/ir/scheduled_program.h"

#include <algorithm>
#include <set>
#include <span>

#include "codegen/schedule/ir/hash.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule {

Extent bytes_of(const Buffer& buffer) { return element_count(buffer) * dlvm::info(buffer.element).bytes; }

ScheduledProgram of_program(kernel::Program program) {
  ScheduledProgram scheduled;
  scheduled.program = std::move(program);
  using Place = kernel::Value::Place;
  for (const kernel::Value& value : scheduled.program.values) {
    scheduled.inputs += value.place == Place::input ? 1 : 0;
    scheduled.outputs += value.place == Place::output ? 1 : 0;
  }
  return scheduled;
}

void plan_memory(ScheduledProgram& scheduled, bool in_place, Workspace (*workspace)(const Schedule&)) {
  scheduled.plan = kernel::plan_memory(scheduled.program, in_place);
  std::vector<std::vector<Extent>> shared, of_cores;
  const auto take = [](std::vector<std::vector<Extent>>& slots, std::span<const Extent> bytes) {
    if (slots.size() < bytes.size()) slots.resize(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) kernel::enlarge(slots[i], bytes[i]);
  };
  for (const Schedule& schedule : scheduled.schedules) {
    const Workspace needed = workspace(schedule);
    const std::span<const Extent> bytes(needed.bytes);
    take(shared, bytes.first(bytes.size() - needed.of_cores));
    take(of_cores, bytes.last(needed.of_cores));
  }
  scheduled.slots = scheduled.plan.slots;
  for (const auto* slots : {&shared, &of_cores})
    scheduled.slots.insert(scheduled.slots.end(), slots->begin(), slots->end());
  scheduled.core_slots = of_cores.size();
}

CanonicalKey canonical_key(const Schedule& schedule, const std::vector<kernel::CheckSite>& sites,
                           const std::vector<std::string>& dimensions) {
  std::set<std::uint32_t> used;
  for (const Variant& variant : schedule.variants)
    walk<Let>(variant.body, [&](const Let& let) {
      const auto* check = std::get_if<Scalar::Check>(&let.scalar.definition);
      if (check != nullptr) used.insert(check->site);
    });
  CanonicalKey key{without_annotations(schedule), dimensions, {}};
  for (const std::uint32_t site : used) key.checked.push_back(sites[site].shape);
  return key;
}

std::size_t CanonicalKeyHash::operator()(const CanonicalKey& key) const { return hash(key.schedule); }

}  // namespace codegen::schedule
