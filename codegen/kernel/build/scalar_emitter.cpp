#include "codegen/kernel/build/scalar_emitter.h"

#include "codegen/kernel/build/index_facts.h"
#include "codegen/kernel/build/view_index.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {

using dlvm::as_instruction;
using dlvm::as_literal;
using dlvm::Instruction;
using dlvm::Opcode;
using dlvm::Trait;
using dlvm::Value;

bool ScalarEmitter::Key::operator<(const Key& other) const {
  if (value != other.value) return std::less<>()(value, other.value);
  if (guard != other.guard) return guard < other.guard;
  return indices < other.indices;
}

ScalarId ScalarEmitter::add(Scalar scalar) {
  scalars_.push_back(std::move(scalar));
  return static_cast<ScalarId>(scalars_.size() - 1);
}

void ScalarEmitter::define(const Value* value, const Indices& indices, ScalarId scalar) {
  elements_[Key{graph_->resolve(value), guard_id_, indices}] = scalar;
}

void ScalarEmitter::begin_epilogue() {
  body_size_ = scalars_.size();
  elements_.clear();
  literals_.clear();
}

std::pair<std::vector<Scalar>, std::vector<Scalar>> ScalarEmitter::take() {
  const auto middle = scalars_.begin() + static_cast<std::ptrdiff_t>(body_size_.value_or(scalars_.size()));
  std::vector<Scalar> epilogue(middle, scalars_.end());
  scalars_.erase(middle, scalars_.end());
  std::pair result(std::move(scalars_), std::move(epilogue));
  scalars_.clear();
  body_size_.reset();
  elements_.clear();
  literals_.clear();
  return result;
}

ScalarId ScalarEmitter::emit_literal(const dlvm::Tensor& value) {
  const std::string bytes(reinterpret_cast<const char*>(value.data()), value.byte_count());
  const auto [place, fresh] = literals_.try_emplace({value.element(), bytes}, 0);
  if (fresh) {
    dlvm::Tensor scalar(value.element(), {});
    std::copy(value.data(), value.data() + value.byte_count(), scalar.data());
    place->second = add({value.element(), Scalar::Literal{std::move(scalar)}});
  }
  return place->second;
}

ScalarId ScalarEmitter::emit_position(const Index& index, ElementType type) {
  if (const auto value = constant(index))
    if (const auto number = value->constant()) return emit_literal(dlvm::Tensor::scalar(type, *number));
  return add({type, Scalar::Position{index}});
}

ScalarId ScalarEmitter::emit_operation(Opcode opcode, ElementType type, std::vector<ScalarId> operands) {
  return add({type, Scalar::Operation{opcode, std::move(operands)}});
}

ScalarId ScalarEmitter::convert(ScalarId scalar, ElementType type) {
  return scalars_[scalar].type == type ? scalar : emit_operation(Opcode::dataTypeCast, type, {scalar});
}

ScalarId ScalarEmitter::emit_state(std::uint32_t component, ElementType type) {
  return add({type, Scalar::State{component}});
}

ScalarId ScalarEmitter::emit_element(const Value* value, const Indices& indices) {
  value = graph_->resolve(value);
  if (const auto* constant = as_literal(value); constant != nullptr && constant->is_splat())
    return emit_literal(constant->data());
  const Key key{value, guard_id_, indices};
  if (const auto found = elements_.find(key); found != elements_.end()) return found->second;
  // What is there at every point is there within bounds too.
  if (const auto found = elements_.find(Key{value, 0, indices}); found != elements_.end())
    return found->second;
  const ScalarId result =
      is_in_memory(value) ? load(value, indices) : emit_instruction(*as_instruction(value), indices);
  elements_.emplace(key, result);
  return result;
}

bool ScalarEmitter::is_in_memory(const Value* value) const {
  const bool recomputed = recomputed_ != nullptr && recomputed_->contains(value);
  return as_instruction(value) == nullptr || (graph_->is_materialized(value) && !recomputed);
}

