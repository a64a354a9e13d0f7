// Products whose rows fill vectors, whose columns are windows and whose terms are pixels: the adjoint of a
// convolution by its kernel. Lanes are rows of the product, and each element of the right operand is
// multiplied by a vector of them. So the right operand is not packed for each term: it is a copy of the
// lines, in which the elements for one position of the window and all pixels are one line. Columns whose
// lines are evenly apart are the rows of a tile. The left operand is transposed for each image, and the sums
// of an image are added to totals.
#include <algorithm>

#include "codegen/schedule/cpu/copy_lines.h"
#include "codegen/schedule/cpu/schedule_stage.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::Axis;
using kernel::Stage;

class WindowsProductBuilder {
 public:
  WindowsProductBuilder(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                        const ProductPlan& plan)
      : nest_(lowering, stage, outer, plan),
        lines_(*input_lines(stage, nest_.axes.k, nest_.axes.n, LineCopy::dense)) {
    for (const Axis* axis : lines_.line) line_.add(*axis);
    for (const Axis* axis : lines_.even_terms()) even_.add(*axis);
    for (const Axis* axis : axes_.n.axes)
      if (std::ranges::find(even_.axes, axis) == even_.axes.end()) others_.push_back(axis);
  }

  Body build() {
    return nest_.in_batch([&] {
      Shape shape;
      for (const Axis* axis : others_) shape.push_back(axis->extent);
      shape.push_back(even_.extent);
      shape.push_back(plan_.columns);
      totals_ = nest_.add_panel("totals", shape);
      Body body;
      body.push_back({Allocate{totals_}});
      append(body, each_tile([&](const Index& row, const Renaming& at) {
               Body one;
               one.push_back({Fill{tile(row, at), stage_.reduction->identity[0]}});
               return one;
             }));
      std::vector<Loop> images = nest_.open(lines_.around, builder_.outer);
      Body image = transpose_left();
      auto [id, lines] = copy_lines(nest_, lines_, 0);
      right_ = id;
      append(image, std::move(lines));
      append(image, each_tile([&](const Index& row, const Renaming& at) { return product(row, at); }));
      append(body, nested(std::move(images), std::move(image)));
      append(body, each_tile([&](const Index& row, const Renaming& at) { return finish(row, at); }));
      return body;
    });
  }

 private:
  /// Returns what `of` makes for each tile of columns that are evenly apart; it takes the first one of these,
  /// and where the other axes of n are bound.
  template <typename Of>
  Body each_tile(Of of) {
    Renaming at = builder_.outer;
    std::vector<Loop> loops = nest_.open(others_, at);
    loops.push_back(builder_.open("row", LoopKind::serial, even_.extent, plan_.rows));
    Body body = of(variable(loops.back().id), at);
    return nested(std::move(loops), std::move(body));
  }
  /// Returns the totals of the columns for which `at` binds the other axes, without the last two indices.
  Access totals(const Renaming& at) const {
    Access access{totals_, {}};
    for (const Axis* axis : others_) access.indices.push_back(at.axes.at(axis->id));
    return access;
  }
  Tile tile(const Index& row, const Renaming& at) const {
    Tile tile{totals_, totals(at).indices, Shape(others_.size(), 1), {}};
    tile.origin.insert(tile.origin.end(), {row, constant_index(0)});
    tile.sizes.insert(tile.sizes.end(), {plan_.rows, plan_.columns});
    return tile;
  }

  /// Transposes the left operand in squares, of which the last one of a line overlaps the one before.
  Body transpose_left() {
    const Buffers buffers = nest_.lowering.schedule.buffers;
    const Access& left = *plain_access(stage_, stage_.contraction->left);
    const Extent across = *collapsed_step(buffers, left, axes_.m);
    const std::int64_t line = *line_.extent.constant(), lanes = nest_.lanes();
    left_ = nest_.add_panel("left", {line_.extent, plan_.columns});
    const auto square = [&](const Index& first) {
      Loop row = builder_.open("row", LoopKind::serial, plan_.columns, lanes);
      Renaming at = builder_.outer;
      line_.bind(first, at);
      axes_.m.bind(variable(row.id), at);
      Body copy;
      copy.push_back({Copy{{left.buffer, rename(left, at).indices, {lanes, lanes}, {across, 1}},
                           {left_, {first, variable(row.id)}, {lanes, lanes}, {1, plan_.columns}},
                           false,
                           {}}});
      return around(std::move(row), std::move(copy));
    };
    Loop k = builder_.open("k", LoopKind::serial, line / lanes * lanes, lanes);
    Body squares = square(variable(k.id)), body;
    body.push_back({Allocate{left_}});
    append(body, around(std::move(k), std::move(squares)));
    if (line % lanes != 0) append(body, square(constant_index(line - lanes)));
    return body;
  }

  /// Adds the products of all pixels of an image to the totals.
  Body product(const Index& row, Renaming at) {
    even_.bind(row, at);
    line_.bind(constant_index(0), at);
    const Access element = copied_element(right_, lines_);
    const Index place = offset(element, nest_.lowering.schedule.buffers[right_].layout);
    MultiplyAccumulate multiply;
    multiply.to = tile(row, at);
    multiply.left = {right_,
                     rename(element, at).indices,
                     {line_.extent, plan_.rows},
                     {1, *stride(place, even_.axes.back()->id)}};
    const Index zero = constant_index(0);
    multiply.right = {left_, {zero, zero}, {line_.extent, plan_.columns}, {}};
    multiply.rows = constant_index(plan_.rows);
    multiply.columns = constant_index(plan_.columns);
    multiply.count = constant_index(line_.extent);
    multiply.arithmetic = Arithmetic::apart;
    Body body;
    body.push_back({std::move(multiply)});
    return body;
  }

  Body finish(const Index& row, const Renaming& at) {
    return nest_.finish({totals(at), row, even_, row, plan_.rows, axes_.m, constant_index(0)}, at);
  }

  ProductNest nest_;
  ContractionBuilder& builder_ = nest_.builder;
  const Stage& stage_ = nest_.stage;
  const ProductPlan& plan_ = nest_.plan;
  const ProductAxes& axes_ = nest_.axes;
  InputLines lines_;                 ///< of the right operand, along k
  AxisGroup line_;                   ///< the axes of k along the lines
  AxisGroup even_;                   ///< the axes of n whose lines are evenly apart
  std::vector<const Axis*> others_;  ///< the other axes of n
  BufferId totals_ = 0, left_ = 0, right_ = 0;
};

}  // namespace

Body schedule_windows_product(CpuLowering& lowering, const Stage& stage, const Renaming& outer,
                              const ProductPlan& plan) {
  const Stage apart = with_batch_apart(stage);
  return WindowsProductBuilder(lowering, apart, outer, plan).build();
}

}  // namespace codegen::schedule::cpu
