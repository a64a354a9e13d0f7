#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/kernel/ir/kernel.h"
#include "dlvm/ir/module.h"

namespace codegen::kernel {

/// A value in memory while an entry point runs.
struct Value {
  enum class Place : std::uint8_t {
    input,    ///< `index`: position among the function's parameters
    output,   ///< `index`: position in the function's result
    literal,  ///< data in the object
    arena,    ///< workspace: assigned by memory/
  };
  Place place = Place::arena;
  std::uint32_t index = 0;
  std::string name;
  ElementType element = ElementType::f32;
  Shape shape;
  dlvm::Tensor data = {};  ///< the value of a literal
  /// The position of the parameter in whose memory an output is: it holds the parameter when the program
  /// begins. Launches update it in place, behind all that may fail, and only if no check has failed.
  std::optional<std::uint32_t> updated_input = {};
};

/// Returns whether the value is in the arena and has at most 16 elements, whatever the dimensions: a loop may
/// keep it in variables.
bool may_be_variable(const Value& value);

/// The position of a value in its program.
using ValueId = std::uint32_t;

/// Statements that run one after the other.
struct Statement;
using Sequence = std::vector<Statement>;

/// One execution of a kernel on values. The extents of its axes follow from the entry point's dimensions. One
/// that writes an updated input does nothing if a check has failed before.
struct Launch {
  std::uint32_t kernel = 0;     ///< position in Program::kernels; equal kernels are shared
  std::vector<ValueId> values;  ///< one for each argument buffer
};

/// Exchanges the contents of two values of the arena that have the same type. Code generation exchanges their
/// addresses, so that a loop hands a value to its next iteration without a copy.
struct Swap {
  ValueId first = 0, second = 0;
};

/// Runs `then` if the value `condition`, a bool of rank 0, is true, and `otherwise` if it is false.
struct Branch {
  ValueId condition = 0;
  Sequence then, otherwise;
  dlvm::Location location = {};  ///< an annotation: where the source has the condition
};

/// A sequence that jumps inside of it name: a jump to a block leaves it, and a jump to a loop begins its next
/// iteration. A loop whose body ends without a jump is left. These are the `block` and `loop` of WebAssembly,
/// which express every reducible graph of basic blocks without copies of blocks.
struct Scope {
  enum class Kind : std::uint8_t { block, loop };
  Kind kind = Kind::block;
  std::string name;  ///< unique in the program
  Sequence body;
  /// A device runs the scope as one kernel and decides its conditions itself. Such a scope is in no other
  /// one, and no jump leaves it.
  bool is_fused = false;
};

/// Jumps to a scope around it. It is the last statement of its sequence.
struct Jump {
  std::string scope;
};

struct Statement {
  std::variant<Launch, Swap, Branch, Scope, Jump> node;
};

/// The facts about an index check that its message states: the index was not in [first, end). Where a trap is
/// reached, or a check that lowering made fails, the message is the name and says nothing of an index.
struct CheckSite {
  std::string name;  ///< the name of the index value as the user knows it: `label`
  Shape shape;       ///< the shape of the index tensor, in which a failed check reports the position
  Extent first, end;
  dlvm::Location location;
  bool is_trap = false;
};

/// A result of a function that callers put in the place of a parameter: the next value of a state, or what an
/// optimizer makes of a parameter of the network.
struct NextValue {
  std::uint32_t parameter = 0, result = 0;  ///< positions
  /// Calls do not let an input be in the memory of the parameter, so that it may be read when that is
  /// written.
  bool updated_alone = false;
  friend bool operator==(const NextValue&, const NextValue&) = default;
};

/// A DLVM function as launches with control flow around them; code generation works on it. Inputs and outputs
/// are whole tensors, row-major. A kernel copies an output that is an input or another output.
struct Program {
  std::string name;                     ///< the name of the function
  std::vector<std::string> dimensions;  ///< symbolic dimensions in the order in which the caller passes them
  std::vector<Value> values;
  std::vector<Kernel> kernels;
  Sequence body;
  std::vector<CheckSite> check_sites;
};

/// Returns whether the launch writes the memory of a parameter.
bool updates_input(const Program& program, const Launch& launch);

/// Calls `visit` with every statement of the sequence and of the sequences in it, in the order of the text.
void walk(const Sequence& sequence, const std::function<void(const Statement&)>& visit);

/// Returns the statements of one kind (Launch, Swap …), in the order of the text.
template <typename Node>
std::vector<const Node*> collect(const Sequence& sequence) {
  std::vector<const Node*> result;
  walk(sequence, [&](const Statement& statement) {
    if (const auto* node = std::get_if<Node>(&statement.node)) result.push_back(node);
  });
  return result;
}

}  // namespace codegen::kernel
