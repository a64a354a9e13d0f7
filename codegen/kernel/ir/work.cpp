#include "codegen/kernel/ir/work.h"

#include <algorithm>
#include <map>
#include <set>

#include "codegen/kernel/ir/walk.h"
#include "dlvm/analysis/work.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {
namespace {

using Axes = std::map<AxisId, std::int64_t>;  ///< the extents of axes

std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? dlvm::unbounded_count
                                               : std::min(result, dlvm::unbounded_count);
}

void increase(std::int64_t& number, std::int64_t by) {
  number = std::min(number + by, dlvm::unbounded_count);
}

std::int64_t points_of(const std::set<AxisId>& ids, const Axes& axes) {
  std::int64_t points = 1;
  for (const AxisId id : ids) points = product(points, axes.at(id));
  return points;
}

std::int64_t cost_of(const Scalar& scalar) {
  if (std::holds_alternative<Scalar::Random>(scalar.definition))
    return dlvm::definition(dlvm::Opcode::random).cost;
  const auto* operation = std::get_if<Scalar::Operation>(&scalar.definition);
  return operation != nullptr ? dlvm::definition(operation->opcode).cost : 0;
}

/// Counts the work of stages, and how many elements of each buffer they access.
class Counter {
 public:
  explicit Counter(const Kernel& kernel) : kernel_(kernel) {}

  std::int64_t operations = 0;
  std::map<BufferId, std::int64_t> elements = {};

  void add(const Block& block, Axes axes) {
    for (const Axis& axis : block.axes) axes[axis.id] = dlvm::typical_count(axis.extent);
    for (const auto& child : block.children) std::visit([&](const auto& inner) { add(inner, axes); }, child);
  }

  void add(const Stage& stage, Axes axes) {
    AxisSet all, kept;
    outer_.clear();
    for (const auto& [id, extent] : axes) outer_.insert(id);
    for (const Axis& axis : stage.axes) axes[axis.id] = dlvm::typical_count(axis.extent);
    for (const auto& [id, extent] : axes) all.insert(id), kept.insert(id);
    for (const Axis& axis : stage.axes)
      if (axis.kind == AxisKind::reduced) kept.erase(axis.id);
    for (const AxisId id : stage.accumulated) kept.erase(id);
    if (stage.reduction)
      for (const Scalar& scalar : stage.reduction->combine)
        increase(operations, product(cost_of(scalar), points_of(all, axes)));
    depends_.clear();
    for (const Scalar& scalar : stage.body) add(scalar, {}, axes);
    for (const Scalar& scalar : stage.epilogue) add(scalar, kept, axes);
    for (const Store& store : stage.stores) access(store.access, stage.reduction ? kept : all, axes);
    if (!stage.sorting) return;
    for (const Access* row : {&stage.sorting->keys, &stage.sorting->positions})
      increase(elements[row->buffer],
               product(points_of(all, axes), dlvm::typical_count(stage.sorting->extent)));
  }

 private:
  using AxisSet = std::set<AxisId>;

  /// Adds a scalar, which is computed at the points of the axes `at`, of those of its operands and of its
  /// indices.
  void add(const Scalar& scalar, AxisSet at, const Axes& axes) {
    const auto* load = std::get_if<Scalar::Load>(&scalar.definition);
    if (load != nullptr && kernel_.buffers[load->access.buffer].space == Buffer::Space::local)
      at.insert(outer_.begin(), outer_.end());  // the buffer has other values at each of their points
    const dlvm::Overloaded visit{[&](ScalarId operand) { at.merge(AxisSet(depends_[operand])); },
                                 [&](const Index& index) { at.merge(axes_behind(index)); }};
    visit_uses(scalar, visit);
    increase(operations, product(cost_of(scalar), points_of(at, axes)));
    if (load != nullptr) access(load->access, {}, axes);
    depends_.push_back(std::move(at));
  }

  void access(const Access& access, AxisSet at, const Axes& axes) {
    for (const Index& index : access.indices) at.merge(axes_behind(index));
    increase(elements[access.buffer], points_of(at, axes));
  }

  /// Returns the axes that the index depends on, those behind a loaded scalar, too.
  AxisSet axes_behind(const Index& index) const {
    AxisSet axes;
    visit_atoms(
        index, dlvm::Overloaded{[&](AxisId axis) { axes.insert(axis); },
                                [&](const Loaded& loaded) { axes.merge(AxisSet(depends_[loaded.scalar])); }});
    return axes;
  }

  const Kernel& kernel_;
  AxisSet outer_;                 ///< the axes of the blocks around the stage
  std::vector<AxisSet> depends_;  ///< the axes that each scalar of the stage depends on
};

}  // namespace

Work work_of(const Kernel& kernel) {
  Counter counter(kernel);
  counter.add(kernel.root, {});
  Work work{counter.operations, 0};
  for (const auto& [id, elements] : counter.elements) {
    const Buffer& buffer = kernel.buffers[id];
    if (buffer.space != Buffer::Space::argument) continue;
    const std::int64_t all = dlvm::typical_count(dlvm::unit_count(buffer.shape));
    increase(work.bytes, product(std::min(elements, all), dlvm::info(buffer.element).bytes));
  }
  return work;
}

}  // namespace codegen::kernel
