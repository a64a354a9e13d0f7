#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dlvm/ir/function.h"

namespace dlvm {

/// A tensor that the compiled program holds beside its inputs: trained (`parameter`), not (`constant`), or
/// changed by calls (`state`).
/// Text: `parameter "W1": <784 x 256 x f32> initialized @initialize.W1 stream 7 from "fc1.weight"
/// transposed`, then `doc "…"`.
struct StoredTensor {
  enum class Role : std::uint8_t { parameter, constant, state };
  Role role = Role::parameter;
  std::string name;         ///< the name as in the source
  Type type;                ///< constant extents
  std::string initializer;  ///< name of a function (u64 key) -> type; empty: loaded from a file
  std::string doc;
  Location location;
  Location written = {};            ///< where a text has the tensor; not in the text
  std::string file_name = {};       ///< the name in files of weights; empty: `name`
  bool transposed_in_file = false;  ///< files have the last two axes in the other order
  /// What is added to the seed of a run, without regard to overflow, for the key that the initializer takes.
  /// So tensors can share an initializer and yet draw different numbers.
  std::uint64_t stream = 0;

  /// Returns the name in files of weights.
  const std::string& name_in_file() const { return file_name.empty() ? name : file_name; }
  /// Returns the location for messages.
  Location place() const { return location.valid() ? location : written; }
};

/// The meaning of an argument of an entry point's function for the caller.
enum class ArgumentRole : std::uint8_t { input, parameter, constant, state, cotangent, seed };
/// The meaning of an element of its result. `next` is what the state or the parameter of that name becomes.
enum class ResultRole : std::uint8_t { output, loss, metric, kept, derivative, next };
enum class EntryKind : std::uint8_t { forward, evaluate, gradient, named_gradient, step };

std::string_view word(StoredTensor::Role role);
std::string_view word(ArgumentRole role);
std::string_view word(ResultRole role);
std::string_view word(EntryKind kind);

/// A function that the compiled program calls.
/// Text: `entry forward "forward" @forward(input "x", parameter "W1") -> (output "y") doc "…"`;
/// arguments and results in the order of the function's parameters and of its result tuple.
struct EntryPoint {
  struct Argument {
    ArgumentRole role;
    std::string name;  ///< the name as in the source; a cotangent has the name of its `out`
    std::string doc;
    /// The struct of each part of the name before the last; of a case's number then the enum and its cases.
    std::vector<std::string> structs = {};
  };
  struct Result {
    ResultRole role;
    /// The name as in the source; a derivative has the name of the value by which it is taken.
    std::string name;
    std::string doc;
    std::vector<std::string> structs = {};  ///< as those of an argument
  };
  EntryKind kind = EntryKind::forward;
  std::string name;      ///< the name as the caller sees it
  std::string function;  ///< without the `@`
  std::vector<Argument> arguments;
  std::vector<Result> results;
  std::string doc;
  Location location;
  Location written = {};  ///< where a text has the entry point; not in the text

  /// Returns the location for messages.
  Location place() const { return location.valid() ? location : written; }
};

/// A variable that the functions of a module share: its address is a pointer in them. Each run of the program
/// begins with zeros in it. Text: `var @weights: $MNIST`.
struct Global {
  std::string name;  ///< without the `@`
  Type type;
  Location location;
};

/// A compilation unit. Owns its functions; the `Sources` that locations point to must outlive it.
class Module {
 public:
  enum class Stage : std::uint8_t { raw, canonical };

  explicit Module(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

  const std::vector<std::unique_ptr<Function>>& functions() const { return functions_; }
  /// Adds a function without a body. The name must be new.
  Function* add_function(std::string name, Type type);
  Function* function(std::string_view name) const;
  /// Returns a name that is not taken: `name`, or `name.1`, `name.2` …
  std::string fresh_name(std::string_view name);
  /// Adds a type; its declaration keeps its address. The name must be new.
  TypeDeclaration* add_type(TypeDeclaration declaration);
  const std::vector<std::unique_ptr<TypeDeclaration>>& types() const { return types_; }
  /// Adds a variable; functions and variables have different names.
  Global* add_global(Global global);
  const std::vector<std::unique_ptr<Global>>& globals() const { return globals_; }
  /// Removes functions that nothing uses any more; the caller makes sure.
  void erase_functions(const std::unordered_set<const Function*>& functions);

  Stage stage = Stage::raw;
  std::string doc;
  std::vector<StoredTensor> tensors;
  std::vector<EntryPoint> entries;

 private:
  std::string name_;
  std::vector<std::unique_ptr<TypeDeclaration>> types_;  ///< outlive what has such a type
  std::vector<std::unique_ptr<Global>> globals_;
  std::vector<std::unique_ptr<Function>> functions_;
  std::unordered_map<std::string_view, Function*> by_name_;  ///< the first of that name
  std::unordered_map<std::string, std::size_t> numbers_;     ///< the last behind a name that was not taken
};

}  // namespace dlvm
