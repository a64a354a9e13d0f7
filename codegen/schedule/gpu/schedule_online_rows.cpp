#include <algorithm>
#include <bit>
#include <functional>
#include <set>

#include "codegen/kernel/ir/contraction.h"
#include "codegen/kernel/ir/walk.h"
#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/gpu/online_rows.h"
#include "codegen/schedule/gpu/product_builder.h"
#include "codegen/schedule/gpu/tensor_sums.h"
#include "codegen/schedule/ir/linear_layout.h"
#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule::gpu {
namespace {

using dlvm::Opcode;
using kernel::Axis;
using kernel::AxisId;
using kernel::AxisKind;
using kernel::ScalarId;
using kernel::Stage;

/// A block's tile of scores: each of the warps down has as many rows as the instruction.
constexpr std::int64_t tile_rows = 64, tile_columns = 64, warps_down = tile_rows / matrix_instruction.rows;
/// The warps across, if the sums have columns for them: with half of the sums a thread has room for operands.
constexpr std::int64_t most_across = 2;
/// The stages of the panels that scores are multiplied from.
constexpr std::int64_t stages = 2;

bool contains(const std::vector<AxisId>& ids, AxisId id) { return std::ranges::count(ids, id) > 0; }

/// Returns the element type of the panels that the operands of the stage are multiplied from.
ElementType panel_type(const Stage& stage) {
  const ElementType left = stage.body[source_of(stage, stage.contraction->left)].type,
                    right = stage.body[source_of(stage, stage.contraction->right)].type;
  return left == right ? left : ElementType::f32;
}

/// Builds the grid of one kernel.
class OnlineRowsBuilder {
 public:
  OnlineRowsBuilder(GpuLowering& lowering, const OnlineRows& online)
      : lowering_(lowering),
        online_(online),
        reduction_(*online.sums->reduction),
        row_in_tile_(first_free_axis(lowering.kernel)),
        column_in_tile_(row_in_tile_ + 1),
        score_element_(panel_type(*online.score)),
        element_(weight_type(*online.sums)),
        scores_(add_scores()),
        score_(in_tile(*online.score)),
        sums_(in_tile(*online.sums)),
        score_product_(lowering, score_),
        sums_product_(lowering, sums_),
        across_(std::min(most_across, sum_columns() / matrix_instruction.columns)),
        threads_(warps_down * across_ * warp_threads),
        row_threads_(threads_ / tile_rows),
        score_tile_{tile_rows, tile_columns, warps_down, across_},
        sums_tile_{tile_rows, sum_columns(), warps_down, across_},
        keeps_scores_(reads_scores_again()),
        maximum_(add_row("maximum", 1)),
        factor_(add_row("factor", 1)),
        maxima_(add_row("maxima", row_threads_)) {
    for (std::size_t c = 1; c + 1 < reduction_.types.size(); ++c) {
      totals_.push_back(add_row("total", 1));
      parts_.push_back(add_row("parts", row_threads_));
    }
    for (const Axis& axis : online.rows->axes)
      if (!contains(online.score->contraction->m, axis.id)) batch_.add(axis);
  }

  Body build() {
    Loop batches = open("batch", LoopKind::block, batch_.extent);
    Loop down = open("rows", LoopKind::block,
                     Extent::floor_divide(rows().extent + Extent(tile_rows - 1), Extent(tile_rows)));
    batch_.bind(variable(batches.id), outer_);
    for (const auto& [axis, index] : outer_.axes) {
      score_product_.bind(axis, index);
      sums_product_.bind(axis, index);
    }
    first_row_ = variable(down.id) * tile_rows;
    Body body = around(std::move(down), weight_rows());
    return batch_.axes.empty() ? std::move(body) : around(std::move(batches), std::move(body));
  }

 private:
  // --------------------------------------------------------------------------------------------- buffers

  Loop open(const char* name, LoopKind kind, Extent extent, std::int64_t step = 1) {
    return new_loop(lowering_, name, kind, std::move(extent), step);
  }
  std::string name(const char* of) const { return online_.sums->name + "." + of; }

