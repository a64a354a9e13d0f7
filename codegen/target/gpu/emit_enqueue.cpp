#include "codegen/target/gpu/emit_enqueue.h"

#include <algorithm>
#include <map>

#include "codegen/emit/emitter.h"
#include "codegen/emit/statements.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {
namespace {

using kernel::Value;
using kernel::ValueId;
using schedule::BufferId;
using schedule::Schedule;

/// Writes the host's function, which decides what runs next: a call of `queue->launch` for each grid that has
/// blocks, and one of `queue->read` for each condition. The argument slots of values that are swapped are
/// variables.
class Enqueue : emit::StatementEmitter {
 public:
  /// `builder` stands behind the code of `extents`.
  Enqueue(llvm::Function& function, llvm::IRBuilder<>& builder, emit::Extents& extents,
          const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
          const std::vector<std::string>& names)
      : StatementEmitter(builder),
        function_(function),
        extents_(extents),
        scheduled_(scheduled),
        grids_(grids),
        names_(names) {}

  void emit() {
    failed_ = block("failed");
    llvm::IRBuilder<> at_failed(failed_);
    status_ = at_failed.CreatePHI(at_failed.getInt32Ty(), 1);
    at_failed.CreateRet(status_);
    for (const kernel::Swap* swap : swaps_of_host())
      for (const ValueId value : {swap->first, swap->second})
        if (!variables_.contains(value)) {
          variables_[value] = b_.CreateAlloca(b_.getInt32Ty());
          b_.CreateStore(b_.getInt32(number(value)), variables_[value]);
        }
    if (StatementEmitter::emit(scheduled_.program.body)) b_.CreateRet(b_.getInt32(0));
    if (status_->getNumIncomingValues() == 0) failed_->eraseFromParent();
  }

 private:
  /// Returns the swaps that exchange slots; fused scopes exchange contents.
  std::vector<const kernel::Swap*> swaps_of_host() const {
    auto swaps = kernel::collect<kernel::Swap>(scheduled_.program.body);
    for (const kernel::Scope* scope : kernel::collect<kernel::Scope>(scheduled_.program.body))
      if (scope->is_fused)
        for (const kernel::Swap* fused : kernel::collect<kernel::Swap>(scope->body)) std::erase(swaps, fused);
    return swaps;
  }

  void launch(const kernel::Launch& launch) override {
    const Schedule& schedule = scheduled_.schedules[launch.kernel];
    llvm::BasicBlock* done = block("launched");
    for (std::size_t v = 0; v < schedule.variants.size(); ++v) {
      llvm::BasicBlock* next = done;
      if (!schedule.variants[v].guards.empty()) {
        auto* here = block("variant");
        next = block("next");
        b_.CreateCondBr(holds(schedule.variants[v]), here, next);
        b_.SetInsertPoint(here);
      }
      for (const Grid& grid : grids_.of_kernel[launch.kernel])
        if (grid.variant == v) this->launch(grid, argument_slots_of(launch, grid));
      b_.CreateBr(done);
      b_.SetInsertPoint(next);
    }
  }

  bool run_fused(const kernel::Scope& scope) override {
    const FusedScope& fused = grids_.of_scope.at(scope.name);
    std::vector<llvm::Value*> slots;
    for (const ValueId value : fused.values) slots.push_back(argument_slot(value));
    launch(Grid{0, fused.kernel, 1, {}}, array_of(slots));
    return true;
  }

  void swap(const kernel::Swap& swap) override {
    llvm::Value *first = argument_slot(swap.first), *second = argument_slot(swap.second);
    b_.CreateStore(second, variables_.at(swap.first));
    b_.CreateStore(first, variables_.at(swap.second));
  }

