#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/ast/ast.h"
#include "frontend/check/body.h"

/// The nets of a checked module (checked_module.h).
namespace frontend::check {

struct Declaration;
struct Function;
struct Net;
struct NetType;
struct Scope;

/// A tensor of a net: those of an instance are numbered in the order of declaration, with the tensors of an
/// inner net in its place, and those of an array element by element.
struct NetTensor {
  std::size_t number = 0;
  std::string name;  ///< `W`, `tower.0.W`
  Declaration* declaration = nullptr;
  /// What {path} stands for in its name in files: {path} where it is the instance's own tensor, and else the
  /// path of the inner net, such as {path}.tower.0.
  std::string path;
};

/// The functions of a file or a net; those of one name differ in their signatures.
using FunctionNames = std::map<std::string, std::vector<Function*>, std::less<>>;

/// The nets that parameters of a net stand for, by the names of these parameters.
using NetParameters = std::map<std::string, Net*, std::less<>>;

/// A net as it is written.
struct Net {
  /// A param, a const, a state, or an instance of another net.
  struct Member {
    std::string name;
    Location location;
    const ast::Declaration* declaration = nullptr;
    const ast::NetInstance* instance = nullptr;
    Net* net = nullptr;  ///< what it is an instance of; null after an error
    bool used = false;
  };
  const ast::Net* syntax = nullptr;
  Scope* scope = nullptr;
  std::vector<Member> members;  ///< in the order of the source
  FunctionNames functions;
  /// The parameters that are nets, each with its default, and not extents.
  NetParameters net_parameters;
  const NetType* sample = nullptr;  ///< with dimensions that stand for themselves, for the check of functions
  bool failed = false;
  bool used = false;

  const std::string& name() const { return syntax->name.text; }
  /// Returns the parameter that the declaration of an instance names, `first: Layer(3, 4)`; null where it
  /// names a net.
  const std::string* net_parameter(const ast::NetInstance& instance) const;
  bool has_dimension(std::string_view dimension) const;
};

/// A net for given extents. Its instances share what is here: types, initializers and functions.
struct NetType {
  struct Member {
    Net::Member* written = nullptr;
    Declaration* declaration = nullptr;  ///< of a param, a const or a state
    const NetType* type = nullptr;       ///< of an inner net; null after an error
    std::int64_t count = 0;              ///< the extent of an array of nets; 0 where it is none
    std::size_t first = 0;               ///< the number of its first tensor
  };
  Net* net = nullptr;
  std::string text;  ///< `Dense(784, 256)`
  /// The location of the first instance; of one in a library net, that of the library net's.
  Location location;
  std::string owner;  ///< the instance whose type it is alone, because shapes are found for it; else empty
  std::map<std::string, Extent, std::less<>> dimensions;
  NetParameters nets;                      ///< of the parameters that are nets
  ElementType element = ElementType::f32;  ///< the type of tensors that are declared without one
  bool sample = false;
  std::vector<Member> members;
  std::size_t tensors = 0;  ///< the number of tensors that are stored for an instance

  const Member* member(std::string_view name) const;
  NetTensor tensor(std::size_t number) const;
};

}  // namespace frontend::check
