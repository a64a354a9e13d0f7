#pragma once

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// Gives the statements of a program their effects in an interpreter, which derives from this class.
class StatementActions {
 public:
  virtual ~StatementActions() = default;
  /// Runs the launch. Returns false after an error, which ends the program.
  virtual bool launch(const Launch& launch) = 0;
  virtual void swap(const Swap& swap) = 0;
  virtual bool condition(ValueId value) = 0;
};

/// Runs the statements with their control flow until the sequence ends or a launch fails.
void run(const Sequence& sequence, StatementActions& actions);

}  // namespace codegen::kernel
