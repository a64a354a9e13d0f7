#include <llvm/IR/Module.h>

#include "codegen/emit/emitter.h"
#include "codegen/emit/lines.h"
#include "codegen/emit/loops.h"
#include "codegen/schedule/ir/walk.h"
#include "dlvm/support/internal_error.h"

namespace codegen::emit {

using schedule::Loop;
using schedule::LoopKind;

Emitter::Emitter(llvm::IRBuilder<>& builder, const schedule::Schedule& schedule,
                 std::span<const kernel::CheckSite> sites, math::Features features, Extents& extents,
                 llvm::Value* context, ExecutionModel& model)
    : b_(builder),
      schedule_(schedule),
      sites_(sites),
      features_(features),
      extents_(extents),
      context_(context),
      model_(model),
      scalars_(builder, 1, features) {}

namespace {

/// Adds the buffers that the statement accesses to `buffers`.
void add_accessed(const schedule::Statement& statement, std::set<BufferId>& buffers) {
  if (const auto* loop = std::get_if<Loop>(&statement.node)) {
    for (const auto& inner : loop->body) add_accessed(inner, buffers);
    return;
  }
  schedule::Statement copy = statement;  // what is visited may be changed
  schedule::visit_buffer_accesses(
      copy, [&](const schedule::BufferAccess& access) { buffers.insert(access.buffer); });
}

}  // namespace

void Emitter::emit(const schedule::Body& body) {
  const auto lifetimes = lifetimes_in(body);
  for (std::size_t i = 0; i < body.size(); ++i) {
    for (const auto& [id, lifetime] : lifetimes)
      if (lifetime.first == i) b_.CreateLifetimeStart(on_stack(id));
    std::visit([this](const auto& node) { emit(node); }, body[i].node);
    for (const auto& [id, lifetime] : lifetimes)
      if (lifetime.last == i) b_.CreateLifetimeEnd(on_stack(id));
  }
}

std::map<BufferId, Emitter::Lifetime> Emitter::lifetimes_in(const schedule::Body& body) const {
  std::set<BufferId> allocated;
  for (const auto& statement : body)
    if (const auto* allocate = std::get_if<schedule::Allocate>(&statement.node))
      if (on_stack(allocate->buffer) != nullptr) allocated.insert(allocate->buffer);
  std::map<BufferId, Lifetime> lifetimes;
  for (std::size_t i = 0; i < body.size() && !allocated.empty(); ++i) {
    std::set<BufferId> used;
    add_accessed(body[i], used);
    for (const BufferId id : used)
      if (allocated.contains(id)) lifetimes.try_emplace(id, Lifetime{i, i}).first->second.last = i;
  }
  return lifetimes;
}

llvm::AllocaInst* Emitter::on_stack(BufferId id) const {
  if (schedule_.buffers[id].space == schedule::Space::registers) return nullptr;
  const auto memory = memory_.find(id);
  return memory == memory_.end() ? nullptr : llvm::dyn_cast<llvm::AllocaInst>(memory->second.pointer);
}

void Emitter::emit(const schedule::Origin& origin) {
  llvm::DISubprogram* subprogram = b_.GetInsertBlock()->getParent()->getSubprogram();
  if (subprogram == nullptr || !origin.location.valid()) return;
  b_.SetCurrentDebugLocation(line_of(*subprogram, origin.location));
}

llvm::BasicBlock* Emitter::block(const char* name) {
  return llvm::BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
}

void Emitter::emit(const Loop& loop) {
  switch (loop.kind) {
    case LoopKind::serial:
    case LoopKind::pipeline:
      return emit_serial(loop);
    case LoopKind::unrolled:
      return emit_unrolled(loop);
    case LoopKind::vector:
      return emit_vector(loop);
    case LoopKind::thread:
    case LoopKind::block:
    case LoopKind::warp:
    case LoopKind::role:
    case LoopKind::core:
      return model_.emit_loop(*this, loop);
  }
}

namespace {

/// The bound of a loop's variable: that of its extent, or of its only bound besides.
schedule::Bound own_bound(const Loop& loop) {
  return loop.bounds.empty() ? schedule::Bound{schedule::variable(loop.id), loop.extent}
                             : loop.bounds.front();
}

/// Returns what the vector loop's only bound adds to the index of the outer loop's, if both end at the same
/// place.
std::optional<Index> added_by(const Loop& vector, const schedule::Bound& outer) {
  if (vector.bounds.size() != 1 || vector.bounds.front().end != outer.end) return std::nullopt;
  Index added = vector.bounds.front().index + outer.index * Extent(-1);
  if (!added.constant.is(0)) return std::nullopt;
  return added;
}

/// Returns the most that the variables of the loops make `added`; nothing if other variables are in it.
std::optional<std::int64_t> most_of(const Index& added, const std::vector<const Loop*>& loops) {
  std::int64_t most = 0;
  for (const auto& term : added.terms) {
    const auto* id = std::get_if<LoopId>(&term.atom);
    const auto coefficient = term.coefficient.constant();
    if (id == nullptr || !coefficient || *coefficient < 0) return std::nullopt;
    const auto loop = std::ranges::find_if(loops, [&](const Loop* each) { return each->id == *id; });
    if (loop == loops.end()) return std::nullopt;
    most += *coefficient * (*(*loop)->extent.constant() - 1);
  }
  return most;
}

/// Returns the first vector loop in `body` whose bound is that of the outer loop, plus what the loops between
/// them, and its own, add to its index: less than a step of the outer loop. `between`: the loops around
/// `body` inside of the outer one.
const Loop* find_tail(const schedule::Body& body, const schedule::Bound& outer, std::int64_t step,
                      std::vector<const Loop*>& between) {
  for (const auto& statement : body) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr || (loop->kind != LoopKind::unrolled && loop->kind != LoopKind::vector)) continue;
    if (!loop->extent.constant()) continue;
    between.push_back(loop);
    const auto added = loop->kind == LoopKind::vector ? added_by(*loop, outer) : std::nullopt;
    const auto most = added ? most_of(*added, between) : std::nullopt;
    const Loop* found = most && *most < step ? loop : find_tail(loop->body, outer, step, between);
    between.pop_back();
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

const Loop* Emitter::tail_of(const Loop& loop) const {
  if (loop.step == 1 || loop.bounds.size() > 1) return nullptr;
  const schedule::Bound bound = own_bound(loop);
  const auto step = schedule::stride(bound.index, loop.id);
  if (!step || !step->is(1)) return nullptr;
  std::vector<const Loop*> between;
  return find_tail(loop.body, bound, loop.step, between);
}

void Emitter::emit_serial(const Loop& loop) { emit_iterations(loop, i64(0), extents_.value(loop.extent)); }

void Emitter::emit_iterations(const Loop& loop, llvm::Value* begin, llvm::Value* end) {
  steps_[loop.id] = loop.step;
  const Loop* tail = tail_of(loop);
  if (!tail) {
    emit_trips(loop, begin, end);
    return;
  }
  // The trips that are whole without a mask, then one with it.
  const auto constant = loop.extent.constant();
  const auto last_trip = [&](llvm::Value* variable, llvm::Value* is_part) {
    variables_[loop.id] = variable;
    emit_under(is_part, loop.body);
  };
  if (!loop.bounds.empty()) {
    // One trip is left at most: the bound's index grows by a step, and the trip before was whole.
    const schedule::Bound& bound = loop.bounds.front();
    whole_.insert(tail);
    llvm::Value* next = emit_trips(
        loop, begin, end, schedule::Bound{bound.index + schedule::constant_index(loop.step - 1), bound.end});
    whole_.erase(tail);
    variables_[loop.id] = next;
    return last_trip(next, both(b_.CreateICmpSLT(next, end), holds(loop.bounds)));
  }
  auto* number = llvm::dyn_cast<llvm::ConstantInt>(end);
  llvm::Value* whole = number ? i64(number->getSExtValue() / loop.step * loop.step)
                              : b_.CreateSub(end, b_.CreateURem(end, i64(loop.step)));
  if (!constant || *constant >= loop.step) {
    whole_.insert(tail);
    emit_trips(loop, begin, whole);
    whole_.erase(tail);
  }
  if (constant && *constant % loop.step == 0) return;
  last_trip(whole, b_.CreateICmpSLT(whole, end));
}

namespace {

bool has_barrier(const schedule::Body& body) {
  bool found = false;
  schedule::walk<schedule::Barrier>(body, [&](const schedule::Barrier&) { found = true; });
  return found;
}

}  // namespace

void forbid_unrolling(llvm::Instruction& back) {
  llvm::LLVMContext& context = back.getContext();
  auto* disable = llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  auto* loop = llvm::MDNode::getDistinct(context, {nullptr, disable});
  loop->replaceOperandWith(0, loop);
  back.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

llvm::Value* Emitter::emit_trips(const Loop& loop, llvm::Value* begin, llvm::Value* end,
                                 const std::optional<schedule::Bound>& whole) {
  llvm::BasicBlock *before = b_.GetInsertBlock(), *head = block("head"), *body = block("body"),
                   *done = block("done");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* variable = b_.CreatePHI(b_.getInt64Ty(), 2, loop.name);
  variable->addIncoming(begin, before);
  variables_[loop.id] = variable;
  llvm::Value* more = both(b_.CreateICmpSLT(variable, end), holds(loop.bounds));
  if (whole) more = both(more, holds({*whole}));
  b_.CreateCondBr(more, body, done);
  b_.SetInsertPoint(body);
  emit(loop.body);
  variable->addIncoming(b_.CreateAdd(variable, i64(loop.step), "", true, true), b_.GetInsertBlock());
  llvm::Instruction* back = b_.CreateBr(head);
  // That would gain nothing, because loads do not move over barriers, and would keep more values in
  // registers.
  if (has_barrier(loop.body)) forbid_unrolling(*back);
  b_.SetInsertPoint(done);
  return variable;
}

void Emitter::emit_unrolled(const Loop& loop) {
  for (std::int64_t i = 0; i < loop.extent.constant().value_or(0); i += loop.step) {
    variables_[loop.id] = i64(i);
    emit_under(holds(loop.bounds), loop.body);
  }
}

void Emitter::emit_under(llvm::Value* condition, const schedule::Body& statements) {
  if (!condition) return emit(statements);
  llvm::BasicBlock *body = block("copy"), *done = block("done");
  b_.CreateCondBr(condition, body, done);
  b_.SetInsertPoint(body);
  emit(statements);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

/// Only vectors that are not whole pay for the mask: a masked store of AVX2 takes some 12 cycles on some
/// processors.
void Emitter::emit_whole_or_masked(const std::vector<schedule::Bound>& bounds,
                                   const std::function<void(llvm::Value*)>& emit_lanes) {
  llvm::BasicBlock *whole = block("whole"), *masked = block("masked"), *done = block("done");
  b_.CreateCondBr(all_hold(bounds), whole, masked);
  b_.SetInsertPoint(whole);
  emit_lanes(nullptr);
  b_.CreateBr(done);
  b_.SetInsertPoint(masked);
  emit_lanes(holds(bounds));
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void Emitter::emit_vector(const Loop& loop) {
  if (lane_) dlvm::internal_error("a vector loop inside a vector loop");
  width_ = static_cast<unsigned>(loop.extent.constant().value_or(1));
  vectors_.emplace(b_, width_, features_);
  lane_ = loop.id;
  const auto emit_lanes = [&](llvm::Value* active) {
    active_ = active;
    emit(loop.body);
    active_ = nullptr;
  };
  if (loop.bounds.empty() || whole_.count(&loop) > 0)
    emit_lanes(nullptr);
  else if (features_.masks)
    emit_lanes(holds(loop.bounds));
  else
    emit_whole_or_masked(loop.bounds, emit_lanes);
  lane_.reset();
  vectors_.reset();
  width_ = 1;
}

}  // namespace codegen::emit
