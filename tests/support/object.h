#pragma once

#include <memory>
#include <string>

#include "codegen/devices.h"
#include "codegen/load/load.h"
#include "dlvm/ir/module.h"

namespace test {

/// The module compiled for this machine's processor, and for `devices`, and loaded; null, and why, where that
/// fails.
std::unique_ptr<codegen::LoadedObject> load(const dlvm::Module& module, const std::string& source,
                                            std::string& why, const codegen::DeviceOptions& devices = {});

}  // namespace test
