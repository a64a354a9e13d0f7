#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dlvm/interpret/value.h"
#include "dlvm/ir/function.h"

/// The meaning of the IR: an evaluator of any function on concrete values, slow and obviously right. Each
/// instruction is computed in float64 (or 64-bit integers) from its operands and rounded once to its type.
/// Constant folding uses it, `dlopt --run` runs it, and every target is compared with it.
namespace dlvm {

struct InterpretOptions {
  /// Turns every floating type into f64, so that nothing is rounded. Floating arguments may then be of their
  /// own type or f64.
  bool float64 = false;
  /// The first named instruction of the function (not of its callees) with an infinite or NaN element is an
  /// error.
  bool check_finite = false;
  /// The largest size in bytes of all values that are alive at once; exceeding it is an error.
  std::int64_t byte_limit = std::int64_t{2} << 30;
  int call_depth_limit = 500;
  /// The largest number of branches and calls in a run; exceeding it is an error, so that every run ends.
  std::int64_t step_limit = 10'000'000;
  /// Dimensions that no argument's extent binds; where one does, the two must agree.
  Extent::Bindings dimensions;
  /// The values of `detach`, in the order computed. With `replay_detached` they are taken from here instead
  /// of computed: how a function looks to its derivative, which takes them for constants.
  std::vector<RuntimeValue>* detached = nullptr;
  bool replay_detached = false;
  /// If set, it is called with the arguments of every call of a function without a body, before that call
  /// fails.
  std::function<void(const Function&, std::span<const RuntimeValue>)> call_external;
  /// If set, it is called before every instruction that has a value, also in callees; false ends the run with
  /// an error of kind `stopped`.
  std::function<bool(const Instruction&, std::span<const RuntimeValue> operands,
                     const Extent::Bindings& dimensions)>
      proceed;
  /// If set, it is called after every instruction that has a value, also in callees.
  std::function<void(const Instruction&, std::span<const RuntimeValue> operands, const RuntimeValue&)>
      observe;
};

struct InterpretError {
  enum class Kind : std::uint8_t {
    argument,    ///< too few arguments, one of another type, a dimension that nothing binds
    extent,      ///< extents that disagree, a requirement that does not hold
    index,       ///< an index outside its range
    memory,      ///< a value over the byte limit, calls deeper than the limit
    external,    ///< a function without a body
    not_finite,  ///< `check_finite`
    steps,       ///< more branches and calls than the limit
    trap,        ///< the instruction `trap`
    stopped,     ///< `proceed`
  };
  Kind kind = Kind::argument;
  std::string text;                 ///< a sentence without a full stop; names positions and values
  std::vector<Location> locations;  ///< the locations of the instruction or requirement
  std::string function;             ///< the function in which it happened
};

struct Interpretation {
  RuntimeValue value;  ///< unspecified after an error
  std::optional<InterpretError> error;
  explicit operator bool() const { return !error; }
};

/// Calls the function and follows its branches until it returns. The arguments' extents bind symbolic
/// extents: each name is bound by the first axis whose extent is the name alone, or else by one in which it
/// is the only unknown and linear. All other extents are checked.
Interpretation interpret(const Function& function, std::span<const RuntimeValue> arguments,
                         const InterpretOptions& options = {});

/// Returns the result of one instruction with a tensor result, on concrete operands and constant extents.
/// Returns nothing if it fails, exceeds `byte_limit`, or depends on more than its operands (a call, a
/// symbolic extent).
std::optional<Tensor> fold(const Instruction& instruction, std::span<const Tensor> operands,
                           std::int64_t byte_limit = 1 << 20);

/// A value that is to have a type; `name` is for messages.
struct TypedValue {
  std::string name;
  const Type* type;
  const RuntimeValue* value;
};

/// Binds the names of the types by the values' extents, as `interpret` does, into `bindings` (which may hold
/// some already). What does not fit, one sentence each: another structure, rank or extent. Element types are
/// not looked at.
std::vector<std::string> bind_dimensions(std::span<const TypedValue> values, Extent::Bindings& bindings);

}  // namespace dlvm
