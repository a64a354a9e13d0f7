// Products whose right operand is lines of memory, of each element of which few rows of the result make use:
// packing every term of k would take longer than the multiply-adds. The lines are copied once, with zeros
// where windows leave them, and the products read that copy at the place of each term. A tile is a part of
// one line of the result. Where the line that a term needs is outside of memory, its products are left out.
// The chain of an element runs over the choice of lines first, then over the other axes of k. Where so few
// lines are outside that leaving them out saves less than it takes to keep sums in memory meanwhile, the copy
// has lines of zeros there: the chain runs over k in order then, in registers. Where lines fill vectors
// badly, there is such a copy for each position of the window along the line, so that all lines of the result
// are one.
//
// One row is too few to make use of a vector that is loaded, and a few rows of one vector are too few sums to
// keep the units for multiply-adds busy. A tile of them is a part of all lines of the result along one axis,
// with all rows of a line next to each other. One line of the copy after the other adds to all lines of the
// result whose windows have it: its vectors are loaded once for all of these. The tile also has the lines
// around the result which other windows would belong to; they are computed, so that all multiply-adds are
// alike, and left there.
#include "codegen/schedule/cpu/copy_lines.h"
#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::Stage;

class LinesProductBuilder {
 public:
  LinesProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                      const ProductPlan& plan)
      : nest_(lowering, stage, outer, plan),
        split_(split_k(nest_.axes.k)),
        lines_(*input_lines(stage, nest_.axes.n, nest_.axes.k, plan.line_copy)) {
    for (const Axis* axis : lines_.line) line_.add(*axis);
    if (plan_.form != ProductForm::sliding_lines) return;
    sliding_ = lines_.sliding();
    for (auto* list : {&lines_.lines, &lines_.choice, &lines_.terms})
      std::erase_if(*list,
                    [&](const Axis* axis) { return axis == sliding_->line || axis == sliding_->term; });
    std::erase_if(lines_.line_bounds,
                  [&](const Bound& bound) { return stride(bound.index, sliding_->line->id) != Extent(0); });
  }

  Body build() {
    return nest_.in_batch([&] {
      Body body = sliding_ ? pack_windows() : pack_left();
      std::vector<Loop> around = nest_.open(lines_.around, builder_.outer, LoopKind::core);
      const std::int64_t line = *line_.extent.constant(),
                         tiles_of_line = (line + plan_.columns - 1) / plan_.columns;
      auto [id, image] = copy_lines(nest_, lines_, tiles_of_line * plan_.columns - line);
      copy_ = id;
      append(image, tiles());
      append(body, nested(std::move(around), std::move(image)));
      return body;
    });
  }

 private:
  /// Packs all of the left operand: the rows of a tile next to each other for each term.
  Body pack_left() {
    const std::int64_t parts = (rows_ + plan_.rows - 1) / plan_.rows;
    left_ = nest_.add_panel("left", {parts, axes_.k.extent, nest_.whole_vectors(plan_.rows)});
    Body body;
    body.push_back({Allocate{left_}});
    OperandPacker packer(nest_.lowering, stage_, builder_.outer, axes_.k, false);
    append(body, packer.pack({stage_.contraction->left, axes_.m, constant_index(0), plan_.rows,
                              parts * plan_.rows, left_, constant_index(0), axes_.k.extent, false, &split_}));
    append(body, nest_.test_left(left_, plan_.rows, rows_));
    return body;
  }

  /// Packs all of the left operand, where lines slide: the rows of all positions of the window next to each
  /// other for each other term, in the order of the lines of the result.
  Body pack_windows() {
    const Extent terms = Extent::floor_divide(axes_.k.extent, sliding_->term->extent);
    left_ = nest_.add_panel("left", {1, terms, nest_.whole_vectors(plan_.rows)});
    Renaming at = builder_.outer;
    std::vector<Loop> loops;
    for (const Axis* axis : axes_.k.axes)
      if (axis != sliding_->term) loops.push_back(nest_.lowering.serial(*axis, at));
    loops.push_back(builder_.open("window", LoopKind::serial, sliding_->term->extent));
    const Index window = variable(loops.back().id);
    at.axes[sliding_->term->id] = sliding_->reversed ? less(sliding_->term->extent - 1, window) : window;
    loops.push_back(builder_.open("row", LoopKind::serial, rows_));
    const Index row = variable(loops.back().id);
    axes_.m.bind(row, at);
    Body one, body;
    ContractionBuilder::Values known;
    const ValueId value = builder_.need(stage_.contraction->left, at, known, one);
    const Access to{left_, {constant_index(0), rename(term(), at), window * Extent(rows_) + row}};
    one.push_back({Store{to, {}, value, std::nullopt}});
    body.push_back({Allocate{left_}});
    append(body, nested(std::move(loops), std::move(one)));
    append(body, nest_.test_left(left_, plan_.rows, plan_.rows));
    return body;
  }

  Body tiles() {
    const std::int64_t rows = sliding_ ? sliding_->result_lines() * rows_ : plan_.rows;
    tile_ = nest_.add_panel("tile", {rows, plan_.columns});
    Renaming at = builder_.outer;
    std::vector<Loop> loops = nest_.open(lines_.lines, at, LoopKind::core);
    loops.push_back(builder_.open("column", LoopKind::core, line_.extent, plan_.columns));
    const Index column = variable(loops.back().id);
    const Extent parts = nest_.lowering.schedule.buffers[left_].shape[0];
    loops.push_back(builder_.open("part", LoopKind::core, parts));
    const Index part = variable(loops.back().id);
    Body body;
    body.push_back({Allocate{tile_}});
    append(body, clear(rows));
    append(body, products(part, column, at));
    append(body, finish(part, column, at));
    return nested(std::move(loops), std::move(body));
  }

  Body clear(std::int64_t rows) {
    Body body;
    const Index zero = constant_index(0);
    if (!sliding_) {
      body.push_back({Fill{{tile_, {zero, zero}, {rows, plan_.columns}, {}}, stage_.reduction->identity[0]}});
      return body;
    }
    Loop row = builder_.open("row", LoopKind::serial, rows);
    body.push_back(
        {Fill{{tile_, {variable(row.id), zero}, {1, plan_.columns}, {}}, stage_.reduction->identity[0]}});
    return around(std::move(row), std::move(body));
  }

  /// Adds the products of all terms whose lines are in memory to the tile.
  Body products(const Index& part, const Index& column, Renaming at) {
    std::vector<Loop> loops = nest_.open(lines_.choice, at);
    if (!lines_.line_bounds.empty()) {
      loops.push_back(builder_.open("inside", LoopKind::serial, 1));
      loops.back().bounds = rename(lines_.line_bounds, at);
    }
    for (const Axis* axis : lines_.terms) at.axes[axis->id] = constant_index(0);
    line_.bind(column, at);
    Body body;
    if (sliding_) {
      loops.push_back(builder_.open("line", LoopKind::serial, sliding_->count));
      body.push_back({slide(variable(loops.back().id), at)});
    } else {
      const Index zero = constant_index(0);
      body = nest_.for_rows(part * Extent(plan_.rows), [&](std::int64_t rows, const Index& there) {
        return for_columns(column, [&](std::int64_t columns) {
          const Tile to{tile_, {zero, zero}, {rows, columns}, {}};
          Body one;
          one.push_back({multiply(to, left_tile({part, zero}, at, rows), at, there)});
          return one;
        });
      });
    }
    return nested(std::move(loops), std::move(body));
  }

  /// Returns what `of` makes for the vectors of the tile that begins at that column: `of` takes the number of
  /// their columns. The last tile of a line may have fewer vectors than others.
  template <typename Of>
  Body for_columns(const Index& column, Of of) {
    const std::int64_t line = *line_.extent.constant(), rest = nest_.whole_vectors(line % plan_.columns);
    if (rest == 0 || rest == plan_.columns) return of(plan_.columns);
    const std::int64_t whole = line / plan_.columns * plan_.columns;
    if (whole == 0) return of(rest);
    Body body = nest_.where("whole", {column, whole}, of(plan_.columns));
    append(body, nest_.where("last", {column + constant_index(-whole), line - whole}, of(rest)));
    return body;
  }

  /// Returns the products of line `line` of the copy, for all lines of the result that it is in the windows
  /// of.
  MultiplyAccumulate slide(const Index& line, Renaming at) {
    const std::int64_t step = sliding_->step, reach = step * (*sliding_->term->extent.constant() - 1);
    const Tile to{tile_,
                  {line * Extent(rows_), constant_index(0)},
                  {plan_.rows, plan_.columns},
                  {step * plan_.columns, 1}};
    // The line of the result for which this is the line of the first term.
    at.axes[sliding_->line->id] = line + constant_index((sliding_->reversed ? reach : 0) - sliding_->before);
    at.axes[sliding_->term->id] = constant_index(0);
    const Index zero = constant_index(0);
    return multiply(to, left_tile({zero, zero}, at, plan_.rows), at, constant_index(plan_.rows));
  }

  MultiplyAccumulate multiply(const Tile& to, const Tile& left, const Renaming& at, const Index& rows) const {
    const std::int64_t columns = *to.sizes.back().constant();
    MultiplyAccumulate multiply{to, left, right_tile(at, columns), rows, {}, {}, {}, {}, {}};
    multiply.columns = constant_index(columns);
    multiply.count = constant_index(lines_.terms.back()->extent);
    return multiply;
  }

  /// Returns the number of the term, and its distance from the first one in the packed left operand.
  Index term() const {
    Index term = constant_index(0);
    for (const Axis* axis : axes_.k.axes)
      if (!sliding_ || axis != sliding_->term) term = term * axis->extent + variable(axis->id);
    return term;
  }
  Index place_in_left() const { return term() * nest_.lowering.schedule.buffers[left_].shape.back(); }

  /// The left operand's terms from those that `at` binds on. `place` says the part and the row in it that
  /// come first.
  Tile left_tile(const std::pair<Index, Index>& place, const Renaming& at, std::int64_t rows) const {
    Tile tile{left_, {place.first, rename(term(), at), place.second}, {}, {}};
    for (const Axis* axis : lines_.terms) {
      tile.sizes.push_back(axis->extent);
      tile.strides.push_back(*stride(place_in_left(), axis->id));
    }
    tile.sizes.push_back(rows);
    tile.strides.push_back(1);
    return tile;
  }

  Tile right_tile(const Renaming& at, std::int64_t columns) const {
    const Access access = copied_element(copy_, lines_);
    const Index place = offset(access, nest_.lowering.schedule.buffers[copy_].layout);
    Tile tile{copy_, rename(access, at).indices, {}, {}};
    for (const Axis* axis : lines_.terms) {
      tile.sizes.push_back(axis->extent);
      tile.strides.push_back(*stride(place, axis->id));
    }
    tile.sizes.push_back(columns);
    tile.strides.push_back(1);
    return tile;
  }

  Body finish(const Index& part, const Index& column, Renaming at) {
    const Index zero = constant_index(0);
    if (!sliding_)
      return nest_.finish({{tile_, {}}, zero, axes_.m, part * Extent(plan_.rows), plan_.rows, line_, column},
                          std::move(at));
    AxisGroup all;
    all.add(*sliding_->line);
    for (const Axis* axis : axes_.m.axes) all.add(*axis);
    return nest_.finish({{tile_, {}},
                         constant_index(sliding_->before * rows_),
                         all,
                         zero,
                         *all.extent.constant(),
                         line_,
                         column},
                        std::move(at));
  }

  ProductNest nest_;
  ContractionBuilder& builder_ = nest_.builder;
  const Stage& stage_ = nest_.stage;
  const ProductPlan& plan_ = nest_.plan;
  const ProductAxes& axes_ = nest_.axes;
  std::int64_t rows_ = *axes_.m.extent.constant();
  SplitAxes split_;  ///< of k
  InputLines lines_;
  std::optional<InputLines::Sliding> sliding_;
  AxisGroup line_;  ///< the last axes of n
  BufferId left_ = 0, copy_ = 0, tile_ = 0;
};

}  // namespace

Body schedule_lines_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                            const ProductPlan& plan) {
  return LinesProductBuilder(lowering, stage, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
