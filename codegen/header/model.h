#pragma once

#include <string>
#include <vector>

#include "codegen/header/fields.h"
#include "codegen/header/structs.h"
#include "codegen/interface/arguments.h"
#include "codegen/interface/interface.h"

/// The interface together with the names that its parts have in the header. Both halves of the header, C and
/// C++, are printed from it.
namespace codegen::header {

using interface::Arguments;
using interface::Entry;
using interface::Input;
using interface::Interface;
using interface::Output;
using interface::Store;
using interface::Tensor;

/// The names of an input or output in C and C++.
struct TensorNames {
  std::string cpp;            ///< member of `ForwardInputs` …, that of a struct with its path: `line.slope`
  std::string c;              ///< member of the argument struct
  std::string c_extents;      ///< the same as C code; empty if all extents are constant
  std::string cpp_enum = {};  ///< the enum in C++, of the number of a case
};

/// The names of an entry point.
struct EntryNames {
  const Entry* entry = nullptr;
  Arguments arguments;
  std::string name;  ///< the name of its functions: `forward`
  std::string type;  ///< prefix of the types: `Forward`
  std::string c;     ///< prefix of the C functions: `mlp_forward`
  std::vector<TensorNames> inputs, outputs;
  /// Members of `ForwardInputs` and `ForwardOutputs`, and of their `cotangent` and `gradient`.
  std::vector<Member> input_members, cotangent_members, output_members, gradient_members;
  std::vector<std::string> dimensions;  ///< parameters of `forward_workspace`
  bool parameters = false, constants = false, state = false, gradients = false, seed = false;
  bool has_cotangents = false, has_gradient_outputs = false;
};

/// Returns whether the input is a tensor, of which callers give a view.
bool is_input_tensor(const EntryNames& names, std::size_t input);
/// Returns whether any of them is one.
bool has_input_tensors(const EntryNames& names);

/// The names of a module.
struct Model {
  const Interface* interface = nullptr;
  std::string module;   ///< the namespace, and the prefix of C names
  std::string version;  ///< the inline namespace in it, which two interfaces of one name do not share
  std::vector<EntryNames> entries;
  Structs structs;
  std::vector<std::string> parameters, constants, state;  ///< members of the structs in C
  /// Members of `Parameters`, `Constants`, `State`.
  std::vector<Field> parameter_fields, constant_fields, state_fields;
};

/// Returns the interface with a name for each part; no two names in one scope are equal. `interface` must
/// outlive it.
Model make_model(const Interface& interface);

/// Return the name of an element type: `float`, `int32_t`, `tel_float16` in C; `float`, `std::int32_t`,
/// `tel::float16` in C++.
std::string c_type(dlvm::ElementType type);
std::string cpp_type(dlvm::ElementType type);

/// Returns the tensor's shape as `[N x 784]`, with `?` for an extent without a name; empty for a scalar.
std::string shape_text(const Tensor& tensor);
/// Returns the template arguments of `tel::View` for the tensor: `float, tel::dynamic, 784`.
std::string view_arguments(const Tensor& tensor, bool constant);
/// Returns the extent's number, or `tel::dynamic` if it is not constant.
std::string cpp_extent(const dlvm::Extent& extent);

/// Returns the C interface of the network.
std::string print_c(const Model& model);
/// Returns the C++ interface of the network: its types and the functions that users call, without their
/// bodies.
std::string print_cpp_declarations(const Model& model);
/// Returns the definitions that the declarations leave open: the classes that own memory, and the bodies.
std::string print_cpp_definitions(const Model& model);
/// Returns whether the declarations need complete 16-bit floats because an entry point has scalars of such a
/// type.
bool declares_floats(const Model& model);

}  // namespace codegen::header
