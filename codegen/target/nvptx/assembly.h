#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/target/gpu/program.h"
#include "codegen/target/nvptx/ptx_text.h"
#include "codegen/target/nvptx/ptxas.h"

namespace codegen::target::nvptx {

/// How the machine code of kernels that spill is made.
struct AssemblyOptions {
  bool whole = false;  ///< in one piece: everything is assembled again
  /// If it is there, told how far that is.
  std::function<void(const std::string&)> progress;
};

/// One chip's machine code.
struct Made {
  Assembled code;         ///< the report is of the kernels as they are used
  std::string beside;     ///< machine code of `one_block` that is used for these; empty: `code` is whole
  KernelNames one_block;  ///< have all registers of a multiprocessor
};

/// Machine code from one PTX for each chip, for several at the same time. Where kernels spill, these are
/// assembled once more, with all registers; that is used where they spill less.
std::vector<Made> assemble_all(const Assembler& assembler, const std::string& ptx,
                               const target::gpu::Kernels& kernels,
                               const std::vector<target::gpu::Architecture>& architectures,
                               const AssemblyOptions& options);

}  // namespace codegen::target::nvptx
