#pragma once

#include <llvm/IR/Function.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "codegen/schedule/ir/schedule.h"

namespace codegen::emit {

class Emitter;

/// The layout of the record of the first index outside its range, as the numbers of its 64-bit words.
struct ReportLayout {
  unsigned site, value, position;
  std::optional<unsigned> lock;  ///< taken while a thread reports; absent if a single thread runs the code
};

/// Returns the number of the 64-bit word at an offset in bytes.
constexpr unsigned word_of(std::size_t offset) {
  return static_cast<unsigned>(offset / sizeof(std::int64_t));
}

/// Emits the loops and the statements in which machines differ; all others mean the same on every machine.
/// Each target has a model of its own, and gives it to the emitter of every function.
class ExecutionModel {
 public:
  explicit ExecutionModel(ReportLayout report) : report_(report) {}
  virtual ~ExecutionModel() = default;
  ExecutionModel(const ExecutionModel&) = delete;
  ExecutionModel& operator=(const ExecutionModel&) = delete;

  const ReportLayout& report() const { return report_; }

  /// Emits a loop over blocks, warps, threads or roles.
  virtual void emit_loop(Emitter& emitter, const schedule::Loop& loop) = 0;
  virtual void emit_barrier(Emitter& emitter, const schedule::Barrier& barrier) = 0;
  virtual void emit_copy(Emitter& emitter, const schedule::Copy& copy) = 0;
  virtual void emit_commit(Emitter& emitter, const schedule::Commit& commit) = 0;
  virtual void emit_wait(Emitter& emitter, const schedule::Wait& wait) = 0;
  virtual void emit_reduce(Emitter& emitter, const schedule::Reduce& reduce) = 0;
  virtual void emit_sort(Emitter& emitter, const schedule::Sort& sort) = 0;
  virtual void emit_multiply(Emitter& emitter, const schedule::MultiplyAccumulate& multiply) = 0;

 private:
  ReportLayout report_;
};

}  // namespace codegen::emit
