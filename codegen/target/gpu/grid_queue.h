#pragma once

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/emit/emitter.h"
#include "codegen/target/gpu/emit_kernels.h"

namespace codegen::target::gpu {

/// Emits calls of a queue's functions into a function of the host, `tel_enqueue`.
class GridQueue {
 public:
  /// Returns the argument slot of a value where the builder stands, as an i32.
  using SlotOf = std::function<llvm::Value*(kernel::ValueId)>;

  /// `builder` stands behind the code of `extents`.
  GridQueue(llvm::Function& function, llvm::IRBuilder<>& builder, emit::Extents& extents,
            const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
            const std::vector<std::string>& names, SlotOf slot_of);

  /// Emits a call of `queue->launch` for each grid of the launch that has blocks.
  void launch(const kernel::Launch& launch);
  void launch_fused(const kernel::Scope& scope);
  /// Emits the same calls for the kernel of that number, with argument slots from the array `words`, which
  /// holds `words_of` the launch.
  void launch_by_words(std::uint32_t kernel, llvm::Value* words);
  /// Returns the argument slots of all grids of a launch that has no swapped values.
  std::vector<std::uint32_t> words_of(const kernel::Launch& launch) const;
  /// Ends the function with a status that is not TEL_OK.
  void check(llvm::Value* status);
  /// Calls the member of the queue at that offset with these arguments behind the queue; a status that is not
  /// TEL_OK ends the function.
  void call(std::size_t member, const std::vector<llvm::Value*>& behind);
  /// Ends the function with TEL_OK, unless its last block has a terminator.
  void finish();

  /// Returns the word of the argument buffer that has the address of the value's memory.
  std::uint32_t word_of(kernel::ValueId id) const;

 private:
  using SlotsOf = std::function<llvm::Value*(const Grid&)>;
  void launch(std::uint32_t kernel, const SlotsOf& slots_of);
  void launch(const Grid& grid, llvm::Value* argument_slots);
  llvm::Value* holds(const schedule::Variant& variant);
  /// Returns the argument slot of a grid's buffer that is workspace, or nothing for one of the launch's.
  std::optional<std::uint32_t> shared_slot(const schedule::Workspace& shared, schedule::BufferId id) const;
  llvm::Value* argument_slots_of(const kernel::Launch& launch, const Grid& grid);
  llvm::Value* array_of(const std::vector<llvm::Value*>& slots);
  llvm::Value* constant(const std::vector<llvm::Value*>& slots);
  llvm::Value* variable(const std::vector<llvm::Value*>& slots);
  llvm::BasicBlock* block(const llvm::Twine& name);
  std::uint32_t word_of_buffer(std::size_t buffer) const;
  std::size_t slot(std::size_t i) const { return scheduled_.inputs + scheduled_.outputs + i; }
  std::size_t literal(kernel::ValueId id) const;

  llvm::Function& function_;
  llvm::IRBuilder<>& b_;
  emit::Extents& extents_;
  const schedule::ScheduledProgram& scheduled_;
  const ProgramGrids& grids_;
  const std::vector<std::string>& names_;
  SlotOf slot_of_;
  llvm::BasicBlock* failed_;
  llvm::PHINode* status_;
};

/// Returns the values whose memory swaps exchange, but for swaps in fused scopes, which exchange contents.
std::vector<kernel::ValueId> swapped_values(const kernel::Program& program);

}  // namespace codegen::target::gpu
