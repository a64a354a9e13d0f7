#pragma once

#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "dlvm/ir/instruction_table.h"
#include "dlvm/ir/tensor.h"
#include "dlvm/support/source.h"

namespace dlvm {

class BasicBlock;
class Function;
class Instruction;
struct Global;

/// A value that an instruction may use: an argument of a block, an instruction's result, or a literal.
class Value {
 public:
  enum class Kind : std::uint8_t { argument, instruction, literal };

  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;

  Kind kind() const { return kind_; }
  const Type& type() const { return type_; }
  /// Returns the name without the `%`; empty if the value is anonymous.
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  /// Returns the instructions that use the value, one entry for each use.
  const std::vector<Instruction*>& users() const { return users_; }

 protected:
  Value(Kind kind, Type type, std::string name)
      : type_(std::move(type)), name_(std::move(name)), kind_(kind) {}
  ~Value() = default;

 private:
  friend class Instruction;
  friend void set_type(Value& value, Type type);
  Type type_;
  std::string name_;
  std::vector<Instruction*> users_;
  Kind kind_;
};

/// Changes the value's type. Passes that specialise shapes call it and must update the users' types
/// themselves.
void set_type(Value& value, Type type);

/// An argument of a block; of the entry block, a parameter of the function.
class Argument : public Value {
 public:
  Argument(Type type, std::string name, BasicBlock& block, std::size_t index)
      : Value(Kind::argument, std::move(type), std::move(name)), block_(&block), index_(index) {}
  BasicBlock* block() const { return block_; }
  std::size_t index() const { return index_; }

 private:
  friend class BasicBlock;
  BasicBlock* block_;
  std::size_t index_;
};

/// A constant. That of a tensor has data: with the type's extents, or a scalar that stands for every element
/// (a splat; the only form for symbolic extents). Constants of other types are `zero`, whose tensors are zero
/// and whose pointers are null, `undefined`, the pointer `null`, or the address of a global. An undefined
/// tensor has the data of zeros, and a constant of another type none.
class Literal : public Value {
 public:
  enum class Form : std::uint8_t { data, zero, undefined, null, address };

  Literal(Type type, Tensor data) : Value(Kind::literal, std::move(type), ""), data_(std::move(data)) {}
  /// Makes a literal of another form than `data`, with the global whose address it is.
  Literal(Type type, Form form, const Global* global);

  Form form() const { return form_; }
  const Tensor& data() const { return data_; }
  bool is_splat() const { return type().is_tensor() && data_.size() == 1 && data_.extents().empty(); }
  /// Returns the value of a splat of a numeric type.
  std::optional<double> splat() const;
  /// Returns the global whose address the literal is, or null.
  const Global* global() const { return global_; }
  /// Returns whether the two are the same constant of the same type.
  bool is_same_as(const Literal& other) const;

 private:
  Tensor data_;
  Form form_ = Form::data;
  const Global* global_ = nullptr;
};

/// A block that a terminator may go to, and the number of operands that it passes to the block's arguments. A
/// `branchEnum` passes none: the arguments of the block are the payload of its case.
struct Successor {
  BasicBlock* block = nullptr;
  std::size_t passed = 0;
};

/// One instruction: opcode, operands, attributes and successors as its table entry lists them. An absent
/// optional operand is not in `operands()`; an absent optional attribute is `monostate`. The last operands
/// are those that are passed to the successors, one successor after another.
class Instruction : public Value {
 public:
  Instruction(Opcode opcode, Type type, std::vector<Value*> operands, std::vector<Attribute> attributes,
              std::vector<Successor> successors = {});
  ~Instruction();

  Opcode opcode() const { return opcode_; }
  const InstructionDefinition& definition() const { return dlvm::definition(opcode_); }
  bool is(Trait trait) const { return definition().is(trait); }

  const std::vector<Value*>& operands() const { return operands_; }
  Value* operand(std::size_t i) const { return operands_[i]; }
  void set_operand(std::size_t i, Value* value);
  /// Removes all uses of operands, so that a group of instructions that use each other can be destroyed.
  void drop_operands();

  /// Returns the blocks that may follow; only terminators have any. A block may be there several times.
  const std::vector<Successor>& successors() const { return successors_; }
  /// Returns the position in `operands()` of what is passed to successor `i`.
  std::size_t first_passed(std::size_t i) const;
  /// Returns the operands that are passed to successor `i`.
  std::span<Value* const> passed(std::size_t i) const;
  /// Returns whether the arguments of the successors come from the instruction itself instead of operands
  /// that it passes. Nothing else goes to such a successor.
  bool supplies_arguments() const { return opcode_ == Opcode::branchEnum; }
  /// Returns the operands that are passed to no successor.
  std::span<Value* const> own_operands() const;
  /// Gives an instruction without successors those; what they are passed are its last operands.
  void set_successors(std::vector<Successor> successors) { successors_ = std::move(successors); }
  void set_successor(std::size_t i, BasicBlock* block, const std::vector<Value*>& passed);
  /// Replaces the block alone; it takes the same arguments.
  void set_successor(std::size_t i, BasicBlock* block) { successors_[i].block = block; }
  void add_passed(std::size_t i, Value* value);
  void remove_passed(std::size_t i, std::size_t argument);

