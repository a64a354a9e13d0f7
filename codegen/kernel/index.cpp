#include "codegen/kernel/index.h"

#include <algorithm>

namespace codegen::kernel {
namespace {

using Quotient = Index::Quotient;

std::strong_ordering compare(const Index::Atom& a, const Index::Atom& b) {
  if (const auto order = a.index() <=> b.index(); order != 0) return order;
  if (const auto* axis = std::get_if<AxisId>(&a)) return *axis <=> std::get<AxisId>(b);
  if (const auto* loaded = std::get_if<Loaded>(&a)) return loaded->scalar <=> std::get<Loaded>(b).scalar;
  const auto &p = std::get<1>(a), &q = std::get<1>(b);
  if (p == q) return std::strong_ordering::equal;
  if (const auto order = p->kind <=> q->kind; order != 0) return order;
  if (const auto order = p->divisor <=> q->divisor; order != 0) return order;
  return kernel::compare(p->index, q->index);
}

bool is_zero(const Extent& extent) { return extent.is(0); }

/// c*d*floor(x/d) + c*(x mod d) is c*x.
void join_quotients(Index& index) {
  for (std::size_t i = 0; i < index.terms.size(); ++i) {
    const auto* floor = std::get_if<1>(&index.terms[i].atom);
    if (floor == nullptr || (*floor)->kind != Quotient::Kind::floor) continue;
    for (std::size_t j = 0; j < index.terms.size(); ++j) {
      const auto* rest = std::get_if<1>(&index.terms[j].atom);
      if (rest == nullptr || (*rest)->kind != Quotient::Kind::modulo ||
          (*rest)->divisor != (*floor)->divisor ||
          index.terms[i].coefficient != index.terms[j].coefficient * (*floor)->divisor ||
          compare((*rest)->index, (*floor)->index) != 0)
        continue;
      const Index whole = scaled((*floor)->index, index.terms[j].coefficient);
      index.terms.erase(index.terms.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
      index.terms.erase(index.terms.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
      index = sum(index, whole);
      return;
    }
  }
}

Index quotient(Quotient::Kind kind, Index index, const Extent& divisor) {
  Index result;
  result.terms.push_back({1, std::make_shared<const Quotient>(Quotient{kind, std::move(index), divisor})});
  return result;
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
  IndexRange inner = kernel::range(q.index, axes);
  if (!positive) return {};
  if (inner.least && provably_at_most(0, *inner.least) == dlvm::Proof::yes)
    inner.least = Extent(0);
  else
    inner.least.reset();
  if (inner.most) inner.most = Extent::floor_divide(*inner.most, q.divisor);
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

Index sum(const Index& a, const Index& b) {
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
      if (!is_zero(coefficient)) result.terms.push_back({coefficient, i->atom});
      ++i, ++j;
    }
  }
  join_quotients(result);
  return result;
}

Index scaled(const Index& index, const Extent& by) {
  Index result;
  if (is_zero(by)) return result;
  result.constant = index.constant * by;
  for (const auto& term : index.terms) result.terms.push_back({term.coefficient * by, term.atom});
  return result;
}

Index floor_divide(const Index& index, const Extent& divisor, AxisExtents axes) {
  if (divisor.is(1)) return index;
  auto [whole, rest] = split(index, divisor);
  if (provably_inside(rest, divisor, axes)) return whole;
  if (rest.terms.size() == 1 && is_zero(rest.constant) && rest.terms[0].coefficient.is(1)) {
    // floor(floor(x / a) / b) is floor(x / (a * b)) for a, b > 0.
    if (const auto* inner = std::get_if<1>(&rest.terms[0].atom);
        inner != nullptr && (*inner)->kind == Quotient::Kind::floor)
      return sum(whole, floor_divide((*inner)->index, (*inner)->divisor * divisor, axes));
  }
  return sum(whole, quotient(Quotient::Kind::floor, std::move(rest), divisor));
}

Index modulo(const Index& index, const Extent& divisor, AxisExtents axes) {
  if (divisor.is(1)) return {};
  auto rest = split(index, divisor).rest;
  if (provably_inside(rest, divisor, axes)) return rest;
  return quotient(Quotient::Kind::modulo, std::move(rest), divisor);
}

std::optional<AxisId> lone_axis(const Index& index) {
  if (index.terms.size() != 1 || !is_zero(index.constant) || !index.terms[0].coefficient.is(1))
    return std::nullopt;
  const auto* axis = std::get_if<AxisId>(&index.terms[0].atom);
  return axis != nullptr ? std::optional(*axis) : std::nullopt;
}

std::optional<Extent> constant(const Index& index) {
  return index.terms.empty() ? std::optional(index.constant) : std::nullopt;
}

void collect_axes(const Index& index, std::vector<AxisId>& axes) {
  for (const auto& term : index.terms) {
    if (const auto* axis = std::get_if<AxisId>(&term.atom))
      axes.push_back(*axis);
    else if (const auto* inner = std::get_if<1>(&term.atom))
      collect_axes((*inner)->index, axes);
  }
}

void collect_loaded(const Index& index, std::vector<ScalarId>& scalars) {
  for (const auto& term : index.terms) {
    if (const auto* loaded = std::get_if<Loaded>(&term.atom))
      scalars.push_back(loaded->scalar);
    else if (const auto* inner = std::get_if<1>(&term.atom))
      collect_loaded((*inner)->index, scalars);
  }
}

std::strong_ordering compare(const Index& a, const Index& b) {
  if (const auto order = a.terms.size() <=> b.terms.size(); order != 0) return order;
  for (std::size_t i = 0; i < a.terms.size(); ++i) {
    if (const auto order = compare(a.terms[i].atom, b.terms[i].atom); order != 0) return order;
    if (const auto order = a.terms[i].coefficient <=> b.terms[i].coefficient; order != 0) return order;
  }
  return a.constant <=> b.constant;
}

std::strong_ordering compare(const Indices& a, const Indices& b) {
  if (const auto order = a.size() <=> b.size(); order != 0) return order;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (const auto order = compare(a[i], b[i]); order != 0) return order;
  return std::strong_ordering::equal;
}

IndexRange range(const Index& index, AxisExtents axes) {
  IndexRange result{index.constant, index.constant};
  for (const auto& term : index.terms) {
    const bool positive = provably_at_most(0, term.coefficient) == dlvm::Proof::yes;
    const bool negative = provably_at_most(term.coefficient, 0) == dlvm::Proof::yes;
    IndexRange atom = range(term.atom, axes);
    if (!positive) std::swap(atom.least, atom.most);
    if (!positive && !negative) return {};
    const auto join = [&](std::optional<Extent>& total, const std::optional<Extent>& part) {
      if (total && part)
        total = *total + term.coefficient * *part;
      else
        total.reset();
    };
    join(result.least, atom.least);
    join(result.most, atom.most);
  }
  return result;
}

bool provably_inside(const Index& index, const Extent& end, AxisExtents axes) {
  const IndexRange r = range(index, axes);
  return r.least && r.most && provably_at_most(0, *r.least) == dlvm::Proof::yes &&
         provably_at_most(*r.most + 1, end) == dlvm::Proof::yes;
}

Index flattened(const Indices& indices, const Shape& shape) {
  Index position;
  for (std::size_t i = 0; i < shape.size(); ++i) position = sum(scaled(position, shape[i]), indices[i]);
  return position;
}

}  // namespace codegen::kernel