ScalarId ScalarEmitter::emit_definition(const Value* value, const Indices& indices) {
  value = graph_->resolve(value);
  const Instruction* instruction = as_instruction(value);
  return instruction == nullptr ? emit_element(value, indices) : emit_instruction(*instruction, indices);
}

ScalarId ScalarEmitter::load(const Value* value, const Indices& indices) {
  Scalar::Load load{locate_(value, indices), guard_, 0};
  const ElementType type = value->type().element();
  if (!guard_.empty()) load.fill = emit_literal(dlvm::Tensor(type, {}));
  return add({type, std::move(load)});
}

ScalarId ScalarEmitter::emit_instruction(const Instruction& i, const Indices& indices) {
  if (i.opcode() == Opcode::pad) return emit_pad(i, indices);
  if (i.is(Trait::view)) return emit_element(i.operand(0), find_source(i, indices, *axes_).indices);
  if (i.opcode() == Opcode::add && i.type() == dlvm::Type::scalar(ElementType::u64))
    return emit_sum_of_keys(i);
  if (i.is(Trait::elementwise)) return emit_elementwise(i, indices);
  if (i.opcode() == Opcode::gather) return emit_gather(i, indices);
  if (i.opcode() == Opcode::scatter) return emit_scatter(i, indices);
  if (i.opcode() == Opcode::iota) return emit_position(indices[dlvm::Iota(i).axis()], i.type().element());
  if (i.opcode() == Opcode::extent)
    return emit_position(constant_index(dlvm::ExtentValue(i).extent()), i.type().element());
  if (i.opcode() == Opcode::checkIndex)
    return emit_check(i, emit_element(i.operand(0), indices), dlvm::CheckIndex(i).first(),
                      dlvm::CheckIndex(i).end(), indices);
  if (i.opcode() == Opcode::random) return emit_random(i, indices);
  // These combine a single element here.
  if (i.opcode() == Opcode::reduce)
    return combine(dlvm::Reduce(i).combinator(), i.type().element(), emit_element(i.operand(1), {}),
                   emit_element(i.operand(0), indices));
  if (i.opcode() == Opcode::scan) return emit_element(i.operand(0), indices);
  if (i.opcode() == Opcode::recurrence) {
    const ElementType type = i.type().element();
    return emit_operation(Opcode::add, type,
                          {emit_literal(dlvm::Tensor(type, {})), emit_element(i.operand(1), indices)});
  }
  if (i.opcode() == Opcode::dot) return emit_product(i, indices);
  refuse(i.definition().name, i.block()->function(), &i, *diagnostics_);
  return emit_literal(dlvm::Tensor(i.type().is_tensor() ? i.type().element() : ElementType::f32, {}));
}

ScalarId ScalarEmitter::emit_elementwise(const Instruction& i, const Indices& indices) {
  std::vector<ScalarId> operands;
  for (const Value* operand : i.operands())
    operands.push_back(emit_element(operand, find_broadcast_source(operand->type().shape(), indices)));
  if (i.opcode() == Opcode::detach) return operands[0];
  if (i.opcode() == Opcode::dataTypeCast) return convert(operands[0], i.type().element());
  return emit_operation(i.opcode(), i.type().element(), std::move(operands));
}

ScalarId ScalarEmitter::emit_check(const Instruction& i, ScalarId operand, const Extent& first,
                                   const Extent& end, const Indices& at) {
  const auto* position = std::get_if<Scalar::Position>(&scalars_[operand].definition);
  if (position != nullptr && dlvm::info(scalars_[operand].type).bytes >= 4 &&
      provably_inside(position->index + constant_index(Extent(-1) * first), end - first, *axes_))
    return operand;
  return add({scalars_[operand].type, Scalar::Check{operand, first, end, site_(i), at}});
}

