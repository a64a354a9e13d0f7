#pragma once

#include <map>
#include <vector>

#include "codegen/kernel/build/program_parts.h"
#include "dlvm/analysis/liveness.h"

namespace codegen::kernel {

/// Decides where in memory the values are that several blocks of a function use, and how a branch hands
/// values to the arguments of the next block. Values share memory if they are never needed at the same time:
/// a value is computed where the argument is to which alone it is passed, and an update in place where its
/// input is.
class Handover {
 public:
  Handover(const dlvm::ControlFlow& flow, ProgramParts& parts) : live_(flow), parts_(parts) {}

  /// Returns the memory of a parameter or of a value that is used outside of its block.
  ValueId memory(const dlvm::Value* value);
  /// Chooses the memory of such an instruction.
  ValueId choose(const dlvm::Instruction* value);
  /// Lets the value be in that memory.
  ValueId share(const dlvm::Value* value, ValueId memory);
  /// Returns whether the block, which gives others `results`, may write the memory of a value of another one.
  bool may_overwrite(const dlvm::Value* value, const dlvm::BasicBlock* block,
                     const std::vector<const dlvm::Value*>& results) const;

  /// Lists the moves that an edge makes for the arguments: it copies values to `copies`, then it swaps.
  struct Moves {
    std::vector<const dlvm::Value*> copied;
    std::vector<ValueId> copies;
    std::vector<Swap> swaps;
  };
  Moves moves(const dlvm::BlockEdge& edge);

 private:
  bool is_written_by_program(const dlvm::Value* value) const;
  bool is_live(const dlvm::Value* value, const dlvm::BasicBlock* block) const;
  bool dies_on(const dlvm::Value* value, const dlvm::BlockEdge& edge) const;
  std::optional<ValueId> destination(const dlvm::Instruction* value);

  const dlvm::Liveness live_;
  ProgramParts& parts_;
  std::unordered_map<const dlvm::Value*, ValueId> memory_;
  std::map<ValueId, std::vector<const dlvm::Value*>> holders_;  ///< the values in each memory
};

}  // namespace codegen::kernel
