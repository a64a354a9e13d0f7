#pragma once

#include "codegen/emit/emitter.h"

namespace codegen::target::cpu {

/// Emits the part of nested core loops that one core runs: the iterations of the innermost one are numbered
/// through, and the core runs a range of these numbers.
class CoreRanges {
 public:
  /// The range is the one from `begin` to `end`, two values of the function that is emitted.
  CoreRanges(llvm::Value* begin, llvm::Value* end) : begin_(begin), end_(end) {}

  /// Emits the outermost core loop; then the emitter calls it for those inside of it.
  void emit(emit::Emitter& e, const schedule::Loop& loop);

 private:
  llvm::Value *begin_, *end_;               ///< the range in the loop that is emitted
  const schedule::Loop* around_ = nullptr;  ///< the core loop around it
};

}  // namespace codegen::target::cpu
