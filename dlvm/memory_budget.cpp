#include "dlvm/memory_budget.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

namespace dlvm {

std::int64_t MemoryBudget::bytes(std::int64_t all) const {
  if (!is_percent) return amount;
  if (amount >= 100) return all;
  return static_cast<std::int64_t>(static_cast<double>(all) * static_cast<double>(amount) / 100);
}

std::optional<MemoryBudget> parse_memory_budget(std::string_view text) {
  MemoryBudget budget;
  if (text.ends_with('%')) {
    budget.is_percent = true;
    text.remove_suffix(1);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), budget.amount);
  if (error != std::errc() || end != text.data() + text.size() || budget.amount < 0) return std::nullopt;
  return budget;
}

std::string dimension_of(const Type& type) {
  std::set<std::string> names;
  type.collect_names(names);
  return names.empty() ? "" : *names.begin();
}

std::string depends_on(std::string_view dimension) {
  return fmt::format(
      "it depends on the dimension {0}; give that a value, -D {0}=…, or the budget in percent, 25%",
      dimension);
}

}  // namespace dlvm
