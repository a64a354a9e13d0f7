#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <span>
#include <vector>

/// What a GPU kernel does that is not ordinary LLVM IR. A kernel module calls these by name; each call is
/// then replaced by the instruction (`codegen/gpu`) or by a function of the emulator (`runtime/emulator`), so
/// that the same module runs on both. One row of the table in operations.cpp is one operation.
///
/// All threads of a warp reach an operation of scope `warp` together, all that a barrier names one of scope
/// `block`: the emulator reports where they do not. An address in shared memory is what `shared` gives, plus
/// an offset.
namespace codegen::intrinsics {

enum class Operation : std::uint8_t {
  thread,        ///< () → i32: this thread's number in its block
  block,         ///< () → i32: the block's number in its grid
  shared,        ///< () → ptr: the block's shared memory, aligned to 1024, uninitialised
  barrier,       ///< (i32 id, i32 threads): until that many threads have come; memory of the block is ordered
  warp_barrier,  ///< (): the warp's threads, likewise
  shuffle,       ///< (i32 value, i32 lane) → i32: the value of that lane of the warp
  shuffle_xor,   ///< (i32 value, i32 mask) → i32: the value of lane (own ^ mask)
  any,           ///< (i1) → i1: whether it holds in a thread of the warp
  ballot,        ///< (i1) → i32: a bit for each lane where it holds
  /// (ptr shared, ptr global, i32 bytes): copies the first `bytes` and zeros the rest of 4, 8 or 16; the
  /// addresses are aligned to that size. It has happened after a `copy_wait`, for other threads after a
  /// barrier that follows it.
  copy_async_4,
  copy_async_8,
  copy_async_16,
  copy_commit,  ///< (): the thread's copies since the last one are a group
  copy_wait,    ///< (i32 constant): until at most that many of the thread's groups are under way
  /// (ptr shared) → 1, 2 or 4 × i32: 8x8 matrices of 16-bit elements; lane 8m + r gives the address of row r
  /// of matrix m (16 bytes), and gets elements 2(lane % 4), + 1 of row lane / 4 of every matrix; transposed:
  /// of the column.
  load_matrix,
  load_matrix_2,
  load_matrix_4,
  load_matrix_transposed,
  load_matrix_transposed_2,
  load_matrix_transposed_4,
  /// (a × i32, b × i32, 4 × f32 c) → 4 × f32: c + a b of 16 x 8 elements over k = 16 (f16, bf16: 4 and 2
  /// registers of two elements) or k = 8 (tf32: 4 and 2 registers of one); registers and lanes as
  /// NVIDIA's manual has them, "Matrix Fragments for mma.m16n8k16" and "m16n8k8".
  multiply_f16,
  multiply_bf16,
  multiply_tf32,
};
inline constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::multiply_tf32) + 1;

enum class Scope : std::uint8_t { thread, warp, block };

struct Definition {
  Operation operation;
  const char*
      name;  ///< of the function in a kernel module: `tel.device.` + name; `tel_device_` + name on the host
  Scope scope;          ///< who must come together
  const char* results;  ///< a letter each: i = i32, f = f32, b = i1, p = ptr
  const char* operands;
};

/// Rows in the order of `Operation`.
std::span<const Definition> definitions();
inline const Definition& definition(Operation operation) {
  return definitions()[static_cast<std::size_t>(operation)];
}

/// Calls the operation. One result as such, several as a struct, void where there is none.
llvm::CallInst* call(llvm::IRBuilder<>& builder, Operation operation, llvm::ArrayRef<llvm::Value*> operands);

/// The operation that the function stands for, or null.
const Definition* operation_of(const llvm::Function& function);

}  // namespace codegen::intrinsics