Indices ScalarEmitter::emit_indices(const Instruction& i, std::size_t first_operand, std::int64_t first_axis,
                                    const Shape& whole, const Indices& at, std::vector<Bound>& bounds) {
  Indices result;
  for (std::size_t k = first_operand; k < i.operands().size(); ++k) {
    const Extent& end = whole[static_cast<std::size_t>(first_axis) + k - first_operand];
    const ScalarId index = emit_element(i.operand(k), at);
    const auto* position = std::get_if<Scalar::Position>(&scalars_[index].definition);
    if (position != nullptr && dlvm::info(scalars_[index].type).bytes >= 4 &&
        provably_inside(position->index, end, *axes_)) {
      result.push_back(position->index);
      continue;
    }
    const bool within = is_in_bounds(*graph_, i.operand(k), end);
    result.push_back(loaded_index(within ? index : emit_check(i, index, 0, end, at)));
    // A failed check gives 0, which an empty axis does not have.
    if (provably_at_most(1, end) != dlvm::Proof::yes) bounds.push_back({result.back(), end});
  }
  return result;
}

ScalarId ScalarEmitter::emit_gather(const Instruction& i, const Indices& indices) {
  const dlvm::Gather gather(i);
  const std::int64_t axis = gather.axes()[0];
  const Value* whole = graph_->resolve(gather.input());
  const std::size_t rank = gather.indices()[0]->type().rank();
  const auto begin = indices.begin() + axis, end = begin + static_cast<std::ptrdiff_t>(rank);
  std::vector<Bound> bounds;
  const Indices named = emit_indices(i, 1, axis, whole->type().shape(), Indices(begin, end), bounds);
  Indices from(indices.begin(), begin);
  from.insert(from.end(), named.begin(), named.end());
  from.insert(from.end(), end, indices.end());
  return emit_guarded(whole, from, bounds);
}

/// An outer product.
ScalarId ScalarEmitter::emit_product(const Instruction& i, const Indices& indices) {
  const dlvm::DotAxes axes = dlvm::Dot(i).axes();
  Indices left(i.operand(0)->type().rank()), right(i.operand(1)->type().rank());
  std::size_t next = 0;
  const auto at = [](Indices& operand, std::int64_t axis) -> Index& {
    return operand[static_cast<std::size_t>(axis)];
  };
  for (const auto& [l, r] : axes.batch) at(left, l) = at(right, r) = indices[next++];
  for (const auto l : axes.left_free) at(left, l) = indices[next++];
  for (const auto r : axes.right_free) at(right, r) = indices[next++];
  const ScalarId a = emit_element(i.operand(0), left), b = emit_element(i.operand(1), right);
  return emit_operation(Opcode::multiply, i.type().element(), {a, b});
}

/// A pointwise scatter: the element combined with its update where the compared indices name it.
ScalarId ScalarEmitter::emit_scatter(const Instruction& i, const Indices& indices) {
  const auto form = *as_pointwise(*graph_, i);
  const dlvm::Scatter scatter(i);
  const auto axis = static_cast<std::size_t>(scatter.axes()[0]);
  const Shape& shape = i.type().shape();
  Indices at;
  for (const std::size_t operand : form.counted) at.push_back(indices[axis + operand]);
  std::optional<ScalarId> hit;
  for (const std::size_t k : form.compared) {
    const ScalarId index = emit_element(scatter.indices()[k], at);
    const bool within = is_in_bounds(*graph_, scatter.indices()[k], shape[axis + k]);
    const ScalarId named = within ? index : emit_check(i, index, 0, shape[axis + k], at);
    const ScalarId same = emit_operation(Opcode::equal, ElementType::boolean,
                                         {named, emit_position(indices[axis + k], scalars_[named].type)});
    hit = hit ? emit_operation(Opcode::and_, ElementType::boolean, {*hit, same}) : same;
  }
  Indices update(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(axis));
  update.insert(update.end(), at.begin(), at.end());
  update.insert(update.end(), indices.begin() + static_cast<std::ptrdiff_t>(axis + scatter.indices().size()),
                indices.end());
  const ScalarId old = emit_element(scatter.input(), indices);
  const ScalarId updated =
      combine(scatter.combinator(), i.type().element(), old, emit_element(scatter.updates(), update));
  return hit ? emit_operation(Opcode::select, i.type().element(), {updated, old, *hit}) : updated;
}

