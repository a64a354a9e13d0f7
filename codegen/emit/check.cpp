// Indices that are computed at run time: the range they must be in, and the record of the first outside.
#include "codegen/emit/emitter.h"

namespace codegen::emit {
namespace {

/// Writes the body of `void (ptr record, i1 failed, i64 site, i64 value, i64 position)`. A lower site
/// replaces a higher one, and within a site the lowest position stays, so that the order of reports does not
/// matter. Where several threads may report, they do so one after the other.
void write_report(llvm::Function& function, const ReportLayout& layout) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", &function));
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, &function); };
  auto *compare = block("compare"), *store = block("store"), *stored = block("stored"), *done = block("done");
  llvm::Value *record = function.getArg(0), *site = function.getArg(2), *position = function.getArg(4);
  const bool is_shared = layout.lock.has_value();
  const auto field = [&](unsigned i) { return b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), record, i); };
  const auto load = [&](unsigned i) { return b.CreateLoad(b.getInt64Ty(), field(i), is_shared); };
  const auto set = [&](unsigned i, llvm::Value* value) { b.CreateStore(value, field(i), is_shared); };
  llvm::Value* lock = is_shared ? field(*layout.lock) : nullptr;
  if (is_shared) {
    auto* wait = block("wait");
    b.CreateCondBr(function.getArg(1), wait, done);
    b.SetInsertPoint(wait);
    llvm::Value* taken =
        b.CreateAtomicCmpXchg(lock, b.getInt64(0), b.getInt64(1), llvm::Align(8),
                              llvm::AtomicOrdering::Acquire, llvm::AtomicOrdering::Monotonic);
    b.CreateCondBr(b.CreateExtractValue(taken, 1), compare, wait);
  } else {
    b.CreateCondBr(function.getArg(1), compare, done);
  }
  b.SetInsertPoint(compare);
  llvm::Value* known = load(layout.site);
  llvm::Value* first = b.CreateOr(b.CreateICmpEQ(known, b.getInt64(0)), b.CreateICmpSLT(site, known));
  llvm::Value* lower =
      b.CreateAnd(b.CreateICmpEQ(known, site), b.CreateICmpSLT(position, load(layout.position)));
  b.CreateCondBr(b.CreateOr(first, lower), store, stored);
  b.SetInsertPoint(store);
  set(layout.site, site);
  set(layout.value, function.getArg(3));
  set(layout.position, position);
  b.CreateBr(stored);
  b.SetInsertPoint(stored);
  if (is_shared)
    b.CreateAtomicRMW(llvm::AtomicRMWInst::Xchg, lock, b.getInt64(0), llvm::Align(8),
                      llvm::AtomicOrdering::Release);
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
}

}  // namespace

EmittedValue Emitter::check(const Scalar::Check& check, ElementType type) {
  const EmittedValue held = values_.at(check.operand);
  math::SimdBuilder& lanes = lanes_of(held);
  llvm::Type* wide = lanes.type(b_.getInt64Ty());
  llvm::Value* value = b_.CreateIntCast(held.number.value, wide, dlvm::is_signed(held.type));
  llvm::Value* first = lanes.splat(extents_.value(check.first));
  llvm::Value* end = lanes.splat(extents_.value(check.end));
  llvm::Value* failed = b_.CreateOr(b_.CreateICmpSLT(value, first), b_.CreateICmpSGE(value, end));
  llvm::Value* counted = failed;
  if (active_ && (held.is_vector() || !active_->getType()->isVectorTy())) counted = both(failed, active_);
  if (llvm::Value* where = holds(check.bounds)) {
    if (held.is_vector() && !where->getType()->isVectorTy()) where = lanes.splat(where);
    counted = both(counted, where);
  }
  report(check, counted, value);
  llvm::Value* instead = b_.CreateIntCast(first, held.number.value->getType(), true);
  return {lanes.number(b_.CreateSelect(failed, instead, held.number.value)), type};
}

/// Reports the site, the value and the position of every lane that failed.
void Emitter::report(const Scalar::Check& check, llvm::Value* failed, llvm::Value* value) {
  llvm::Value* any = failed->getType()->isVectorTy() ? b_.CreateOrReduce(failed) : failed;
  llvm::BasicBlock *record = block("outside"), *done = block("inside");
  b_.CreateCondBr(any, record, done);
  b_.SetInsertPoint(record);
  const Index flat = offset({0, check.position}, schedule::dense_layout(sites_[check.site].shape));
  const EmittedIndex position = index(flat);
  const auto lane_of = [&](llvm::Value* v, unsigned lane) {
    return v->getType()->isVectorTy() ? b_.CreateExtractElement(v, lane) : v;
  };
  llvm::Value* positions = position.is_uniform() ? position.base
                           : position.vector     ? position.vector
                                                 : vector_of(position);
  const unsigned count = failed->getType()->isVectorTy() ? width_ : 1;
  for (unsigned lane = 0; lane < count; ++lane)
    b_.CreateCall(report_function(), {context_, lane_of(failed, lane), i64(check.site + 1),
                                      lane_of(value, lane), lane_of(positions, lane)});
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

llvm::Function* Emitter::report_function() {
  llvm::Module& module = *b_.GetInsertBlock()->getModule();
  const char* name = "tel.report_index";
  if (llvm::Function* known = module.getFunction(name)) return known;
  llvm::Type *i64 = b_.getInt64Ty(), *pointer = b_.getPtrTy();
  auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer, b_.getInt1Ty(), i64, i64, i64}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  function->setDoesNotThrow();
  write_report(*function, model_.report());
  return function;
}

}  // namespace codegen::emit
