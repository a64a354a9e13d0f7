#pragma once

#include <cstdint>
#include <string>

#include "codegen/header/model.h"

/// Prints the members of an entry point's structs in C++.
namespace codegen::header {

/// Returns whether the tensor has rank 0; such a tensor is passed by value.
inline bool is_scalar(const Tensor& tensor) { return tensor.extents.empty(); }

/// Tells how the members of a struct hold their tensors.
enum class MemberKind : std::uint8_t {
  given,     ///< views of constant elements, initialized
  returned,  ///< views, initialized
  owned,     ///< tensors that own their memory
};

/// Returns the members of an entry point's struct. `entry` tells the dimensions among its inputs apart.
std::string print_members(const Entry& entry, const std::vector<Member>& members, MemberKind kind,
                          int indent);

/// Returns the enums and the structs of the source that callers give or get: of views, with declarations of
/// those that own their memory.
std::string declare_structs(const Structs& structs);
/// Returns the structs that own their memory, and the functions that make values of enums.
std::string define_structs(const Structs& structs);

/// Returns a list of the inputs with their documentation, for the comment of a function.
std::string input_list(const EntryNames& names);

}  // namespace codegen::header
