#pragma once

#include <functional>
#include <string>
#include <vector>

#include "codegen/target/gpu/emit_kernels.h"
#include "codegen/target/nvptx/ptx_text.h"
#include "codegen/target/nvptx/ptxas.h"

namespace codegen::target::nvptx {

/// Options for the machine code of kernels that spill.
struct AssemblyOptions {
  bool whole = false;  ///< all kernels are assembled again, so that the code has one part
  /// If set, it is called with a line that reports the assembler's progress.
  std::function<void(const std::string&)> progress;
};

/// The machine code for one architecture.
struct Made {
  Assembled code;  ///< its report describes the kernels as they are used
  /// The machine code used for `one_block`; empty if `code` contains all kernels in their final form.
  std::string beside;
  KernelNames one_block;  ///< kernels that use all registers of a multiprocessor
};

/// Assembles one PTX for each of `architectures`, several at the same time. Kernels that spill are assembled
/// once more with all registers of a multiprocessor; that code is used if it spills less.
std::vector<Made> assemble_all(const Assembler& assembler, const std::string& ptx,
                               const target::gpu::Kernels& kernels,
                               const std::vector<target::gpu::Architecture>& architectures,
                               const AssemblyOptions& options);

}  // namespace codegen::target::nvptx
