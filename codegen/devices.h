#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/device/contents.h"
#include "codegen/device/tables.h"
#include "codegen/object/tables.h"
#include "dlvm/diagnostics/diagnostic.h"
#include "dlvm/ir/module.h"

namespace codegen {

/// Which devices an object is for, beside the processor.
struct DeviceOptions {
  bool cuda = false, emulator = false;
  std::vector<device::Architecture> architectures{{80, false}, {90, false}};  ///< of machine code
  bool any() const { return cuda || emulator; }
};

/// An entry point's function, with the dimensions in the order of its calls.
struct DeviceEntry {
  std::string function;  ///< of DLVM
  std::string compute;   ///< its name in the tables
  std::vector<std::string> dimensions;
};

/// The kernels of all entry points, as schedules and as LLVM IR that knows no chip.
class DeviceCode {
 public:
  /// Nothing after reporting an error.
  static std::optional<DeviceCode> make(const dlvm::Module& module, const std::vector<DeviceEntry>& entries,
                                        llvm::LLVMContext& context, dlvm::Diagnostics& diagnostics);

  /// The schedules as text.
  std::string schedules() const;
  /// The PTX for one chip.
  std::optional<std::string> ptx(const device::Architecture& architecture,
                                 dlvm::Diagnostics& diagnostics) const;
  /// The machine code for one chip.
  std::optional<std::string> cubin(const device::Architecture& architecture,
                                   dlvm::Diagnostics& diagnostics) const;
  /// What `ptxas` says of every kernel on every chip.
  std::optional<std::string> report(const DeviceOptions& options, dlvm::Diagnostics& diagnostics) const;

  /// Adds the code that launches, the images and the tables to the host's module.
  std::optional<DeviceTables> add_to(llvm::Module& host, const DeviceOptions& options,
                                     dlvm::Diagnostics& diagnostics) const;

 private:
  struct Function {
    DeviceEntry entry;
    Scheduled scheduled;
    std::vector<std::vector<device::Grid>> grids;
  };
  std::vector<llvm::Function*> add_emulated(llvm::Module& host) const;
  device::Contents contents(const device::Targets& targets) const;

  std::string module_;
  std::vector<Function> functions_;
  device::Kernels kernels_;
  std::unique_ptr<llvm::Module> code_;
};

}  // namespace codegen
