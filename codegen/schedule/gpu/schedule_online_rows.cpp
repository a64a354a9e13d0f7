#include <functional>
#include <set>

#include "codegen/schedule/common/contraction_builder.h"
#include "codegen/schedule/gpu/online_rows.h"
#include "codegen/schedule/gpu/row_tile_builder.h"

namespace codegen::schedule::gpu {
namespace {

using dlvm::Opcode;
using kernel::ScalarId;

/// The stages of the panels that scores are multiplied from.
constexpr std::int64_t stages = 2;

/// Builds the grid of one kernel.
class OnlineRowsBuilder {
 public:
  OnlineRowsBuilder(GpuLowering& lowering, const OnlineRows& online)
      : lowering_(lowering),
        online_(online),
        reduction_(*online.sums->reduction),
        element_(weight_type(*online.sums)),
        tiles_(lowering, online.block, online.score->contraction->m),
        scores_(add_scores()),
        score_(lowering, tiles_.in_tile(*online.score)),
        sums_(lowering, tiles_.in_tile(*online.sums)),
        keeps_scores_(reads_scores_again()) {
    tiles_.share({&sums_});
    maximum_ = add_row("maximum", 1);
    factor_ = add_row("factor", 1);
    maxima_ = add_row("maxima", tiles_.row_threads());
    for (std::size_t c = 1; c + 1 < reduction_.types.size(); ++c) {
      totals_.push_back(add_row("total", 1));
      parts_.push_back(add_row("parts", tiles_.row_threads()));
    }
  }

  Body build() {
    return tiles_.grid({&score_, &sums_}, [&] { return weight_rows(); });
  }

 private:
  std::string name(const char* of) const { return online_.sums->name + "." + of; }

  BufferId add_scores() {
    const BufferId id = tiles_.add_tile(name("scores"), element_);
    tiles_.hold(online_.score->stores[0].access.buffer, id);
    return id;
  }
  /// Adds a buffer of `count` numbers for each row.
  BufferId add_row(const char* of, std::int64_t count) {
    const Shape shape{RowTileBuilder::tile_rows, count};
    return lowering_.add_buffer(
        {name(of), ElementType::f32, shape, Space::shared, dense_layout(shape), false, std::nullopt});
  }
  BufferId add_register(const char* of) {
    return lowering_.add_buffer({name(of), ElementType::f32, {}, Space::registers, {}, false, std::nullopt});
  }

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

