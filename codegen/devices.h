#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/object/tables.h"
#include "codegen/target/gpu/contents.h"
#include "codegen/target/gpu/tables.h"
#include "codegen/target/nvptx/images.h"
#include "dlvm/support/diagnostic.h"
#include "dlvm/ir/module.h"

namespace codegen {

/// Which devices an object is for, beside the processor.
struct DeviceOptions {
  bool cuda = false, emulator = false;
  std::vector<target::gpu::Architecture> architectures{{80, false}, {90, false}};  ///< of machine code
  bool tf32 = false;  ///< float32 products in one tf32 term, where the chip has tensor cores
  target::nvptx::ImageOptions images;
  bool any() const { return cuda || emulator; }
};

/// An entry point's function, with the dimensions in the order of its calls.
struct DeviceEntry {
  std::string function;  ///< of DLVM
  std::string compute;   ///< its name in the tables
  std::vector<std::string> dimensions;
};

/// The kernels of all entry points, as schedules and as LLVM IR: a program for each class of chips that the
/// options' architectures belong to, but one for classes whose schedules are equal.
class DeviceCode {
 public:
  /// Nothing after reporting an error.
  static std::optional<DeviceCode> make(const dlvm::Module& module, const std::vector<DeviceEntry>& entries,
                                        const DeviceOptions& options, llvm::LLVMContext& context,
                                        dlvm::Diagnostics& diagnostics);

  /// The schedules for one chip as text.
  std::string schedules(const target::gpu::Architecture& architecture) const;
  /// The PTX for one chip.
  std::optional<std::string> ptx(const target::gpu::Architecture& architecture,
                                 dlvm::Diagnostics& diagnostics) const;
  /// The machine code for one chip.
  std::optional<std::string> cubin(const target::gpu::Architecture& architecture,
                                   dlvm::Diagnostics& diagnostics) const;
  /// What `ptxas` says of every kernel on every chip.
  std::optional<std::string> report(dlvm::Diagnostics& diagnostics) const;

  /// Adds the code that launches, the images and the tables to the host's module. The emulator has the
  /// kernels of the newest class; their PTX is kept for chips to come.
  std::optional<DeviceTables> add_to(llvm::Module& host, dlvm::Diagnostics& diagnostics) const;

 private:
  struct Function {
    DeviceEntry entry;
    Scheduled scheduled;
    std::vector<std::vector<target::gpu::Grid>> grids;
  };
  /// For the chips of one class.
  struct Program {
    const schedule::gpu::GpuTarget* chip = nullptr;
    std::vector<target::gpu::Architecture> architectures;
    std::vector<Function> functions;
    target::gpu::Kernels kernels;
    std::unique_ptr<llvm::Module> code;
  };
  static bool schedule(Program& program, const dlvm::Module& module, const std::vector<DeviceEntry>& entries,
                       bool tf32, dlvm::Diagnostics& diagnostics);
  static std::string schedules(const Program& program);
  static std::vector<llvm::Function*> add_emulated(llvm::Module& host, const Program& program);
  const Program& program_for(const target::gpu::Architecture& architecture) const;
  target::gpu::Contents contents(const std::vector<target::gpu::ProgramTables>& tables) const;

  std::string module_;
  DeviceOptions options_;
  std::vector<Program> programs_;  ///< the newest class first
};

}  // namespace codegen
