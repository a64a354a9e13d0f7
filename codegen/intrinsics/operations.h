#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <span>
#include <vector>

/// The device operations: everything that a GPU kernel does beyond ordinary LLVM IR. A kernel module calls
/// them by name. A target then replaces each call by its own instruction, or by a function of the emulator
/// (`runtime/emulator`), so that the same module runs on both. Each row of operations.def declares one
/// operation.
///
/// All threads of a warp must reach an operation of scope `warp` together, and all threads that a barrier
/// names must reach an operation of scope `block`; the emulator reports where they do not. An address in
/// shared memory is the result of `shared` plus an offset.
namespace codegen::intrinsics {

/// The operations, by the rows of operations.def, which has their contracts.
enum class Operation : std::uint8_t {
#define OPERATION(name, scope, results, operands) name,
#include "codegen/intrinsics/operations.def"
#undef OPERATION
};
/// The number of rows of operations.def.
inline constexpr std::size_t operation_count = 0
#define OPERATION(name, scope, results, operands) +1
#include "codegen/intrinsics/operations.def"
#undef OPERATION
    ;

/// The threads that must reach an operation together.
enum class Scope : std::uint8_t { thread, warp, block };

/// A row of operations.def. Kernel modules call the function `tel.device.` + name, the emulator's host code
/// `tel_device_` + name.
struct Definition {
  Operation operation;
  const char* name;
  Scope scope;          ///< the threads that must reach it together
  const char* results;  ///< a letter each: i = i32, f = f32, b = i1, p = ptr
  const char* operands;
};

/// Returns the table, with rows in the order of `Operation`.
std::span<const Definition> definitions();
/// Returns the row of the operation.
inline const Definition& definition(Operation operation) {
  return definitions()[static_cast<std::size_t>(operation)];
}

/// Emits a call of the operation. The call's value is void, the one result, or a struct of several results.
llvm::CallInst* call(llvm::IRBuilder<>& builder, Operation operation, llvm::ArrayRef<llvm::Value*> operands);

/// Returns the operation that the function declares, or null if it is no device operation.
const Definition* operation_of(const llvm::Function& function);

}  // namespace codegen::intrinsics
