#include "codegen/kernel/interpret/evaluate.h"

#include <fmt/format.h>

#include <cstring>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/builder.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {

using dlvm::Tensor;

Tensor element_at(ElementType element, const std::byte* from) {
  Tensor result(element, {});
  std::memcpy(result.data(), from, result.byte_count());
  return result;
}

// ------------------------------------------------------------------------------------- single instructions

Instructions::Instruction Instructions::make(dlvm::Opcode opcode, const std::vector<ElementType>& operands,
                                             std::vector<dlvm::Attribute> attributes) {
  std::vector<dlvm::Type> types;
  for (const ElementType operand : operands) types.push_back(dlvm::Type::scalar(operand));
  auto function = std::make_unique<dlvm::Function>("scalar", dlvm::Type::function(types, dlvm::Type()));
  dlvm::Builder builder(*function->add_entry());
  std::vector<dlvm::Value*> arguments;
  for (const auto& argument : builder.block().arguments()) arguments.push_back(argument.get());
  const auto* made = dlvm::as_instruction(builder.create(opcode, arguments, std::move(attributes)));
  return {std::move(function), made};
}

std::optional<Tensor> Instructions::apply(dlvm::Opcode opcode, ElementType type,
                                          std::span<const Tensor> operands) {
  auto key = static_cast<std::uint64_t>(opcode) * 16 + static_cast<std::uint64_t>(type);
  for (const Tensor& operand : operands) key = key * 16 + static_cast<std::uint64_t>(operand.element());
  auto found = known_.find(key);
  if (found == known_.end()) {
    std::vector<ElementType> types;
    for (const Tensor& operand : operands) types.push_back(operand.element());
    std::vector<dlvm::Attribute> attributes;
    if (opcode == dlvm::Opcode::dataTypeCast || opcode == dlvm::Opcode::bitCast)
      attributes.emplace_back(type);
    found = known_.emplace(key, make(opcode, types, std::move(attributes))).first;
  }
  return dlvm::fold(*found->second.in_it, operands);
}

std::optional<Tensor> Instructions::combine(const dlvm::Combinator& by, const Tensor& left,
                                            const Tensor& right) {
  if (by.function == nullptr) return apply(by.opcode, left.element(), std::vector{left, right});
  const std::vector<dlvm::RuntimeValue> arguments{dlvm::RuntimeValue(left), dlvm::RuntimeValue(right)};
  const auto result = dlvm::interpret(*by.function, arguments);
  if (!result) return std::nullopt;
  return result.value.tensor();
}

/// The stream's beginning is kept, twice as long as was needed.
std::optional<Tensor> Instructions::random(const std::vector<Tensor>& operands, std::int64_t index) {
  if (index < 0) return std::nullopt;
  const auto place = static_cast<std::size_t>(index);
  if (drawn_by_ != operands || drawn_.size() <= place) {
    std::vector<ElementType> types;
    for (const Tensor& operand : operands) types.push_back(operand.element());
    const Instruction random = make(dlvm::Opcode::random, types, {Shape{Extent(2 * index + 1)}});
    const auto all = dlvm::fold(*random.in_it, operands, std::int64_t{1} << 30);
    if (!all) return std::nullopt;
    drawn_ = *all;
    drawn_by_ = operands;
  }
  return element_at(drawn_.element(), drawn_.data() + place * dlvm::info(drawn_.element()).bytes);
}

// ------------------------------------------------------------------------------------------------ the run

void Run::fail(const std::string& text) {
  if (!error) error = fmt::format("kernel @{}: {}", kernel, text);
}

std::int64_t Run::extent(const Extent& extent) {
  const auto& terms = extent.terms();  // mostly a constant
  if (terms.size() == 1 && terms[0].atoms.empty()) return terms[0].coefficient;
  if (terms.empty() && extent.valid()) return 0;
  const auto value = extent.evaluate(dimensions);
  if (!value) fail("unbound extent " + extent.text());
  return value.value_or(0);
}

std::vector<std::int64_t> Run::extents(const Shape& shape) {
  std::vector<std::int64_t> result;
  for (const Extent& e : shape) result.push_back(extent(e));
  return result;
}

// ------------------------------------------------------------------------------------------------ indices

std::int64_t Evaluation::index(const Index& index) {
  std::int64_t sum = run_.extent(index.constant);
  for (const auto& term : index.terms) sum += run_.extent(term.coefficient) * atom(term.atom);
  return sum;
}

std::int64_t Evaluation::atom(const Index::Atom& atom) {
  return std::visit(dlvm::Overloaded{
                        [&](AxisId axis) { return position(axis); },
                        [&](Loaded loaded) { return scalar(loaded.scalar).integer(0); },
                        [&](const std::shared_ptr<const Index::Quotient>& both) { return quotient(*both); },
                    },
                    atom);
}

