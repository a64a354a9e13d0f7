#include "codegen/schedule/common/contraction_nest.h"

namespace codegen::schedule {

Loop ContractionNest::open(const char* name, LoopKind kind, Extent extent, std::int64_t step) {
  return new_loop(lowering_, name, kind, std::move(extent), step);
}

ValueId ContractionNest::need(kernel::ScalarId id, Renaming& renaming, Values& known, Body& body) {
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  std::set<LoopId> axes;
  std::set<ValueId> values;
  collect(scalar(id), axes, values);
  for (const ValueId operand : values) renaming.values[operand] = need(operand, renaming, known, body);
  return known[id] = let(rename(scalar(id), renaming), body);
}

ValueId ContractionNest::let(Scalar scalar, Body& body) {
  body.push_back({Let{lowering_.next_value, std::move(scalar)}});
  return lowering_.next_value++;
}

const Access* ContractionNest::plain(kernel::ScalarId operand, ElementType type) const {
  const auto* load = std::get_if<Scalar::Load>(&stage_.body[operand].definition);
  if (load == nullptr || !load->bounds.empty() || has_loaded(load->access)) return nullptr;
  return lowering_.schedule.buffers[load->access.buffer].element == type ? &load->access : nullptr;
}

void ContractionNest::finish(const Access& tile, Renaming& renaming, Body& body) {
  Values known;
  const ValueId state = let({type_, Scalar::Load{tile, {}, 0}}, body);
  const auto first = static_cast<kernel::ScalarId>(stage_.body.size());
  for (kernel::ScalarId id = 0; id < stage_.epilogue.size(); ++id)
    if (std::holds_alternative<Scalar::State>(stage_.epilogue[id].definition)) known[first + id] = state;
  for (kernel::ScalarId id = 0; id < stage_.epilogue.size(); ++id)
    if (std::holds_alternative<Scalar::Check>(stage_.epilogue[id].definition))
      need(first + id, renaming, known, body);
  for (const kernel::Store& store : stage_.stores) {
    std::set<LoopId> axes;
    std::set<ValueId> values{store.value};
    collect(store.access, axes, values);
    collect(store.bounds, axes, values);
    for (const ValueId value : values) renaming.values[value] = need(value, renaming, known, body);
    body.push_back({Store{rename(store.access, renaming), rename(store.bounds, renaming),
                          renaming.values.at(store.value), store.combine}});
  }
}

}  // namespace codegen::schedule
