#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dlvm/ir/element_type.h"
#include "dlvm/ir/extent.h"

/// The interface of a compiled module, as plain data: entry points, their arguments, and the stores of
/// parameters, constants and states. It is made from the front end's entry points and from the schedules
/// (codegen/describe_interface.h). The header, the manifest and the object's tables are printed from it
/// alone, so they agree.
namespace codegen::interface {

/// A named tensor as users see it. `name` is spelled as in the source; headers derive a C++ name from it.
struct Tensor {
  std::string name;
  dlvm::ElementType type = dlvm::ElementType::f32;
  dlvm::Shape extents;
  std::string doc;  ///< the text of its `///` comment, lines joined by '\n', or empty
  /// Names the struct that each part of the name but the last is, where the argument or the result is a
  /// tensor of a struct, `s.line.slope`. It is empty for all others, also where their names have dots.
  std::vector<std::string> structs = {};
  /// Name the enum and its cases where the tensor is the number of a case. They are empty for all others.
  std::string enumeration = {};
  std::vector<std::string> cases = {};
};

/// A tensor of `Parameters` and `Gradients`, of `Constants`, or of `State`. Its extents are constant.
struct StoredTensor {
  Tensor tensor;
  std::string file_name;            ///< the name in files of weights; empty: that of the tensor
  bool transposed_in_file = false;  ///< files have the last two axes in the other order
  std::int64_t offset = 0;          ///< the offset in bytes, set by `lay_out`
  /// The LLVM function that computes the initial value (runtime/abi.h: one result, the seed as its only
  /// argument if `initializer_takes_seed`); empty in `Constants`.
  std::string initializer;
  bool initializer_takes_seed = false;
  std::uint64_t initializer_stream = 0;  ///< what is added to the seed
  std::vector<std::vector<dlvm::Extent>> initializer_slots;
};

/// One buffer of tensors. Tensors of one element type are adjacent, in order of declaration. Every tensor
/// begins at a multiple of 64 bytes, and the bytes between tensors are 0.
struct Store {
  std::vector<StoredTensor> tensors;
  std::int64_t size = 0;  ///< the size in bytes, a multiple of 64, set by `lay_out`
};

/// Sets the offsets and the size. Returns false if the store exceeds 2^62 bytes.
bool lay_out(Store& store);

/// Memory that `freeze` fills from a parameter, in the order in which kernels read it.
struct FrozenOperand {
  std::size_t parameter = 0;  ///< the position in the module's parameters
  /// The LLVM function that fills the memory (runtime/abi.h: the parameter is its argument).
  std::string compute;
  std::vector<std::vector<dlvm::Extent>> slots;  ///< the workspace of `compute`
  std::int64_t offset = 0;                       ///< the offset in bytes, a multiple of 64
};

/// The relation of an entry point to the network.
enum class EntryKind : std::uint8_t { forward, evaluate, gradient, named_gradient, step };

/// An argument that the caller gives.
struct Input {
  enum class Role : std::uint8_t {
    input,
    cotangent,  ///< the seed of the output of that name: `.cotangent = {.y = …}`
    dimension,  ///< an int64 that gives the dimension of that name: `.M = 5`
  };
  Tensor tensor;
  Role role = Role::input;
};

/// A tensor that the call computes.
struct Output {
  Tensor tensor;
  /// The output is `result.gradient.x`, as those of a named gradient are, rather than `result.y`.
  bool in_gradient = false;
};

/// A free dimension of an entry point, in the order of the compute function's `dims`. `bind_dimensions` makes
/// it.
struct Dimension {
  std::string name;
  std::size_t input = 0;  ///< index in `Entry::inputs`; one of role `dimension` gives it directly
  std::size_t axis = 0;
  std::int64_t scale = 1;  ///< the axis has extent scale * dimension + offset
  dlvm::Extent offset;     ///< an extent over earlier dimensions alone
};

/// Says where an argument or a result of the compute function comes from.
struct Binding {
  enum class Kind : std::uint8_t {
    input,      ///< `index` in inputs (argument)
    output,     ///< `index` in outputs (result)
    parameter,  ///< `index` in the module's parameters (argument)
    constant,   ///< `index` in the module's constants (argument)
    state,      ///< `index` in the module's states (argument)
    next,       ///< the next value of state `index`, written to `State` when the call has succeeded (result)
    updated,    ///< the next value of state `index`, for which the function writes to `State` itself (result)
    trained,    ///< the next value of parameter `index`, written to `Parameters` likewise (result)
    updated_alone,      ///< likewise, while inputs are read, which are not in that memory (result)
    updated_parameter,  ///< the next value of parameter `index`, written like `updated_alone` (result)
    gradient,           ///< the derivative for parameter `index`, written to `Gradients` (result)
    dimension,          ///< `index` in `Entry::dimensions`: its value as an i64 (argument)
    seed,               ///< the u64 seed of the call's options (argument)
    frozen,             ///< `index` in what the module freezes (argument of a frozen form)
  };
  Kind kind = Kind::input;
  std::size_t index = 0;
};

/// A relation between extents that could not be proved at compile time. The runtime checks it before
/// computing.
struct Check {
  enum class Relation : std::uint8_t { equal, at_most };
  Relation relation = Relation::equal;
  dlvm::Extent left, right;
  /// The message without the entry's name: `x[1:5] ends at {left}, axis 0 of x has extent {right}`.
  std::string text;
};

/// A place where an index computed at run time is used: a gather, a label; or a trap. The compute function
/// reports it by its number in `Entry::index_sites`.
struct IndexSite {
  std::string name;           ///< the name of the index tensor as the user knows it: `label`
  dlvm::Shape extents;        ///< the extents of the index tensor
  dlvm::Extent first, bound;  ///< indices are first … bound - 1
  bool is_trap = false;       ///< it has no indices, and its name is the message
};

/// A function that computes an entry point on the processor (runtime/abi.h).
struct ProcessorCode {
  std::string compute;             ///< the LLVM function's name
  std::vector<Binding> arguments;  ///< the origins of its arguments, in order
  /// The workspace. Each slot is as large as the largest of its sizes in bytes, and aligned to 64. The last
  /// `core_slots` exist once for each core.
  std::vector<std::vector<dlvm::Extent>> slots;
  std::size_t core_slots = 0;
  bool divides_work = false;  ///< several cores may compute
};

/// An entry point: one C function, and several overloads in C++.
struct Entry {
  std::string name;  ///< `forward`, `evaluate`, `gradient`, or the named gradient's
  EntryKind kind = EntryKind::forward;
  std::string doc;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<Dimension> dimensions;
  std::vector<Check> checks;
  std::vector<IndexSite> index_sites;

