// Products of so few rows and columns that packing the operands would take longer than the multiply-adds,
// with many terms: their lanes are neighbours along the last axes of k. Each lane has its own sum of each
// element, and the sums of the lanes are added in the end. The left operand is read from where it is, or
// packed with lines of whole vectors, and the right one is lines in a copy, which all columns read where they
// are. A tile runs over all lines of these panels, and its sums are added to totals: whole vectors, then the
// elements of lines that are left.
#include "codegen/schedule/common/masked_sum.h"
#include "codegen/schedule/cpu/copy_lines.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::Stage;

class LanesProductBuilder {
 public:
  LanesProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                      const ProductPlan& plan)
      : nest_(lowering, stage, outer, plan),
        lines_(*input_lines(stage, nest_.axes.k, nest_.axes.n, plan.line_copy)),
        columns_(*nest_.axes.n.axes.back()) {
    for (const Axis* axis : lines_.line) line_.add(*axis);
    rest_ = *line_.extent.constant() % nest_.lanes();
  }

  Body build() {
    return nest_.in_batch([&] {
      totals_ = nest_.add_panel("totals", {axes_.m.extent, axes_.n.extent, nest_.lanes()});
      Body body;
      body.push_back({Allocate{totals_}});
      append(body, each_element([&](const Index& row, const Index& column) {
               Body one;
               one.push_back({Fill{total(row, column), stage_.reduction->identity[0]}});
               return one;
             }));
      std::vector<Loop> blocks = nest_.open(lines_.around, builder_.outer);
      Body block = plan_.left_direct ? Body{} : pack_left();
      auto [id, image] =
          copy_lines(nest_, lines_, nest_.whole_vectors(*line_.extent.constant()) - *line_.extent.constant());
      right_ = id;
      append(block, std::move(image));
      append(block, tiles());
      append(body, nested(std::move(blocks), std::move(block)));
      append(body, each_element([&](const Index& row, const Index& column) { return finish(row, column); }));
      return body;
    });
  }

 private:
  template <typename Of>
  Body each_element(Of of) {
    Loop m = builder_.open("m", LoopKind::serial, axes_.m.extent);
    Loop n = builder_.open("n", LoopKind::serial, axes_.n.extent);
    Body body = of(variable(m.id), variable(n.id));
    return around(std::move(m), around(std::move(n), std::move(body)));
  }
  /// The sums of all lanes of an element.
  Tile total(const Index& row, const Index& column) const {
    return {totals_, {row, column, constant_index(0)}, {1, 1, nest_.lanes()}, {}};
  }

  /// Packs the left operand for all rows, along the lines of the copy and in them.
  Body pack_left() {
    Shape shape{axes_.m.extent};
    for (const Axis* axis : lines_.lines) shape.push_back(axis->extent);
    shape.push_back(nest_.whole_vectors(*line_.extent.constant()));
    left_ = nest_.add_panel("left", shape);
    Renaming at = builder_.outer;
    std::vector<Loop> loops;
    loops.push_back(builder_.open("m", LoopKind::serial, axes_.m.extent));
    axes_.m.bind(variable(loops.back().id), at);
    Access to{left_, {variable(loops.back().id)}};
    for (const Axis* axis : lines_.lines) {
      loops.push_back(nest_.lowering.serial(*axis, at));
      to.indices.push_back(variable(loops.back().id));
    }
    loops.push_back(builder_.open("element", LoopKind::serial, line_.extent, nest_.lanes()));
    loops.push_back(builder_.open("lane", LoopKind::vector, nest_.lanes()));
    const Index element = variable(loops[loops.size() - 2].id) + variable(loops.back().id);
    loops.back().bounds.push_back({element, line_.extent});
    line_.bind(element, at);
    to.indices.push_back(element);
    Body body, all;
    ContractionBuilder::Values known;
    const ValueId value = builder_.need(stage_.contraction->left, at, known, body);
    body.push_back({Store{std::move(to), {}, value, std::nullopt}});
    all.push_back({Allocate{left_}});
    append(all, nested(std::move(loops), std::move(body)));
    return all;
  }

  /// Adds the products of all tiles over the panels to the totals.
  Body tiles() {
    Renaming at = builder_.outer;
    std::vector<const Axis*> outer(axes_.n.axes.begin(), axes_.n.axes.end() - 1);
    std::vector<Loop> loops = nest_.open(outer, at);
    loops.push_back(builder_.open("column", LoopKind::serial, columns_.extent, plan_.columns));
    at.axes[columns_.id] = variable(loops.back().id);
    loops.push_back(builder_.open("row", LoopKind::serial, axes_.m.extent, plan_.rows));
    const Index row = variable(loops.back().id);
    const std::int64_t vectors = *line_.extent.constant() / nest_.lanes();
    Body body;
    if (vectors > 0) append(body, tile(row, at, 0, vectors, nest_.lanes()));
    if (rest_ > 0) append(body, tile(row, at, vectors, 1, rest_));
    return nested(std::move(loops), std::move(body));
  }

  /// The sums over `count` vectors of each line from vector `first` on, of which `lanes` lanes are in the
  /// line.
  Body tile(const Index& row, Renaming at, std::int64_t first, std::int64_t count, std::int64_t lanes) {
    const BufferId sums = nest_.add_panel("tile", {plan_.rows, plan_.columns}, Space::registers);
    Loop lane = builder_.open("lane", LoopKind::vector, nest_.lanes());
    if (lanes < nest_.lanes()) lane.bounds.push_back({variable(lane.id), lanes});
    for (const Axis* axis : lines_.lines) at.axes[axis->id] = constant_index(0);
    const Index element = constant_index(first * nest_.lanes()) + variable(lane.id);
    line_.bind(element, at);
    const Index zero = constant_index(0);
    const Tile to{sums, {zero, zero}, {plan_.rows, plan_.columns}, {}};
    Body body;
    body.push_back({Allocate{sums}});
    body.push_back({Fill{to, stage_.reduction->identity[0]}});
    MultiplyAccumulate multiply{
        to, left_tile(row, element, at, count), right_tile(at, count), {}, {}, {}, {}, {}, {}};
    multiply.rows = less(axes_.m.extent, row);
    multiply.columns = constant_index(plan_.columns);
    multiply.count = constant_index(lines_.lines.empty() ? Extent(count) : lines_.lines.back()->extent);
    body.push_back({std::move(multiply)});
    append(body, add_to_totals(sums, row, rename(column(), at), variable(lane.id)));
    return around(std::move(lane), std::move(body));
  }

  Tile left_tile(const Index& row, const Index& element, Renaming at, std::int64_t count) const {
    const Buffers buffers = nest_.lowering.schedule.buffers;
    if (plan_.left_direct) {
      const Access& left = *plain_access(stage_, stage_.contraction->left);
      axes_.m.bind(row, at);
      return tile_over_lines(left, at, count, plan_.rows, *collapsed_step(buffers, left, axes_.m));
    }
    Access access{left_, {row}};
    for (const Axis* axis : lines_.lines) access.indices.push_back(variable(axis->id));
    access.indices.push_back(element);
    return tile_over_lines(access, at, count, plan_.rows, buffers[left_].layout.strides.front());
  }
  Tile right_tile(const Renaming& at, std::int64_t count) const {
    const Access access = copied_element(right_, lines_);
    const Index place = offset(access, nest_.lowering.schedule.buffers[right_].layout);
    return tile_over_lines(access, at, count, plan_.columns, *stride(place, columns_.id));
  }
  /// Returns the elements of `count` vectors in each line from where `at` binds the axes on; and for each,
  /// its `size` neighbours along another axis, `step` elements apart.
  Tile tile_over_lines(const Access& access, const Renaming& at, std::int64_t count, std::int64_t size,
                       const Extent& step) const {
    const Index place = offset(access, nest_.lowering.schedule.buffers[access.buffer].layout);
    Tile tile{access.buffer, rename(access, at).indices, {count}, {nest_.lanes()}};
    for (const Axis* axis : lines_.lines) {
      tile.sizes.push_back(axis->extent);
      tile.strides.push_back(*stride(place, axis->id));
    }
    tile.sizes.push_back(size);
    tile.strides.push_back(step);
    return tile;
  }

  /// Returns the position in all columns, by the axes of n.
  Index column() const {
    Index column = constant_index(0);
    for (const Axis* axis : axes_.n.axes) column = column * axis->extent + variable(axis->id);
    return column;
  }

  Body add_to_totals(BufferId sums, const Index& row, const Index& column, const Index& lane) {
    Loop i = builder_.open("row", LoopKind::unrolled, plan_.rows);
    Loop j = builder_.open("column", LoopKind::unrolled, plan_.columns);
    const Index r = variable(i.id), c = variable(j.id);
    if (*axes_.m.extent.constant() % plan_.rows != 0) i.bounds.push_back({row + r, axes_.m.extent});
    Body body = builder_.add({sums, {r, c}}, {totals_, {row + r, column + c, lane}});
    return around(std::move(i), around(std::move(j), std::move(body)));
  }

  /// Adds the sums of the lanes.
  Body finish(const Index& row, const Index& column) {
    const BufferId sum = nest_.add_panel("sum", {}, Space::registers);
    Reduce reduce{{total(row, column)}, {{sum, {}}}, *stage_.reduction};
    reduce.reduction.inputs.clear();
    Renaming at = builder_.outer;
    axes_.m.bind(row, at);
    axes_.n.bind(column, at);
    Body body;
    body.push_back({Allocate{sum}});
    body.push_back({std::move(reduce)});
    append(body, repeat(sum, at));
    builder_.finish({sum, {}}, at, body);
    return body;
  }

  /// Computes the sum again if it is NaN and terms are masked.
  Body repeat(BufferId sum, const Renaming& at) {
    Body body;
    if (!has_masked_terms(stage_)) return body;
    const BufferId again = add_sum(builder_, "again");
    const ValueId before = builder_.let({builder_.type, Scalar::Load{{sum, {}}, {}, 0}}, body);
    const ValueId is_wrong = is_nan(builder_, before, body);
    Body new_sum = sum_terms(builder_, again, axes_.k, constant_index(0), axes_.k.extent, at);
    const ValueId value = builder_.let({builder_.type, Scalar::Load{{again, {}}, {}, 0}}, new_sum);
    new_sum.push_back({Store{{sum, {}}, {}, value, std::nullopt}});
    append(body, where_one(builder_, is_wrong, std::move(new_sum)));
    return body;
  }

  ProductNest nest_;
  ContractionBuilder& builder_ = nest_.builder;
  const Stage& stage_ = nest_.stage;
  const ProductPlan& plan_ = nest_.plan;
  const ProductAxes& axes_ = nest_.axes;
  InputLines lines_;       ///< of the right operand, along k
  const Axis& columns_;    ///< the last axis of n
  AxisGroup line_;         ///< the axes of k along the lines
  std::int64_t rest_ = 0;  ///< elements of a line that fill no vector
  BufferId totals_ = 0, left_ = 0, right_ = 0;
};

}  // namespace

Body schedule_lanes_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                            const ProductPlan& plan) {
  const Stage apart = with_batch_apart(stage);
  return LanesProductBuilder(lowering, apart, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