  /// Returns the attributes in the order of the table's parts that are no operands. instruction_views.h gives
  /// them names.
  const std::vector<Attribute>& attributes() const { return attributes_; }
  /// Returns the combinator of a `reduce`, `scan` or `scatter`.
  const Combinator& combinator() const;
  void set_attribute(std::size_t i, Attribute attribute) { attributes_[i] = std::move(attribute); }
  /// Returns the axes of `reduce scan reverse concatenate gather scatter iota argmax argmin padShape
  /// squeezeShape`.
  const Integers& axes() const;

  /// Returns the source locations, of which a merged instruction has several.
  const std::vector<Location>& locations() const { return locations_; }
  void add_location(Location location);
  void set_locations(std::vector<Location> locations) { locations_ = std::move(locations); }
  /// Sets where a text has the instruction, which is not in the text itself.
  void set_written(Location written) { written_ = written; }
  /// Returns the location for messages: the first source location, or else where a text has the instruction.
  Location place() const { return locations_.empty() ? written_ : locations_.front(); }

  BasicBlock* block() const { return block_; }

 private:
  friend class BasicBlock;
  void remove_user(Value* of);

  std::vector<Value*> operands_;
  std::vector<Attribute> attributes_;
  std::vector<Successor> successors_;
  std::vector<Location> locations_;
  Location written_;
  BasicBlock* block_ = nullptr;
  std::list<std::unique_ptr<Instruction>>::iterator place_;  ///< the position in its block
  Opcode opcode_;
};

inline Instruction* as_instruction(Value* value) {
  return value->kind() == Value::Kind::instruction ? static_cast<Instruction*>(value) : nullptr;
}
inline const Instruction* as_instruction(const Value* value) {
  return value->kind() == Value::Kind::instruction ? static_cast<const Instruction*>(value) : nullptr;
}
inline const Literal* as_literal(const Value* value) {
  return value->kind() == Value::Kind::literal ? static_cast<const Literal*>(value) : nullptr;
}
inline const Argument* as_argument(const Value* value) {
  return value->kind() == Value::Kind::argument ? static_cast<const Argument*>(value) : nullptr;
}
/// Returns the instruction that computes `value` if it has that opcode, or else null.
inline Instruction* match(Value* value, Opcode opcode) {
  Instruction* instruction = as_instruction(value);
  return instruction != nullptr && instruction->opcode() == opcode ? instruction : nullptr;
}

inline Argument* as_argument(Value* value) {
  return value->kind() == Value::Kind::argument ? static_cast<Argument*>(value) : nullptr;
}

/// Replaces all uses of `from` by uses of `to`.
void replace_all_uses(Value& from, Value& to);

/// Arguments, then instructions of which the last is the terminator.
class BasicBlock {
 public:
  using Instructions = std::list<std::unique_ptr<Instruction>>;

  BasicBlock(Function& function, std::string name) : name_(std::move(name)), function_(&function) {}
  ~BasicBlock();

  /// Returns the name without the `'`; empty if the block is anonymous. Names need not be unique: where two
  /// are alike, the text adds numbers.
  const std::string& name() const { return name_; }
  Function& function() const { return *function_; }
  Argument* add_argument(Type type, std::string name);
  /// Removes an argument that nothing uses. The caller removes what the block's predecessors pass to it.
  void remove_argument(std::size_t index);
  const std::vector<std::unique_ptr<Argument>>& arguments() const { return arguments_; }
  const Instructions& instructions() const { return instructions_; }
  /// Inserts the instruction before `before`, or at the end if `before` is null.
  Instruction* insert(std::unique_ptr<Instruction> instruction, const Instruction* before = nullptr);
  /// Removes an instruction that nothing uses.
  void erase(Instruction* instruction);
  /// Moves an instruction of any block of the function before `before`, or to the end if `before` is null.
  void take(Instruction* instruction, const Instruction* before = nullptr);
  /// Moves the instructions of `from`, from `first` on, to the end of this block.
  void take_from(BasicBlock& from, Instruction* first);
  const Instruction* terminator() const;
  Instruction* terminator();

