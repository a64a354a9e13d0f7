#include "dlvm/ir/extent.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace dlvm {

DEFINE_VALUE_SEMANTICS(Extent)
namespace {

constexpr std::size_t max_terms = 64, max_atoms = 12, max_depth = 8;

std::strong_ordering compare(const Extent::Atom& a, const Extent::Atom& b) {
  if (!a.floor != !b.floor) return a.floor ? std::strong_ordering::greater : std::strong_ordering::less;
  if (!a.floor) return a.name.compare(b.name) <=> 0;
  if (auto order = a.floor->numerator <=> b.floor->numerator; order != 0) return order;
  return a.floor->denominator <=> b.floor->denominator;
}

/// Higher degree first, so that the constant comes last.
std::strong_ordering compare(const std::vector<Extent::Atom>& a, const std::vector<Extent::Atom>& b) {
  if (auto order = b.size() <=> a.size(); order != 0) return order;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (auto order = compare(a[i], b[i]); order != 0) return order;
  return std::strong_ordering::equal;
}

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(a));
  return a / b - ((a % b != 0) && ((a < 0) != (b < 0)));
}

bool multiply(std::int64_t a, std::int64_t b, std::int64_t& out) {
  return !__builtin_mul_overflow(a, b, &out);
}
bool add(std::int64_t a, std::int64_t b, std::int64_t& out) { return !__builtin_add_overflow(a, b, &out); }

/// `atoms` without the atoms of `divisor`, where it holds them all.
std::optional<std::vector<Extent::Atom>> without(std::vector<Extent::Atom> atoms,
                                                 const std::vector<Extent::Atom>& divisor) {
  for (const auto& atom : divisor) {
    const auto found = std::find_if(atoms.begin(), atoms.end(),
                                    [&](const auto& other) { return compare(atom, other) == 0; });
    if (found == atoms.end()) return std::nullopt;
    atoms.erase(found);
  }
  return atoms;
}

std::size_t depth(const Extent& extent) {
  std::size_t deepest = 0;
  for (const auto& term : extent.terms())
    for (const auto& atom : term.atoms)
      if (atom.floor)
        deepest = std::max({deepest, 1 + depth(atom.floor->numerator), 1 + depth(atom.floor->denominator)});
  return deepest;
}

}  // namespace

Extent::Extent(std::int64_t constant) {
  if (constant != 0) *this = of_canonical({{constant, {}}});
}

Extent Extent::dimension(std::string name) { return of_canonical({{1, {Atom{std::move(name), nullptr}}}}); }

Extent Extent::erased() {
  static std::atomic<std::uint64_t> next{0};
  return dimension(fmt::format("_{}", next++));
}

Extent Extent::invalid() {
  Extent extent;
  extent.valid_ = false;
  return extent;
}

std::optional<std::int64_t> Extent::constant() const {
  if (!valid_) return std::nullopt;
  if (!terms_) return 0;
  if (terms_->size() == 1 && terms_->front().atoms.empty()) return terms_->front().coefficient;
  return std::nullopt;
}

std::optional<std::string> Extent::name() const {
  if (terms().size() != 1) return std::nullopt;
  const Term& term = terms().front();
  if (term.coefficient != 1 || term.atoms.size() != 1) return std::nullopt;
  const Atom& atom = term.atoms[0];
  if (atom.floor) return std::nullopt;
  return atom.name;
}

const std::vector<Extent::Term>& Extent::terms() const {
  static const std::vector<Term> none;
  return terms_ ? *terms_ : none;
}

Extent Extent::of_canonical(std::vector<Term> terms) {
  Extent extent;
  if (!terms.empty()) extent.terms_ = std::make_shared<const std::vector<Term>>(std::move(terms));
  return extent;
}

Extent Extent::from_terms(std::vector<Term> terms) {
  for (auto& term : terms)
    std::sort(term.atoms.begin(), term.atoms.end(),
              [](const auto& a, const auto& b) { return compare(a, b) < 0; });
  std::sort(terms.begin(), terms.end(),
            [](const auto& a, const auto& b) { return compare(a.atoms, b.atoms) < 0; });
  std::vector<Term> sums;
  for (auto& term : terms) {
    if (term.atoms.size() > max_atoms) return invalid();
    if (!sums.empty() && compare(sums.back().atoms, term.atoms) == 0) {
      auto& coefficient = sums.back().coefficient;
      if (!dlvm::add(coefficient, term.coefficient, coefficient)) return invalid();
    } else {
      sums.push_back(std::move(term));
    }
  }
  std::erase_if(sums, [](const Term& term) { return term.coefficient == 0; });
  if (sums.size() > max_terms) return invalid();
  return of_canonical(std::move(sums));
}

