#include "codegen/target/gpu/grid_queue.h"

#include <algorithm>

#include "runtime/abi.h"

namespace codegen::target::gpu {

using kernel::Value;
using kernel::ValueId;
using schedule::BufferId;
using schedule::Schedule;

GridQueue::GridQueue(llvm::Function& function, llvm::IRBuilder<>& builder, emit::Extents& extents,
                     const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
                     const std::vector<std::string>& names, SlotOf slot_of)
    : function_(function),
      b_(builder),
      extents_(extents),
      scheduled_(scheduled),
      grids_(grids),
      names_(names),
      slot_of_(std::move(slot_of)),
      failed_(block("failed")) {
  llvm::IRBuilder<> at_failed(failed_);
  status_ = at_failed.CreatePHI(at_failed.getInt32Ty(), 1);
  at_failed.CreateRet(status_);
}

void GridQueue::finish() {
  if (b_.GetInsertBlock()->getTerminator() == nullptr) b_.CreateRet(b_.getInt32(0));
  if (status_->getNumIncomingValues() == 0) failed_->eraseFromParent();
}

void GridQueue::launch(const kernel::Launch& launch) {
  this->launch(launch.kernel, [&](const Grid& grid) { return argument_slots_of(launch, grid); });
}

void GridQueue::launch_by_words(std::uint32_t kernel, llvm::Value* words) {
  std::size_t first = 0;
  launch(kernel, [&](const Grid& grid) {
    llvm::Value* slots = b_.CreateConstInBoundsGEP1_64(b_.getInt32Ty(), words, first);
    first += grid.arguments.size();
    return slots;
  });
}

void GridQueue::launch(std::uint32_t kernel, const SlotsOf& slots_of) {
  const Schedule& schedule = scheduled_.schedules[kernel];
  llvm::BasicBlock* done = block("launched");
  for (std::size_t v = 0; v < schedule.variants.size(); ++v) {
    llvm::BasicBlock* next = done;
    if (!schedule.variants[v].guards.empty()) {
      auto* here = block("variant");
      next = block("next");
      b_.CreateCondBr(holds(schedule.variants[v]), here, next);
      b_.SetInsertPoint(here);
    }
    for (const Grid& grid : grids_.of_kernel[kernel])
      if (grid.variant == v) launch(grid, slots_of(grid));
    b_.CreateBr(done);
    b_.SetInsertPoint(next);
  }
}

void GridQueue::launch_fused(const kernel::Scope& scope) {
  const FusedScope& fused = grids_.of_scope.at(scope.name);
  std::vector<llvm::Value*> slots;
  for (const ValueId value : fused.values) slots.push_back(slot_of_(value));
  launch(Grid{0, fused.kernel, 1, {}}, array_of(slots));
}

void GridQueue::call(std::size_t member, const std::vector<llvm::Value*>& behind) {
  llvm::Value* queue = function_.getArg(1);
  std::vector<llvm::Value*> arguments{queue};
  arguments.insert(arguments.end(), behind.begin(), behind.end());
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::Value* place = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), queue, member);
  llvm::Value* status = b_.CreateCall(llvm::FunctionType::get(b_.getInt32Ty(), types, false),
                                      b_.CreateLoad(b_.getPtrTy(), place), arguments);
  check(status);
}

void GridQueue::check(llvm::Value* status) {
  auto* next = block("next");
  status_->addIncoming(status, b_.GetInsertBlock());
  b_.CreateCondBr(b_.CreateICmpNE(status, b_.getInt32(0)), failed_, next);
  b_.SetInsertPoint(next);
}

llvm::Value* GridQueue::holds(const schedule::Variant& variant) {
  llvm::Value* all = b_.getTrue();
  for (const auto& guard : variant.guards) {
    llvm::Value* value = extents_.value(guard.value);
    all = b_.CreateAnd(all, b_.CreateICmpSGE(value, b_.getInt64(static_cast<std::uint64_t>(guard.first))));
    if (guard.end)
      all = b_.CreateAnd(all, b_.CreateICmpSLT(value, b_.getInt64(static_cast<std::uint64_t>(*guard.end))));
  }
  return all;
}

