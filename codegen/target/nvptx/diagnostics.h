#pragma once

#include "dlvm/support/diagnostic.h"

namespace codegen::target::nvptx {

inline constexpr dlvm::DiagnosticKind unknown_architecture{
    "TEL-E0905", dlvm::Severity::error, "unknown GPU architecture '{name}'; known are {list}",
    "--gpu-arch takes NVIDIA's names of GPU architectures, separated by commas: sm_80,sm_90a. An object gets "
    "machine code for each, and PTX that the driver translates for newer GPUs when the program starts."};
inline constexpr dlvm::DiagnosticKind assembler_failed{
    "TEL-E0906", dlvm::Severity::error, "ptxas failed for {architecture}: {reason}",
    "The CUDA Toolkit's assembler did not make the machine code of the kernels: it refused them, it was "
    "ended, it took too long (--ptxas-limit=1200 gives it 20 minutes for a GPU architecture), or what it "
    "wrote is no machine code for that architecture. No output is written, and the exit status is 4. If the "
    "Toolkit is older than the architecture asked for, install a newer one or leave the architecture out of "
    "--gpu-arch. --target=cpu compiles for the processor alone. If it refused the code, please report it "
    "with the source file: a network that "
    "`telc check` accepts is to compile."};
inline constexpr dlvm::DiagnosticKind assembler_needed{
    "TEL-E0908", dlvm::Severity::error, "{what} needs ptxas, which was not found",
    "Machine code for GPUs is made by ptxas, which comes with the CUDA Toolkit. It is looked for in "
    "$CUDA_HOME/bin, in PATH and in /usr/local/cuda/bin. PTX needs no Toolkit: --emit=ptx."};
inline constexpr dlvm::DiagnosticKind no_assembler{
    "TEL-W0907", dlvm::Severity::warning,
    "no ptxas was found: the object holds PTX alone, which the driver translates when the program starts",
    "Machine code for GPUs is made by ptxas, which comes with the CUDA Toolkit. It is looked for in PATH, in "
    "$CUDA_HOME/bin and in /usr/local/cuda/bin."};

}  // namespace codegen::target::nvptx
