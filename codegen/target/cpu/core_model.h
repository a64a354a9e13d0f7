#pragma once

#include <functional>

#include "codegen/emit/emitter.h"

namespace codegen::target::cpu {

/// Emits the statements of a schedule for one core, with its vectors.
class CoreModel final : public emit::ExecutionModel {
 public:
  using EmitCoreLoop = std::function<void(emit::Emitter& e, const schedule::Loop& loop)>;
  /// `emit_core_loop` emits core loops.
  explicit CoreModel(EmitCoreLoop emit_core_loop);

  void emit_reduce(emit::Emitter& e, const schedule::Reduce& reduce) override;
  void emit_sort(emit::Emitter& e, const schedule::Sort& sort) override;
  void emit_multiply(emit::Emitter& e, const schedule::MultiplyAccumulate& multiply) override;
  void emit_loop(emit::Emitter& e, const schedule::Loop& loop) override;
  // Schedules for one core have none of these statements, and of copies only transpositions.
  void emit_barrier(emit::Emitter& e, const schedule::Barrier& barrier) override;
  void emit_copy(emit::Emitter& e, const schedule::Copy& copy) override;
  void emit_commit(emit::Emitter& e, const schedule::Commit& commit) override;
  void emit_wait(emit::Emitter& e, const schedule::Wait& wait) override;

 private:
  EmitCoreLoop emit_core_loop_;
};

}  // namespace codegen::target::cpu
