#include "codegen/schedule/ir/index.h"

#include <algorithm>

namespace codegen::schedule {
namespace {

ValueId renamed(ValueId value, const Renaming& renaming) {
  const auto found = renaming.values.find(value);
  return found == renaming.values.end() ? value : found->second;
}

}  // namespace

Index rename(const Index& index, const Renaming& renaming) {
  struct {
    const Renaming& renaming;
    Index operator()(LoopId loop) const {
      const auto found = renaming.axes.find(loop);
      return found == renaming.axes.end() ? kernel::axis_index(loop) : found->second;
    }
    Index operator()(kernel::Loaded loaded) const {
      return kernel::loaded_index(renamed(loaded.scalar, renaming));
    }
  } const replace{renaming};
  return kernel::substitute(index, replace);
}

Access rename(const Access& access, const Renaming& renaming) {
  Access result{access.buffer, {}};
  for (const Index& index : access.indices) result.indices.push_back(rename(index, renaming));
  return result;
}

std::vector<Bound> rename(const std::vector<Bound>& bounds, const Renaming& renaming) {
  std::vector<Bound> result;
  for (const Bound& bound : bounds) result.push_back({rename(bound.index, renaming), bound.end});
  return result;
}

void collect(const Index& index, std::set<LoopId>& loops, std::set<ValueId>& values) {
  struct {
    std::set<LoopId>& loops;
    std::set<ValueId>& values;
    void operator()(LoopId loop) const { loops.insert(loop); }
    void operator()(kernel::Loaded loaded) const { values.insert(loaded.scalar); }
  } const insert{loops, values};
  kernel::visit_atoms(index, insert);
}
void collect(const Access& access, std::set<LoopId>& loops, std::set<ValueId>& values) {
  for (const Index& index : access.indices) collect(index, loops, values);
}
void collect(const std::vector<Bound>& bounds, std::set<LoopId>& loops, std::set<ValueId>& values) {
  for (const Bound& bound : bounds) collect(bound.index, loops, values);
}

Index offset(const Access& access, const Layout& layout) {
  Index sum;
  for (std::size_t i = 0; i < access.indices.size(); ++i) sum = sum + access.indices[i] * layout.strides[i];
  return sum;
}

std::optional<Extent> stride(const Index& index, LoopId loop) {
  Extent sum = 0;
  for (const auto& term : index.terms) {
    if (const auto* variable = std::get_if<LoopId>(&term.atom)) {
      if (*variable == loop) sum = term.coefficient;
      continue;
    }
    const auto inside = kernel::axes_of(Index{0, {term}});
    if (std::find(inside.begin(), inside.end(), loop) != inside.end()) return std::nullopt;
  }
  return sum;
}

std::vector<ValueId> operands(const Scalar& scalar) {
  if (const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition)) return operation->operands;
  if (const auto* check = std::get_if<Scalar::Check>(&scalar.definition)) return {check->operand};
  if (const auto* random = std::get_if<Scalar::Random>(&scalar.definition))
    return {random->low, random->high, random->key, random->counter};
  if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition))
    if (!load->bounds.empty()) return {load->fill};
  return {};
}

void collect(const Scalar& scalar, std::set<LoopId>& loops, std::set<ValueId>& values) {
  for (const ValueId value : operands(scalar)) values.insert(value);
  visit_indices(scalar, [&](const Index& index) { collect(index, loops, values); });
}

Scalar rename(const Scalar& scalar, const Renaming& renaming) {
  Scalar result = scalar;
  if (auto* position = std::get_if<Scalar::Position>(&result.definition)) {
    position->index = rename(position->index, renaming);
  } else if (auto* load = std::get_if<Scalar::Load>(&result.definition)) {
    load->access = rename(load->access, renaming);
    load->bounds = rename(load->bounds, renaming);
    if (!load->bounds.empty()) load->fill = renamed(load->fill, renaming);
  } else if (auto* operation = std::get_if<Scalar::Operation>(&result.definition)) {
    for (ValueId& value : operation->operands) value = renamed(value, renaming);
  } else if (auto* check = std::get_if<Scalar::Check>(&result.definition)) {
    check->operand = renamed(check->operand, renaming);
    for (Index& index : check->position) index = rename(index, renaming);
  } else if (auto* random = std::get_if<Scalar::Random>(&result.definition)) {
    for (ValueId* value : {&random->low, &random->high, &random->key, &random->counter})
      *value = renamed(*value, renaming);
    random->index = rename(random->index, renaming);
  }
  return result;
}

}  // namespace codegen::schedule
