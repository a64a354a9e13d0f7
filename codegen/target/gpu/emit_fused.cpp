// One block runs a scope: all threads follow the same control flow, and all of them run each launch, between
// barriers. A condition is read by every thread, and written again only after all have read it; the kernel
// ends there if a check has failed. Each thread exchanges the addresses of values that are swapped. Where one
// thread computes everything, there are no barriers, and values of few elements that only the scope uses are
// variables of that thread.
#include "codegen/target/gpu/emit_fused.h"

#include <algorithm>
#include <map>

#include "codegen/emit/lines.h"
#include "codegen/emit/statements.h"
#include "codegen/intrinsics/operations.h"
#include "codegen/kernel/ir/liveness.h"
#include "codegen/math/operations.h"
#include "codegen/schedule/ir/threads.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/target/gpu/grid.h"
#include "codegen/target/gpu/kernel_function.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {
namespace {

using intrinsics::Operation;
using kernel::ValueId;
using schedule::Loop;
using schedule::Schedule;

/// The grids of a launch, whatever the dimensions.
std::vector<const Loop*> grids_of(const Schedule& schedule) {
  std::vector<const Loop*> grids;
  for (const schedule::Statement& statement : schedule.variants.back().body)
    if (const auto* grid = std::get_if<Loop>(&statement.node)) grids.push_back(grid);
  return grids;
}

/// Whether one thread can run the grid.
bool is_serial(const Loop& grid) {
  bool serial = true;
  const schedule::Body body{{grid}};
  schedule::walk<schedule::Statement>(body, [&](const schedule::Statement& statement) {
    const auto& node = statement.node;
    if (const auto* loop = std::get_if<Loop>(&node))
      serial = serial && loop->kind != schedule::LoopKind::warp &&
               (loop->kind != schedule::LoopKind::thread || loop->extent.is(1));
    else
      serial = serial &&
               (std::holds_alternative<schedule::Origin>(node) ||
                std::holds_alternative<schedule::Let>(node) || std::holds_alternative<schedule::Store>(node));
  });
  return serial;
}

unsigned threads_of(const Loop& grid) {
  return is_serial(grid) ? 1 : static_cast<unsigned>(schedule::block_threads(grid));
}

bool has_checks(const Schedule& schedule) {
  bool found = false;
  schedule::walk<schedule::Let>(schedule.variants.back().body, [&](const schedule::Let& let) {
    found = found || std::holds_alternative<schedule::Scalar::Check>(let.scalar.definition);
  });
  return found;
}

class FusedCode : emit::StatementEmitter {
 public:
  FusedCode(KernelFunction& function, const schedule::ScheduledProgram& scheduled, const kernel::Scope& scope,
            const std::vector<ValueId>& values, bool lines)
      : StatementEmitter(function.builder()), function_(function), scheduled_(scheduled) {
    for (const kernel::Launch* launch : kernel::collect<kernel::Launch>(scope.body)) {
      const Schedule& schedule = scheduled.schedules[launch->kernel];
      may_fail_ = may_fail_ || has_checks(schedule);
      for (const Loop* grid : grids_of(schedule)) {
        threads_ = std::max(threads_, threads_of(*grid));
        if (function.function().getSubprogram() == nullptr)
          emit::add_lines(function.function(), grid->body,
                          lines ? llvm::DICompileUnit::DebugDirectivesOnly : llvm::DICompileUnit::NoDebug);
      }
    }
    if (!scheduled.program.check_sites.empty()) end_if_failed();
    place(values, scope);
    llvm::BasicBlock* end = threads_ == 1 ? begin_threads(1) : block("end");
    if (StatementEmitter::emit({{scope}})) {
      restore();
      b_.CreateBr(end);
    }
    b_.SetInsertPoint(end);
  }

  /// Returns the threads of the block, which are whole warps.
  unsigned threads() const {
    constexpr auto warp = static_cast<unsigned>(schedule::warp_threads);
    return (threads_ + warp - 1) / warp * warp;
  }
  std::int64_t shared() const { return shared_; }

