#include "codegen/kernel/build/weighted_rows.h"

#include <algorithm>
#include <utility>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {
namespace {

using dlvm::Opcode;

bool has_no(const Stage& stage, AxisKind kind) {
  return std::ranges::count(stage.axes, kind, &Axis::kind) == 0;
}

/// Returns whether the stage is a reduction by that instruction alone.
bool reduces_by(const Stage& stage, Opcode opcode) {
  return stage.reduction && stage.reduction->named == std::vector{opcode} && stage.accumulated.empty();
}

/// Returns whether the stage has scalars that must not be computed again, or in float32.
bool has_fixed_scalars(const Stage& stage) {
  bool found = false;
  visit_scalars(stage, [&](const Scalar& scalar) {
    const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
    found = found || std::holds_alternative<Scalar::Check>(scalar.definition) ||
            std::holds_alternative<Scalar::Random>(scalar.definition) ||
            (load != nullptr && !load->bounds.empty() && is_short_float(scalar.type));
  });
  return found;
}

/// Finds the parts of one kernel.
class Finder {
 public:
  explicit Finder(const Kernel& kernel) : kernel_(kernel) {}

  std::optional<WeightedRows> run() {
    const Block* rows = &kernel_.root;
    if (rows->axes.empty() && rows->children.size() == 1) {
      rows = std::get_if<Block>(&rows->children.front());
      found_.depth = 1;
    }
    if (rows == nullptr || rows->axes.empty() || !classify(*rows)) return std::nullopt;
    return std::move(found_);
  }

 private:
  /// Finds the role of each stage. Contractions and elementwise stages over columns may stand before and
  /// after the maximum, sums after it.
  bool classify(const Block& rows) {
    for (const auto& child : rows.children) {
      const auto* stage = std::get_if<Stage>(&child);
      if (stage == nullptr || stage->sorting || has_fixed_scalars(*stage)) return false;
      if (!(found_.maximum == nullptr && reduces_by(*stage, Opcode::max) ? add_maximum(*stage) : add(*stage)))
        return false;
    }
    return found_.maximum != nullptr && found_.product != nullptr && !found_.sums.empty() &&
           is_float32_product(*found_.sums.back()) &&
           found_.maximum->reduction->types[0] == ElementType::f32 && sums_store_results();
  }

  bool add_maximum(const Stage& stage) {
    const Axis* axis = only_axis(stage, AxisKind::reduced);
    if (axis == nullptr || stage.contraction || !is_column(*axis) || !has_no(stage, AxisKind::parallel))
      return false;
    found_.maximum = &stage;
    return stores_results(kernel_, stage, found_.depth);
  }

  bool add(const Stage& stage) {
    if (!stage.accumulated.empty() || !has_no(stage, AxisKind::ordered)) return false;
    if (!stage.reduction) return add_elements(stage);
    if (found_.maximum == nullptr) return stage.contraction && add_product(stage);
    const Axis* axis = only_axis(stage, AxisKind::reduced);
    if (axis == nullptr || !is_column(*axis) || !reduces_by(stage, Opcode::add)) return false;
    // Only the last sum has axes of its own.
    if (!found_.sums.empty() && !has_no(*found_.sums.back(), AxisKind::parallel)) return false;
    found_.sums.push_back(&stage);
    return true;
  }

  /// Adds a contraction that gives an element for each column. Returns whether it is one.
  bool add_product(const Stage& stage) {
    const Axis* axis = only_axis(stage, AxisKind::parallel);
    if (found_.product != nullptr || axis == nullptr || !is_column(*axis) || stage.stores.size() != 1 ||
        !stores_at_column(stage, *axis))
      return false;
    found_.product = &stage;
    bool reads_locals = false;
    visit_accesses(stage, [&](const Access& access, const auto&, bool is_load) {
      reads_locals =
          reads_locals || (is_load && kernel_.buffers[access.buffer].space == Buffer::Space::local);
    });
    return is_float32_product(stage) && !reads_locals && stage.contraction->n == std::vector{axis->id};
  }

  bool sums_store_results() const {
    return std::all_of(found_.sums.begin(), found_.sums.end() - 1,
                       [&](const Stage* sum) { return stores_results(kernel_, *sum, found_.depth); });
  }

  /// Adds a stage that computes one value for each column. Returns whether it is one.
  bool add_elements(const Stage& stage) {
    const Axis* axis = only_axis(stage, AxisKind::parallel);
    if (axis == nullptr || !is_column(*axis)) return false;
    for (const Store& store : stage.stores) found_.elements[store.access.buffer] = {&stage, store.value};
    return stores_at_column(stage, *axis);
  }

  /// Returns whether the axis has as many points as there are columns; the first one that is asked for says.
  bool is_column(const Axis& axis) {
    if (!has_column_) found_.column = axis;
    has_column_ = true;
    return found_.column.extent == axis.extent;
  }

  /// Returns whether the stage stores to the elements of local buffers for that column alone.
  bool stores_at_column(const Stage& stage, const Axis& axis) const {
    return std::ranges::all_of(stage.stores, [&](const Store& store) {
      const Buffer& buffer = kernel_.buffers[store.access.buffer];
      return buffer.space == Buffer::Space::local && buffer.depth == found_.depth && store.bounds.empty() &&
             !store.combine && store.access.indices == Indices{axis_index(axis.id)};
    });
  }

  const Kernel& kernel_;
  WeightedRows found_;
  bool has_column_ = false;
};

}  // namespace

bool is_float32_product(const Stage& stage) {
  return stage.contraction && reduces_by(stage, Opcode::add) && !has_masked_terms(stage) &&
         stage.body[stage.contraction->left].type == ElementType::f32 &&
         stage.body[stage.contraction->right].type == ElementType::f32;
}

const Axis* only_axis(const Stage& stage, AxisKind kind) {
  const Axis* found = nullptr;
  for (const Axis& axis : stage.axes)
    if (axis.kind == kind && std::exchange(found, &axis) != nullptr) return nullptr;
  return found;
}

bool stores_results(const Kernel& kernel, const Stage& stage, std::uint32_t depth) {
  return std::ranges::all_of(stage.stores, [&](const Store& store) {
    const Buffer& buffer = kernel.buffers[store.access.buffer];
    return store.bounds.empty() && !store.combine &&
           (buffer.space == Buffer::Space::argument || (buffer.shape.empty() && buffer.depth == depth));
  });
}

std::optional<WeightedRows> find_weighted_rows(const Kernel& kernel) { return Finder(kernel).run(); }

}  // namespace codegen::kernel