  /// After an index outside its range, the queue says -1 and the program ends: what follows from the index
  /// need not ever end a loop. The runtime reports the index.
  llvm::Value* condition(ValueId value) override {
    llvm::Value* place = read_;
    if (place == nullptr) {
      llvm::BasicBlock& entry = function_.getEntryBlock();
      place = read_ = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(b_.getInt32Ty());
    }
    call_queue(offsetof(tel_queue, read), {argument_slot(value), place});
    llvm::Value* read = b_.CreateLoad(b_.getInt32Ty(), place);
    auto *end = block("end"), *decided = block("decided");
    b_.CreateCondBr(b_.CreateICmpSLT(read, b_.getInt32(0)), end, decided);
    b_.SetInsertPoint(end);
    b_.CreateRet(b_.getInt32(0));
    b_.SetInsertPoint(decided);
    return b_.CreateICmpNE(read, b_.getInt32(0));
  }

  void repeat() override {}  // a loop that ends reads a condition

  /// Calls the member of the queue at that offset with these arguments behind the queue; a status that is not
  /// TEL_OK ends the function.
  void call_queue(std::size_t member, const std::vector<llvm::Value*>& behind) {
    llvm::Value* queue = function_.getArg(1);
    std::vector<llvm::Value*> arguments{queue};
    arguments.insert(arguments.end(), behind.begin(), behind.end());
    std::vector<llvm::Type*> types;
    for (llvm::Value* argument : arguments) types.push_back(argument->getType());
    llvm::Value* place = b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), queue, member);
    llvm::Value* status = b_.CreateCall(llvm::FunctionType::get(b_.getInt32Ty(), types, false),
                                        b_.CreateLoad(b_.getPtrTy(), place), arguments);
    auto* next = block("next");
    status_->addIncoming(status, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpNE(status, b_.getInt32(0)), failed_, next);
    b_.SetInsertPoint(next);
  }

  llvm::Value* holds(const schedule::Variant& variant) {
    llvm::Value* all = b_.getTrue();
    for (const auto& guard : variant.guards) {
      llvm::Value* value = extents_.value(guard.value);
      all = b_.CreateAnd(all, b_.CreateICmpSGE(value, b_.getInt64(static_cast<std::uint64_t>(guard.first))));
      if (guard.end)
        all = b_.CreateAnd(all, b_.CreateICmpSLT(value, b_.getInt64(static_cast<std::uint64_t>(*guard.end))));
    }
    return all;
  }

  void launch(const Grid& grid, llvm::Value* argument_slots) {
    llvm::Value* blocks = extents_.value(grid.blocks);
    auto *launch = block("grid"), *done = block("next");
    b_.CreateCondBr(b_.CreateICmpSGT(blocks, b_.getInt64(0)), launch, done);
    b_.SetInsertPoint(launch);
    call_queue(offsetof(tel_queue, launch), {b_.getInt64(grid.kernel), blocks, argument_slots});
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
  }

  /// Returns the argument slots of the grid's buffers, which are the launch's or workspace that its kernel
  /// shares.
  llvm::Value* argument_slots_of(const kernel::Launch& launch, const Grid& grid) {
    const auto shared = workspace(scheduled_.schedules[launch.kernel]).buffers;
    std::vector<llvm::Value*> slots;
    for (const BufferId id : grid.arguments) {
      const auto place =
          static_cast<std::size_t>(std::find(shared.begin(), shared.end(), id) - shared.begin());
      slots.push_back(place < shared.size() ? b_.getInt32(word_of(slot(scheduled_.plan.slots.size() + place)))
                                            : argument_slot(launch.values[id]));
    }
    return array_of(slots);
  }
  llvm::Value* array_of(const std::vector<llvm::Value*>& slots) {
    const auto is_constant = [](llvm::Value* slot) { return llvm::isa<llvm::Constant>(slot); };
    return std::ranges::all_of(slots, is_constant) ? constant(slots) : variable(slots);
  }
  llvm::Value* constant(const std::vector<llvm::Value*>& slots) {
    std::vector<llvm::Constant*> elements;
    for (llvm::Value* slot : slots) elements.push_back(llvm::cast<llvm::Constant>(slot));
    auto* type = llvm::ArrayType::get(b_.getInt32Ty(), elements.size());
    auto* global =
        new llvm::GlobalVariable(*function_.getParent(), type, true, llvm::GlobalValue::InternalLinkage,
                                 llvm::ConstantArray::get(type, elements), "positions");
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return global;
  }
  llvm::Value* variable(const std::vector<llvm::Value*>& slots) {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::Value* array = llvm::IRBuilder<>(&entry, entry.begin())
                             .CreateAlloca(llvm::ArrayType::get(b_.getInt32Ty(), slots.size()));
    for (std::size_t i = 0; i < slots.size(); ++i)
      b_.CreateStore(slots[i], b_.CreateConstInBoundsGEP1_64(b_.getInt32Ty(), array, i));
    return array;
  }

  /// Returns the argument slot where the value is now.
  llvm::Value* argument_slot(ValueId value) {
    const auto variable = variables_.find(value);
    if (variable != variables_.end()) return b_.CreateLoad(b_.getInt32Ty(), variable->second);
    return b_.getInt32(number(value));
  }
  std::uint32_t word_of(std::size_t buffer) const {
    return static_cast<std::uint32_t>(1 + names_.size() + buffer);
  }
  std::size_t slot(std::size_t i) const { return scheduled_.inputs + scheduled_.outputs + i; }
  std::uint32_t number(ValueId id) const {
    const Value& value = scheduled_.program.values[id];
    switch (value.place) {
      case Value::Place::input:
        return word_of(value.index);
      case Value::Place::output:
        return word_of(scheduled_.inputs + value.index);
      case Value::Place::arena:
        return word_of(slot(*scheduled_.plan.slot_of[id]));
      case Value::Place::literal:
        return word_of(slot(scheduled_.slots.size()) + literal(id));
    }
    return 0;
  }
  /// Its place among the literals.
  std::size_t literal(ValueId id) const {
    const auto& values = scheduled_.program.values;
    return static_cast<std::size_t>(
        std::count_if(values.begin(), values.begin() + id,
                      [](const Value& value) { return value.place == Value::Place::literal; }));
  }

  llvm::Function& function_;
  emit::Extents& extents_;
  const schedule::ScheduledProgram& scheduled_;
  const ProgramGrids& grids_;
  const std::vector<std::string>& names_;
  llvm::BasicBlock* failed_ = nullptr;
  llvm::PHINode* status_ = nullptr;
  llvm::Value* read_ = nullptr;                ///< where the queue writes a condition
  std::map<ValueId, llvm::Value*> variables_;  ///< the argument slots of values that are swapped
};

}  // namespace

llvm::Function* emit_enqueue(llvm::Module& host, const std::string& name,
                             const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
                             const std::vector<std::string>& names) {
  llvm::LLVMContext& context = host.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0), *status = llvm::Type::getInt32Ty(context);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(status, {pointer, pointer}, false),
                                          llvm::GlobalValue::InternalLinkage, name, host);
  function->setDoesNotThrow();
  auto* body = llvm::BasicBlock::Create(context, "body", function);
  llvm::IRBuilder<> start(llvm::BasicBlock::Create(context, "entry", function, body)), builder(body);
  emit::Extents extents(start, function->getArg(0), names);
  Enqueue(*function, builder, extents, scheduled, grids, names).emit();
  start.CreateBr(body);
  return function;
}

bool reads_conditions(const kernel::Program& program) {
  std::size_t count = kernel::collect<kernel::Branch>(program.body).size();
  for (const kernel::Scope* scope : kernel::collect<kernel::Scope>(program.body))
    if (scope->is_fused) count -= kernel::collect<kernel::Branch>(scope->body).size();
  return count > 0;
}

}  // namespace codegen::target::gpu
