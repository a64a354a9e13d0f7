#pragma once

#include <memory>
#include <string>

#include "dlvm/support/diagnostic.h"

namespace llvm {
class TargetMachine;
}

namespace codegen {

/// What the object is made for, as on the command line.
struct TargetOptions {
  std::string triple;             ///< empty: this machine's
  std::string cpu = "x86-64-v3";  ///< `native`: this machine's processor with its features
  int optimization = 2;           ///< 0 … 3
};

/// LLVM's description of the target, position-independent; null after reporting why there is none.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const TargetOptions& options,
                                                         dlvm::Diagnostics& diagnostics);

}  // namespace codegen
