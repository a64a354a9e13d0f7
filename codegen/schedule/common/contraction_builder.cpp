#include "codegen/schedule/common/contraction_builder.h"

namespace codegen::schedule {

const Access* plain_access(const kernel::Stage& stage, kernel::ScalarId operand) {
  const auto* load = std::get_if<Scalar::Load>(&stage.body[operand].definition);
  const bool is_plain = load != nullptr && load->bounds.empty() && !has_loaded(load->access);
  return is_plain ? &load->access : nullptr;
}

Loop ContractionBuilder::open(const char* name, LoopKind kind, Extent extent, std::int64_t step) {
  return new_loop(lowering, name, kind, std::move(extent), step);
}

ValueId ContractionBuilder::need(kernel::ScalarId id, Renaming& renaming, Values& known, Body& body) {
  const auto found = known.find(id);
  if (found != known.end()) return found->second;
  std::set<LoopId> axes;
  std::set<ValueId> values;
  collect(scalar(id), axes, values);
  for (const ValueId operand : values) renaming.values[operand] = need(operand, renaming, known, body);
  Scalar renamed = rename(scalar(id), renaming);
  if (auto* load = std::get_if<Scalar::Load>(&renamed.definition); load != nullptr && !within.empty()) {
    if (load->bounds.empty())
      load->fill = let({renamed.type, Scalar::Literal{dlvm::Tensor(renamed.type, {})}}, body);
    load->bounds.insert(load->bounds.end(), within.begin(), within.end());
  }
  return known[id] = let(std::move(renamed), body);
}

ValueId ContractionBuilder::let(Scalar scalar, Body& body) {
  body.push_back({Let{lowering.next_value, std::move(scalar)}});
  return lowering.next_value++;
}

const Access* ContractionBuilder::plain(kernel::ScalarId operand, ElementType element) const {
  const Access* access = plain_access(stage, operand);
  const bool is_same = access != nullptr && lowering.schedule.buffers[access->buffer].element == element;
  return is_same ? access : nullptr;
}

Body ContractionBuilder::add(Access sum, Access total) {
  Body body;
  const ValueId before = let({type, Scalar::Load{total, {}, 0}}, body);
  const ValueId added = let({type, Scalar::Load{std::move(sum), {}, 0}}, body);
  const ValueId after = let({type, Scalar::Operation{dlvm::Opcode::add, {before, added}}}, body);
  body.push_back({Store{std::move(total), {}, after, std::nullopt}});
  return body;
}

void ContractionBuilder::finish(std::span<const Access> states, Renaming& renaming, Body& body) {
  Values known;
  std::vector<ValueId> components;
  for (std::size_t i = 0; i < states.size(); ++i)
    components.push_back(let({stage.reduction->types[i], Scalar::Load{states[i], {}, 0}}, body));
  const auto first = static_cast<kernel::ScalarId>(stage.body.size());
  for (kernel::ScalarId id = 0; id < stage.epilogue.size(); ++id)
    if (const auto* state = std::get_if<Scalar::State>(&stage.epilogue[id].definition))
      known[first + id] = components[state->component];
  for (kernel::ScalarId id = 0; id < stage.epilogue.size(); ++id)
    if (std::holds_alternative<Scalar::Check>(stage.epilogue[id].definition))
      need(first + id, renaming, known, body);
  // All that is read is read before something is stored, which may be in the same memory.
  for (const kernel::Store& store : stage.stores) {
    std::set<LoopId> axes;
    std::set<ValueId> values{store.value};
    collect(store.access, axes, values);
    collect(store.bounds, axes, values);
    for (const ValueId value : values) renaming.values[value] = need(value, renaming, known, body);
  }
  for (const kernel::Store& store : stage.stores) {
    std::vector<Bound> bounds = rename(store.bounds, renaming);
    bounds.insert(bounds.end(), within.begin(), within.end());
    body.push_back({Store{rename(store.access, renaming), std::move(bounds), renaming.values.at(store.value),
                          store.combine}});
  }
}

}  // namespace codegen::schedule
