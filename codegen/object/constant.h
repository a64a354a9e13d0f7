#pragma once

namespace llvm {
class Constant;
}

namespace codegen::object {

/// A constant of an LLVM module that has the size, the alignment and the meaning of a C++ value of type `T`.
template <typename T>
struct Constant {
  llvm::Constant* value = nullptr;
};

}  // namespace codegen::object
