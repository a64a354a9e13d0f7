// A row for each device operation: the intrinsic that is its instruction, and what version of PTX has it.
#include "codegen/target/nvptx/instructions.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>
#include <array>

#include "codegen/intrinsics/operations.h"
#include "runtime/abi.h"

namespace codegen::target::nvptx {
namespace {

using Builder = llvm::IRBuilder<>;
using Arguments = std::vector<llvm::Value*>;

constexpr unsigned shared_space = 3, global_space = 1;

constexpr std::uint32_t last_lane = ::runtime::warp_threads - 1;
static_assert(last_lane == 31, "a warp of an NVIDIA GPU has 32 threads");

llvm::Value* all_lanes(Builder& b) { return b.getInt32(~std::uint32_t{0} >> (31 - last_lane)); }
llvm::Value* shared_pointer(Builder& b, llvm::Value* pointer) {
  return b.CreateAddrSpaceCast(pointer, b.getPtrTy(shared_space));
}
llvm::Value* intrinsic(Builder& b, llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> operands) {
  return b.CreateIntrinsic(id, {}, operands);
}

llvm::Value* thread(Builder& b, const Arguments&) {
  return intrinsic(b, llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
}
llvm::Value* block(Builder& b, const Arguments&) {
  return intrinsic(b, llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {});
}

/// The memory whose size a launch gives.
llvm::Value* shared(Builder& b, const Arguments&) {
  llvm::Module& module = *b.GetInsertBlock()->getModule();
  const char* name = "tel_shared";
  llvm::GlobalVariable* memory = module.getGlobalVariable(name);
  if (memory == nullptr) {
    auto* type = llvm::ArrayType::get(b.getInt8Ty(), 0);
    memory = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr, name,
                                      nullptr, llvm::GlobalValue::NotThreadLocal, shared_space);
    memory->setAlignment(llvm::Align(1024));
  }
  return b.CreateAddrSpaceCast(memory, b.getPtrTy());
}

llvm::Value* barrier(Builder& b, const Arguments& a) {
  return intrinsic(b, llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count, {a[0], a[1]});
}
llvm::Value* warp_barrier(Builder& b, const Arguments&) {
  return intrinsic(b, llvm::Intrinsic::nvvm_bar_warp_sync, {all_lanes(b)});
}
llvm::Value* shuffle(Builder& b, const Arguments& a) {
  return intrinsic(b, llvm::Intrinsic::nvvm_shfl_sync_idx_i32,
                   {all_lanes(b), a[0], a[1], b.getInt32(last_lane)});
}
llvm::Value* shuffle_xor(Builder& b, const Arguments& a) {
  return intrinsic(b, llvm::Intrinsic::nvvm_shfl_sync_bfly_i32,
                   {all_lanes(b), a[0], a[1], b.getInt32(last_lane)});
}
llvm::Value* any(Builder& b, const Arguments& a) {
  return intrinsic(b, llvm::Intrinsic::nvvm_vote_any_sync, {all_lanes(b), a[0]});
}
llvm::Value* ballot(Builder& b, const Arguments& a) {
  return intrinsic(b, llvm::Intrinsic::nvvm_vote_ballot_sync, {all_lanes(b), a[0]});
}

template <llvm::Intrinsic::ID id>
llvm::Value* copy_async(Builder& b, const Arguments& a) {
  llvm::Value* from = b.CreateAddrSpaceCast(a[1], b.getPtrTy(global_space));
  return intrinsic(b, id, {shared_pointer(b, a[0]), from, a[2]});
}
llvm::Value* copy_commit(Builder& b, const Arguments&) {
  return intrinsic(b, llvm::Intrinsic::nvvm_cp_async_commit_group, {});
}
llvm::Value* copy_wait(Builder& b, const Arguments& a) {
  return intrinsic(b, llvm::Intrinsic::nvvm_cp_async_wait_group, {a[0]});
}

template <llvm::Intrinsic::ID id>
llvm::Value* load_matrix(Builder& b, const Arguments& a) {
  llvm::Value* pointer = shared_pointer(b, a[0]);
  return b.CreateIntrinsic(id, {pointer->getType()}, {pointer});
}

template <llvm::Intrinsic::ID id>
llvm::Value* multiply(Builder& b, const Arguments& a) {
  return intrinsic(b, id, a);
}
/// Its operands are pairs of halves. The sums are in the lanes as in NVIDIA's instruction set manual, "Matrix
/// Fragments for mma.m16n8k16 with floating point type".
llvm::Value* multiply_f16(Builder& b, const Arguments& a) {
  Arguments operands = a;
  auto* pair = llvm::FixedVectorType::get(b.getHalfTy(), 2);
  for (std::size_t i = 0; i < 6; ++i) operands[i] = b.CreateBitCast(a[i], pair);
  return intrinsic(b, llvm::Intrinsic::nvvm_mma_m16n8k16_row_col_f32_f32, operands);
}

using Write = llvm::Value* (*)(Builder&, const Arguments&);
namespace I = llvm::Intrinsic;

struct Row {
  Write write = nullptr;
  int version = 0;  ///< of PTX, the first that has the instruction
};

constexpr std::array<Row, intrinsics::operation_count> table{{
    {thread, 10},
    {block, 10},
    {shared, 10},
    {barrier, 20},
    {warp_barrier, 60},
    {shuffle, 60},
    {shuffle_xor, 60},
    {any, 60},
    {ballot, 60},
    {copy_async<I::nvvm_cp_async_ca_shared_global_4_s>, 70},
    {copy_async<I::nvvm_cp_async_ca_shared_global_8_s>, 70},
    {copy_async<I::nvvm_cp_async_cg_shared_global_16_s>, 70},
    {copy_commit, 70},
    {copy_wait, 70},
    {load_matrix<I::nvvm_ldmatrix_sync_aligned_m8n8_x1_b16>, 65},
    {load_matrix<I::nvvm_ldmatrix_sync_aligned_m8n8_x2_b16>, 65},
    {load_matrix<I::nvvm_ldmatrix_sync_aligned_m8n8_x4_b16>, 65},
    {load_matrix<I::nvvm_ldmatrix_sync_aligned_m8n8_x1_trans_b16>, 65},
    {load_matrix<I::nvvm_ldmatrix_sync_aligned_m8n8_x2_trans_b16>, 65},
    {load_matrix<I::nvvm_ldmatrix_sync_aligned_m8n8_x4_trans_b16>, 65},
    {multiply_f16, 70},
    {multiply<I::nvvm_mma_m16n8k16_row_col_bf16>, 70},
    {multiply<I::nvvm_mma_m16n8k8_row_col_tf32>, 70},
}};
static_assert(table.back().write != nullptr, "an operation has no instruction");

const Row& row_of(const intrinsics::Definition& definition) {
  return table[static_cast<std::size_t>(definition.operation)];
}

}  // namespace

int ptx_version(const llvm::Module& module) {
  int version = 0;
  for (const llvm::Function& function : module)
    if (const intrinsics::Definition* definition = intrinsics::operation_of(function))
      version = std::max(version, row_of(*definition).version);
  return version;
}

void lower_to_nvptx(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const intrinsics::Definition* definition = intrinsics::operation_of(function);
    if (definition == nullptr) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      Builder b(call);
      const Arguments arguments(call->arg_begin(), call->arg_end());
      llvm::Value* made = row_of(*definition).write(b, arguments);
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(made);
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

}  // namespace codegen::target::nvptx
