#include "codegen/kernel/build/order_operands.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

namespace codegen::kernel {
namespace {

/// The most contractions that give each other rows in front of which something is moved.
constexpr std::size_t max_chained = 4;
/// With `ProductChains::online`, the most nodes between a contraction and what is moved in front of it.
constexpr std::size_t max_distance = 128;

/// Moves nodes forward in their order.
class Reorder {
 public:
  Reorder(const std::vector<Node>& nodes, ProductChains which)
      : nodes_(nodes), which_(which), order_(nodes.size()), marks_(nodes.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    place_ = order_;
    for (std::size_t n = 0; n < nodes.size(); ++n)
      if (!nodes[n].copy) node_of_[nodes[n].value] = n;
  }

  std::vector<std::size_t> run() && {
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].product && !nodes_[n].copy) order(n);
    return std::move(order_);
  }

 private:
  std::optional<std::size_t> producer(const Node::Use& use) const {
    const auto found = node_of_.find(use.value);
    return found == node_of_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Returns the nodes that compute what the contraction reads along its rows.
  std::vector<std::size_t> rows_of(std::size_t n) const {
    const auto is_of_rows = [&](const Node::Use& use) {
      return std::ranges::any_of(use.indices, [&](const Index& index) {
        return std::ranges::any_of(axes_of(index), [&](AxisId axis) {
          return std::ranges::count(nodes_[n].product->rows, axis) > 0;
        });
      });
    };
    std::vector<std::size_t> found;
    for (const Node::Use& use : nodes_[n].uses)
      if (const auto p = producer(use); p && is_of_rows(use)) found.push_back(*p);
    return found;
  }

  /// Puts what the contraction is computed from before each of those that give each other rows, the last of
  /// them to this one, as far as it does not depend on it.
  void order(std::size_t n) {
    std::vector<std::size_t> chain;
    for (auto next = contraction_before(rows_of(n));
         next && chain.size() < max_chained && may_chain(*next) && is_near(*next, n);
         next = contraction_before(rows_of(*next)))
      chain.push_back(*next);
    for (; !chain.empty(); chain.pop_back()) move_before(chain.back(), independent_between(chain.back(), n));
    if (which_ == ProductChains::online) join_earlier(n);
  }

  /// Puts the contraction, with what it is computed from, in front of an earlier one whose rows are computed
  /// from the same contractions, if it does not depend on it: what reads the earlier one would be between
  /// them.
  void join_earlier(std::size_t n) {
    for (const std::size_t of : contractions_before(n)) {
      const std::size_t earlier = first_readers_.try_emplace(of, n).first->second;
      if (place_[earlier] >= place_[n] || !is_near(earlier, n) || !nodes_[n].after.empty()) continue;
      std::vector<std::size_t> moved = independent_between(earlier, n);
      const bool depends = std::ranges::any_of(nodes_[n].uses, [&](const Node::Use& use) {
        const auto p = producer(use);
        return p && marks_[*p] == mark_;
      });
      if (depends) continue;
      moved.push_back(n);
      move_before(earlier, std::move(moved));
    }
  }

  bool is_near(std::size_t first, std::size_t last) const {
    return which_ != ProductChains::online || place_[last] - place_[first] <= max_distance;
  }
  bool may_chain(std::size_t n) const {
    return which_ != ProductChains::online || nodes_[n].product->has_batch;
  }

  /// Returns the contractions of a batch near the last one from which its rows are computed.
  std::vector<std::size_t> contractions_before(std::size_t last) {
    ++mark_;
    std::vector<std::size_t> found, nodes = rows_of(last);
    while (!nodes.empty()) {
      const std::size_t n = nodes.back();
      nodes.pop_back();
      if (std::exchange(marks_[n], mark_) == mark_ || !is_near(n, last)) continue;
      if (nodes_[n].product) {
        if (may_chain(n)) found.push_back(n);
        continue;
      }
      for (const Node::Use& use : nodes_[n].uses)
        if (const auto p = producer(use)) nodes.push_back(*p);
    }
    return found;
  }

  /// Returns the last contraction from which one of the nodes is computed.
  std::optional<std::size_t> contraction_before(std::vector<std::size_t> nodes) {
    ++mark_;
    std::optional<std::size_t> found;
    while (!nodes.empty()) {
      const std::size_t n = nodes.back();
      nodes.pop_back();
      if (std::exchange(marks_[n], mark_) == mark_ || (found && place_[n] <= place_[*found])) continue;
      if (nodes_[n].product) {
        found = n;
        continue;
      }
      for (const Node::Use& use : nodes_[n].uses)
        if (const auto p = producer(use)) nodes.push_back(*p);
    }
    return found;
  }

  /// Returns the nodes between the two, in order, from which `last` is computed and which do not depend on
  /// `first`. What overwrites memory after others have read it stays where it is.
  std::vector<std::size_t> independent_between(std::size_t first, std::size_t last) {
    ++mark_;
    std::vector<std::size_t> needed{last}, between;
    while (!needed.empty()) {
      const std::size_t n = needed.back();
      needed.pop_back();
      if (place_[n] <= place_[first] || std::exchange(marks_[n], mark_) == mark_) continue;
      if (n != last) between.push_back(n);
      for (const Node::Use& use : nodes_[n].uses)
        if (const auto p = producer(use)) needed.push_back(*p);
    }
    std::ranges::sort(between, {}, [&](std::size_t n) { return place_[n]; });
    // Each node stands behind those that it is computed from, so that these are known.
    marks_[first] = ++mark_;
    std::erase_if(between, [&](std::size_t n) {
      const bool stays =
          !nodes_[n].after.empty() || std::ranges::any_of(nodes_[n].uses, [&](const Node::Use& use) {
            const auto p = producer(use);
            return p && marks_[*p] == mark_;
          });
      if (stays) marks_[n] = mark_;
      return stays;
    });
    return between;
  }

  void move_before(std::size_t first, std::vector<std::size_t> moved) {
    if (moved.empty()) return;
    const std::size_t begin = place_[first], end = place_[moved.back()] + 1;
    std::vector<std::size_t> rest;
    for (std::size_t i = begin; i < end; ++i)
      if (!std::ranges::binary_search(moved, i, {}, [&](std::size_t n) { return place_[n]; }))
        rest.push_back(order_[i]);
    moved.insert(moved.end(), rest.begin(), rest.end());
    std::ranges::copy(moved, order_.begin() + static_cast<std::ptrdiff_t>(begin));
    for (std::size_t i = begin; i < end; ++i) place_[order_[i]] = i;
  }

  const std::vector<Node>& nodes_;
  ProductChains which_;
  std::unordered_map<std::size_t, std::size_t>
      first_readers_;  ///< by contraction, the one that reads it as rows
  std::unordered_map<const dlvm::Value*, std::size_t> node_of_;
  std::vector<std::size_t> order_, place_;  ///< the nodes in order, and the place of each
  std::vector<std::size_t> marks_;          ///< the search that has met each node last
  std::size_t mark_ = 0;
};

}  // namespace

std::vector<std::size_t> order_operands(const std::vector<Node>& nodes, ProductChains which) {
  return Reorder(nodes, which).run();
}

}  // namespace codegen::kernel
