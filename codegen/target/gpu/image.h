#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "codegen/target/gpu/contents/contents.h"

namespace codegen::target::gpu {

/// A GPU architecture as `--gpu-arch` names it: `sm_80`, `sm_90a`.
struct Architecture {
  int number = 80;
  bool specific = false;  ///< the suffix `a`: code that runs on this very architecture and on no later one
  std::string name() const { return "sm_" + std::to_string(number) + (specific ? "a" : ""); }
};

/// Machine code of some kernels, which is loaded beside an image and replaces the image's code for these
/// kernels.
struct ImagePart {
  std::string bytes;
  std::set<std::string> kernels;
};

/// All kernels of a module as machine code or as PTX.
struct Image {
  Architecture architecture;
  bool is_ptx = false;
  std::string bytes;
  /// For machine code: the assembler's report of each kernel, by name.
  std::map<std::string, KernelCode> kernels = {};
  std::optional<ImagePart> beside = {};
};

}  // namespace codegen::target::gpu
