#pragma once

#include <memory>
#include <string>

#include "codegen/jit/load.h"

namespace test {

/// Memory of the device that calls of `kind` compute on: of GPU 0, through the driver, which is opened here;
/// else the processor's own. For any thread. Null, and why, where there is no GPU.
std::unique_ptr<codegen::jit::DeviceMemory> device_memory(codegen::jit::CallTarget::Kind kind,
                                                          std::string& why);

}  // namespace test