 private:
  friend class Function;
  std::string name_;
  std::vector<std::unique_ptr<Argument>> arguments_;
  Instructions instructions_;
  Function* function_;
  std::list<std::unique_ptr<BasicBlock>>::iterator place_;  ///< the position in its function
};

/// Declares the function that takes the derivative of another one. `[gradient @f from K wrt I, J keeping L
/// seedable]` computes in reverse mode: its results are the derivatives of result K by the arguments I and J
/// times a cotangent (ones, or one more argument if it is seedable), then result L. `[jvp @f from K wrt I, J
/// keeping L]` computes in forward mode: it also takes a tangent for each of I and J, and its results are the
/// tangent of result K and then result L.
struct GradientDeclaration {
  enum class Mode : std::uint8_t { reverse, forward };
  Mode mode = Mode::reverse;
  const Function* of = nullptr;
  std::int64_t from = 0;
  std::optional<Integers> wrt;  ///< absent: all arguments
  Integers keeping;
  bool seedable = false;
  /// Whoever made it has warned of derivatives that are zero; not in the text.
  bool warned = false;
  Location location;
  Location written = {};  ///< where a text has the declaration; not in the text

  /// Returns the location for messages.
  Location place() const { return location.valid() ? location : written; }
};

/// A relation between extents that the types leave open; checked once, when the function is entered.
struct Requirement {
  enum class Relation : std::uint8_t { equal, at_most };
  Extent left;
  Relation relation = Relation::equal;
  Extent right;
  std::string
      text;  ///< the message where it does not hold, in the source's terms: "x and y have the same rows"
  Location location;
};

/// Adds a requirement unless there is one already of the same extents and relation. Returns whether it did.
bool add_requirement(std::vector<Requirement>& requirements, Requirement requirement);

/// A function: a body of basic blocks (the first is the entry, its arguments are the parameters), a gradient
/// declaration in the place of one, or neither (external).
class Function {
 public:
  using Blocks = std::list<std::unique_ptr<BasicBlock>>;

  Function(std::string name, Type type) : name_(std::move(name)), type_(std::move(type)) {}
  ~Function();
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  /// Returns the name without the `@`.
  const std::string& name() const { return name_; }
  const Type& type() const { return type_; }
  void set_type(Type type) { type_ = std::move(type); }

  const Blocks& blocks() const { return blocks_; }
  /// Adds a block behind `after`, a block of this function, or as the last one if `after` is null. It takes
  /// constant time.
  BasicBlock* add_block(std::string name, const BasicBlock* after = nullptr);
  /// Removes blocks; what they define is used in them alone, and no other block goes to them.
  void erase_blocks(const std::unordered_set<const BasicBlock*>& blocks);
  BasicBlock& entry() const { return *blocks_.front(); }
  bool has_body() const { return !blocks_.empty(); }
  /// Returns whether the body is one block, which ends in `return`.
  bool is_straight_line() const;
  void clear_body();
  /// Moves the body of `other`, whose type must be the same, into this function.
  void take_body(Function& other);
  /// Adds the entry block with an argument for each parameter, named `names[i]` where given.
  BasicBlock* add_entry(const std::vector<std::string>& names = {});

  /// Returns a literal for instructions of this function. It lives as long as the function.
  Literal* literal(Type type, Tensor data);
  Literal* literal(Type type, Literal::Form form, const Global* global = nullptr);
  /// Returns a literal of that type and otherwise like `original`, which may belong to another function.
  Literal* copy(const Literal& original, Type type);
  Literal* literal(ElementType element, double value) {
    return literal(Type::scalar(element), Tensor::scalar(element, value));
  }
  /// Returns a literal whose elements all have this value.
  Literal* splat(const Type& type, double value) {
    return literal(type, Tensor::scalar(type.element(), value));
  }

  std::optional<GradientDeclaration> gradient;
  /// The function that is taken for the derivative of this one, in the place of what differentiation would
  /// make of its body; null if there is none. It takes the arguments of this function and the cotangents of
  /// its floating results, and returns the cotangents of its floating arguments (custom_derivative.h).
  const Function* adjoint = nullptr;
  std::vector<std::string> attributes;  ///< `inline`
  std::vector<Requirement> requirements;
  Location location;
  Location written = {};  ///< where a text has the function; not in the text

  /// Returns the location for messages.
  Location place() const { return location.valid() ? location : written; }

 private:
  BasicBlock* insert(std::string name, Blocks::const_iterator before);

  const std::string name_;
  Type type_;
  std::vector<std::unique_ptr<Literal>> literals_;  ///< outlive the blocks
  Blocks blocks_;
};

/// Adds to `to` the requirements of `from` that it lacks, with dimensions replaced.
void copy_requirements(Function& to, const Function& from, const Extent::Substitution& names);

}  // namespace dlvm
