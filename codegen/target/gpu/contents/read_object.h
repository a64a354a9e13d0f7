#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/target/gpu/contents/contents.h"

namespace codegen::target::gpu {

/// Returns the device contents of an object file, for each of its networks. The list is empty if telc did not
/// write the object or wrote it for the processor alone. Returns nothing and the reason in `why` if the
/// bytes, which may be any bytes, are not an object file of the kind that telc writes.
std::optional<std::vector<ObjectContents>> device_contents(const std::string& bytes, std::string& why);

}  // namespace codegen::target::gpu
