#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "codegen/device/program.h"
#include "codegen/gpu/ptxas.h"

namespace codegen::gpu {

/// Kernels that ptxas is to give all registers of a multiprocessor, so that it spills none for blocks beside
/// theirs.
using OneBlockKernels = std::set<std::string>;

/// The PTX with that promise for these kernels.
std::string with_one_block(const std::string& ptx, const OneBlockKernels& kernels);

/// One chip's machine code, of the PTX with that promise.
struct Made {
  Assembled code;
  OneBlockKernels one_block;
};

/// Machine code from one PTX for each chip, for several at the same time. Where kernels spill, the chip's
/// code is assembled once more with all registers for these; kept is what spills less. `progress`, if it is
/// there, is told how far that is.
std::vector<Made> assemble_all(const Assembler& assembler, const std::string& ptx,
                               const device::Kernels& kernels,
                               const std::vector<device::Architecture>& architectures,
                               const std::function<void(const std::string&)>& progress);

}  // namespace codegen::gpu
