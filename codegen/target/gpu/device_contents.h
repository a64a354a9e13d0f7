#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codegen/target/gpu/contents.h"

namespace codegen::target::gpu {

/// What an object file holds for devices: nothing in the list where it is for the processor alone, or not by
/// telc. Nothing, and why, where the bytes are no object file that telc writes; they may be anything.
std::optional<std::vector<Contents>> device_contents(const std::string& bytes, std::string& why);

}  // namespace codegen::target::gpu
