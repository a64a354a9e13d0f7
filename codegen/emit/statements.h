#pragma once

#include <llvm/IR/IRBuilder.h>

#include <map>
#include <span>
#include <string>

#include "codegen/kernel/ir/program.h"

namespace codegen::emit {

/// Emits the statements of a program into a function of the host. The control flow is the same for every
/// target; a target derives from this class and says what the other statements become.
class StatementEmitter {
 public:
  explicit StatementEmitter(llvm::IRBuilder<>& builder) : b_(builder) {}
  virtual ~StatementEmitter() = default;

  /// Emits the statements where the builder stands. Returns whether control reaches their end, which is where
  /// the builder stands then; else it stands in a block that has a terminator.
  bool emit(const kernel::Sequence& sequence);

 protected:
  virtual void launch(const kernel::Launch& launch) = 0;
  /// Returns whether the launch can be a row of a table: constants say on what it runs.
  virtual bool fits_table(const kernel::Launch&) const { return false; }
  /// Emits launches that fit a table as a loop over one (launch_table.h).
  virtual void launch_all(std::span<const kernel::Launch* const>) {}
  virtual void swap(const kernel::Swap& swap) = 0;
  /// Returns the value of a condition as an i1.
  virtual llvm::Value* condition(kernel::ValueId value) = 0;
  /// Emits a scope that is one kernel, if the target has made one of it. Returns whether it did.
  virtual bool run_fused(const kernel::Scope&) { return false; }
  /// Emits what happens before a loop begins its next iteration, such as the test for an error that ends the
  /// program.
  virtual void repeat() = 0;

  llvm::BasicBlock* block(const llvm::Twine& name);

  llvm::IRBuilder<>& b_;

 private:
  std::vector<const kernel::Launch*> launches_for_table(std::span<const kernel::Statement> statements) const;
  bool emit(const kernel::Launch& launch);
  bool emit(const kernel::Swap& swap);
  bool emit(const kernel::Branch& branch);
  bool emit(const kernel::Scope& scope);
  bool emit(const kernel::Jump& jump);
  /// Continues in `next`, unless no branch goes there: then it erases the block and returns false.
  bool continue_in(llvm::BasicBlock* next);

  struct Target {
    llvm::BasicBlock* block;
    bool is_loop;
  };
  std::map<std::string, Target> targets_;  ///< of jumps, by the scope's name
};

}  // namespace codegen::emit
