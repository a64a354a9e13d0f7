#include "codegen/schedule/gpu/split_reduction.h"

#include <algorithm>

#include "codegen/schedule/common/axis_group.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/work_distribution.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::AxisKind;
using kernel::ScalarId;
using kernel::Stage;

/// Points that a thread reduces on its own, and those that a block does together.
constexpr std::int64_t chunk_of_thread = 64, chunk_of_block = 8192;
/// Points that a thread reduces of a row whose states only combine in order.
constexpr std::int64_t chunk_in_order = 512;

/// Which scalars of the body differ between reduced points.
std::vector<bool> of_reduced_points(const Stage& stage) {
  std::set<LoopId> reduced;
  for (const Axis& axis : stage.axes)
    if (axis.kind == AxisKind::reduced) reduced.insert(axis.id);
  std::vector<bool> result;
  for (const Scalar& scalar : stage.body) {
    std::set<LoopId> axes;
    std::set<ValueId> values;
    collect(scalar, axes, values);
    result.push_back(
        std::any_of(axes.begin(), axes.end(), [&](LoopId axis) { return reduced.count(axis) > 0; }) ||
        std::any_of(values.begin(), values.end(), [&](ValueId value) { return result[value]; }));
  }
  return result;
}

/// Only what may be evaluated at a point that is not there: its loads get the fill, its value is left out.
bool may_split(const Stage& stage) {
  if (!stage.reduction || stage.contraction || runs_in_order(stage)) return false;
  for (const Axis& axis : stage.axes)
    if (axis.kind == AxisKind::ordered) return false;
  const std::vector<bool> varies = of_reduced_points(stage);
  for (std::size_t i = 0; i < stage.body.size(); ++i) {
    const auto& definition = stage.body[i].definition;
    const bool is_strict = std::holds_alternative<Scalar::Check>(definition) ||
                           std::holds_alternative<Scalar::Random>(definition);
    if (is_strict && varies[i]) return false;
  }
  return true;
}

class TwoStageBuilder {
 public:
  TwoStageBuilder(Lowering& lowering, const Stage& stage, kernel::AxisId& next_axis, std::int64_t chunk)
      : lowering_(lowering), stage_(stage), reduced_(axes_of(stage, AxisKind::reduced)), chunk_(chunk) {
    part_ = {next_axis++, "part", Extent::floor_divide(reduced_.extent + Extent(chunk - 1), Extent(chunk)),
             AxisKind::parallel};
    inner_ = {next_axis++, "inner", chunk, AxisKind::reduced};
    final_ = part_;
    final_.id = next_axis++;
    final_.kind = AxisKind::reduced;
  }

  SplitReduction build() {
    add_buffers();
    return {partial_stage(), final_stage(), partials_};
  }

 private:
  std::vector<const Axis*> parallel() const { return axes_of(stage_, AxisKind::parallel).axes; }

  /// [part, the stage's parallel axes…]
  void add_buffers() {
    Shape shape{part_.extent};
    for (const Axis* axis : parallel()) shape.push_back(axis->extent);
    for (std::size_t i = 0; i < stage_.reduction->types.size(); ++i)
      partials_.push_back(
          lowering_.add_buffer({stage_.name + ".partial" + std::to_string(i), stage_.reduction->types[i],
                                shape, Space::arena, dense_layout(shape), false, std::nullopt}));
  }
  Access partial(std::size_t component, kernel::AxisId part) const {
    Access access{partials_[component], {variable(part)}};
    for (const Axis* axis : parallel()) access.indices.push_back(variable(axis->id));
    return access;
  }

  Stage partial_stage() {
    Stage made;
    made.name = stage_.name + ".chunks";
    made.locations = stage_.locations;
    made.axes.push_back(part_);
    for (const Axis* axis : parallel()) made.axes.push_back(*axis);
    made.axes.push_back(inner_);
    const Index point = variable(part_.id) * chunk_ + variable(inner_.id);
    Renaming renaming;
    reduced_.bind(point, renaming);
    const Bound bound{point, reduced_.extent};
    const std::vector<bool> varies = of_reduced_points(stage_);
    for (std::size_t i = 0; i < stage_.body.size(); ++i)
      add(made, stage_.body[i], varies[i] ? &bound : nullptr, renaming);
    made.reduction = stage_.reduction;
    const ScalarId inside = is_inside(made, point);
    for (std::size_t i = 0; i < made.reduction->inputs.size(); ++i) {
      ScalarId& input = made.reduction->inputs[i];
      const ScalarId none =
          let(made, {made.reduction->types[i], Scalar::Literal{made.reduction->identity[i]}});
      input = let(made, {made.reduction->types[i],
                         Scalar::Operation{dlvm::Opcode::select, {renaming.values.at(input), none, inside}}});
    }
    for (std::size_t i = 0; i < partials_.size(); ++i) {
      made.epilogue.push_back({stage_.reduction->types[i], Scalar::State{static_cast<std::uint32_t>(i)}});
      made.stores.push_back(
          {partial(i, part_.id), {}, static_cast<ScalarId>(made.body.size() + i), std::nullopt});
    }
    return made;
  }

