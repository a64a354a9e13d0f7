#pragma once

#include <string>
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
};

/// One execution of a kernel on values. The extents of its axes follow from the entry point's dimensions.
struct Launch {
  std::uint32_t kernel = 0;           ///< position in Program::kernels; equal kernels are shared
  std::vector<std::uint32_t> values;  ///< one for each argument buffer
};

/// The facts about an index check that its message states: the index was not in [first, end).
struct CheckSite {
  std::string name;  ///< the name of the index value as the user knows it: `label`
  Shape shape;       ///< the shape of the index tensor, in which a failed check reports the position
  Extent first, end;
  dlvm::Location location;
};

/// A DLVM function as a sequence of launches; code generation works on it. Inputs and outputs are whole
/// tensors, row-major. A kernel copies an output that is an input or another output.
struct Program {
  std::string name;                     ///< the name of the function
  std::vector<std::string> dimensions;  ///< symbolic dimensions in the order in which the caller passes them
  std::vector<Value> values;
  std::vector<Kernel> kernels;
  std::vector<Launch> launches;
  std::vector<CheckSite> check_sites;
};

/// The first and the last launch that touch a value. If none does, `first` is greater than `last`.
struct Lifetime {
  std::size_t first = SIZE_MAX, last = 0;
};
/// Returns the lifetime of each value.
std::vector<Lifetime> lifetimes(const Program& program);

}  // namespace codegen::kernel
