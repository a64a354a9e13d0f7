#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/interface/interface.h"

namespace codegen {

/// One member of an entry's argument struct, `<module>_<entry>_arguments`.
struct ArgumentMember {
  enum class Kind : std::uint8_t {
    size,           ///< size_t, the struct's own
    dimension,      ///< int64_t; `index` in inputs
    input,          ///< pointer to const elements, or a scalar; `index` in inputs
    input_extents,  ///< int64_t[rank], where some extent is not constant
    parameters,     ///< pointers to the stores, where the entry takes them
    constants,
    gradients,
    output,  ///< pointer to elements, or a scalar; `index` in outputs
    output_extents,
    workspace,       ///< void*
    workspace_size,  ///< size_t
    options,         ///< const tel_options*
  };
  Kind kind;
  std::size_t index = 0;
  std::string name;         ///< in C
  std::int64_t offset = 0;  ///< in bytes, by the rules of C on 64-bit targets
};

struct Arguments {
  std::vector<ArgumentMember> members;  ///< in the struct's order
  std::int64_t size = 0;                ///< sizeof

  const ArgumentMember* find(ArgumentMember::Kind kind, std::size_t index = 0) const;
};

/// The struct that header and object agree on.
Arguments arguments_of(const Entry& entry);

/// Whether the caller gives or gets the tensor's extents: some extent is not constant.
bool has_free_extents(const Tensor& tensor);

}  // namespace codegen
