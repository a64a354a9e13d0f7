#pragma once

#include "codegen/emit/emitter.h"

namespace codegen::target::gpu {

/// The numbers of threads of a device that work together. The threads of a warp are a power of two.
struct Threads {
  unsigned block = 0, warp = 0;
  unsigned barrier = 0;  ///< the number of the barrier at which those of the block wait for each other
};

/// Emits a grid's schedule for threads that all run the same code. A loop's variable follows from the
/// thread's position in its block and the block's position in the grid. Single threads or matrix instructions
/// (matrix_product.h) compute the products of tiles.
class SimtModel final : public emit::ExecutionModel {
 public:
  explicit SimtModel(Threads threads);

  void emit_loop(emit::Emitter& e, const schedule::Loop& loop) override;
  void emit_barrier(emit::Emitter& e, const schedule::Barrier& barrier) override;
  void emit_copy(emit::Emitter& e, const schedule::Copy& copy) override;
  void emit_commit(emit::Emitter& e, const schedule::Commit& commit) override;
  void emit_wait(emit::Emitter& e, const schedule::Wait& wait) override;
  void emit_reduce(emit::Emitter& e, const schedule::Reduce& reduce) override;
  void emit_sort(emit::Emitter& e, const schedule::Sort& sort) override;
  void emit_multiply(emit::Emitter& e, const schedule::MultiplyAccumulate& multiply) override;

 private:
  void emit_warp(emit::Emitter& e, const schedule::Loop& loop);
  void emit_thread(emit::Emitter& e, const schedule::Loop& loop);
  /// Returns the thread's number in the team around, as i64.
  llvm::Value* thread_of_team(llvm::IRBuilder<>& b) const;

  Threads threads_;
  bool in_warp_ = false;                    ///< the team around is a warp, not the block
  const schedule::Loop* thread_ = nullptr;  ///< the outermost thread loop around
};

}  // namespace codegen::target::gpu