  ProcessorCode code;
  std::vector<Binding> results;  ///< the destinations of the results of `code`, in order
  /// Computes the same from frozen parameters; absent where these would save nothing.
  std::optional<ProcessorCode> frozen;

  /// Returns whether some argument is of that kind.
  bool reads(Binding::Kind kind) const;
  /// Returns whether some result is of that kind.
  bool writes(Binding::Kind kind) const;
  /// Returns whether some result is of kind `gradient`.
  bool writes_gradients() const;
  /// Returns whether some result is of kind `next`, `updated` or `updated_alone`.
  bool updates_state() const;
  /// Returns whether some result is of kind `trained` or `updated_parameter`.
  bool updates_parameters() const;
  /// Returns whether the call reads parameters or updates them.
  bool takes_parameters() const;
  /// Returns whether callers may freeze the parameters: the call reads them, and computes nothing by which
  /// they change.
  bool takes_frozen() const;
  /// Returns whether the call reads states or updates them.
  bool takes_state() const;
};

/// Finds, for every name in the entry's extents (inputs, outputs, checks, sites, slots) and every dimension
/// with which its function computes, the input axis that binds it: the first axis whose extent is the name
/// alone, or else the first that is linear in it and otherwise uses bound dimensions. The runtime verifies
/// the other extents on every call. A name that no axis binds gets an input of role `dimension`, after the
/// others, unless there is one already. Fills `dimensions` in the order of binding.
void bind_dimensions(Entry& entry, const std::vector<std::string>& computed_with = {});

/// The interface of a module.
struct Interface {
  std::string module;  ///< name of the module: the namespace and the prefix of C names
  std::string doc;
  std::string source;                 ///< the file's name as given, for the header's first line
  Store parameters;                   ///< `param`s
  Store constants;                    ///< `const`s without an expression
  Store state;                        ///< `state`s
  std::vector<FrozenOperand> frozen;  ///< all that `freeze` fills, in one buffer
  std::int64_t frozen_size = 0;       ///< the size of that buffer in bytes, a multiple of 64
  std::vector<Entry> entries;

  /// Returns whether there is a store that is loaded and saved.
  bool has_stores() const {
    return !parameters.tensors.empty() || !constants.tensors.empty() || !state.tensors.empty();
  }
};

/// Returns a hash in 16 hexadecimal digits of everything on which callers and the object must agree: names,
/// types, extents, offsets, order; not documentation and not code. The symbols of the entry points contain
/// it.
std::string interface_hash(const Interface& interface);

/// The symbols of a module's C functions. Names in the source have no dots, so these do not collide with any.
class SymbolNames {
 public:
  explicit SymbolNames(const Interface& interface);

  /// Returns the symbol of an entry's C function. `part` is empty for the call itself, or `prepare`, `wait`
  /// or `workspace`.
  std::string of(const Entry& entry, const std::string& part = {}) const;
  /// Returns the symbol of one of the module's own C functions: `initialize`, `initialize_state`, `load`,
  /// `save`.
  std::string of(const std::string& name) const;

 private:
  std::string module_, hash_;
};

}  // namespace codegen::interface