  using RowPart = RowTileBuilder::RowPart;
  /// Returns `of` for each score of the tile that is within the matrix, and then `finish` for each thread
  /// that has a part of a row. The registers `states` begin with the identities of the components.
  Body for_scores(
      const Index& first_column, const std::vector<std::size_t>& components,
      const std::function<void(const RowPart&, const std::vector<BufferId>& states, Body&)>& of,
      const std::function<void(const RowPart&, const std::vector<BufferId>& states, Body&)>& finish) {
    std::vector<BufferId> states;
    for (std::size_t i = 0; i < components.size(); ++i) states.push_back(add_register("state"));
    const auto begin = [&](const RowPart&, Body& body) {
      for (std::size_t i = 0; i < states.size(); ++i) {
        body.push_back({Allocate{states[i]}});
        body.push_back({Fill{{states[i], {}, {}, {}}, reduction_.identity[components[i]]}});
      }
    };
    return tiles_.for_elements(
        first_column, [&](const RowPart& here, Body& each) { of(here, states, each); }, begin,
        [&](const RowPart& here, Body& after) { finish(here, states, after); });
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
                                              std::to_string(RowTileBuilder::tile_rows) + " rows, tiles of " +
                                              std::to_string(RowTileBuilder::tile_columns) +
                                              " scores in shared memory")});
    const BufferId sums = tiles_.allocate_sums(sums_, name("sums"), reduction_.identity.back(), body);
    append(body, tiles_.clear_rows(scores_));
    append(body, tiles_.for_rows(true, [&](const Index& row, Body& each) {
      store(maximum_, {row, constant_index(0)}, literal(reduction_.identity[0], each), each);
      store(factor_, {row, constant_index(0)}, literal(dlvm::Tensor(ElementType::f32, {}), each), each);
      for (std::size_t c = 0; c < totals_.size(); ++c)
        store(totals_[c], {row, constant_index(0)}, literal(reduction_.identity[c + 1], each), each);
    }));
    append(body, tiles_.for_tiles([&](const Index& first_column) {
      Body tile = tiles_.multiply_elements(score_, first_column, stages);
      tile.push_back({origin(*online_.sums, {})});
      append(tile, take_maxima(first_column));
      append(tile, take_weights(first_column));
      append(tile, multiply_by_factors(sums));
      append(tile, tiles_.add_product(sums_, scores_, first_column, sums));
      return tile;
    }));
    append(body, epilogue(sums));
    return body;
  }

  /// Returns whether something other than the first component is computed from the scores as the product
  /// gives them. Otherwise, what the maximum is taken of is stored in their place.
  bool reads_scores_again() const {
    std::set<ScalarId> needed{sums_.stage.contraction->left};
    for (std::size_t c = 1; c + 1 < reduction_.inputs.size(); ++c) needed.insert(reduction_.inputs[c]);
    bool found = false;
    for (auto id = static_cast<ScalarId>(sums_.stage.body.size()); id-- > 0;) {
      if (!needed.contains(id)) continue;
      const auto* load = std::get_if<Scalar::Load>(&sums_.stage.body[id].definition);
      found = found || (load != nullptr && load->access.buffer == scores_);
      std::set<LoopId> axes;
      collect(sums_.stage.body[id], axes, needed);
    }
    return found;
  }

  /// Takes the rows' maxima, and the factors of what was added up for the maxima before.
  Body take_maxima(const Index& first_column) {
    const ScalarId largest = reduction_.results[0];
    ContractionBuilder of_sums(lowering_, sums_.stage, tiles_.outer());
    Body body = for_scores(
        first_column, {0},
        [&](RowPart here, const std::vector<BufferId>& states, Body& each) {
          ContractionBuilder::Values known;
          const ValueId score =
              convert(element_, of_sums.need(reduction_.inputs[0], here.at, known, each), each);
          if (!keeps_scores_) store(scores_, tiles_.place(scores_, here.row, here.column), score, each);
          store(states[0], {},
                combine(largest, load(states[0], {}, each), convert(ElementType::f32, score, each), each),
                each);
        },
        [&](const RowPart& here, const std::vector<BufferId>& states, Body& after) {
          store(maxima_, {here.row, here.part}, load(states[0], {}, after), after);
        });
    append(body, tiles_.for_rows(false, [&](const Index& row, Body& each) {
      const Index zero = constant_index(0);
      const ValueId before = load(maximum_, {row, zero}, each);
      ValueId maximum = before;
      for (std::int64_t part = 0; part < tiles_.row_threads(); ++part)
        maximum = combine(largest, maximum, load(maxima_, {row, constant_index(part)}, each), each);
      store(maximum_, {row, zero}, maximum, each);
      store(factor_, {row, zero}, combine(online_.weights.of_left, before, maximum, each), each);
    }));
    return body;
  }

  /// Puts weights in the place of the scores, and adds the sums that have one number for each row.
  Body take_weights(const Index& first_column) {
    ContractionBuilder of_sums(lowering_, sums_.stage, tiles_.outer());
    std::vector<std::size_t> components;
    for (std::size_t c = 0; c < totals_.size(); ++c) components.push_back(c + 1);
    const Index zero = constant_index(0);
    Body body = for_scores(
        first_column, components,
        [&](RowPart here, const std::vector<BufferId>& states, Body& each) {
          ContractionBuilder::Values known;
          const ValueId maximum = load(maximum_, {here.row, zero}, each);
          const ValueId score =
              keeps_scores_
                  ? convert(element_, of_sums.need(reduction_.inputs[0], here.at, known, each), each)
                  : load(scores_, tiles_.place(scores_, here.row, here.column), each);
          const ValueId weight =
              combine(online_.weights.of_right, maximum, convert(ElementType::f32, score, each), each);
          const auto weighted = [&](ScalarId by) {
            return operation(Opcode::multiply, weight, of_sums.need(by, here.at, known, each), each);
          };
          for (std::size_t c = 0; c < totals_.size(); ++c) {
            const ValueId term = weighted(reduction_.inputs[c + 1]);
            store(states[c], {}, operation(Opcode::add, load(states[c], {}, each), term, each), each);
          }
          store(scores_, tiles_.place(scores_, here.row, here.column),
                convert(element_, weighted(sums_.stage.contraction->left), each), each);
        },
        [&](const RowPart& here, const std::vector<BufferId>& states, Body& after) {
          for (std::size_t c = 0; c < totals_.size(); ++c)
            store(parts_[c], {here.row, here.part}, load(states[c], {}, after), after);
        });
    append(body, tiles_.clear_columns(scores_, first_column));
    append(body, tiles_.for_rows(false, [&](const Index& row, Body& each) {
      const ValueId factor = load(factor_, {row, zero}, each);
      for (std::size_t c = 0; c < totals_.size(); ++c) {
        ValueId total = operation(Opcode::multiply, load(totals_[c], {row, zero}, each), factor, each);
        for (std::int64_t part = 0; part < tiles_.row_threads(); ++part)
          total = operation(Opcode::add, total, load(parts_[c], {row, constant_index(part)}, each), each);
        store(totals_[c], {row, zero}, total, each);
      }
    }));
    return body;
  }

  /// Multiplies the sums by the rows' factors.
  Body multiply_by_factors(BufferId sums) {
    return tiles_.for_sums(sums_, false, [&](const Index& row, const Index& column, Body& scaled) {
      const std::vector<Index> sum{row, column};
      const ValueId factor = load(factor_, {row, constant_index(0)}, scaled);
      store(sums, sum, operation(Opcode::multiply, load(sums, sum, scaled), factor, scaled), scaled);
    });
  }

  Body epilogue(BufferId sums) {
    return tiles_.for_sums(sums_, true, [&](const Index& row, const Index& column, Body& body) {
      std::vector<Access> states{{maximum_, {row, constant_index(0)}}};
      for (const BufferId total : totals_) states.push_back({total, {row, constant_index(0)}});
      states.push_back({sums, {row, column}});
      tiles_.finish(sums_, row, column, states, body);
    });
  }

  GpuLowering& lowering_;
  const OnlineRows& online_;
  const kernel::Reduction& reduction_;
  ElementType element_;  ///< of weights, and of scores in their tile
  RowTileBuilder tiles_;
  BufferId scores_;  ///< a tile of scores, then of weights
  TileStage score_, sums_;
  bool keeps_scores_;          ///< scores are read once more when their weights are computed
  BufferId maximum_, factor_;  ///< for each row: the largest score so far, and the factor of earlier sums
  BufferId maxima_;            ///< of the parts of a row in a tile
  std::vector<BufferId> totals_, parts_;  ///< sums that have no columns, for each row and for its parts
};

}  // namespace

Body schedule_online_rows(GpuLowering& lowering, const OnlineRows& online) {
  return OnlineRowsBuilder(lowering, online).build();
}

}  // namespace codegen::schedule::gpu
