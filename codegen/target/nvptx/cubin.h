#pragma once

#include <set>
#include <string>

#include "codegen/target/gpu/image.h"

namespace codegen::target::nvptx {

/// Returns why `cubin`, an ELF file of machine code as `ptxas` writes it, is not code for `architecture` that
/// contains all of `kernels`, or an empty text if it is. The bytes may be any bytes.
std::string what_is_wrong(const std::string& cubin, const target::gpu::Architecture& architecture,
                          const std::set<std::string>& kernels);

}  // namespace codegen::target::nvptx
