#include "codegen/target/nvptx/utilities.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>

#include "codegen/intrinsics/operations.h"
#include "runtime/abi.h"

namespace codegen::target::nvptx {
namespace {

using Builder = llvm::IRBuilder<>;
constexpr unsigned global_space = 1;

/// A kernel of blocks of that many threads; the builder stands in it.
llvm::Function* begin_kernel(llvm::Module& module, const char* name, llvm::ArrayRef<llvm::Type*> parameters,
                             std::int64_t threads, Builder& b) {
  auto* type = llvm::FunctionType::get(b.getVoidTy(), parameters, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  function->setCallingConv(llvm::CallingConv::PTX_Kernel);
  function->setDoesNotThrow();
  function->addFnAttr("nvvm.reqntid", std::to_string(threads));
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "entry", function));
  return function;
}

/// Ends the kernel with `if (number < count) body()`.
template <typename Body>
void where_below(Builder& b, llvm::Function& function, llvm::Value* number, llvm::Value* count, Body body) {
  llvm::LLVMContext& context = function.getContext();
  auto* inside = llvm::BasicBlock::Create(context, "inside", &function);
  auto* end = llvm::BasicBlock::Create(context, "end", &function);
  b.CreateCondBr(b.CreateICmpSLT(number, count), inside, end);
  b.SetInsertPoint(inside);
  body();
  b.CreateBr(end);
  b.SetInsertPoint(end);
  b.CreateRetVoid();
}

llvm::Value* global(Builder& b, llvm::Value* pointer) {
  return b.CreateAddrSpaceCast(pointer, b.getPtrTy(global_space));
}

/// tel_words(int64_t* to, int32_t count, words from, by value).
void add_words(llvm::Module& module) {
  Builder b(module.getContext());
  llvm::Type *word = b.getInt64Ty(), *pointer = b.getPtrTy();
  auto* words = llvm::ArrayType::get(word, runtime::argument_chunk_words);
  llvm::Function* function = begin_kernel(
      module, runtime::argument_kernel, {pointer, b.getInt32Ty(), pointer}, runtime::argument_chunk_words, b);
  llvm::LLVMContext& context = module.getContext();
  function->addParamAttr(2, llvm::Attribute::getWithByValType(context, words));
  function->addParamAttr(2, llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
  function->addParamAttr(2, llvm::Attribute::ReadOnly);
  llvm::Value* thread = intrinsics::call(b, intrinsics::Operation::thread, {});
  where_below(b, *function, thread, function->getArg(1), [&] {
    llvm::Value* from = b.CreateInBoundsGEP(words, function->getArg(2), {b.getInt32(0), thread});
    llvm::Value* to = b.CreateInBoundsGEP(word, global(b, function->getArg(0)), {thread});
    b.CreateAlignedStore(b.CreateAlignedLoad(word, from, llvm::Align(8)), to, llvm::Align(8));
  });
}

llvm::Type* element_type(Builder& b, runtime::ElementType type) {
  if (type == runtime::f16) return b.getHalfTy();
  if (type == runtime::bf16) return b.getBFloatTy();
  return type == runtime::f64 ? b.getDoubleTy() : b.getFloatTy();
}

/// `factor * value`, or 0 where the factor is.
llvm::Value* term(Builder& b, llvm::Value* factor, llvm::Value* value) {
  llvm::Constant* zero = llvm::ConstantFP::get(factor->getType(), 0);
  llvm::Value* wide = value->getType() == factor->getType() ? value : b.CreateFPExt(value, factor->getType());
  return b.CreateSelect(b.CreateFCmpOEQ(factor, zero), zero, b.CreateFMul(factor, wide));
}

/// tel_combine_…(T* to, const T* from, int64_t count, S a, S b).
void add_combine(llvm::Module& module, const runtime::CombineKernel& kernel) {
  Builder b(module.getContext());
  llvm::Type *index = b.getInt64Ty(), *pointer = b.getPtrTy(), *type = element_type(b, kernel.type);
  llvm::Type* wide = kernel.type == runtime::f64 ? b.getDoubleTy() : b.getFloatTy();
  llvm::Function* function =
      begin_kernel(module, kernel.name, {pointer, pointer, index, wide, wide}, runtime::combine_threads, b);
  const llvm::Align alignment(static_cast<std::uint64_t>(type->getScalarSizeInBits() / 8));
  llvm::Value* block = b.CreateZExt(intrinsics::call(b, intrinsics::Operation::block, {}), index);
  llvm::Value* thread = b.CreateZExt(intrinsics::call(b, intrinsics::Operation::thread, {}), index);
  llvm::Value* number = b.CreateAdd(b.CreateMul(block, b.getInt64(runtime::combine_threads)), thread);
  where_below(b, *function, number, function->getArg(2), [&] {
    llvm::Value* to = b.CreateInBoundsGEP(type, global(b, function->getArg(0)), {number});
    llvm::Value* from = b.CreateInBoundsGEP(type, global(b, function->getArg(1)), {number});
    llvm::Value* left = term(b, function->getArg(3), b.CreateAlignedLoad(type, to, alignment));
    llvm::Value* right = term(b, function->getArg(4), b.CreateAlignedLoad(type, from, alignment));
    llvm::Value* sum = b.CreateFAdd(left, right);
    b.CreateAlignedStore(type == wide ? sum : b.CreateFPTrunc(sum, type), to, alignment);
  });
}

/// `[from, from + count)` of the thread: 16 bytes where it has as many, else one after the other.
void copy_part(Builder& b, llvm::Function& function, llvm::Value* first, llvm::Value* count) {
  llvm::LLVMContext& context = function.getContext();
  llvm::Type *byte = b.getInt8Ty(), *index = b.getInt64Ty();
  auto* part = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
  const auto at = [&](unsigned argument, llvm::Value* offset) {
    return b.CreateInBoundsGEP(byte, global(b, function.getArg(argument)), {offset});
  };
  const auto block = [&](const char* name) { return llvm::BasicBlock::Create(context, name, &function); };
  auto *whole = block("whole"), *rest = block("rest"), *bytes = block("bytes"), *done = block("done");
  llvm::Value* end = b.CreateAdd(first, b.getInt64(runtime::update_bytes));
  b.CreateCondBr(b.CreateICmpSLE(end, count), whole, rest);
  b.SetInsertPoint(whole);
  const llvm::Align alignment(static_cast<std::uint64_t>(runtime::update_bytes));
  b.CreateAlignedStore(b.CreateAlignedLoad(part, at(1, first), alignment), at(0, first), alignment);
  b.CreateBr(done);
  b.SetInsertPoint(rest);
  b.CreateBr(bytes);
  b.SetInsertPoint(bytes);
  llvm::PHINode* offset = b.CreatePHI(index, 2);
  offset->addIncoming(first, rest);
  b.CreateStore(b.CreateLoad(byte, at(1, offset)), at(0, offset));
  llvm::Value* next = b.CreateAdd(offset, b.getInt64(1));
  offset->addIncoming(next, bytes);
  b.CreateCondBr(b.CreateICmpSLT(next, count), bytes, done);
  b.SetInsertPoint(done);
}

/// tel_update(int8_t* to, const int8_t* from, int64_t count, const IndexRecord* record).
void add_update(llvm::Module& module) {
  Builder b(module.getContext());
  llvm::Type *index = b.getInt64Ty(), *pointer = b.getPtrTy();
  llvm::Function* function = begin_kernel(module, runtime::update_kernel, {pointer, pointer, index, pointer},
                                          runtime::update_threads, b);
  llvm::Value* block = b.CreateZExt(intrinsics::call(b, intrinsics::Operation::block, {}), index);
  llvm::Value* thread = b.CreateZExt(intrinsics::call(b, intrinsics::Operation::thread, {}), index);
  llvm::Value* number = b.CreateAdd(b.CreateMul(block, b.getInt64(runtime::update_threads)), thread);
  llvm::Value* first = b.CreateMul(number, b.getInt64(runtime::update_bytes));
  static_assert(offsetof(runtime::IndexRecord, site) == 0);
  llvm::Value* site = b.CreateAlignedLoad(index, global(b, function->getArg(3)), llvm::Align(8));
  llvm::Value* count =
      b.CreateSelect(b.CreateICmpEQ(site, b.getInt64(0)), function->getArg(2), b.getInt64(0));
  where_below(b, *function, first, count, [&] { copy_part(b, *function, first, count); });
}

}  // namespace

void add_utilities(llvm::Module& module) {
  add_words(module);
  add_update(module);
  for (const runtime::CombineKernel& kernel : runtime::combine_kernels) add_combine(module, kernel);
}

}  // namespace codegen::target::nvptx
