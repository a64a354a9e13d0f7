#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dlvm/support/diagnostic.h"

namespace llvm {
class TargetMachine;
}

namespace codegen::object {

/// What the object's code announces its accesses to memory to.
enum class Sanitizer { none, thread };

/// The processor that the object is compiled for, as the command line gives it.
struct TargetOptions {
  std::string triple;             ///< empty for this machine's
  std::string cpu = "x86-64-v3";  ///< `native` is this machine's processor with its features
  int optimization = 2;           ///< 0 … 3
  Sanitizer sanitizer = Sanitizer::none;
};

/// Returns LLVM's description of the target, for position-independent code; null after reporting an error.
std::unique_ptr<llvm::TargetMachine> make_target_machine(const TargetOptions& options,
                                                         dlvm::Diagnostics& diagnostics);

/// Returns the number of the feature level of that name (runtime/abi.h), 3 for `x86-64-v3`, or 0 if the name
/// is that of a processor.
std::int32_t feature_level(std::string_view cpu);

}  // namespace codegen::object