 private:
  void place(const std::vector<ValueId>& values, const kernel::Scope& scope) {
    const std::vector<const kernel::Swap*> swaps = kernel::collect<kernel::Swap>(scope.body);
    const std::set<ValueId> outside = used_outside(scheduled_.program, scope);
    const kernel::Liveness liveness(scheduled_.program);
    std::set<ValueId> variables;
    for (const ValueId value : values)
      if (threads_ == 1 && !outside.contains(value) &&
          kernel::may_be_variable(scheduled_.program.values[value]))
        variables.insert(value);
    for (bool changes = true; changes;) {
      changes = false;
      for (const kernel::Swap* swap : swaps)
        if (variables.contains(swap->first) != variables.contains(swap->second))
          changes = variables.erase(swap->first) + variables.erase(swap->second) > 0;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      places_[values[i]] = variables.contains(values[i])
                               ? make_variable(values[i])
                               : function_.argument(i, scheduled_.program.values[values[i]].name);
    for (const kernel::Swap* swap : swaps)
      for (const ValueId value : {swap->first, swap->second}) {
        if (variables.contains(value) || addresses_.contains(value)) continue;
        addresses_[value] = function_.variable(b_.getPtrTy(), places_.at(value));
        if (liveness.behind(scope.name).contains(value)) restored_.push_back(value);
      }
  }
  llvm::Value* make_variable(ValueId id) {
    const kernel::Value& value = scheduled_.program.values[id];
    const auto count = static_cast<unsigned>(*dlvm::unit_count(value.shape).constant());
    llvm::Type* type = math::memory_type(b_.getContext(), value.element);
    return function_.variable(count == 1 ? type : llvm::FixedVectorType::get(type, count), nullptr);
  }
  /// Returns where the value is now.
  llvm::Value* address(ValueId value) {
    const auto swapped = addresses_.find(value);
    return swapped == addresses_.end() ? places_.at(value) : b_.CreateLoad(b_.getPtrTy(), swapped->second);
  }

  void launch(const kernel::Launch& launch) override {
    const Schedule& schedule = scheduled_.schedules[launch.kernel];
    for (const Loop* grid : grids_of(schedule)) {
      const GridSchedule own = extract_grid(schedule, *grid);
      std::vector<llvm::Value*> places;
      for (const schedule::BufferId id : own.arguments) places.push_back(address(launch.values[id]));
      const unsigned threads = threads_of(*grid);
      llvm::BasicBlock* next = threads < threads_ ? begin_threads(threads) : nullptr;
      // The others wait at barrier 0 meanwhile.
      const unsigned barrier = next != nullptr ? 1 : 0;
      shared_ = std::max(
          shared_, function_.emit(own.schedule, scheduled_.program.check_sites, places, threads, barrier));
      if (next != nullptr) b_.CreateBr(next), b_.SetInsertPoint(next);
      this->barrier();
    }
  }

  void swap(const kernel::Swap& swap) override {
    const auto exchange = [&](llvm::Type* type, llvm::Value* first, llvm::Value* second) {
      llvm::Value *a = b_.CreateLoad(type, first), *b = b_.CreateLoad(type, second);
      b_.CreateStore(b, first);
      b_.CreateStore(a, second);
    };
    if (addresses_.contains(swap.first))
      return exchange(b_.getPtrTy(), addresses_.at(swap.first), addresses_.at(swap.second));
    auto* first = llvm::cast<llvm::AllocaInst>(places_.at(swap.first));
    exchange(first->getAllocatedType(), first, places_.at(swap.second));
  }

  /// Copies the values that live behind the scope to where they were at its beginning. Others may be in
  /// memory that nothing has written.
  void restore() {
    for (const ValueId id : restored_) {
      const kernel::Value& value = scheduled_.program.values[id];
      const auto count = static_cast<std::uint64_t>(*dlvm::unit_count(value.shape).constant());
      llvm::Type* element = math::memory_type(b_.getContext(), value.element);
      llvm::Value *from = address(id), *to = places_.at(id), *first = thread();
      llvm::BasicBlock *before = b_.GetInsertBlock(), *head = block("restore"), *body = block("element"),
                       *done = block("restored");
      b_.CreateCondBr(b_.CreateICmpNE(from, to), head, done);
      b_.SetInsertPoint(head);
      llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2);
      i->addIncoming(first, before);
      b_.CreateCondBr(b_.CreateICmpULT(i, b_.getInt64(count)), body, done);
      b_.SetInsertPoint(body);
      b_.CreateStore(b_.CreateLoad(element, b_.CreateInBoundsGEP(element, from, i)),
                     b_.CreateInBoundsGEP(element, to, i));
      i->addIncoming(b_.CreateAdd(i, b_.getInt64(threads_)), body);
      b_.CreateBr(head);
      b_.SetInsertPoint(done);
    }
  }

