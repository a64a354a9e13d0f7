#include "dlvm/analysis/block_order.h"

#include <algorithm>

namespace dlvm {
namespace {

class Search {
 public:
  explicit Search(const SuccessorNumbers& successors)
      : successors_(successors), seen_(successors.size()), next_(successors.size()) {}

  /// Appends what `root` reaches and no root before it does, in reverse post order.
  void run(std::size_t root, BlockOrder& into) {
    if (seen_[root]) return;
    into.roots.push_back(root);
    const auto first = static_cast<std::ptrdiff_t>(into.order.size());
    enter(root);
    while (!path_.empty()) {
      const std::size_t at = path_.back();
      if (next_[at] < successors_[at].size()) {
        // The last one first, so that in the reversed order the first one comes first.
        const std::size_t to = *(successors_[at].rbegin() + static_cast<std::ptrdiff_t>(next_[at]++));
        if (!seen_[to]) enter(to);
      } else {
        path_.pop_back();
        into.order.push_back(at);
      }
    }
    std::reverse(into.order.begin() + first, into.order.end());
  }

 private:
  void enter(std::size_t block) {
    seen_[block] = true;
    path_.push_back(block);
  }

  const SuccessorNumbers& successors_;
  std::vector<bool> seen_;
  std::vector<std::size_t> next_, path_;
};

}  // namespace

BlockOrder block_order(const SuccessorNumbers& successors) {
  BlockOrder result;
  if (successors.empty()) return result;
  Search search(successors);
  search.run(0, result);
  result.reachable = result.order.size();
  std::vector<bool> entered(successors.size());
  for (const auto& list : successors)
    for (const std::size_t to : list) entered[to] = true;
  for (std::size_t block = 0; block < successors.size(); ++block)
    if (!entered[block]) search.run(block, result);
  for (std::size_t block = 0; block < successors.size(); ++block) search.run(block, result);
  return result;
}

}  // namespace dlvm
