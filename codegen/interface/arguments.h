#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/interface/interface.h"

namespace codegen::interface {

/// One member of an entry's argument struct, `<module>_<entry>_arguments`.
struct ArgumentMember {
  enum class Kind : std::uint8_t {
    size,           ///< size_t: the size of the struct
    dimension,      ///< int64_t; `index` counts inputs
    input,          ///< pointer to const elements, or a scalar; `index` counts inputs
    input_extents,  ///< int64_t[rank]; present if some extent is not constant
    parameters,     ///< pointer to the store, as the next three; each is present if the entry takes the store
    constants,
    state,
    gradients,
    output,  ///< pointer to elements, or a scalar; `index` counts outputs
    output_extents,
    workspace,       ///< void*
    workspace_size,  ///< size_t
    options,         ///< const tel_options*
    frozen,          ///< pointer to what the module's function `freeze` has filled, or null
  };
  Kind kind;
  std::size_t index = 0;
  std::string name;         ///< the member's name in C
  std::int64_t offset = 0;  ///< the offset in bytes, by the layout rules of C on 64-bit targets
};

/// The layout of an entry's argument struct.
struct Arguments {
  std::vector<ArgumentMember> members;  ///< the members in the struct's order
  std::int64_t size = 0;                ///< sizeof

  /// Returns the member of that kind and index, or null if the struct has none.
  const ArgumentMember* find(ArgumentMember::Kind kind, std::size_t index = 0) const;
};

/// Returns the layout of the entry's argument struct, on which header and object agree.
Arguments arguments_of(const Entry& entry);

/// Returns whether the argument struct holds the tensor's extents, which it does if some extent is not
/// constant.
bool has_free_extents(const Tensor& tensor);

}  // namespace codegen::interface
