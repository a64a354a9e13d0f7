#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/kernel/ir/kernel.h"
#include "dlvm/ir/tensor.h"

/// The part that the interpreters of kernels and of schedules share: the values of extents, indices, bounds
/// and scalars under concrete dimensions. The instructions' evaluation rules compute the scalars.
namespace codegen::kernel {

/// Returns the element of that type at `from` as a tensor of rank 0.
dlvm::Tensor element_at(ElementType element, const std::byte* from);

/// Evaluates single instructions on scalars by the interpreter of DLVM. Functions return nothing if that
/// fails.
class Instructions {
 public:
  /// Returns the result of the instruction. `type` is the element type to which a conversion converts.
  std::optional<dlvm::Tensor> apply(dlvm::Opcode opcode, ElementType type,
                                    std::span<const dlvm::Tensor> operands);
  std::optional<dlvm::Tensor> combine(const dlvm::Combinator& by, const dlvm::Tensor& left,
                                      const dlvm::Tensor& right);
  /// Returns element `index` of `random`'s stream. `operands` are those of the instruction.
  std::optional<dlvm::Tensor> random(const std::vector<dlvm::Tensor>& operands, std::int64_t index);

 private:
  struct Instruction {
    std::unique_ptr<dlvm::Function> function;
    const dlvm::Instruction* in_it;
  };
  static Instruction make(dlvm::Opcode opcode, const std::vector<ElementType>& operands,
                          std::vector<dlvm::Attribute> attributes);

  /// The instructions by opcode, type and operands' types.
  std::unordered_map<std::uint64_t, Instruction> known_;
  std::vector<dlvm::Tensor> drawn_by_;  ///< the operands of `drawn_`
  dlvm::Tensor drawn_;                  ///< the beginning of their stream
};

/// The state of one run of an interpreter.
struct Run {
  const Extent::Bindings& dimensions;
  std::string kernel;  ///< the kernel that is running
  std::optional<std::string> error;
  Instructions instructions;

  /// Records `text` with the kernel's name as the run's error, unless there is one already.
  void fail(const std::string& text);
  std::int64_t extent(const Extent& extent);
  std::vector<std::int64_t> extents(const Shape& shape);
};

/// Evaluates indices and scalars; an interpreter derives from it and supplies the values of axes, loads and
/// states. After an error the results mean nothing.
class Evaluation {
 public:
  explicit Evaluation(Run& run) : run_(run) {}

  /// Returns the value of the index at the current position.
  std::int64_t index(const Index& index);
  /// Returns whether all bounds hold.
  bool inside(const std::vector<Bound>& bounds);
  dlvm::Tensor value(const Scalar& scalar);
  dlvm::Tensor combine(const dlvm::Combinator& by, const dlvm::Tensor& left, const dlvm::Tensor& right);

 protected:
  ~Evaluation() = default;
  virtual std::int64_t position(AxisId axis) = 0;
  virtual dlvm::Tensor scalar(ScalarId id) = 0;
  virtual dlvm::Tensor load(const Access& access, ElementType type) = 0;
  virtual dlvm::Tensor state(std::uint32_t component) = 0;

  Run& run_;

 private:
  std::int64_t atom(const Index::Atom& atom);
  std::int64_t quotient(const Index::Quotient& quotient);
  std::vector<dlvm::Tensor> scalars(const std::vector<ScalarId>& ids);
  dlvm::Tensor checked(std::optional<dlvm::Tensor> result, std::string_view what);

  dlvm::Tensor of(const Scalar::Literal& literal, ElementType type);
  dlvm::Tensor of(const Scalar::Position& position, ElementType type);
  dlvm::Tensor of(const Scalar::Load& load, ElementType type);
  dlvm::Tensor of(const Scalar::Operation& operation, ElementType type);
  dlvm::Tensor of(const Scalar::State& state, ElementType type);
  dlvm::Tensor of(const Scalar::Check& check, ElementType type);
  dlvm::Tensor of(const Scalar::Random& random, ElementType type);
};

/// Returns the combination of two states of the reduction, of which `left` comes first.
std::vector<dlvm::Tensor> combined(Run& run, const Reduction& reduction, std::span<const dlvm::Tensor> left,
                                   std::span<const dlvm::Tensor> right);

}  // namespace codegen::kernel
