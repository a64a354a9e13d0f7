// Sums of products: one `dot` after another, in an order that keeps what is between them small.
#include <algorithm>
#include <tuple>

#include "frontend/check/index_notation/lifter.h"

namespace frontend::check {
namespace {

using dlvm::AxisPairs;
using dlvm::Opcode;

/// Beyond so many factors they are taken in their order.
constexpr std::size_t most_factors_to_order = 16;

std::int64_t axis_of(const Lifted& x, Label label) {
  return std::ranges::find(x.labels, label) - x.labels.begin();
}

/// Whether the elements are in memory already, or are once they are computed.
bool is_stored(const Node* x) {
  switch (x->opcode) {
    case Opcode::slice:
    case Opcode::shapeCast:
    case Opcode::transpose:
    case Opcode::reverse:
      return x->kind == Node::Kind::operation ? is_stored(x->operands[0]) : true;
    case Opcode::dot:
    case Opcode::convolve:
    case Opcode::reduce:
    case Opcode::reduceWindow:
      return true;
    default:
      return x->kind != Node::Kind::operation;
  }
}

/// The labels of the sum that no factor but the two has.
Labels summed_by(const std::vector<Lifted>& factors, std::size_t a, std::size_t b, const Labels& over) {
  Labels summed;
  for (const Label label : over) {
    bool elsewhere = false;
    for (std::size_t i = 0; i < factors.size(); ++i)
      elsewhere = elsewhere || (i != a && i != b && contains(factors[i].labels, label));
    if (!elsewhere && (contains(factors[a].labels, label) || contains(factors[b].labels, label)))
      summed.push_back(label);
  }
  return summed;
}

/// The two factors with the fewest indices together, then with the fewest left.
std::pair<std::size_t, std::size_t> next_pair(const std::vector<Lifted>& factors, const Labels& over) {
  if (factors.size() > most_factors_to_order) return {0, 1};
  std::tuple<std::size_t, std::size_t> least{~std::size_t{0}, 0};
  std::pair<std::size_t, std::size_t> best;
  for (std::size_t a = 0; a < factors.size(); ++a)
    for (std::size_t b = a + 1; b < factors.size(); ++b) {
      const std::size_t together = joined(factors[a].labels, factors[b].labels).size();
      const std::tuple cost(together, together - summed_by(factors, a, b, over).size());
      if (cost >= least) continue;
      least = cost;
      best = {a, b};
    }
  return best;
}

}  // namespace

Lifted Lifter::contraction(std::vector<Lifted> factors, const Labels& over, Location location) {
  while (factors.size() > 1) {
    const auto [a, b] = next_pair(factors, over);
    const Labels summed = summed_by(factors, a, b, over);
    factors[a] = contracted(factors[a], factors[b], summed, location);
    if (factors[a].node == nullptr) return broken();
    factors.erase(factors.begin() + static_cast<std::ptrdiff_t>(b));
  }
  Labels left;
  for (const Label label : over)
    if (contains(factors[0].labels, label)) left.push_back(label);
  return reduced(factors[0], Opcode::add, left, location);
}

Lifted Lifter::contracted(Lifted a, Lifted b, const Labels& over, Location location) {
  Labels both, of_a, of_b;
  for (const Label label : over) {
    const bool in_a = contains(a.labels, label), in_b = contains(b.labels, label);
    (in_a && in_b ? both : in_a ? of_a : of_b).push_back(label);
  }
  a = reduced(a, Opcode::add, of_a, location);
  b = reduced(b, Opcode::add, of_b, location);
  if (both.empty()) return combined(Opcode::multiply, a, b, location);
  const Labels all = joined(a.labels, b.labels);
  const bool nested = all == a.labels || all == b.labels;
  const bool batch = std::ranges::any_of(
      a.labels, [&](Label label) { return contains(b.labels, label) && !contains(both, label); });
  // Where no index is one of either factor alone, the product may be summed as it is made. That is best for
  // rows against rows, and for factors that are computed, which a `dot` would have to store first.
  if (nested && (batch || !is_stored(a.node) || !is_stored(b.node)))
    return reduced(combined(Opcode::multiply, a, b, location), Opcode::add, both, location);
  return dot(a, b, both, location);
}

Lifted Lifter::dot(const Lifted& a, const Lifted& b, const Labels& over, Location location) {
  const auto free = [&](const Lifted& x, const Lifted& other) {
    Labels labels;
    for (const Label label : x.labels)
      if (!contains(other.labels, label)) labels.push_back(label);
    return labels;
  };
  const Labels of_a = free(a, b), of_b = free(b, a);
  if (!of_a.empty() && !of_b.empty() && of_b.front() < of_a.front()) return dot(b, a, over, location);
  AxisPairs contract, batch;
  Labels result;
  for (const Label label : a.labels) {
    if (!contains(b.labels, label)) continue;
    const bool summed = contains(over, label);
    (summed ? contract : batch).emplace_back(axis_of(a, label), axis_of(b, label));
    if (!summed) result.push_back(label);
  }
  result.insert(result.end(), of_a.begin(), of_a.end());
  result.insert(result.end(), of_b.begin(), of_b.end());
  const bool plain =
      batch.empty() && contract == AxisPairs{{static_cast<std::int64_t>(a.labels.size()) - 1, 0}};
  return {operation(Opcode::dot, {a.node, b.node},
                    {plain ? dlvm::Attribute() : dlvm::Attribute(contract),
                     batch.empty() ? dlvm::Attribute() : dlvm::Attribute(batch)},
                    location),
          result};
}

}  // namespace frontend::check