std::int64_t Evaluation::quotient(const Index::Quotient& quotient) {
  const std::int64_t i = index(quotient.index), d = run_.extent(quotient.divisor);
  if (d == 0) return 0;
  const std::int64_t q = i / d - ((i % d != 0) && ((i < 0) != (d < 0)));
  return quotient.kind == Index::Quotient::Kind::floor ? q : i - q * d;
}

bool Evaluation::inside(const std::vector<Bound>& bounds) {
  for (const Bound& bound : bounds)
    if (const std::int64_t i = index(bound.index); i < 0 || i >= run_.extent(bound.end)) return false;
  return true;
}

// ------------------------------------------------------------------------------------------------ scalars

Tensor Evaluation::value(const Scalar& scalar) {
  return std::visit([&](const auto& definition) { return of(definition, scalar.type); }, scalar.definition);
}

Tensor Evaluation::combine(const dlvm::Combinator& by, const Tensor& left, const Tensor& right) {
  if (run_.error) return left;
  return checked(run_.instructions.combine(by, left, right), "a store that combines");
}

Tensor Evaluation::checked(std::optional<Tensor> result, std::string_view what) {
  if (!result) run_.fail(fmt::format("{} cannot be evaluated", what));
  return std::move(result).value_or(Tensor());
}

std::vector<Tensor> Evaluation::scalars(const std::vector<ScalarId>& ids) {
  std::vector<Tensor> result;
  for (const ScalarId id : ids) result.push_back(scalar(id));
  return result;
}

Tensor Evaluation::of(const Scalar::Literal& literal, ElementType) { return literal.value; }
Tensor Evaluation::of(const Scalar::Position& position, ElementType type) {
  return Tensor::scalar(type, index(position.index));
}
Tensor Evaluation::of(const Scalar::Load& load, ElementType type) {
  return inside(load.bounds) ? this->load(load.access, type) : scalar(load.fill);
}
Tensor Evaluation::of(const Scalar::Operation& operation, ElementType type) {
  const auto operands = scalars(operation.operands);
  if (run_.error) return Tensor();
  return checked(run_.instructions.apply(operation.opcode, type, operands),
                 dlvm::definition(operation.opcode).name);
}
Tensor Evaluation::of(const Scalar::State& state, ElementType) { return this->state(state.component); }
Tensor Evaluation::of(const Scalar::Check& check, ElementType type) {
  const std::int64_t i = scalar(check.operand).integer(0), first = run_.extent(check.first),
                     end = run_.extent(check.end);
  if (!inside(check.bounds)) return Tensor::scalar(type, first);
  if (i >= first && i < end) return Tensor::scalar(type, i);
  run_.fail(fmt::format("site {}: index {} is not in [{}, {})", check.site, i, first, end));
  return Tensor::scalar(type, first);
}
Tensor Evaluation::of(const Scalar::Random& random, ElementType) {
  const auto operands = scalars({random.low, random.high, random.key, random.counter});
  if (run_.error) return Tensor();
  return checked(run_.instructions.random(operands, index(random.index)), "random");
}

namespace {

/// The scalars of a reduction's `combine`, which are of two states alone.
class Combining final : public Evaluation {
 public:
  using Evaluation::Evaluation;

  std::vector<Tensor> states;

  std::vector<Tensor> results(const Reduction& reduction) {
    for (const Scalar& scalar : reduction.combine) {
      if (run_.error) return {};
      scalars_.push_back(value(scalar));
    }
    std::vector<Tensor> result;
    for (const ScalarId id : reduction.results) result.push_back(scalar(id));
    return result;
  }

 private:
  std::int64_t position(AxisId) override {
    run_.fail("a state is combined by its position");
    return 0;
  }
  Tensor scalar(ScalarId id) override {
    if (id < scalars_.size()) return scalars_[id];
    run_.fail(fmt::format("%{} is used before it is defined", id));
    return Tensor();
  }
  Tensor load(const Access&, ElementType) override {
    run_.fail("a state is combined with memory");
    return Tensor();
  }
  Tensor state(std::uint32_t component) override {
    if (component < states.size()) return states[component];
    run_.fail("no such component of the state");
    return Tensor();
  }

  std::vector<Tensor> scalars_;
};

}  // namespace

std::vector<Tensor> combined(Run& run, const Reduction& reduction, std::span<const Tensor> left,
                             std::span<const Tensor> right) {
  Combining combining(run);
  combining.states.assign(left.begin(), left.end());
  combining.states.insert(combining.states.end(), right.begin(), right.end());
  auto result = combining.results(reduction);
  return run.error ? std::vector<Tensor>(left.begin(), left.end()) : result;
}

}  // namespace codegen::kernel
