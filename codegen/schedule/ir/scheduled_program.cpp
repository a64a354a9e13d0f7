#include "codegen/schedule/ir/scheduled_program.h"

#include <algorithm>
#include <set>

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
  std::vector<std::vector<Extent>> shared;
  for (const Schedule& schedule : scheduled.schedules) {
    const Workspace needed = workspace(schedule);
    if (shared.size() < needed.bytes.size()) shared.resize(needed.bytes.size());
    for (std::size_t i = 0; i < needed.bytes.size(); ++i) kernel::enlarge(shared[i], needed.bytes[i]);
  }
  scheduled.slots = scheduled.plan.slots;
  scheduled.slots.insert(scheduled.slots.end(), shared.begin(), shared.end());
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