  static ScalarId let(Stage& stage, Scalar scalar) {
    stage.body.push_back(std::move(scalar));
    return static_cast<ScalarId>(stage.body.size() - 1);
  }

  /// The scalar at the point; a load within the bound, where there is one.
  static void add(Stage& made, const Scalar& scalar, const Bound* bound, Renaming& renaming) {
    const auto old = static_cast<ScalarId>(renaming.values.size());
    Scalar renamed = rename(scalar, renaming);
    if (auto* load = std::get_if<Scalar::Load>(&renamed.definition); load != nullptr && bound != nullptr) {
      if (load->bounds.empty())
        load->fill = let(made, {renamed.type, Scalar::Literal{dlvm::Tensor(renamed.type, {})}});
      load->bounds.push_back(*bound);
    }
    renaming.values[old] = let(made, std::move(renamed));
  }

  /// point < extent, as a scalar.
  ScalarId is_inside(Stage& made, const Index& point) const {
    using dlvm::ElementType;
    const ScalarId place = let(made, {ElementType::i64, Scalar::Position{point}});
    const ScalarId end = let(made, {ElementType::i64, Scalar::Position{constant_index(reduced_.extent)}});
    return let(made, {ElementType::boolean, Scalar::Operation{dlvm::Opcode::lessThan, {place, end}}});
  }

  Stage final_stage() const {
    std::vector<Access> accesses;
    for (std::size_t i = 0; i < partials_.size(); ++i) accesses.push_back(partial(i, final_.id));
    return reduce_partials(stage_, final_, accesses);
  }

  Lowering& lowering_;
  const Stage& stage_;
  AxisGroup reduced_;
  std::int64_t chunk_;
  Axis part_, inner_, final_;
  std::vector<BufferId> partials_;
};

}  // namespace

Stage reduce_partials(const Stage& stage, const Axis& part, const std::vector<Access>& states) {
  Stage made = stage;
  made.body.clear();
  made.contraction.reset();
  std::erase_if(made.axes, [](const Axis& axis) { return axis.kind == AxisKind::reduced; });
  made.axes.push_back(part);
  for (std::size_t i = 0; i < states.size(); ++i) {
    made.body.push_back({stage.reduction->types[i], Scalar::Load{states[i], {}, 0}});
    made.reduction->inputs[i] = static_cast<ScalarId>(i);
  }
  // Scalars of the epilogue are numbered after those of the body.
  Renaming renaming;
  const auto before = static_cast<ScalarId>(stage.body.size()),
             after = static_cast<ScalarId>(made.body.size());
  for (ScalarId i = 0; i < stage.epilogue.size(); ++i) renaming.values[before + i] = after + i;
  for (Scalar& scalar : made.epilogue) scalar = rename(scalar, renaming);
  for (kernel::Store& store : made.stores) {
    store.access = rename(store.access, renaming);
    store.bounds = rename(store.bounds, renaming);
    store.value = renaming.values.at(store.value);
  }
  return made;
}

std::optional<std::int64_t> choose_chunk(const Stage& stage) {
  if (!may_split(stage)) return std::nullopt;
  const auto points = axes_of(stage, AxisKind::parallel).extent.constant();
  if (!points || *points == 0 || *points >= min_parallel_points) return std::nullopt;
  const auto length = axes_of(stage, AxisKind::reduced).extent.constant();
  const std::int64_t chunk = *points == 1 ? long_row_chunk(stage) : chunk_of_thread;
  if (length && *length <= 4 * chunk) return std::nullopt;
  return chunk;
}

bool is_long_row(const Stage& stage, const std::optional<DynamicRowLength>& row) {
  const Extent reduced = axes_of(stage, AxisKind::reduced).extent;
  return min_points(row, reduced) >= long_row && may_split(stage);
}

std::int64_t long_row_chunk(const Stage& stage) {
  return combines_in_any_order(stage) ? chunk_of_block : chunk_in_order;
}

SplitReduction split_reduction(Lowering& lowering, const Stage& stage, std::int64_t chunk,
                               kernel::AxisId& next_axis) {
  return TwoStageBuilder(lowering, stage, next_axis, chunk).build();
}

}  // namespace codegen::schedule::gpu
