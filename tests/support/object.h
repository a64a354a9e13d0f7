#pragma once

#include <memory>
#include <string>

#include "codegen/jit/load.h"
#include "dlvm/ir/module.h"

/// Objects under test. Two libraries have these functions: `test_support` compiles; `test_support_opened`
/// opens what was compiled before, and needs no LLVM, so that its tests run where there is only a driver.
namespace test {

/// What an object is for beside the processor.
struct Devices {
  bool cuda = false, emulator = false;
  int architecture = 0;  ///< 75: for sm_75 alone; 0: the default ones
  bool any() const { return cuda || emulator; }
};

/// The module's object for a processor of the level x86-64-v3, or the one that the environment's TEL_TEST_CPU
/// names, and for `devices`, loaded; null, and why, where that fails. Opened ones lie in the folder that the
/// environment's TEL_TEST_OBJECTS names, and are for what they were compiled for.
std::unique_ptr<codegen::jit::LoadedObject> load(const dlvm::Module& module, const std::string& source,
                                                 std::string& why, const Devices& devices = {});

/// Whether the environment's TEL_TEST_RECORD names a folder: then a test writes its objects there (`record`)
/// and calls nothing.
bool recording();
/// Compiles the module for the processor, the emulator and the chips that TEL_TEST_GPU_ARCH lists ("90a
/// 100a"; "none": for the processor alone), and writes it to the folder, NAME.o by `object_name`. False, and
/// why, where that fails.
bool record(const dlvm::Module& module, const std::string& source, std::string& why);

/// 16 hexadecimal digits over the module's text.
std::string object_name(const dlvm::Module& module);

}  // namespace test
