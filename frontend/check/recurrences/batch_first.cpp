#include "frontend/check/recurrences/batch_first.h"

#include <fmt/format.h>

#include "frontend/check/checked_module.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// The block in which the expression stands, if it runs over sequences that are computed.
const Recurrence* block_of(const BodyContext& context) {
  const Recurrence* block = context.recurrence;
  if (block == nullptr && context.declaration != nullptr) block = context.declaration->recurrence;
  return block == nullptr || block->sources.empty() || !block->sources.front()->done ? nullptr : block;
}

}  // namespace

bool is_number_of_steps(const BodyContext& context, const Extent& extent) {
  const Recurrence* block = block_of(context);
  return block != nullptr && !extent.constant() && block->length == extent;
}

bool steps_are_named_as_batch(const BodyContext& context) {
  const Recurrence* block = block_of(context);
  if (block == nullptr) return false;
  const std::string name = spelling(block->length);
  return name == "N" || name == "B" || name == "n" || name == "b" || name.starts_with("batch");
}

std::string advice_for_batch_first(const BodyContext& context) {
  const Recurrence* block = block_of(context);
  if (block == nullptr) return "";
  const Declaration& source = *block->sources.front();
  if (!source.type.is_tensor() || source.type.rank() < 2) return "";
  std::string order = "1, 0";
  for (std::size_t axis = 2; axis < source.type.rank(); ++axis) order += fmt::format(", {}", axis);
  const std::string sequence = quoted(source.syntax->value->location, "...");
  return fmt::format(
      "a step is along axis 0 of {0}, of extent {1}; if axis 1 is the time, write over {2} = "
      "transpose({0}, [{3}])",
      sequence, spelling(source.type.shape.front()), source.name, order);
}

}  // namespace frontend::check
