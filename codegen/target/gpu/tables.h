#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <string>
#include <vector>

#include "codegen/object/tables.h"
#include "codegen/target/gpu/contents/contents.h"
#include "codegen/target/gpu/emit_enqueue.h"
#include "codegen/target/gpu/image.h"

namespace codegen::target::gpu {

/// The part of an entry point that runs on devices.
struct EntryProgram {
  const schedule::ScheduledProgram* scheduled = nullptr;
  llvm::Function* enqueue = nullptr;  ///< the function in the host's module
  GraphFunction graph;
  std::vector<std::string> dimensions;
};

/// The programs of all entries for one architecture and those above it.
struct ProgramTables {
  int architecture = 75;
  const Kernels* kernels = nullptr;
  std::vector<Image> images;  ///< without any, no call runs on a GPU
  int toolkit = 0;            ///< the CUDA Toolkit that made the machine code: 13000 for CUDA 13.0
  bool is_emulated = false;
  /// One function of the host's module for each kernel; empty without the emulator.
  std::vector<llvm::Function*> emulated;
  std::map<std::string, EntryProgram> entries;  ///< the same names for all architectures
};

/// Adds the struct `Devices` of runtime/abi.h for each entry to the host's module, and returns them by entry.
/// `tables` are ordered from the most demanding architecture to the least.
object::DeviceTables add_tables(llvm::Module& host, const std::vector<ProgramTables>& tables);

/// Adds the section that describes the contents of the object.
void add_contents(llvm::Module& host, const ObjectContents& contents);

}  // namespace codegen::target::gpu