  static std::int64_t depth_of(ElementType element) { return panel_bytes / dlvm::info(element).bytes; }
  BufferId add_panel(std::string of, std::int64_t size, ElementType element, bool is_along_k) {
    const PanelPlan plan = tensor_panel(depth_of(element), size, element, is_along_k, lowering_.target);
    return lowering_.add_buffer(
        {std::move(of), element, plan.shape, Space::shared, plan.layout, false, std::nullopt});
  }
  /// Return the terms of a panel of weights, and the number of panels that a tile has.
  std::int64_t depth() const { return depth_of(element_); }
  std::int64_t panels() const { return tile_columns / depth(); }
  /// Makes the panel one for each part of a tile's columns.
  void repeat_panel(BufferId id) {
    Buffer& buffer = lowering_.schedule.buffers[id];
    buffer.shape.insert(buffer.shape.begin(), panels());
    buffer.layout.strides = dense_layout(buffer.shape).strides;
  }
  BufferId add_scores() {
    const BufferId id = add_panel(name("scores"), tile_rows, element_, true);
    repeat_panel(id);
    return id;
  }
  std::vector<Index> place_of_score(const Index& row, const Index& column) const {
    using Kind = Index::Quotient::Kind;
    return {kernel::quotient_index({Kind::floor, column, depth()}), row,
            kernel::quotient_index({Kind::modulo, column, depth()})};
  }
  /// Adds a buffer of `count` numbers for each row.
  BufferId add_row(const char* of, std::int64_t count) {
    const Shape shape{tile_rows, count};
    return lowering_.add_buffer(
        {name(of), ElementType::f32, shape, Space::shared, dense_layout(shape), false, std::nullopt});
  }
  BufferId add_register(const char* of) {
    return lowering_.add_buffer({name(of), ElementType::f32, {}, Space::registers, {}, false, std::nullopt});
  }

  static AxisId first_free_axis(const kernel::Kernel& kernel) {
    AxisId next = 0;
    kernel::walk<Axis>(kernel.root, [&](const Axis& axis) { next = std::max(next, axis.id + 1); });
    return next;
  }

  /// Returns the stage with the rows and columns of its contraction as axes of its own, and the scores of a
  /// tile in the place of the one at a point.
  Stage in_tile(Stage stage) const {
    stage.accumulated.clear();
    std::vector<Axis> axes;
    for (const Axis& axis : online_.rows->axes)
      if (contains(stage.contraction->m, axis.id)) axes.push_back(axis);
    for (Axis axis : online_.columns->axes) {
      if (contains(stage.contraction->k, axis.id)) axis.kind = AxisKind::reduced;
      axes.push_back(std::move(axis));
    }
    stage.axes.insert(stage.axes.begin(), axes.begin(), axes.end());
    std::ranges::stable_partition(stage.axes,
                                  [](const Axis& axis) { return axis.kind == AxisKind::parallel; });
    const BufferId score = online_.score->stores[0].access.buffer;
    visit_accesses(stage, [&](Access& access, const auto&, bool) {
      if (access.buffer == score)
        access = {scores_, place_of_score(variable(row_in_tile_), variable(column_in_tile_))};
    });
    return stage;
  }