  /// A failed check ends the kernel at the next condition, which may depend on the wrong value: so a loop
  /// that would go on for ever because of it ends.
  llvm::Value* condition(ValueId value) override {
    llvm::Value* read = b_.CreateLoad(b_.getInt8Ty(), address(value));
    if (may_fail_)
      end_if_failed();
    else
      barrier();
    return b_.CreateICmpNE(read, b_.getInt8(0));
  }

  void repeat() override {}  // a loop that ends reads a condition

  /// Ends the kernel where a check has failed, in it or before it, behind a barrier.
  void end_if_failed() {
    constexpr unsigned word = emit::word_of(offsetof(::runtime::IndexRecord, site));
    llvm::Value* site = b_.CreateLoad(
        b_.getInt64Ty(), b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), function_.record(), word));
    barrier();
    auto *failed = block("failed"), *next = block("checked");
    b_.CreateCondBr(b_.CreateICmpNE(site, b_.getInt64(0)), failed, next);
    b_.SetInsertPoint(failed);
    b_.CreateRetVoid();
    b_.SetInsertPoint(next);
  }

  llvm::Value* thread() {
    return b_.CreateZExt(intrinsics::call(b_, Operation::thread, {}), b_.getInt64Ty(), "", true);
  }
  void barrier() {
    if (threads_ > 1) intrinsics::call(b_, Operation::barrier, {b_.getInt32(0), b_.getInt32(threads_)});
  }

  /// Begins what only the first threads do, and returns where all of them continue.
  llvm::BasicBlock* begin_threads(unsigned threads) {
    auto *some = block("threads"), *next = block("next");
    b_.CreateCondBr(b_.CreateICmpULT(thread(), b_.getInt64(threads)), some, next);
    b_.SetInsertPoint(some);
    return next;
  }

  KernelFunction& function_;
  const schedule::ScheduledProgram& scheduled_;
  std::map<ValueId, llvm::Value*> places_;     ///< where the values are when the scope begins
  std::map<ValueId, llvm::Value*> addresses_;  ///< the variables that say where swapped values are
  std::vector<ValueId> restored_;              ///< swapped values that live behind the scope
  unsigned threads_ = 1;
  std::int64_t shared_ = 0;
  bool may_fail_ = false;
};

}  // namespace

Kernel emit_fused(llvm::Module& code, const std::string& name, const schedule::ScheduledProgram& scheduled,
                  const kernel::Scope& scope, const std::vector<ValueId>& values,
                  const std::vector<std::string>& names, bool lines) {
  KernelFunction function(code, name, values.size(), names);
  const FusedCode fused(function, scheduled, scope, values, lines);
  function.finish();
  return {name, values.size(), fused.threads(), fused.shared(), true};
}

namespace {

/// Calls `visit` with every value that a statement uses, as often as it does.
template <typename Visit>
void visit_uses(const kernel::Sequence& sequence, const Visit& visit) {
  kernel::walk(sequence, [&](const kernel::Statement& statement) {
    if (const auto* launch = std::get_if<kernel::Launch>(&statement.node))
      for (const ValueId value : launch->values) visit(value);
    if (const auto* swap = std::get_if<kernel::Swap>(&statement.node))
      visit(swap->first), visit(swap->second);
    if (const auto* branch = std::get_if<kernel::Branch>(&statement.node)) visit(branch->condition);
  });
}

}  // namespace

std::vector<ValueId> values_of(const kernel::Scope& scope) {
  std::vector<ValueId> values;
  visit_uses(scope.body, [&](ValueId value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  });
  return values;
}

std::set<ValueId> used_outside(const kernel::Program& program, const kernel::Scope& scope) {
  std::map<ValueId, std::int64_t> uses;
  visit_uses(program.body, [&](ValueId value) { ++uses[value]; });
  visit_uses(scope.body, [&](ValueId value) { --uses[value]; });
  std::set<ValueId> outside;
  for (const auto& [value, count] : uses)
    if (count > 0) outside.insert(value);
  return outside;
}

}  // namespace codegen::target::gpu