Extent operator+(const Extent& a, const Extent& b) {
  if (!a.valid_ || !b.valid_) return Extent::invalid();
  if (!a.terms_) return b;
  if (!b.terms_) return a;
  std::vector<Extent::Term> terms = *a.terms_;
  terms.insert(terms.end(), b.terms_->begin(), b.terms_->end());
  return Extent::from_terms(std::move(terms));
}

Extent operator-(const Extent& a, const Extent& b) { return a + Extent(-1) * b; }

/// The terms stay sorted.
Extent Extent::scaled(std::int64_t factor) const {
  if (factor == 1) return *this;
  std::vector<Term> products = terms();
  for (Term& term : products)
    if (!multiply(term.coefficient, factor, term.coefficient)) return invalid();
  return of_canonical(std::move(products));
}

Extent operator*(const Extent& a, const Extent& b) {
  if (!a.valid_ || !b.valid_) return Extent::invalid();
  if (const auto factor = a.constant(); factor && *factor != 0) return b.scaled(*factor);
  if (const auto factor = b.constant(); factor && *factor != 0) return a.scaled(*factor);
  std::vector<Extent::Term> terms;
  for (const auto& left : a.terms())
    for (const auto& right : b.terms()) {
      Extent::Term term{0, left.atoms};
      if (!multiply(left.coefficient, right.coefficient, term.coefficient)) return Extent::invalid();
      term.atoms.insert(term.atoms.end(), right.atoms.begin(), right.atoms.end());
      terms.push_back(std::move(term));
    }
  return Extent::from_terms(std::move(terms));
}

std::optional<Extent> Extent::exact_divide(const Extent& a, const Extent& b) {
  if (!a.valid_ || !b.valid_ || !b.terms_) return std::nullopt;
  if (a == b) return Extent(1);
  // Polynomial division by the leading term; every step must lower the leading monomial.
  Extent rest = a, quotient;
  while (rest.terms_) {
    const Term& lead = rest.terms_->front();
    const Term& divisor = b.terms_->front();
    auto atoms = without(lead.atoms, divisor.atoms);
    if (!atoms || divisor.coefficient == -1 || lead.coefficient % divisor.coefficient != 0)
      return std::nullopt;
    const Extent piece = of_canonical({{lead.coefficient / divisor.coefficient, std::move(*atoms)}});
    quotient = quotient + piece;
    Extent next = rest - piece * b;
    if (!next.valid_ || !quotient.valid_) return std::nullopt;
    if (next.terms_ && compare(next.terms_->front().atoms, lead.atoms) <= 0) return std::nullopt;
    rest = std::move(next);
  }
  return quotient;
}

Extent Extent::floor_divide(const Extent& a, const Extent& b) {
  if (!a.valid_ || !b.valid_) return invalid();
  const auto divisor = b.constant();
  if (divisor == 0) return 0;
  if (auto exact = exact_divide(a, b)) return *exact;
  Extent whole, rest = a;
  if (divisor && *divisor > 0) {
    std::vector<Term> quotients, remainders;
    for (const Term& term : a.terms()) {
      const std::int64_t q = dlvm::floor_divide(term.coefficient, *divisor);
      const std::int64_t r = term.coefficient - q * *divisor;
      if (q != 0) quotients.push_back({q, term.atoms});
      if (r != 0) remainders.push_back({r, term.atoms});
    }
    whole = of_canonical(std::move(quotients));
    rest = of_canonical(std::move(remainders));
    if (rest.constant()) return whole;
  } else if (const auto constant = a.constant(); constant && divisor) {
    return Extent(dlvm::floor_divide(*constant, *divisor));
  }
  if (std::max(depth(rest), depth(b)) >= max_depth) return invalid();
  return whole + of_canonical({{1, {Atom{"", std::make_shared<Floor>(Floor{rest, b})}}}});
}

