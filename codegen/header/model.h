#pragma once

#include <string>
#include <vector>

#include "codegen/interface/arguments.h"
#include "codegen/interface/interface.h"

/// The interface with the names that it has in the header, for both of its halves.
namespace codegen::header {

/// An input or output in C and C++.
struct TensorNames {
  std::string cpp;        ///< member of `ForwardInputs` …
  std::string c;          ///< member of the argument struct
  std::string c_extents;  ///< likewise; empty where all extents are constant
};

struct EntryNames {
  const Entry* entry = nullptr;
  Arguments arguments;
  std::string name;  ///< of the functions: `forward`
  std::string type;  ///< prefix of the types: `Forward`
  std::string c;     ///< prefix of the C functions: `mlp_forward`
  std::vector<TensorNames> inputs, outputs;
  std::vector<std::string> dimensions;  ///< parameters of `forward_workspace`
  bool parameters = false, constants = false, gradients = false, seed = false;
  bool has_cotangents = false, has_gradient_outputs = false;
};

struct Model {
  const Interface* interface = nullptr;
  std::string module;   ///< the namespace, and the prefix of C names
  std::string version;  ///< the inline namespace in it, which two interfaces of one name do not share
  std::vector<EntryNames> entries;
  std::vector<std::string> parameters, constants;  ///< members of `Parameters`, `Constants`
};

Model make_model(const Interface& interface);

/// `float`, `int32_t`, `tel_float16` in C; `float`, `std::int32_t`, `tel::float16` in C++.
std::string c_type(dlvm::ElementType type);
std::string cpp_type(dlvm::ElementType type);

/// `[N x 784]`, with `?` for an extent without a name; empty for a scalar.
std::string shape_text(const Tensor& tensor);
/// `float, tel::dynamic, 784`: the arguments of `tel::View`.
std::string view_arguments(const Tensor& tensor, bool constant);
/// `tel::dynamic` or the number.
std::string cpp_extent(const dlvm::Extent& extent);

/// The C interface of the network.
std::string print_c(const Model& model);
/// The C++ interface of the network: its types and the functions that users call, without their bodies.
std::string print_cpp_declarations(const Model& model);
/// Defines what the declarations leave open: the classes that own memory, and the bodies.
std::string print_cpp_definitions(const Model& model);
/// Whether the declarations need complete 16-bit floats: an entry has scalars of such a type.
bool declares_floats(const Model& model);

}  // namespace codegen::header
