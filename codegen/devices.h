#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/object/tables.h"
#include "codegen/pipeline.h"

/// The part of compiling that is for targets whose programs are grids.
namespace codegen {

/// Takes `functions`, which has no machine yet, to a level for every class of machines that the options ask
/// these targets for, the most capable first; once for classes whose schedules are equal. Nothing after
/// reporting an error.
std::optional<std::vector<Unit>> make_device_units(const Unit& functions, Level level,
                                                   const std::vector<const Target*>& targets,
                                                   const target::gpu::DeviceOptions& options,
                                                   dlvm::Diagnostics& diagnostics,
                                                   const PipelineOptions& pipeline);

/// The schedules for the options' first architecture as text.
std::string schedules_of_devices(const std::vector<Unit>& units, const target::gpu::DeviceOptions& options);

/// The text of that name that a target makes of the units' code; nothing after reporting an error.
std::optional<std::string> text_of(const std::vector<Unit>& units, const std::string& name,
                                   const target::gpu::DeviceOptions& options, dlvm::Diagnostics& diagnostics);

/// Adds to the host's module the code that launches the units' grids, what each target needs of their
/// kernels, and the tables that name all of it.
std::optional<DeviceTables> add_devices(llvm::Module& host, const std::vector<Unit>& units,
                                        const std::vector<const Target*>& targets,
                                        const target::gpu::DeviceOptions& options,
                                        dlvm::Diagnostics& diagnostics);

}  // namespace codegen