  std::int64_t sum_columns() const {
    const std::int64_t columns = *sums_product_.n.extent.constant();
    return std::max(matrix_instruction.columns,
                    static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(columns))));
  }

  const AxisGroup& rows() const { return score_product_.m; }
  const Extent& column_count() const { return online_.columns->axes[0].extent; }

  // ------------------------------------------------------------------------------------------ statements

  ValueId let(Scalar scalar, Body& body) {
    body.push_back({Let{lowering_.next_value, std::move(scalar)}});
    return lowering_.next_value++;
  }
  ValueId load(BufferId buffer, std::vector<Index> indices, Body& body) {
    const ElementType type = lowering_.schedule.buffers[buffer].element;
    return let({type, Scalar::Load{{buffer, std::move(indices)}, {}, 0}}, body);
  }
  /// Converts a weight or a score, which is of float32 or of the type of their tile.
  ValueId convert(ElementType type, ValueId value, Body& body) {
    if (element_ == ElementType::f32) return value;
    return let({type, Scalar::Operation{Opcode::dataTypeCast, {value}}}, body);
  }
  ValueId operation(Opcode opcode, ValueId left, ValueId right, Body& body) {
    return let({ElementType::f32, Scalar::Operation{opcode, {left, right}}}, body);
  }
  ValueId literal(const dlvm::Tensor& value, Body& body) {
    return let({ElementType::f32, Scalar::Literal{value}}, body);
  }
  static void store(BufferId buffer, std::vector<Index> indices, ValueId value, Body& body) {
    body.push_back({Store{{buffer, std::move(indices)}, {}, value, std::nullopt}});
  }
  ValueId combine(ScalarId scalar, ValueId left, ValueId right, Body& body) {
    return emit_weight(lowering_, reduction_, scalar, left, right, body);
  }

  /// Returns `of` for each row of the tile, or for those within the matrix, by a thread of its own.
  Body for_rows(bool all, const std::function<void(const Index& row, Body& body)>& of) {
    Loop row = open("row", LoopKind::thread, tile_rows);
    Loop inside = open("inside", LoopKind::unrolled, 1);
    if (!all) inside.bounds.push_back({first_row_ + variable(row.id), rows().extent});
    Body body;
    of(variable(row.id), body);
    return around(std::move(row), around(std::move(inside), std::move(body)));
  }

  /// A thread's part of a row of a tile of scores.
  struct RowPart {
    Index row, part;
    std::vector<BufferId> states;  ///< registers, which begin with the identities of the components
    Renaming at;                   ///< the point at hand
    Index column;                  ///< in the tile
  };
  /// Returns `of` for each score of the tile that is within the matrix, by `row_threads_` threads for each
  /// row, and then `finish` for each thread.
  Body for_scores(const Index& first_column, const std::vector<std::size_t>& components,
                  const std::function<void(RowPart&, Body&)>& of,
                  const std::function<void(const RowPart&, Body&)>& finish) {
    Loop row = open("row", LoopKind::thread, tile_rows), part = open("part", LoopKind::thread, row_threads_);
    Loop inside = open("inside", LoopKind::unrolled, 1);
    inside.bounds.push_back({first_row_ + variable(row.id), rows().extent});
    Loop step = open("step", LoopKind::serial, tile_columns / row_threads_);
    RowPart here{variable(row.id),
                 variable(part.id),
                 {},
                 outer_,
                 variable(step.id) * row_threads_ + variable(part.id)};
    step.bounds.push_back({first_column + here.column, column_count()});
    Body body;
    for (const std::size_t c : components) {
      here.states.push_back(add_register("state"));
      body.push_back({Allocate{here.states.back()}});
      body.push_back({Fill{{here.states.back(), {}, {}, {}}, reduction_.identity[c]}});
    }
    rows().bind(first_row_ + here.row, here.at);
    here.at.axes[online_.columns->axes[0].id] = first_column + here.column;
    here.at.axes[row_in_tile_] = here.row;
    here.at.axes[column_in_tile_] = here.column;
    Body each;
    of(here, each);
    append(body, around(std::move(step), std::move(each)));
    finish(here, body);
    return around(std::move(row), around(std::move(part), around(std::move(inside), std::move(body))));
  }

  // -------------------------------------------------------------------------------------------- the rows

  Body weight_rows() {
    Body body;
    for (const BufferId id : {scores_, maximum_, factor_, maxima_}) body.push_back({Allocate{id}});
    for (std::size_t c = 0; c < totals_.size(); ++c) {
      body.push_back({Allocate{totals_[c]}});
      body.push_back({Allocate{parts_[c]}});
    }
    body.push_back({origin(*online_.sums, "rows are weighted as they come: blocks of " +
                                              std::to_string(tile_rows) + " rows, tiles of " +
                                              std::to_string(tile_columns) + " scores in shared memory")});
    const BufferId sums = sums_product_.allocate(sums_of(sums_tile_, name("sums")), body);
    body.push_back({Fill{sums_product_.whole(sums), reduction_.identity.back()}});
    append(body, clear_outside(first_row_, tile_rows, rows().extent,
                               [](const Index& row, const Index&) { return row; }));
    append(body, for_rows(true, [&](const Index& row, Body& each) {
             store(maximum_, {row, constant_index(0)}, literal(reduction_.identity[0], each), each);
             store(factor_, {row, constant_index(0)}, literal(dlvm::Tensor(ElementType::f32, {}), each),
                   each);
             for (std::size_t c = 0; c < totals_.size(); ++c)
               store(totals_[c], {row, constant_index(0)}, literal(reduction_.identity[c + 1], each), each);
           }));
    Loop columns = open("columns", LoopKind::serial, column_count(), tile_columns);
    const Index first_column = variable(columns.id);
    Body tile = multiply_scores(first_column);
    tile.push_back({origin(*online_.sums, {})});
    append(tile, take_maxima(first_column));
    append(tile, take_weights(first_column));
    append(tile, add_weighted(first_column, sums));
    append(body, around(std::move(columns), std::move(tile)));
    append(body, epilogue(sums));
    return body;
  }

  /// Multiplies the scores of a tile into shared memory.
  Body multiply_scores(const Index& first_column) {
    const kernel::Contraction& c = *score_.contraction;
    Body body;
    body.push_back({origin(*online_.score, "in tiles of " + std::to_string(tile_rows) + " x " +
                                               std::to_string(tile_columns) + " on tensor cores")});
    const std::int64_t depth = depth_of(score_element_);
    const auto source = [&](ScalarId operand) {
      return score_element_ == ElementType::f32 ? operand : source_of(score_, operand);
    };
    const ScalarId left_operand = source(c.left), right_operand = source(c.right);
    const auto panel = [&](const char* of, ScalarId operand, std::int64_t size) {
      const bool is_along_k = is_contiguous(score_, lowering_.schedule.buffers, operand, score_product_.k);
      const BufferId id = add_panel(online_.score->name + of, size, score_element_, is_along_k);
      body.push_back({Allocate{id}});
      return Panel{id, depth, size, is_along_k};
    };
    const Panel left = panel(".left", left_operand, tile_rows),
                right = panel(".right", right_operand, tile_columns);
    const BufferId sums = score_product_.allocate(sums_of(score_tile_, online_.score->name + ".sums"), body);
    body.push_back({Fill{score_product_.whole(sums), score_.reduction->identity[0]}});
    Staging staging = score_product_.staging(threads_);
    Loop k = score_product_.open_k(depth, lowering_.target.asynchronous_copies ? stages : 1);
    Body step = score_product_.fill(k, staging, {left_operand, score_product_.m, first_row_, left},
                                    {right_operand, score_product_.n, first_column, right});
    append(step, multiply(score_product_.whole(sums), score_product_.whole(left), score_product_.whole(right),
                          score_element_));
    append(body, around(std::move(k), std::move(step)));
    SumLoops loops = visit_sums(lowering_, score_tile_);
    loops.within(first_row_, rows().extent, first_column, column_count());
    score_product_.bind(row_in_tile_, loops.row);
    score_product_.bind(column_in_tile_, loops.column);
    Body each = score_product_.finished(std::move(loops.own), first_row_ + loops.row,
                                        first_column + loops.column, {sums, {loops.row, loops.column}});
    append(body, nested(std::move(loops.threads), std::move(each)));
    return body;
  }

  Body multiply(Tile to, Tile left, Tile right, ElementType element) const {
    const bool splits = element == ElementType::f32 && !lowering_.tf32;
    return ProductBuilder::multiply(std::move(to), std::move(left), std::move(right),
                                    splits ? Arithmetic::tensor_split : Arithmetic::tensor);
  }

  /// Returns whether something other than the first component is computed from the scores as the product
  /// gives them. Otherwise, what the maximum is taken of is stored in their place.
  bool reads_scores_again() const {
    std::set<ScalarId> needed{sums_.contraction->left};
    for (std::size_t c = 1; c + 1 < reduction_.inputs.size(); ++c) needed.insert(reduction_.inputs[c]);
    bool found = false;
    for (auto id = static_cast<ScalarId>(sums_.body.size()); id-- > 0;) {
      if (!needed.contains(id)) continue;
      const auto* load = std::get_if<Scalar::Load>(&sums_.body[id].definition);
      found = found || (load != nullptr && load->access.buffer == scores_);
      std::set<LoopId> axes;
      collect(sums_.body[id], axes, needed);
    }
    return found;
  }

  /// Takes the rows' maxima, and the factors of what was added up for the maxima before.
  Body take_maxima(const Index& first_column) {
    const ScalarId largest = reduction_.results[0];
    ContractionBuilder of_sums(lowering_, sums_, outer_);
    Body body = for_scores(
        first_column, {0},
        [&](RowPart& here, Body& each) {
          ContractionBuilder::Values known;
          const ValueId score =
              convert(element_, of_sums.need(reduction_.inputs[0], here.at, known, each), each);
          if (!keeps_scores_) store(scores_, place_of_score(here.row, here.column), score, each);
          store(
              here.states[0], {},
              combine(largest, load(here.states[0], {}, each), convert(ElementType::f32, score, each), each),
              each);
        },
        [&](const RowPart& here, Body& after) {
          store(maxima_, {here.row, here.part}, load(here.states[0], {}, after), after);
        });
    append(body, for_rows(false, [&](const Index& row, Body& each) {
             const Index zero = constant_index(0);
             const ValueId before = load(maximum_, {row, zero}, each);
             ValueId maximum = before;
             for (std::int64_t part = 0; part < row_threads_; ++part)
               maximum = combine(largest, maximum, load(maxima_, {row, constant_index(part)}, each), each);
             store(maximum_, {row, zero}, maximum, each);
             store(factor_, {row, zero}, combine(online_.weights.of_left, before, maximum, each), each);
           }));
    return body;
  }

  /// Puts weights in the place of the scores, and adds the sums that have one number for each row.
  Body take_weights(const Index& first_column) {
    ContractionBuilder of_sums(lowering_, sums_, outer_);
    std::vector<std::size_t> components;
    for (std::size_t c = 0; c < totals_.size(); ++c) components.push_back(c + 1);
    const Index zero = constant_index(0);
    Body body = for_scores(
        first_column, components,
        [&](RowPart& here, Body& each) {
          ContractionBuilder::Values known;
          const ValueId maximum = load(maximum_, {here.row, zero}, each);
          const ValueId score =
              keeps_scores_
                  ? convert(element_, of_sums.need(reduction_.inputs[0], here.at, known, each), each)
                  : load(scores_, place_of_score(here.row, here.column), each);
          const ValueId weight =
              combine(online_.weights.of_right, maximum, convert(ElementType::f32, score, each), each);
          const auto weighted = [&](ScalarId by) {
            return operation(Opcode::multiply, weight, of_sums.need(by, here.at, known, each), each);
          };
          for (std::size_t c = 0; c < totals_.size(); ++c) {
            const ValueId term = weighted(reduction_.inputs[c + 1]);
            store(here.states[c], {}, operation(Opcode::add, load(here.states[c], {}, each), term, each),
                  each);
          }
          store(scores_, place_of_score(here.row, here.column),
                convert(element_, weighted(sums_.contraction->left), each), each);
        },
        [&](const RowPart& here, Body& after) {
          for (std::size_t c = 0; c < totals_.size(); ++c)
            store(parts_[c], {here.row, here.part}, load(here.states[c], {}, after), after);
        });
    append(body, clear_outside(first_column, tile_columns, column_count(),
                               [](const Index&, const Index& column) { return column; }));
    append(body, for_rows(false, [&](const Index& row, Body& each) {
             const ValueId factor = load(factor_, {row, zero}, each);
             for (std::size_t c = 0; c < totals_.size(); ++c) {
               ValueId total = operation(Opcode::multiply, load(totals_[c], {row, zero}, each), factor, each);
               for (std::int64_t part = 0; part < row_threads_; ++part)
                 total =
                     operation(Opcode::add, total, load(parts_[c], {row, constant_index(part)}, each), each);
               store(totals_[c], {row, zero}, total, each);
             }
           }));
    return body;
  }

  /// Gives the scores of a tile that are outside of the matrix the weight 0. Of rows or of columns, the
  /// matrix has `count`, and the tile has `size` that begin at `first`; `place` returns which of them a score
  /// is in.
  Body clear_outside(const Index& first, std::int64_t size, const Extent& count,
                     const std::function<Index(const Index& row, const Index& column)>& place) {
    if (const auto whole = count.constant(); whole && *whole % size == 0) return {};
    Loop is_last = open("last", LoopKind::serial, 1);
    const Index beyond = first + constant_index(count) * Extent(-1);
    is_last.bounds.push_back({beyond + constant_index(size - 1), size});
    Loop row = open("row", LoopKind::thread, tile_rows), part = open("part", LoopKind::thread, row_threads_);
    Loop step = open("step", LoopKind::serial, tile_columns / row_threads_);
    const Index column = variable(step.id) * row_threads_ + variable(part.id);
    Body each;
    const ValueId zero = let({element_, Scalar::Literal{dlvm::Tensor(element_, {})}}, each);
    each.push_back({Store{{scores_, place_of_score(variable(row.id), column)},
                          {{beyond + place(variable(row.id), column), size}},
                          zero,
                          std::nullopt}});
    return nested({std::move(is_last), std::move(row), std::move(part), std::move(step)}, std::move(each));
  }

  /// Multiplies the sums by the rows' factors, and adds the product of the weights and the right operand.
  Body add_weighted(const Index& first_column, BufferId sums) {
    SumLoops loops = visit_sums(lowering_, sums_tile_);
    const std::vector<Index> sum{loops.row, loops.column};
    Body scaled;
    const ValueId factor = load(factor_, {loops.row, constant_index(0)}, scaled);
    store(sums, sum, operation(Opcode::multiply, load(sums, sum, scaled), factor, scaled), scaled);
    Body body = std::move(loops).around(std::move(scaled));
    const ScalarId operand = source_of(sums_, sums_.contraction->right);
    const bool is_along_k = is_contiguous(sums_, lowering_.schedule.buffers, operand, sums_product_.k);
    const BufferId right = add_panel(name("right"), sums_tile_.columns, element_, is_along_k);
    body.push_back({Allocate{right}});
    Staging staging = sums_product_.staging(threads_);
    for (std::int64_t panel = 0; panel < panels(); ++panel) {
      Body staged = staging.stage(operand, sums_product_.n, {right, depth(), sums_tile_.columns, is_along_k},
                                  first_column + constant_index(panel * depth()), constant_index(0));
      visit_buffer_accesses(staged, [&](const BufferAccess& used) {
        if (used.buffer == right) used.put_in_front(constant_index(panel));
      });
      append(body, std::move(staged));
    }
    repeat_panel(right);
    for (std::int64_t panel = 0; panel < panels(); ++panel)
      append(body, multiply(sums_product_.whole(sums), tile_of(scores_, panel, tile_rows, true),
                            tile_of(right, panel, sums_tile_.columns, is_along_k), element_));
    return body;
  }

  /// Returns one panel of a tile's columns as a tile [k, other].
  Tile tile_of(BufferId buffer, std::int64_t panel, std::int64_t size, bool is_along_k) const {
    std::vector<Extent> strides = lowering_.schedule.buffers[buffer].layout.strides;
    if (is_along_k) std::swap(strides[1], strides[2]);
    const Index zero = constant_index(0);
    return {buffer, {constant_index(panel), zero, zero}, {depth(), size}, {strides[1], strides[2]}};
  }

  Body epilogue(BufferId sums) {
    SumLoops loops = visit_sums(lowering_, sums_tile_);
    loops.within(first_row_, rows().extent, constant_index(0), sums_product_.n.extent);
    std::vector<Access> states{{maximum_, {loops.row, constant_index(0)}}};
    for (const BufferId total : totals_) states.push_back({total, {loops.row, constant_index(0)}});
    states.push_back({sums, {loops.row, loops.column}});
    Renaming at = outer_;
    rows().bind(first_row_ + loops.row, at);
    sums_product_.n.bind(loops.column, at);
    Body body;
    ContractionBuilder(lowering_, sums_, outer_).finish(states, at, body);
    return std::move(loops).around(std::move(body));
  }

  GpuLowering& lowering_;
  const OnlineRows& online_;
  const kernel::Reduction& reduction_;
  AxisId row_in_tile_, column_in_tile_;  ///< the place of a score in its tile, in the stages' accesses
  ElementType score_element_, element_;  ///< of the panels of scores' operands, and of weights
  BufferId scores_;                      ///< a tile of scores, then of weights, as `panels` panels
  Stage score_, sums_;
  ProductBuilder score_product_, sums_product_;
  std::int64_t across_, threads_;  ///< the warps across, and the threads of a block
  std::int64_t row_threads_;       ///< that share a row of a tile where it is not multiplied
  SumTile score_tile_, sums_tile_;
  bool keeps_scores_;          ///< scores are read once more when their weights are computed
  BufferId maximum_, factor_;  ///< for each row: the largest score so far, and the factor of earlier sums
  BufferId maxima_;            ///< of the parts of a row in a tile
  std::vector<BufferId> totals_, parts_;  ///< sums that have no columns, for each row and for its parts
  AxisGroup batch_;
  Renaming outer_;
  Index first_row_;
};

}  // namespace

Body schedule_online_rows(GpuLowering& lowering, const OnlineRows& online) {
  return OnlineRowsBuilder(lowering, online).build();
}

}  // namespace codegen::schedule::gpu