void GridQueue::launch(const Grid& grid, llvm::Value* argument_slots) {
  llvm::Value* blocks = extents_.value(grid.blocks);
  auto *launch = block("grid"), *done = block("next");
  b_.CreateCondBr(b_.CreateICmpSGT(blocks, b_.getInt64(0)), launch, done);
  b_.SetInsertPoint(launch);
  call(offsetof(tel_queue, launch), {b_.getInt64(grid.kernel), blocks, argument_slots});
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

// In the order in which `launch` asks for the slots of grids.
std::vector<std::uint32_t> GridQueue::words_of(const kernel::Launch& launch) const {
  const Schedule& schedule = scheduled_.schedules[launch.kernel];
  const schedule::Workspace shared = workspace(schedule);
  std::vector<std::uint32_t> words;
  for (std::size_t v = 0; v < schedule.variants.size(); ++v)
    for (const Grid& grid : grids_.of_kernel[launch.kernel])
      for (const BufferId id : grid.arguments) {
        if (grid.variant != v) continue;
        const auto own = shared_slot(shared, id);
        words.push_back(own ? *own : word_of(launch.values[id]));
      }
  return words;
}

/// Returns the argument slots of the grid's buffers, which are the launch's or workspace that its kernel
/// shares.
llvm::Value* GridQueue::argument_slots_of(const kernel::Launch& launch, const Grid& grid) {
  const schedule::Workspace shared = workspace(scheduled_.schedules[launch.kernel]);
  std::vector<llvm::Value*> slots;
  for (const BufferId id : grid.arguments) {
    const auto own = shared_slot(shared, id);
    slots.push_back(own ? b_.getInt32(*own) : slot_of_(launch.values[id]));
  }
  return array_of(slots);
}

std::optional<std::uint32_t> GridQueue::shared_slot(const schedule::Workspace& shared, BufferId id) const {
  const auto found = std::ranges::find(shared.buffers, id);
  if (found == shared.buffers.end()) return std::nullopt;
  const auto place = static_cast<std::size_t>(found - shared.buffers.begin());
  return word_of_buffer(slot(scheduled_.plan.slots.size() + place));
}

llvm::Value* GridQueue::array_of(const std::vector<llvm::Value*>& slots) {
  const auto is_constant = [](llvm::Value* slot) { return llvm::isa<llvm::Constant>(slot); };
  return std::ranges::all_of(slots, is_constant) ? constant(slots) : variable(slots);
}

llvm::Value* GridQueue::constant(const std::vector<llvm::Value*>& slots) {
  std::vector<llvm::Constant*> elements;
  for (llvm::Value* slot : slots) elements.push_back(llvm::cast<llvm::Constant>(slot));
  auto* type = llvm::ArrayType::get(b_.getInt32Ty(), elements.size());
  auto* global =
      new llvm::GlobalVariable(*function_.getParent(), type, true, llvm::GlobalValue::InternalLinkage,
                               llvm::ConstantArray::get(type, elements), "positions");
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

llvm::Value* GridQueue::variable(const std::vector<llvm::Value*>& slots) {
  llvm::BasicBlock& entry = function_.getEntryBlock();
  llvm::Value* array = llvm::IRBuilder<>(&entry, entry.begin())
                           .CreateAlloca(llvm::ArrayType::get(b_.getInt32Ty(), slots.size()));
  for (std::size_t i = 0; i < slots.size(); ++i)
    b_.CreateStore(slots[i], b_.CreateConstInBoundsGEP1_64(b_.getInt32Ty(), array, i));
  return array;
}

llvm::BasicBlock* GridQueue::block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(b_.getContext(), name, &function_);
}

std::uint32_t GridQueue::word_of_buffer(std::size_t buffer) const {
  return static_cast<std::uint32_t>(1 + names_.size() + buffer);
}

std::uint32_t GridQueue::word_of(ValueId id) const {
  const Value& value = scheduled_.program.values[id];
  switch (value.place) {
    case Value::Place::input:
      return word_of_buffer(value.index);
    case Value::Place::output:
      return word_of_buffer(scheduled_.inputs + value.index);
    case Value::Place::arena:
      return word_of_buffer(slot(*scheduled_.plan.slot_of[id]));
    case Value::Place::literal:
      return word_of_buffer(slot(scheduled_.slots.size()) + literal(id));
  }
  return 0;
}

/// Returns the place of the value among the literals.
std::size_t GridQueue::literal(ValueId id) const {
  const auto& values = scheduled_.program.values;
  return static_cast<std::size_t>(std::count_if(values.begin(), values.begin() + id, [](const Value& value) {
    return value.place == Value::Place::literal;
  }));
}

std::vector<ValueId> swapped_values(const kernel::Program& program) {
  auto swaps = kernel::collect<kernel::Swap>(program.body);
  for (const kernel::Scope* scope : kernel::collect<kernel::Scope>(program.body))
    if (scope->is_fused)
      for (const kernel::Swap* fused : kernel::collect<kernel::Swap>(scope->body)) std::erase(swaps, fused);
  std::vector<ValueId> values;
  for (const kernel::Swap* swap : swaps)
    for (const ValueId value : {swap->first, swap->second})
      if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  return values;
}

}  // namespace codegen::target::gpu
