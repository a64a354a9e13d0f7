#include "dlvm/analysis/memory_peaks.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "dlvm/analysis/work.h"

namespace dlvm {
namespace {

using Bytes = std::vector<std::int64_t>;

/// The bytes that live for a long time, before each instruction.
Bytes live_bytes(const std::vector<Instruction*>& order, const Extent::Bindings& dimensions) {
  const std::size_t short_time = std::min<std::size_t>(16, order.size() / 4);
  std::unordered_map<const Value*, std::size_t> position;
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  Bytes live(order.size() + 1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::size_t last = i;
    for (const Instruction* user : order[i]->users())  // a result is in the memory of the caller
      if (user->type().is_tensor()) last = std::max(last, position.at(user));
    if (last - i <= short_time || moves_elements(*order[i])) continue;
    const std::int64_t bytes = typical_bytes(order[i]->type(), dimensions);
    live[i + 1] += bytes;
    live[last] -= bytes;
  }
  for (std::size_t i = 1; i < live.size(); ++i) live[i] += live[i - 1];
  live.pop_back();
  return live;
}

/// The highest position that a valley of half its bytes divides from each of the peaks.
std::optional<std::size_t> next_peak(const Bytes& live, const std::set<std::size_t>& peaks) {
  Bytes valley(live.size());  // the higher of those towards the peaks on either side
  const auto walk = [&](std::size_t i, std::optional<std::int64_t>& lowest) {
    if (lowest) lowest = std::min(*lowest, live[i]), valley[i] = std::max(valley[i], *lowest);
    if (peaks.contains(i)) lowest = live[i];
  };
  std::optional<std::int64_t> from_left, from_right;
  for (std::size_t i = 0; i < live.size(); ++i) walk(i, from_left);
  for (std::size_t i = live.size(); i-- > 0;) walk(i, from_right);
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < live.size(); ++i)
    if (!peaks.contains(i) && live[i] > (best ? live[*best] : 0) && 2 * valley[i] <= live[i]) best = i;
  return best;
}

}  // namespace

std::vector<Instruction*> straight_line(const Function& function) {
  std::vector<Instruction*> order;
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->opcode() != Opcode::branch) order.push_back(instruction.get());
  return order;
}

std::vector<MemoryPeak> memory_peaks(const Function& function, const Extent::Bindings& dimensions) {
  const std::vector<Instruction*> order = straight_line(function);
  const Bytes live = live_bytes(order, dimensions);
  std::set<std::size_t> positions;
  while (positions.size() < max_memory_peaks) {
    const auto next = next_peak(live, positions);
    if (!next) break;
    positions.insert(*next);
  }
  std::vector<MemoryPeak> peaks;
  std::size_t from = 0;
  for (const std::size_t position : positions) {
    const auto at = [&](std::size_t i) { return live.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto first = peaks.empty() ? live.begin() : std::min_element(at(from), at(position));
    peaks.push_back({order[static_cast<std::size_t>(first - live.begin())], order[position]});
    from = position;
  }
  return peaks;
}

}  // namespace dlvm
