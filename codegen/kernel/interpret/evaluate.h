#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/kernel/ir/kernel.h"
#include "dlvm/ir/tensor.h"

/// What the interpreters of kernels and of schedules share: extents, indices, bounds and scalars on concrete
/// values. Scalars are computed by the instructions' evaluation rules.
namespace codegen::kernel {

/// The element of that type that lies there, as a tensor of rank 0.
dlvm::Tensor element_at(ElementType element, const std::byte* from);

/// Single instructions on scalars, by the interpreter of DLVM; nothing where they cannot be evaluated.
class Instructions {
 public:
  /// `type` is what a conversion gives.
  std::optional<dlvm::Tensor> apply(dlvm::Opcode opcode, ElementType type,
                                    std::span<const dlvm::Tensor> operands);
  std::optional<dlvm::Tensor> combine(const dlvm::Combinator& by, const dlvm::Tensor& left,
                                      const dlvm::Tensor& right);
  /// Element `index` of `random`'s stream; `operands` as of the instruction.
  std::optional<dlvm::Tensor> random(const std::vector<dlvm::Tensor>& operands, std::int64_t index);

 private:
  struct Instruction {
    std::unique_ptr<dlvm::Function> function;
    const dlvm::Instruction* in_it;
  };
  static Instruction make(dlvm::Opcode opcode, const std::vector<ElementType>& operands,
                          std::vector<dlvm::Attribute> attributes);

  std::unordered_map<std::uint64_t, Instruction> known_;  ///< by opcode, type and operands' types
  std::vector<dlvm::Tensor> drawn_by_;                    ///< the operands of `drawn_`
  dlvm::Tensor drawn_;                                    ///< the beginning of their stream
};

/// One run of an interpreter.
struct Run {
  const Extent::Bindings& dimensions;
  std::string kernel;  ///< under way
  std::optional<std::string> error;
  Instructions instructions;

  /// Keeps the first, with the kernel's name.
  void fail(const std::string& text);
  std::int64_t extent(const Extent& extent);
  std::vector<std::int64_t> extents(const Shape& shape);
};

/// Indices and scalars; an interpreter says what they are made of. After an error the results mean nothing.
class Evaluation {
 public:
  explicit Evaluation(Run& run) : run_(run) {}

  std::int64_t index(const Index& index);
  /// Whether all bounds hold.
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

/// The state that the reduction makes of two, the left one first in order.
std::vector<dlvm::Tensor> combined(Run& run, const Reduction& reduction, std::span<const dlvm::Tensor> left,
                                   std::span<const dlvm::Tensor> right);

}  // namespace codegen::kernel
