#include "codegen/target/gpu/kernel_function.h"

#include "codegen/intrinsics/operations.h"
#include "codegen/schedule/ir/threads.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/target/gpu/simt.h"
#include "dlvm/support/internal_error.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {

using schedule::BufferId;
using schedule::Loop;
using schedule::Schedule;

namespace {

constexpr std::uint64_t shared_alignment = 128;
/// The alignment of the memory to which the words of an argument buffer point (runtime/abi.h).
constexpr std::uint64_t word_alignment = 16;

llvm::Function* make_function(llvm::Module& code, const std::string& name, std::size_t arguments) {
  llvm::LLVMContext& context = code.getContext();
  std::vector<llvm::Type*> parameters{llvm::PointerType::get(context, 0)};
  parameters.resize(1 + arguments, llvm::Type::getInt32Ty(context));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, code);
  function->setDoesNotThrow();
  return function;
}

}  // namespace

KernelFunction::KernelFunction(llvm::Module& code, const std::string& name, std::size_t arguments,
                               const std::vector<std::string>& names)
    : function_(make_function(code, name, arguments)),
      body_(nullptr),
      start_(llvm::BasicBlock::Create(code.getContext(), "entry", function_)),
      builder_(body_ = llvm::BasicBlock::Create(code.getContext(), "body", function_)),
      record_(global(word(start_.getInt64(0)))),
      extents_(start_, start_.CreateConstInBoundsGEP1_64(start_.getInt64Ty(), function_->getArg(0), 1),
               names) {}

llvm::Value* KernelFunction::argument(std::size_t slot, const std::string& name) {
  llvm::Value* number =
      start_.CreateZExt(function_->getArg(static_cast<unsigned>(slot + 1)), start_.getInt64Ty());
  llvm::Value* place = global(word(number));
  place->setName(identifier(name));
  return place;
}

llvm::AllocaInst* KernelFunction::variable(llvm::Type* type, llvm::Value* value) {
  llvm::AllocaInst* memory = start_.CreateAlloca(type);
  memory->setAlignment(llvm::Align(word_alignment));
  if (value != nullptr) start_.CreateStore(value, memory);
  return memory;
}

void KernelFunction::return_after_error() {
  constexpr unsigned site_word = emit::word_of(offsetof(::runtime::IndexRecord, site));
  llvm::Value* site = builder_.CreateLoad(
      builder_.getInt64Ty(), builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), record_, site_word));
  auto *failed = llvm::BasicBlock::Create(builder_.getContext(), "failed", function_),
       *update = llvm::BasicBlock::Create(builder_.getContext(), "update", function_);
  builder_.CreateCondBr(builder_.CreateICmpNE(site, builder_.getInt64(0)), failed, update);
  builder_.SetInsertPoint(failed);
  builder_.CreateRetVoid();
  builder_.SetInsertPoint(update);
}

std::int64_t KernelFunction::emit(const Schedule& grid, std::span<const kernel::CheckSite> sites,
                                  std::span<llvm::Value* const> arguments, unsigned threads,
                                  unsigned barrier) {
  static_assert(schedule::warp_threads == ::runtime::warp_threads);
  SimtModel model({threads, static_cast<unsigned>(schedule::warp_threads), barrier});
  emit::Emitter emitter(builder_, grid, sites, {}, extents_, record_, model);
  for (BufferId id = 0; id < grid.arguments; ++id)
    emitter.place(id, {arguments[id], false, false, word_alignment});
  const std::int64_t shared = place_shared(grid, emitter);
  emitter.emit(grid.variants.front().body);
  return shared;
}

void KernelFunction::finish() {
  builder_.CreateRetVoid();
  start_.CreateBr(body_);
}

llvm::Value* KernelFunction::word(llvm::Value* index) {
  llvm::Value* place = start_.CreateInBoundsGEP(start_.getInt64Ty(), function_->getArg(0), index);
  auto* load = start_.CreateLoad(start_.getInt64Ty(), place);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(start_.getContext(), {}));
  return load;
}

/// The pointer, known to be one to global memory.
llvm::Value* KernelFunction::global(llvm::Value* address) {
  constexpr unsigned global_space = 1;
  return start_.CreateAddrSpaceCast(start_.CreateIntToPtr(address, start_.getPtrTy(global_space)),
                                    start_.getPtrTy());
}

std::int64_t KernelFunction::place_shared(const Schedule& grid, emit::Emitter& emitter) {
  std::vector<BufferId> buffers;
  schedule::walk<schedule::Allocate>(grid.variants.front().body, [&](const schedule::Allocate& allocate) {
    if (grid.buffers[allocate.buffer].space == schedule::Space::shared) buffers.push_back(allocate.buffer);
  });
  if (buffers.empty()) return 0;
  llvm::Value* base = intrinsics::call(start_, intrinsics::Operation::shared, {});
  std::int64_t end = 0;
  for (const BufferId id : buffers) {
    const auto bytes = bytes_of(grid.buffers[id]).constant();
    if (!bytes) dlvm::internal_error("shared memory without a constant size");
    llvm::Value* place =
        start_.CreateConstInBoundsGEP1_64(start_.getInt8Ty(), base, static_cast<std::uint64_t>(end));
    emitter.place(id, {place, false, true, shared_alignment});
    end += (*bytes + shared_alignment - 1) / shared_alignment * shared_alignment;
  }
  return end;
}

std::string identifier(const std::string& text) {
  std::string name;
  for (const char c : text)
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return name;
}

dlvm::Extent blocks_of(const Loop& grid) {
  dlvm::Extent blocks = 1;
  for (const Loop* loop : schedule::perfect_nest(grid)) blocks = blocks * loop->extent;
  return blocks;
}

}  // namespace codegen::target::gpu
