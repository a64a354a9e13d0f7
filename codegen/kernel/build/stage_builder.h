#pragma once

#include "codegen/kernel/build/stages.h"
#include "codegen/kernel/build/window_parts.h"
#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {

/// A point of a convolution's result: its batch element, group, filter of the group, and spatial positions.
struct ConvolutionPoint {
  Index batch, group, filter;
  Indices positions;
};

/// Builds the stages of one node and of what is computed at its points. `stages.cpp` holds what all
/// instructions share; the instructions that reduce, those that read windows, and those that take several
/// stages one after another have a file each.
class StageBuilder {
 public:
  StageBuilder(StageContext& context, const PlacedNode& first, const std::vector<bool>& outer)
      : context_(context), first_(first), outer_(outer) {}

  std::vector<Stage> build(const std::vector<PlacedNode>& nodes);

 private:
  ScalarEmitter make_emitter() {
    return ScalarEmitter(*context_.graph, context_.extents, context_.locate, context_.site,
                         *context_.diagnostics);
  }
  Stage begin(std::string name) const;
  AxisId add_axis(Stage& stage, const Extent& extent, AxisKind kind);
  /// A new parallel axis, or the index 0 where the extent is 1.
  Index run(Stage& stage, const Extent& extent);
  Index reduce_over(Stage& stage, const Extent& extent) {
    return axis_index(add_axis(stage, extent, AxisKind::reduced));
  }
  void store(Stage& stage, const Node& node, const Indices& at, ScalarId value);
  void finish(Stage& stage, ScalarEmitter& emitter);

  Stage build_computed(const std::vector<PlacedNode>& nodes);
  ScalarId emit_first_value(Stage& stage, ScalarEmitter& emitter, const Indices& at);
  /// Emits reductions of the same points side by side, which are the only ones of the stage, and returns
  /// their results.
  std::vector<ScalarId> emit_reductions(Stage& stage, ScalarEmitter& emitter,
                                        const std::vector<PlacedNode>& nodes);
  ScalarId emit_scan(Stage& stage, ScalarEmitter& emitter, const dlvm::Instruction& i, const Indices& at);
  ScalarId emit_recurrence(Stage& stage, ScalarEmitter& emitter, const dlvm::Instruction& i,
                           const Indices& at);
  ScalarId emit_extremum(Stage& stage, ScalarEmitter& emitter, const dlvm::Instruction& i, const Indices& at);
  /// Sums the products of `left`, which is the contraction's left operand or that masked, and of its right
  /// operand over its reduced axes, and begins the epilogue.
  ScalarId sum_products(Stage& stage, ScalarEmitter& emitter, Contraction c, ScalarId left, ElementType type);
  ScalarId emit_contraction(Stage& stage, ScalarEmitter& emitter, const dlvm::Instruction& i,
                            const Indices& at);
  std::vector<Stage> build_concatenation(const dlvm::Instruction& i);
  std::vector<Stage> build_scatter(const dlvm::Instruction& i);
  std::vector<Stage> build_sort(const dlvm::Instruction& i);
  std::vector<Stage> build_windows(const dlvm::Instruction& i);
  Stage build_window_part(const dlvm::Instruction& i, const WindowParts& parts,
                          const std::vector<WindowParts>& others);
  WindowSource meet_taps(Stage& stage, const WindowParts& parts, std::span<const Index> positions,
                         std::vector<Index>& taps);
  ScalarId emit_convolution(Stage& stage, ScalarEmitter& emitter, const dlvm::Instruction& i,
                            const WindowParts& parts, const ConvolutionPoint& point);
  ScalarId emit_window(Stage& stage, ScalarEmitter& emitter, const dlvm::Instruction& i,
                       const WindowParts& parts, const Indices& at);

  StageContext& context_;
  const PlacedNode& first_;
  const std::vector<bool>& outer_;
};

}  // namespace codegen::kernel
