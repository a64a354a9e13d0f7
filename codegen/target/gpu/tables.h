#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "codegen/object/tables.h"
#include "codegen/target/gpu/contents.h"
#include "codegen/target/gpu/image.h"
#include "codegen/target/gpu/program.h"

namespace codegen::target::gpu {

/// The part of an entry point that runs on devices.
struct EntryProgram {
  const schedule::ScheduledProgram* scheduled = nullptr;
  llvm::Function* enqueue = nullptr;  ///< in the host's module
  std::vector<std::string> dimensions;
};

/// The programs of all entries for chips from some architecture on.
struct ProgramTables {
  int architecture = 75;
  const Kernels* kernels = nullptr;
  std::vector<Image> images;              ///< if there is none, no call runs on a GPU
  int toolkit = 0;                        ///< that made the machine code: 13000 for CUDA 13.0
  std::vector<llvm::Function*> emulated;  ///< one for each kernel, in the host's module; empty: no emulator
  std::map<std::string, EntryProgram> entries;  ///< the same names for all architectures
};

/// Adds runtime/abi.h's `Devices` for each entry to the host's module. The programs for the most demanding
/// architecture come first.
DeviceTables add_tables(llvm::Module& host, const std::vector<ProgramTables>& tables);

/// Adds the section that describes the contents of the object.
void add_contents(llvm::Module& host, const Contents& contents);

}  // namespace codegen::target::gpu
