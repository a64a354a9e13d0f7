#include "codegen/schedule/index.h"

namespace codegen::schedule {
namespace {

using Quotient = Index::Quotient;

void add_term(Index& index, const Extent& coefficient, const Index::Atom& atom) {
  for (auto term = index.terms.begin(); term != index.terms.end(); ++term) {
    if (!same_atom(term->atom, atom)) continue;
    term->coefficient = term->coefficient + coefficient;
    if (term->coefficient.is(0)) index.terms.erase(term);
    return;
  }
  if (!coefficient.is(0)) index.terms.push_back({coefficient, atom});
}

void add_scaled(Index& to, const Index& index, const Extent& factor) {
  to.constant = to.constant + index.constant * factor;
  for (const auto& term : index.terms) add_term(to, term.coefficient * factor, term.atom);
}

const Quotient* quotient_of(const Index::Atom& atom, Quotient::Kind kind) {
  const auto* held = std::get_if<std::shared_ptr<const Quotient>>(&atom);
  return held != nullptr && (*held)->kind == kind ? held->get() : nullptr;
}

/// Whether the first is what mod(…) leaves of its dividend, divided by the divisor: floor(y / d) for mod(y,
/// d), where y may be floor(x / e) itself.
bool is_whole_part(const Quotient& floor, const Quotient& modulo) {
  const Index& y = modulo.index;
  if (same(floor.index, y) && floor.divisor == modulo.divisor) return true;
  if (y.terms.size() != 1 || !y.constant.is(0) || !y.terms[0].coefficient.is(1)) return false;
  const Quotient* inner = quotient_of(y.terms[0].atom, Quotient::Kind::floor);
  return inner != nullptr && same(floor.index, inner->index) &&
         floor.divisor == inner->divisor * modulo.divisor;
}

ValueId renamed(ValueId value, const Renaming& renaming) {
  const auto found = renaming.values.find(value);
  return found == renaming.values.end() ? value : found->second;
}

template <typename Visit>
void each_index(const Scalar& scalar, Visit visit) {
  if (const auto* position = std::get_if<Scalar::Position>(&scalar.definition)) visit(position->index);
  if (const auto* random = std::get_if<Scalar::Random>(&scalar.definition)) visit(random->index);
  if (const auto* check = std::get_if<Scalar::Check>(&scalar.definition))
    for (const Index& index : check->position) visit(index);
  if (const auto* load = std::get_if<Scalar::Load>(&scalar.definition)) {
    for (const Index& index : load->access.indices) visit(index);
    for (const Bound& bound : load->bounds) visit(bound.index);
  }
}

}  // namespace

bool same_atom(const Index::Atom& a, const Index::Atom& b) {
  if (a.index() != b.index()) return false;
  if (const auto* axis = std::get_if<kernel::AxisId>(&a)) return *axis == std::get<kernel::AxisId>(b);
  if (const auto* loaded = std::get_if<kernel::Loaded>(&a))
    return loaded->scalar == std::get<kernel::Loaded>(b).scalar;
  const Quotient &x = *std::get<std::shared_ptr<const Quotient>>(a),
                 &y = *std::get<std::shared_ptr<const Quotient>>(b);
  return x.kind == y.kind && x.divisor == y.divisor && same(x.index, y.index);
}

bool same(const Index& a, const Index& b) {
  if (a.constant != b.constant || a.terms.size() != b.terms.size()) return false;
  for (std::size_t i = 0; i < a.terms.size(); ++i)
    if (a.terms[i].coefficient != b.terms[i].coefficient || !same_atom(a.terms[i].atom, b.terms[i].atom))
      return false;
  return true;
}

Index constant_index(Extent value) { return Index{std::move(value), {}}; }
Index variable(LoopId loop) { return Index{0, {{Extent(1), loop}}}; }

Index operator+(const Index& a, const Index& b) {
  Index sum = a;
  add_scaled(sum, b, 1);
  return sum;
}
Index operator*(const Index& a, const Extent& b) {
  Index product;
  add_scaled(product, a, b);
  return product;
}

Index rename(const Index& index, const Renaming& renaming) {
  Index result = constant_index(index.constant);
  for (const auto& term : index.terms) {
    if (const auto* axis = std::get_if<kernel::AxisId>(&term.atom)) {
      const auto found = renaming.axes.find(*axis);
      if (found == renaming.axes.end())
        add_term(result, term.coefficient, term.atom);
      else
        add_scaled(result, found->second, term.coefficient);
    } else if (const auto* loaded = std::get_if<kernel::Loaded>(&term.atom)) {
      add_term(result, term.coefficient, kernel::Loaded{renamed(loaded->scalar, renaming)});
    } else {
      Quotient quotient = *std::get<std::shared_ptr<const Quotient>>(term.atom);
      quotient.index = rename(quotient.index, renaming);
      add_term(result, term.coefficient, std::make_shared<const Quotient>(std::move(quotient)));
    }
  }
  return result;
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
  for (const auto& term : index.terms) {
    if (const auto* loop = std::get_if<LoopId>(&term.atom))
      loops.insert(*loop);
    else if (const auto* loaded = std::get_if<kernel::Loaded>(&term.atom))
      values.insert(loaded->scalar);
    else
      collect(std::get<std::shared_ptr<const Quotient>>(term.atom)->index, loops, values);
  }
}
void collect(const Access& access, std::set<LoopId>& loops, std::set<ValueId>& values) {
  for (const Index& index : access.indices) collect(index, loops, values);
}
void collect(const std::vector<Bound>& bounds, std::set<LoopId>& loops, std::set<ValueId>& values) {
  for (const Bound& bound : bounds) collect(bound.index, loops, values);
}

Index joined(Index index) {
  for (const auto& rest : index.terms) {
    const Quotient* modulo = quotient_of(rest.atom, Quotient::Kind::modulo);
    if (modulo == nullptr) continue;
    for (const auto& whole : index.terms) {
      const Quotient* floor = quotient_of(whole.atom, Quotient::Kind::floor);
      if (floor == nullptr || whole.coefficient != rest.coefficient * modulo->divisor ||
          !is_whole_part(*floor, *modulo))
        continue;
      const Index both = Index{0, {{whole.coefficient, whole.atom}, {rest.coefficient, rest.atom}}};
      return joined(index + both * Extent(-1) + modulo->index * rest.coefficient);
    }
  }
  return index;
}

Index offset(const Access& access, const Layout& layout) {
  Index sum;
  for (std::size_t i = 0; i < access.indices.size(); ++i)
    add_scaled(sum, access.indices[i], layout.strides[i]);
  return sum;
}

std::optional<Extent> stride(const Index& index, LoopId loop) {
  Extent sum = 0;
  for (const auto& term : index.terms) {
    const auto* variable = std::get_if<LoopId>(&term.atom);
    if (variable && *variable == loop) sum = term.coefficient;
    if (const auto* quotient = std::get_if<std::shared_ptr<const Quotient>>(&term.atom)) {
      std::set<LoopId> loops;
      std::set<ValueId> values;
      collect((*quotient)->index, loops, values);
      if (loops.count(loop) > 0) return std::nullopt;
    }
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
  each_index(scalar, [&](const Index& index) { collect(index, loops, values); });
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
