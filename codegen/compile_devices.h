#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/object/tables.h"
#include "codegen/pipeline.h"
#include "codegen/targets.h"

/// Compiles for targets whose programs are grids. This part takes the module's functions, gives one unit for
/// each class of GPUs, and adds to the host's module the code and the tables that launch the units' grids.
namespace codegen {

/// Compiles `functions`, a unit without a machine, to `level` once for every class of machines that `options`
/// ask `targets` for. The units are ordered from the most capable class to the least; classes with equal
/// schedules share one unit. Returns nothing after reporting an error.
std::optional<std::vector<Unit>> make_device_units(const Unit& functions, Level level,
                                                   const std::vector<const Target*>& targets,
                                                   const target::gpu::DeviceOptions& options,
                                                   dlvm::Diagnostics& diagnostics,
                                                   const PipelineOptions& pipeline);

/// Returns the kernels or schedules for the first architecture of `options` as text.
std::string text_of(const std::vector<Unit>& units, Level level, const target::gpu::DeviceOptions& options);

/// Returns the text that a target makes of the units' code, or nothing after reporting an error.
std::optional<std::string> text_of(const std::vector<Unit>& units, const target::gpu::DeviceText& text,
                                   const target::gpu::DeviceOptions& options, dlvm::Diagnostics& diagnostics);

/// Adds to `host` the functions that launch the units' grids, what each target needs of the kernels of its
/// own backend, and the tables that name both. `units` are as `make_device_units` returns them. Returns the
/// tables by entry point, or nothing after reporting an error.
std::optional<object::DeviceTables> add_devices(llvm::Module& host, const std::vector<Unit>& units,
                                                const std::vector<const Target*>& targets,
                                                const target::gpu::DeviceOptions& options,
                                                dlvm::Diagnostics& diagnostics);

}  // namespace codegen