ScalarId ScalarEmitter::emit_random(const Instruction& i, const Indices& indices) {
  const dlvm::Random random(i);
  Scalar::Random r;
  r.low = emit_element(random.low(), {});
  r.high = emit_element(random.high(), {});
  const auto zero = [&] { return emit_literal(dlvm::Tensor(ElementType::u64, {})); };
  r.key = random.key() != nullptr ? emit_element(random.key(), {}) : zero();
  r.counter = random.counter() != nullptr ? emit_element(random.counter(), {}) : zero();
  r.index = row_major_position(indices, i.type().shape());
  return add({i.type().element(), std::move(r)});
}

/// Emits a sum of unsigned 64-bit scalars, which are the keys of streams of random numbers. The number that
/// is added to a key tells parameters, and the blocks of a network, apart: the kernel reads it from memory,
/// so that kernels that differ in nothing else are equal.
ScalarId ScalarEmitter::emit_sum_of_keys(const Instruction& sum) {
  const auto part = [&](const Value* operand) {
    operand = graph_->resolve(operand);
    return as_literal(operand) != nullptr ? load(operand, {}) : emit_element(operand, {});
  };
  const ScalarId left = part(sum.operand(0)), right = part(sum.operand(1));
  return emit_operation(Opcode::add, ElementType::u64, {left, right});
}

ScalarId ScalarEmitter::combine(const dlvm::Combinator& combinator, ElementType type, ScalarId left,
                                ScalarId right) {
  if (combinator.function != nullptr) return emit_call(*combinator.function, {left, right}, 0);
  return emit_operation(combinator.opcode, type, {left, right});
}

/// The body of a function of scalars, in place of its call.
ScalarId ScalarEmitter::emit_call(const dlvm::Function& function, const std::vector<ScalarId>& arguments,
                                  int depth) {
  constexpr int max_depth = 32;
  constexpr std::size_t max_scalars = 10'000;
  const auto refuse = [&](std::string_view what) {
    const bool reported = std::ranges::any_of(diagnostics_->all(), [&](const dlvm::Diagnostic& each) {
      return each.kind == &combinator_not_scalar && each.location == function.place();
    });  // where other elements are combined
    if (!reported) diagnostics_->report(combinator_not_scalar, function.place(), function.name(), what);
    return arguments[0];
  };
  if (!function.is_straight_line() || depth > max_depth) return refuse("its body");
  std::map<const Value*, ScalarId> scalars;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    scalars[function.entry().arguments()[i].get()] = arguments[i];
  const auto scalar = [&](const Value* value) {
    if (const auto* constant = as_literal(value)) return emit_literal(constant->data());
    return scalars.at(value);
  };
  for (const auto& i : function.entry().instructions()) {
    if (i->is(Trait::terminator)) return i->operands().empty() ? refuse("its result") : scalar(i->operand(0));
    if (!i->type().is_scalar() || scalars_.size() > max_scalars) return refuse(i->definition().name);
    std::vector<ScalarId> operands;
    for (const Value* operand : i->operands()) {
      if (!operand->type().is_scalar()) return refuse(i->definition().name);
      operands.push_back(scalar(operand));
    }
    if (const auto call = dlvm::as<dlvm::Apply>(*i))
      scalars[i.get()] = emit_call(*call.callee(), operands, depth + 1);
    else if (i->opcode() == Opcode::detach || i->is(Trait::view))
      scalars[i.get()] = operands[0];
    else if (i->opcode() == Opcode::dataTypeCast)
      scalars[i.get()] = convert(operands[0], i->type().element());
    else if (i->is(Trait::elementwise))
      scalars[i.get()] = emit_operation(i->opcode(), i->type().element(), std::move(operands));
    else
      return refuse(i->definition().name);
  }
  return refuse("its body");
}

ElementType accumulator(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16 ? ElementType::f32 : type;
}

}  // namespace codegen::kernel
