#pragma once

#include <string>
#include <utility>
#include <vector>

#include "codegen/interface/interface.h"
#include "codegen/interface/names.h"

/// The structs and enums of inputs and results. The tensors `s.line.slope` and `s.line.offset` of a network
/// are `inputs.s.line.slope` and `inputs.s.line.offset` in C++, where `line` is of the struct that the source
/// declares.
namespace codegen::header {

/// A member of a struct of inputs or results: a tensor, or a struct.
struct Member {
  std::string part;                           ///< the part of the tensor's name: `line`
  std::string name;                           ///< the name in C++
  const interface::Tensor* tensor = nullptr;  ///< null where it is a struct
  std::size_t index = 0;                      ///< the tensor's number among the inputs or outputs
  std::string type;                           ///< the struct, as the source names it
  /// The name in C++ of the struct, without `Outputs` or `Result`; of the enum, if the tensor is the number
  /// of a case.
  std::string cpp_type;
  std::vector<Member> members;

  /// Returns the first of its tensors.
  const interface::Tensor& first() const { return tensor != nullptr ? *tensor : members.front().first(); }
};

/// A struct of the source that callers give or get, or an enum with payloads: a struct of `kind`, the number
/// of the case, and the payloads of all cases, `circle_0`. Of an enum that holds itself these are tables of
/// nodes, and `root` is the number of the node that is the value, or of those of a batch.
struct Struct {
  /// Makes a value of the enum that has this case.
  struct Case {
    std::string source;  ///< the name in the source
    std::string name;    ///< the name of the function in C++
  };
  std::string source;  ///< the name in the source
  std::string name;    ///< the name in C++
  std::vector<Member> members;
  bool given = false, returned = false;
  std::vector<Case> cases = {};  ///< of an enum that does not hold itself; of others it is empty
  std::string tables_of = {};    ///< the enum, as the source names it, if the members are tables of nodes
  bool is_batch() const {
    return members.back().tensor != nullptr && !members.back().tensor->extents.empty();
  }

  /// Returns whether the member is of the payload of the case.
  static bool is_payload(const Member& member, const Case& of);
};

/// The numbers of the cases of an enum that callers give or get.
struct Enumeration {
  std::string source;                    ///< the name of the enum in the source
  std::string name;                      ///< the name in C++
  std::vector<std::string> cases;        ///< as the source names them
  std::vector<std::string> enumerators;  ///< their names in C++
  bool payloads = false;                 ///< the enum has payloads, and is a struct as well
};

/// A class that makes tables of nodes of an enum that holds itself.
struct NodeClass {
  std::string source;                ///< the enum, as the source names it
  std::string name;                  ///< the name in C++
  std::vector<Struct::Case> cases;   ///< with the functions that add a node
  std::vector<std::size_t> structs;  ///< the positions of the structs that it gives among those of the module
};

/// The structs of a module, each behind those that it holds, and its enums.
class Structs {
 public:
  /// Enters the structs and enums of all entry points. Names that `scope` has are not used, and those of the
  /// types are added to it. `interface` must outlive this.
  Structs(const interface::Interface& interface, interface::Names& scope);
  Structs() = default;

  /// Returns the members for tensors, of which each has its number with it. Tensors of a struct that is not
  /// complete, or has other shapes than the one of that name with the fewest axes, as sequences of it have,
  /// are members of their own. A member gets a name that `scope` leaves free.
  std::vector<Member> members_of(const std::vector<std::pair<std::size_t, const interface::Tensor*>>& tensors,
                                 const interface::Names& scope) const;

  /// Returns the name in C++ of the enum of the number of a case; empty for any other tensor.
  std::string enum_of(const interface::Tensor& tensor) const;
  /// The same for a table of such numbers as well.
  std::string enum_of_elements(const interface::Tensor& tensor) const;

  const std::vector<Struct>& all() const { return all_; }
  const std::vector<Enumeration>& enumerations() const { return enumerations_; }
  const std::vector<NodeClass>& node_classes() const { return node_classes_; }

 private:
  void enter(const Member& member, bool given);
  void enter(const interface::Tensor& tensor);
  bool is_known(const Member& member) const;
  const Struct& find(const std::string& source) const;
  void name_members(std::vector<Member>& members, interface::Names scope) const;
  void name_cases(Struct& made) const;
  void add_node_classes(interface::Names& scope);

  std::vector<Struct> all_;
  std::vector<Enumeration> enumerations_;
  std::vector<NodeClass> node_classes_;
  interface::Names fields_;  ///< the names that fields cannot have
};

/// Returns whether the tensor is the number of a node of an enum that holds itself, or a table of such.
inline bool is_node(const interface::Tensor& tensor) {
  return !tensor.enumeration.empty() && tensor.type == dlvm::ElementType::i64;
}

/// Calls `visit(path, member)` for each tensor, with its path in C++: `s.line.slope`.
template <typename Visit>
void for_each_tensor(const std::vector<Member>& members, const std::string& before, const Visit& visit) {
  for (const Member& each : members)
    if (each.tensor != nullptr)
      visit(before + each.name, each);
    else
      for_each_tensor(each.members, before + each.name + ".", visit);
}

}  // namespace codegen::header
