#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <span>
#include <vector>

/// The device operations: everything that a GPU kernel does beyond ordinary LLVM IR. A kernel module calls
/// them by name. A target then replaces each call by its own instruction, or by a function of the emulator
/// (`runtime/emulator`), so that the same module runs on both. Each row of the table in operations.cpp
/// declares one operation.
///
/// All threads of a warp must reach an operation of scope `warp` together, and all threads that a barrier
/// names must reach an operation of scope `block`; the emulator reports where they do not. An address in
/// shared memory is the result of `shared` plus an offset.
namespace codegen::intrinsics {

/// The device operations, with their operands and results.
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
  /// (4 × i32 a, 2 × i32 b, 4 × f32 c) → 4 × f32: c + a b of 16 x 8 elements over k = 16 (f16, bf16) or k = 8
  /// (tf32). A register of a or b holds lane l's 4 bytes of a matrix of 8 lines of 16 bytes along k: the word
  /// l % 4 of line l / 4. The matrices of a are its rows 0 … 7 and 8 … 15, then the same for the second half
  /// of k; those of b are the two halves of k. Of c, the lane has the elements 2(l % 4), + 1 of the rows l /
  /// 4 and l / 4 + 8.
  multiply_f16,
  multiply_bf16,
  multiply_tf32,
};
inline constexpr std::size_t operation_count = static_cast<std::size_t>(Operation::multiply_tf32) + 1;

/// The threads that must reach an operation together.
enum class Scope : std::uint8_t { thread, warp, block };

/// One row of the table of operations.
struct Definition {
  Operation operation;
  const char*
      name;  ///< of the function in a kernel module: `tel.device.` + name; `tel_device_` + name on the host
  Scope scope;          ///< the threads that must reach it together
  const char* results;  ///< a letter each: i = i32, f = f32, b = i1, p = ptr
  const char* operands;
};

/// Returns the table, with rows in the order of `Operation`.
std::span<const Definition> definitions();
inline const Definition& definition(Operation operation) {
  return definitions()[static_cast<std::size_t>(operation)];
}

/// Emits a call of the operation. The call's value is void, the one result, or a struct of several results.
llvm::CallInst* call(llvm::IRBuilder<>& builder, Operation operation, llvm::ArrayRef<llvm::Value*> operands);

/// Returns the operation that the function declares, or null if it is no device operation.
const Definition* operation_of(const llvm::Function& function);

}  // namespace codegen::intrinsics
