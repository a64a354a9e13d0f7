// The members of ScalarEmitter that compute elements within bounds: those of pads and of what surrounds
// windows.
#include <algorithm>

#include "codegen/kernel/build/guards.h"
#include "codegen/kernel/build/scalar_emitter.h"
#include "codegen/kernel/build/view_index.h"

namespace codegen::kernel {

using dlvm::Instruction;
using dlvm::Opcode;
using dlvm::Value;

/// Emits the condition that all bounds hold.
ScalarId ScalarEmitter::emit_bounds_test(const std::vector<Bound>& bounds) {
  constexpr ElementType wide = ElementType::i64, truth = ElementType::boolean;
  std::optional<ScalarId> all;
  const auto also = [&](Opcode compare, ScalarId a, ScalarId b) {
    const ScalarId holds = emit_operation(compare, truth, {a, b});
    all = all ? emit_operation(Opcode::and_, truth, {*all, holds}) : holds;
  };
  for (const Bound& bound : bounds) {
    const ScalarId index = emit_position(bound.index, wide);
    also(Opcode::greaterThanOrEqual, index, emit_position(Index(), wide));
    also(Opcode::lessThan, index, emit_position(constant_index(bound.end), wide));
  }
  return *all;
}

ScalarId ScalarEmitter::emit_pad(const Instruction& i, const Indices& indices) {
  const Source from = find_source(i, indices, *axes_);
  if (from.bounds.empty()) return emit_element(i.operand(0), from.indices);
  return emit_bounded(i.operand(0), from.indices, from.bounds, emit_element(i.operand(1), {}));
}

ScalarId ScalarEmitter::emit_guarded(const Value* value, const Indices& indices,
                                     const std::vector<Bound>& bounds) {
  const std::size_t outer = guard_.size();
  const std::uint32_t outer_id = guard_id_;
  for (const Bound& bound : bounds)
    if (!provably_follows(bound, guard_, *axes_)) guard_.push_back(bound);
  if (guard_.size() > outer) guard_id_ = ++last_guard_;
  const ScalarId element = emit_element(value, indices);
  guard_.erase(guard_.begin() + static_cast<std::ptrdiff_t>(outer), guard_.end());
  guard_id_ = outer_id;
  return element;
}

ScalarId ScalarEmitter::emit_bounded(const Value* value, const Indices& indices,
                                     const std::vector<Bound>& bounds, ScalarId fill) {
  // Where the guard in force does not hold, any value will do.
  std::vector<Bound> tested, known = guard_;
  for (const Bound& bound : bounds) {
    if (provably_follows(bound, known, *axes_)) continue;
    tested.push_back(bound);
    known.push_back(bound);
  }
  const std::size_t before = scalars_.size();
  const ScalarId inner = emit_guarded(value, indices, tested);
  if (tested.empty()) return inner;
  const auto zero_outside = [&](const Bound& bound) {
    return provably_zero_outside(bound, inner, scalars_, *axes_);
  };
  if (is_zero(scalars_[fill]) && std::ranges::all_of(tested, zero_outside)) return inner;
  // A load that was there before, or that tests more than these bounds, is one of another pad. The fill comes
  // before the load that falls back to it.
  if (auto* load = std::get_if<Scalar::Load>(&scalars_[inner].definition);
      load != nullptr && inner >= before && load->bounds == tested && fill < inner) {
    load->fill = fill;
    return inner;
  }
  return emit_operation(Opcode::select, scalars_[inner].type, {inner, fill, emit_bounds_test(tested)});
}

}  // namespace codegen::kernel