std::optional<std::int64_t> Extent::evaluate(const Bindings& bindings) const {
  if (!valid_) return std::nullopt;
  std::int64_t sum = 0;
  for (const Term& term : terms()) {
    std::int64_t product = term.coefficient;
    for (const Atom& atom : term.atoms) {
      std::int64_t value = 0;
      if (atom.floor) {
        const auto p = atom.floor->numerator.evaluate(bindings),
                   q = atom.floor->denominator.evaluate(bindings);
        if (!p || !q) return std::nullopt;
        value = dlvm::floor_divide(*p, *q);
      } else {
        const auto found = bindings.find(atom.name);
        if (found == bindings.end()) return std::nullopt;
        value = found->second;
      }
      if (!multiply(product, value, product)) return std::nullopt;
    }
    if (!dlvm::add(sum, product, sum)) return std::nullopt;
  }
  return sum;
}

Extent Extent::substitute(const Substitution& substitution) const {
  if (constant()) return *this;
  if (!valid_) return invalid();
  Extent sum;
  for (const Term& term : terms()) {
    Extent product(term.coefficient);
    for (const Atom& atom : term.atoms) {
      if (atom.floor) {
        product = product * floor_divide(atom.floor->numerator.substitute(substitution),
                                         atom.floor->denominator.substitute(substitution));
      } else {
        const auto found = substitution.find(atom.name);
        product = product * (found == substitution.end() ? dimension(atom.name) : found->second);
      }
    }
    sum = sum + product;
  }
  return sum;
}

void Extent::collect_names(std::set<std::string>& names) const {
  for (const Term& term : terms())
    for (const Atom& atom : term.atoms) {
      if (atom.floor) {
        atom.floor->numerator.collect_names(names);
        atom.floor->denominator.collect_names(names);
      } else {
        names.insert(atom.name);
      }
    }
}

std::optional<std::int64_t> Extent::lower_bound() const {
  if (!valid_) return std::nullopt;
  std::int64_t bound = 0;
  for (const Term& term : terms()) {
    if (term.atoms.empty()) {
      bound = term.coefficient;
      continue;
    }
    if (term.coefficient < 0) return std::nullopt;
    for (const Atom& atom : term.atoms)
      if (atom.floor) {
        const auto p = atom.floor->numerator.lower_bound(), q = atom.floor->denominator.lower_bound();
        if (!p || !q || *p < 0 || *q < 0) return std::nullopt;
      }
  }
  return bound;
}

std::string Extent::text() const {
  if (!valid_) return "overflow";
  if (!terms_) return "0";
  std::string out;
  for (const Term& term : terms()) {
    const bool negative = term.coefficient < 0;
    std::string piece = term.atoms.empty() || (term.coefficient != 1 && term.coefficient != -1)
                            ? fmt::format("{}", term.coefficient).substr(negative)
                            : "";
    for (const Atom& atom : term.atoms) {
      if (!piece.empty()) piece += "*";
      if (!atom.floor) {
        // Text that must tell erased dimensions apart writes them as `_1`: the name `_#1`.
        const bool numbered = atom.name.starts_with("_#");
        piece += numbered ? "_" + atom.name.substr(2) : atom.name.starts_with('_') ? "_" : atom.name;
        continue;
      }
      const auto wrapped = [](const Extent& e) {
        const bool plain = e.terms().size() <= 1 && e.text().find('*') == std::string::npos;
        return plain ? e.text() : "(" + e.text() + ")";
      };
      piece += fmt::format("floor({}/{})", wrapped(atom.floor->numerator), wrapped(atom.floor->denominator));
    }
    if (out.empty())
      out = (negative ? "-" : "") + piece;
    else
      out += (negative ? " - " : " + ") + piece;
  }
  return out;
}

std::strong_ordering operator<=>(const Extent& a, const Extent& b) {
  if (a.valid_ != b.valid_) return a.valid_ <=> b.valid_;
  if (a.terms_ == b.terms_) return std::strong_ordering::equal;
  const auto &left = a.terms(), &right = b.terms();
  if (auto order = left.size() <=> right.size(); order != 0) return order;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (auto order = compare(left[i].atoms, right[i].atoms); order != 0) return order;
    if (auto order = left[i].coefficient <=> right[i].coefficient; order != 0) return order;
  }
  return std::strong_ordering::equal;
}

Extent unit_count(const Shape& shape) {
  Extent count(1);
  for (const Extent& extent : shape) count = count * extent;
  return count;
}

std::string text(const Shape& shape) {
  std::string out;
  for (const Extent& extent : shape) out += (out.empty() ? "" : " x ") + extent.text();
  return out;
}

}  // namespace dlvm
