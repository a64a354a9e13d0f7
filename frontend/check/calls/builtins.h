// The functions that are not written in TEL: one line each in one table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dlvm/ir/instruction_table.h"
#include "frontend/check/calls/call.h"
#include "frontend/check/types/extents.h"

namespace frontend::check {

/// The kinds of a builtin's parameters.
enum class ParameterKind : std::uint8_t {
  value,        ///< a tensor
  values,       ///< as many tensors as there are positional arguments
  axes,         ///< `0` or `[0, 2]`
  axis,         ///< `-1`
  flag,         ///< `true` or `false`
  extent,       ///< a number or an expression of dimensions
  extents,      ///< `2` or `[2, 1]`
  shape,        ///< `[4 x 3]`
  amounts,      ///< `[1, 2; 0, 0]`: pairs of extents, one an axis
  paddings,     ///< extents or amounts
  permutation,  ///< `[0, 2, 1]`
};

struct BuiltinParameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::value;
  bool required = true;
};

struct BuiltinCall;

struct Builtin {
  std::string_view name;
  std::span<const BuiltinParameter> parameters;
  Node* (*make)(BodyContext&, const BuiltinCall&);
  dlvm::Opcode opcode;  ///< the instruction that tells apart the functions for which `make` serves
  std::string_view summary;
};

/// An argument, read as its parameter's kind says.
struct BuiltinArgument {
  bool given = false;
  Location location;
  Node* value = nullptr;
  bool flag = false;
  std::vector<std::int64_t> integers;
  Extent extent;
  std::vector<Extent> extents;
  Shape shape;
  std::vector<std::pair<Extent, Extent>> amounts;
};

struct BuiltinCall {
  const Builtin& builtin;
  Location location;
  std::vector<BuiltinArgument> arguments;  ///< one for each parameter
  std::vector<Node*> many;                 ///< the arguments of a parameter of kind `values`

  Node* value(std::size_t i) const { return arguments[i].value; }
  bool flag(std::size_t i) const { return arguments[i].given && arguments[i].flag; }
};

std::span<const Builtin> builtins();
/// Returns any builtin of that name, or null.
const Builtin* find_builtin(std::string_view name);
/// Returns the builtin of that name that takes so many arguments, or null: `min(a, b)` is another function
/// than `min(x)`.
const Builtin* find_builtin(std::string_view name, std::span<const Argument> arguments);
/// Returns the signature as a message quotes it: `sum(x, along, keep)`.
std::string signature(const Builtin& builtin);

/// Returns `x` broadcast to a shape. `explain_target` tells where the shape comes from, where `x` does not
/// fit.
Node* stretched(BodyContext& context, Node* x, const Shape& to, Location location,
                const Explanation& explain_target);

/// Build the calls of a family of builtins. Each family has a file of its own.
namespace make {
using Maker = Node*(BodyContext&, const BuiltinCall&);
Maker unary, binary;                                                                 // builtins.cpp
Maker reduction, mean, variance, logsumexp, arg_extremum, cumsum;                    // reductions.cpp
Maker reverse, stack, one_hot, iota, eye, broadcast, pad, transpose, stop_gradient;  // tensor_creation.cpp
Maker replace;                                                                       // replacement.cpp
Maker convolve, transposed_convolve;                                                 // convolutions.cpp
Maker extreme_pool, avg_pool;                                                        // pooling.cpp
Maker dropout;                                                                       // dropout.cpp
Maker uniform, normal, truncated_normal, orthogonal;                                 // initializers.cpp
Maker glorot, glorot_normal, he, he_uniform, lecun, lecun_uniform;                   // initializers.cpp
}  // namespace make

}  // namespace frontend::check
