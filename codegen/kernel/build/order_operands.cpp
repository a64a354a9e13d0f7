#include "codegen/kernel/build/order_operands.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace codegen::kernel {
namespace {

/// Moves nodes forward in their order.
class Reorder {
 public:
  explicit Reorder(const std::vector<Node>& nodes)
      : nodes_(nodes), order_(nodes.size()), marks_(nodes.size()) {
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

  /// Returns whether the use runs along rows of the contraction.
  static bool is_of_rows(const Node& node, const Node::Use& use) {
    return std::ranges::any_of(use.indices, [&](const Index& index) {
      return std::ranges::any_of(
          axes_of(index), [&](AxisId axis) { return std::ranges::count(node.product->rows, axis) > 0; });
    });
  }

  /// Returns the nodes that compute what the contraction reads, along its rows or elsewhere.
  std::vector<std::size_t> operands(std::size_t n, bool of_rows) const {
    std::vector<std::size_t> found;
    for (const Node::Use& use : nodes_[n].uses)
      if (const auto p = producer(use); p && is_of_rows(nodes_[n], use) == of_rows) found.push_back(*p);
    return found;
  }

  /// Puts the contraction's other operand before the first of the contractions that give each other rows, the
  /// last of them to this one, on which the operand does not depend.
  void order(std::size_t n) {
    const std::vector<std::size_t> others = operands(n, false);
    if (others.empty()) return;
    std::optional<std::size_t> first;
    std::vector<std::size_t> moved;
    for (auto next = contraction_before(operands(n, true)); next;
         next = contraction_before(operands(*next, true))) {
      std::vector<std::size_t> behind;
      if (!collect_behind(*next, others, behind)) break;
      first = next;
      moved = std::move(behind);
    }
    if (!moved.empty()) move_before(*first, std::move(moved));
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

  /// Adds the nodes behind `first` from which `needed` are computed, and these. Returns false if one of them
  /// depends on `first`, or runs after what it overwrites has been read.
  bool collect_behind(std::size_t first, std::vector<std::size_t> needed, std::vector<std::size_t>& found) {
    ++mark_;
    while (!needed.empty()) {
      const std::size_t n = needed.back();
      needed.pop_back();
      if (n == first || !nodes_[n].after.empty()) return false;
      if (place_[n] < place_[first] || std::exchange(marks_[n], mark_) == mark_) continue;
      found.push_back(n);
      for (const Node::Use& use : nodes_[n].uses)
        if (const auto p = producer(use)) needed.push_back(*p);
    }
    return true;
  }

  void move_before(std::size_t first, std::vector<std::size_t> moved) {
    std::ranges::sort(moved, {}, [&](std::size_t n) { return place_[n]; });
    const std::size_t begin = place_[first], end = place_[moved.back()] + 1;
    std::vector<std::size_t> rest;
    for (std::size_t i = begin; i < end; ++i)
      if (std::ranges::count(moved, order_[i]) == 0) rest.push_back(order_[i]);
    moved.insert(moved.end(), rest.begin(), rest.end());
    std::ranges::copy(moved, order_.begin() + static_cast<std::ptrdiff_t>(begin));
    for (std::size_t i = begin; i < end; ++i) place_[order_[i]] = i;
  }

  const std::vector<Node>& nodes_;
  std::unordered_map<const dlvm::Value*, std::size_t> node_of_;
  std::vector<std::size_t> order_, place_;  ///< the nodes in order, and the place of each
  std::vector<std::size_t> marks_;          ///< the search that has met each node last
  std::size_t mark_ = 0;
};

}  // namespace

std::vector<std::size_t> order_operands(const std::vector<Node>& nodes) { return Reorder(nodes).run(); }

}  // namespace codegen::kernel
