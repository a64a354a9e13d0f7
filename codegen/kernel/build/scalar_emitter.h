#pragma once

#include <functional>
#include <map>
#include <set>

#include "codegen/kernel/build/graph.h"
#include "codegen/kernel/build/refusal.h"
#include "codegen/kernel/ir/kernel.h"
#include "dlvm/support/diagnostic.h"

namespace codegen::kernel {

inline constexpr dlvm::DiagnosticKind combinator_not_scalar{
    "DLVM-E0701", dlvm::Severity::error,
    "@{function} combines elements, but {instruction} is not computed element by element",
    "A function that a reduction, scan or scatter combines elements with is compiled into the loop itself: "
    "its body is straight-line code of elementwise instructions and calls of such functions. The pass CL "
    "makes loops with calls of what combines elements by another function; it has not been run."};

/// Emits the scalars of one stage: elements of the function's values at given indices, which are computed or
/// loaded. Equal elements are emitted once.
class ScalarEmitter {
 public:
  /// Returns the location of an element of a value in memory: a parameter, a literal, or a materialized
  /// instruction.
  using Locate = std::function<Access(const dlvm::Value*, const Indices&)>;
  /// Returns the number of the check site of an instruction.
  using Site = std::function<std::uint32_t(const dlvm::Instruction&)>;

  /// `axes` may grow while the emitter lives.
  ScalarEmitter(const Graph& graph, const std::vector<Extent>& axes, Locate locate, Site site,
                dlvm::Diagnostics& diagnostics)
      : graph_(&graph),
        axes_(&axes),
        locate_(std::move(locate)),
        site_(std::move(site)),
        diagnostics_(&diagnostics) {}

  /// Emits element `indices` of a value and returns it: the scalar that `define` set, or a load if the value
  /// is in memory, or otherwise its computation.
  ScalarId emit_element(const dlvm::Value* value, const Indices& indices);
  /// Emits the computation of element `indices` of a value even if the value is materialized: the stage that
  /// computes the value calls it. The value must not be one for which `must_materialize` holds.
  ScalarId emit_definition(const dlvm::Value* value, const Indices& indices);
  /// Computes these values from now on although they are materialized. The set must live until the emitter
  /// ends or the next call.
  void recompute(const std::set<const dlvm::Value*>& values) { recomputed_ = &values; }
  /// Emits element `indices` of a value where all bounds hold, and `fill` elsewhere.
  ScalarId emit_bounded(const dlvm::Value* value, const Indices& indices, const std::vector<Bound>& bounds,
                        ScalarId fill);
  /// Makes `scalar` the element `indices` of `value` from now on.
  void define(const dlvm::Value* value, const Indices& indices, ScalarId scalar);

  /// Emit one scalar of that type: an elementwise instruction, a constant (which is emitted once), an index
  /// as a number, a conversion (`scalar` itself if it has the type), and a component of the reduction's
  /// state.
  ScalarId emit_operation(dlvm::Opcode opcode, ElementType type, std::vector<ScalarId> operands);
  ScalarId emit_literal(const dlvm::Tensor& value);
  ScalarId emit_position(const Index& index, ElementType type);
  ScalarId convert(ScalarId scalar, ElementType type);
  ScalarId emit_state(std::uint32_t component, ElementType type);
  /// Emits combinator(left, right).
  ScalarId combine(const dlvm::Combinator& combinator, ElementType type, ScalarId left, ScalarId right);
  /// Returns the indices that a gather or scatter reads from its index operands. Each is checked against the
  /// extent of its axis.
  Indices emit_indices(const dlvm::Instruction& instruction, std::size_t first_operand,
                       std::int64_t first_axis, const Shape& whole, const Indices& at,
                       std::vector<Bound>& bounds);

  /// Ends the body: the scalars emitted so far are the body, and those that follow are the epilogue, which
  /// sees no scalar of the body.
  void begin_epilogue();
  ElementType type(ScalarId scalar) const { return scalars_[scalar].type; }
  /// Returns the scalars of the body (all scalars if there is no epilogue) and of the epilogue, and leaves
  /// the emitter empty.
  std::pair<std::vector<Scalar>, std::vector<Scalar>> take();
  std::size_t size() const { return scalars_.size(); }

 private:
  struct Key {
    const dlvm::Value* value;
    std::uint32_t guard;
    Indices indices;
    bool operator<(const Key& other) const;
  };
  ScalarId add(Scalar scalar);
  bool is_in_memory(const dlvm::Value* value) const;
  ScalarId load(const dlvm::Value* value, const Indices& indices);
  ScalarId emit_instruction(const dlvm::Instruction& instruction, const Indices& indices);
  ScalarId emit_elementwise(const dlvm::Instruction& instruction, const Indices& indices);
  ScalarId emit_pad(const dlvm::Instruction& instruction, const Indices& indices);
  ScalarId emit_gather(const dlvm::Instruction& instruction, const Indices& indices);
  ScalarId emit_scatter(const dlvm::Instruction& instruction, const Indices& indices);
  ScalarId emit_product(const dlvm::Instruction& instruction, const Indices& indices);
  ScalarId emit_random(const dlvm::Instruction& instruction, const Indices& indices);
  ScalarId emit_sum_of_keys(const dlvm::Instruction& sum);
  /// Emits element `indices` of a value, whose loads happen only where all bounds hold.
  ScalarId emit_guarded(const dlvm::Value* value, const Indices& indices, const std::vector<Bound>& bounds);
  ScalarId emit_check(const dlvm::Instruction& instruction, ScalarId operand, const Extent& first,
                      const Extent& end, const Indices& at);
  ScalarId emit_call(const dlvm::Function& function, const std::vector<ScalarId>& arguments, int depth);
  ScalarId emit_bounds_test(const std::vector<Bound>& bounds);

  const Graph* graph_;
  const std::vector<Extent>* axes_;
  Locate locate_;
  Site site_;
  dlvm::Diagnostics* diagnostics_;
  std::vector<Scalar> scalars_;
  const std::set<const dlvm::Value*>* recomputed_ = nullptr;
  std::optional<std::size_t> body_size_;
  std::map<Key, ScalarId> elements_;
  std::map<std::pair<ElementType, std::string>, ScalarId> literals_;
  std::vector<Bound> guard_;    ///< loads happen only where all of these hold
  std::uint32_t guard_id_ = 0;  ///< the guard in force; 0 if there is none
  std::uint32_t last_guard_ = 0;
};

/// Returns the element type in which values of `type` are summed.
ElementType accumulator(ElementType type);

}  // namespace codegen::kernel
