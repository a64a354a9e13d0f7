#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <span>
#include <vector>

/// What a GPU kernel does that is not ordinary LLVM IR. A kernel module calls these by name; each call is
/// then replaced by the instruction of a target or by a function of the emulator (`runtime/emulator`), so
/// that the same module runs on both. One row of operations.def is one operation.
///
/// All threads of a warp reach an operation of scope `warp` together, all that a barrier names one of scope
/// `block`: the emulator reports where they do not. An address in shared memory is what `shared` gives, plus
/// an offset.
namespace codegen::intrinsics {

/// The operations, by the rows of operations.def, which has their contracts.
enum class Operation : std::uint8_t {
#define OPERATION(name, scope, results, operands) name,
#include "codegen/intrinsics/operations.def"
#undef OPERATION
};
inline constexpr std::size_t operation_count = 0
#define OPERATION(name, scope, results, operands) +1
#include "codegen/intrinsics/operations.def"
#undef OPERATION
    ;

/// The threads that reach an operation together.
enum class Scope : std::uint8_t { thread, warp, block };

/// A row of operations.def. Kernel modules call the function `tel.device.` + name, the emulator's host code
/// `tel_device_` + name.
struct Definition {
  Operation operation;
  const char* name;
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
