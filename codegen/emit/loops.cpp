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

void Emitter::emit(const schedule::Body& body) {
  for (const auto& statement : body) std::visit([this](const auto& node) { emit(node); }, statement.node);
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

/// Returns the vector loop in `body` whose bound is that of the outer loop: the outer variable, plus what
/// inner loops add to it, stays below the outer loop's extent.
const Loop* find_tail(const schedule::Body& body, const Loop& outer, std::int64_t reach) {
  for (const auto& statement : body) {
    const auto* loop = std::get_if<Loop>(&statement.node);
    if (loop == nullptr || (loop->kind != LoopKind::unrolled && loop->kind != LoopKind::vector)) continue;
    const auto trips = loop->extent.constant();
    if (!trips) continue;
    if (loop->kind == LoopKind::vector && loop->bounds.size() == 1) {
      const auto& bound = loop->bounds.front();
      const auto step = schedule::stride(bound.index, outer.id);
      if (bound.end == outer.extent && bound.index.constant.is(0) && step && step->is(1)) return loop;
    }
    if (const Loop* inside = find_tail(loop->body, outer, reach)) return inside;
  }
  return nullptr;
}

/// Returns whether the inner loops add less than a step of the outer loop to the bound's index.
bool stays_inside(const Loop& vector, const Loop& outer, const schedule::Body& body) {
  std::map<LoopId, std::int64_t> last;
  const schedule::Body* here = &body;
  while (here != nullptr) {
    const schedule::Body* next = nullptr;
    for (const auto& statement : *here) {
      const auto* loop = std::get_if<Loop>(&statement.node);
      if (loop == nullptr || !loop->extent.constant()) continue;
      if (loop->kind != LoopKind::unrolled && loop->kind != LoopKind::vector) continue;
      last[loop->id] = *loop->extent.constant() - 1;
      next = &loop->body;
    }
    here = next;
  }
  std::int64_t most = 0;
  for (const auto& term : vector.bounds.front().index.terms) {
    const auto* id = std::get_if<LoopId>(&term.atom);
    if (id == nullptr) return false;
    if (*id == outer.id) continue;
    const auto coefficient = term.coefficient.constant();
    if (!coefficient || *coefficient < 0 || last.count(*id) == 0) return false;
    most += *coefficient * last.at(*id);
  }
  return most < outer.step;
}

}  // namespace

const Loop* Emitter::tail_of(const Loop& loop) const {
  if (loop.step == 1 || !loop.bounds.empty()) return nullptr;
  const Loop* tail = find_tail(loop.body, loop, 0);
  return tail && stays_inside(*tail, loop, loop.body) ? tail : nullptr;
}

void Emitter::emit_serial(const Loop& loop) { emit_iterations(loop, i64(0), extents_.value(loop.extent)); }

void Emitter::emit_iterations(const Loop& loop, llvm::Value* begin, llvm::Value* end) {
  steps_[loop.id] = loop.step;
  const Loop* tail = tail_of(loop);
  if (!tail) return emit_trips(loop, begin, end);
  // The trips that are whole without a mask, then one with it.
  const auto constant = loop.extent.constant();
  auto* number = llvm::dyn_cast<llvm::ConstantInt>(end);
  llvm::Value* whole = number ? i64(number->getSExtValue() / loop.step * loop.step)
                              : b_.CreateSub(end, b_.CreateURem(end, i64(loop.step)));
  if (!constant || *constant >= loop.step) {
    whole_.insert(tail);
    emit_trips(loop, begin, whole);
    whole_.erase(tail);
  }
  if (constant && *constant % loop.step == 0) return;
  llvm::BasicBlock *last = block("tail"), *done = block("done");
  b_.CreateCondBr(b_.CreateICmpSLT(whole, end), last, done);
  b_.SetInsertPoint(last);
  variables_[loop.id] = whole;
  emit(loop.body);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
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

void Emitter::emit_trips(const Loop& loop, llvm::Value* begin, llvm::Value* end) {
  llvm::BasicBlock *before = b_.GetInsertBlock(), *head = block("head"), *body = block("body"),
                   *done = block("done");
  b_.CreateBr(head);
  b_.SetInsertPoint(head);
  llvm::PHINode* variable = b_.CreatePHI(b_.getInt64Ty(), 2, loop.name);
  variable->addIncoming(begin, before);
  variables_[loop.id] = variable;
  llvm::Value* more = both(b_.CreateICmpSLT(variable, end), holds(loop.bounds));
  b_.CreateCondBr(more, body, done);
  b_.SetInsertPoint(body);
  emit(loop.body);
  variable->addIncoming(b_.CreateAdd(variable, i64(loop.step), "", true, true), b_.GetInsertBlock());
  llvm::Instruction* back = b_.CreateBr(head);
  // That would gain nothing, because loads do not move over barriers, and would keep more values in
  // registers.
  if (has_barrier(loop.body)) forbid_unrolling(*back);
  b_.SetInsertPoint(done);
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
