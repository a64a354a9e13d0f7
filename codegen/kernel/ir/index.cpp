#include "codegen/kernel/ir/index.h"

#include <algorithm>

namespace codegen::kernel {

DEFINE_VALUE_SEMANTICS(Index)

Index::Index(Extent constant, std::vector<Term> terms)
    : constant(std::move(constant)), terms(std::move(terms)) {}
namespace {

using Quotient = Index::Quotient;

std::strong_ordering compare(const Index::Atom& a, const Index::Atom& b) {
  if (const auto order = a.index() <=> b.index(); order != 0) return order;
  if (const auto* axis = std::get_if<AxisId>(&a)) return *axis <=> std::get<AxisId>(b);
  if (const auto* loaded = std::get_if<Loaded>(&a)) return *loaded <=> std::get<Loaded>(b);
  const auto &p = std::get<1>(a), &q = std::get<1>(b);
  if (p == q) return std::strong_ordering::equal;
  if (const auto order = p->kind <=> q->kind; order != 0) return order;
  if (const auto order = p->divisor <=> q->divisor; order != 0) return order;
  return p->index <=> q->index;
}

/// The atom where the index is just that.
const Index::Atom* lone_atom(const Index& index) {
  const bool is_lone = index.terms.size() == 1 && index.constant.is(0) && index.terms[0].coefficient.is(1);
  return is_lone ? &index.terms[0].atom : nullptr;
}

/// Whether `floor` is floor(y / d) where `modulo` is y mod d. Where y is floor(x / e), it may be floor(x / (e
/// * d)).
bool is_whole_part(const Quotient& floor, const Quotient& modulo) {
  const Index& y = modulo.index;
  if (floor.divisor == modulo.divisor && floor.index == y) return true;
  const Index::Atom* atom = lone_atom(y);
  const Quotient* inner = atom != nullptr ? as_quotient(*atom, Quotient::Kind::floor) : nullptr;
  return inner != nullptr && floor.divisor == inner->divisor * modulo.divisor && floor.index == inner->index;
}

/// Puts y in the place of d * floor(y / d) + y mod d.
void join_quotients(Index& index) {
  for (std::size_t i = 0; i < index.terms.size(); ++i) {
    const Quotient* modulo = as_quotient(index.terms[i].atom, Quotient::Kind::modulo);
    if (modulo == nullptr) continue;
    for (std::size_t j = 0; j < index.terms.size(); ++j) {
      const Quotient* floor = as_quotient(index.terms[j].atom, Quotient::Kind::floor);
      if (floor == nullptr || !is_whole_part(*floor, *modulo) ||
          index.terms[j].coefficient != index.terms[i].coefficient * modulo->divisor)
        continue;
      const Index whole = modulo->index * index.terms[i].coefficient;
      index.terms.erase(index.terms.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
      index.terms.erase(index.terms.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
      index = index + whole;
      return;
    }
  }
}

/// index = divisor * whole + rest.
struct Split {
  Index whole, rest;
};
Split split(const Index& index, const Extent& divisor) {
  Split result;
  for (const auto& term : index.terms) {
    if (const auto exact = Extent::exact_divide(term.coefficient, divisor))
      result.whole.terms.push_back({*exact, term.atom});
    else
      result.rest.terms.push_back(term);
  }
  const auto c = index.constant.constant(), d = divisor.constant();
  if (const auto exact = Extent::exact_divide(index.constant, divisor)) {
    result.whole.constant = *exact;
  } else if (c && d && *d > 0) {
    const Extent q = Extent::floor_divide(index.constant, divisor);
    result.whole.constant = q;
    result.rest.constant = index.constant - q * divisor;
  } else {
    result.rest.constant = index.constant;
  }
  return result;
}

IndexRange range(const Index::Atom& atom, AxisExtents axes) {
  if (const auto* axis = std::get_if<AxisId>(&atom)) return {Extent(0), axes[*axis] - 1};
  if (std::holds_alternative<Loaded>(atom)) return {};
  const auto& q = *std::get<1>(atom);
  const bool positive = provably_at_most(1, q.divisor) == dlvm::Proof::yes;
  if (q.kind == Quotient::Kind::modulo) return positive ? IndexRange{Extent(0), q.divisor - 1} : IndexRange{};
  if (!positive) return {};
  IndexRange inner = kernel::range(q.index, axes);
  if (inner.lower_bound && provably_at_most(0, *inner.lower_bound) == dlvm::Proof::yes)
    inner.lower_bound = Extent(0);
  else
    inner.lower_bound.reset();
  if (inner.upper_bound) inner.upper_bound = Extent::floor_divide(*inner.upper_bound, q.divisor);
  return inner;
}

}  // namespace

Index constant_index(Extent value) {
  Index index;
  index.constant = std::move(value);
  return index;
}

Index axis_index(AxisId axis) {
  Index index;
  index.terms.push_back({1, axis});
  return index;
}

Index loaded_index(ScalarId scalar) {
  Index index;
  index.terms.push_back({1, Loaded{scalar}});
  return index;
}

Index quotient_index(Index::Quotient quotient) {
  Index index;
  index.terms.push_back({1, std::make_shared<const Quotient>(std::move(quotient))});
  return index;
}

Index operator+(const Index& a, const Index& b) {
  Index result;
  result.constant = a.constant + b.constant;
  auto i = a.terms.begin(), j = b.terms.begin();
  while (i != a.terms.end() || j != b.terms.end()) {
    const auto order = i == a.terms.end()   ? std::strong_ordering::greater
                       : j == b.terms.end() ? std::strong_ordering::less
                                            : compare(i->atom, j->atom);
    if (order < 0) {
      result.terms.push_back(*i++);
    } else if (order > 0) {
      result.terms.push_back(*j++);
    } else {
      const Extent coefficient = i->coefficient + j->coefficient;
      if (!coefficient.is(0)) result.terms.push_back({coefficient, i->atom});
      ++i, ++j;
    }
  }
  join_quotients(result);
  return result;
}

Index operator*(const Index& index, const Extent& by) {
  Index result;
  if (by.is(0)) return result;
  result.constant = index.constant * by;
  for (const auto& term : index.terms) result.terms.push_back({term.coefficient * by, term.atom});
  return result;
}

Index floor_divide(const Index& index, const Extent& divisor, AxisExtents axes) {
  if (divisor.is(1)) return index;
  if (divisor.is(0)) return {};
  auto [whole, rest] = split(index, divisor);
  if (provably_inside(rest, divisor, axes)) return whole;
  if (const Index::Atom* atom = lone_atom(rest)) {
    // floor(floor(x / a) / b) is floor(x / (a * b)) for a, b > 0.
    if (const Quotient* inner = as_quotient(*atom, Quotient::Kind::floor))
      return whole + floor_divide(inner->index, inner->divisor * divisor, axes);
  }
  return whole + quotient_index({Quotient::Kind::floor, std::move(rest), divisor});
}

Index modulo(const Index& index, const Extent& divisor, AxisExtents axes) {
  if (divisor.is(1) || divisor.is(0)) return {};
  auto rest = split(index, divisor).rest;
  if (provably_inside(rest, divisor, axes)) return rest;
  return quotient_index({Quotient::Kind::modulo, std::move(rest), divisor});
}

const Quotient* as_quotient(const Index::Atom& atom, Quotient::Kind kind) {
  const auto* quotient = std::get_if<std::shared_ptr<const Quotient>>(&atom);
  return quotient != nullptr && (*quotient)->kind == kind ? quotient->get() : nullptr;
}

std::vector<AxisId> axes_of(const Index& index) {
  std::vector<AxisId> axes;
  struct {
    std::vector<AxisId>& axes;
    void operator()(AxisId axis) const { axes.push_back(axis); }
    void operator()(Loaded) const {}
  } const collect{axes};
  visit_atoms(index, collect);
  return axes;
}

std::optional<AxisId> lone_axis(const Index& index) {
  const Index::Atom* atom = lone_atom(index);
  const auto* axis = atom != nullptr ? std::get_if<AxisId>(atom) : nullptr;
  return axis != nullptr ? std::optional(*axis) : std::nullopt;
}

std::optional<Extent> constant(const Index& index) {
  return index.terms.empty() ? std::optional(index.constant) : std::nullopt;
}

std::strong_ordering operator<=>(const Index& a, const Index& b) {
  if (const auto order = a.terms.size() <=> b.terms.size(); order != 0) return order;
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    if (const auto order = compare(a.terms[i].atom, b.terms[i].atom); order != 0) return order;
    if (const auto order = a.terms[i].coefficient <=> b.terms[i].coefficient; order != 0) return order;
  }
  return a.constant <=> b.constant;
}

IndexRange range(const Index& index, AxisExtents axes) {
  IndexRange result{index.constant, index.constant};
  for (const auto& term : index.terms) {
    const bool positive = provably_at_most(0, term.coefficient) == dlvm::Proof::yes;
    const bool negative = provably_at_most(term.coefficient, 0) == dlvm::Proof::yes;
    IndexRange atom = range(term.atom, axes);
    if (!positive) std::swap(atom.lower_bound, atom.upper_bound);
    if (!positive && !negative) return {};
    const auto join = [&](std::optional<Extent>& total, const std::optional<Extent>& part) {
      if (total && part)
        total = *total + term.coefficient * *part;
      else
        total.reset();
    };
    join(result.lower_bound, atom.lower_bound);
    join(result.upper_bound, atom.upper_bound);
  }
  return result;
}

bool provably_inside(const Index& index, const Extent& end, AxisExtents axes) {
  const IndexRange r = range(index, axes);
  return r.lower_bound && r.upper_bound && provably_at_most(0, *r.lower_bound) == dlvm::Proof::yes &&
         provably_at_most(*r.upper_bound + 1, end) == dlvm::Proof::yes;
}

Index row_major_position(const Indices& indices, const dlvm::Shape& shape) {
  Index position;
  for (std::size_t i = 0; i < shape.size(); ++i) position = position * shape[i] + indices[i];
  return position;
}

}  // namespace codegen::kernel
