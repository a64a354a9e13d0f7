#include "codegen/program/scheduled.h"

#include <algorithm>
#include <set>

#include "codegen/schedule/ir/hash.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen {

dlvm::Extent bytes_of(const schedule::Buffer& buffer) {
  return schedule::element_count(buffer) * dlvm::info(buffer.element).bytes;
}

Scheduled schedule_program(kernel::Program program, const dlvm::Function& function, const Choices& choices) {
  const dlvm::Type &type = function.type(), &results = type.result();
  const std::size_t outputs = results.is_tuple() ? results.elements().size() : 1;
  Scheduled result{std::move(program), type.parameters().size(), outputs, {}, {}, {}};
  result.plan = program::plan(result.program, choices.in_place);
  std::vector<std::vector<dlvm::Extent>> shared;
  for (const kernel::Kernel& kernel : result.program.kernels) {
    result.schedules.push_back(choices.schedule(kernel));
    const Workspace needed = choices.workspace(result.schedules.back());
    if (shared.size() < needed.bytes.size()) shared.resize(needed.bytes.size());
    for (std::size_t i = 0; i < needed.bytes.size(); ++i) {
      const bool known = std::find(shared[i].begin(), shared[i].end(), needed.bytes[i]) != shared[i].end();
      if (!known) shared[i].push_back(needed.bytes[i]);
    }
  }
  result.slots = result.plan.slots;
  result.slots.insert(result.slots.end(), shared.begin(), shared.end());
  return result;
}

CanonicalKey canonical_key(const schedule::Schedule& schedule, const std::vector<kernel::CheckSite>& sites,
                           const std::vector<std::string>& dimensions) {
  std::set<std::uint32_t> used;
  for (const schedule::Variant& variant : schedule.variants)
    schedule::walk<schedule::Let>(variant.body, [&](const schedule::Let& let) {
      const auto* check = std::get_if<schedule::Scalar::Check>(&let.scalar.definition);
      if (check != nullptr) used.insert(check->site);
    });
  CanonicalKey key{without_annotations(schedule), dimensions, {}};
  for (const std::uint32_t site : used) key.checked.push_back(sites[site].shape);
  return key;
}

std::size_t CanonicalKeyHash::operator()(const CanonicalKey& key) const { return hash(key.schedule); }

}  // namespace codegen
