#pragma once

#include "codegen/emit/emitter.h"

namespace codegen::emit {

/// Emits the accesses and comparisons of a sort's row, from which a target makes its algorithm. Indices along
/// the row are i64.
class RowEmitter {
 public:
  RowEmitter(Emitter& emitter, const schedule::Sort& sort);

  llvm::Value* count() const { return count_; }

  /// An element of the row: the bits of its key in memory, and where it stood.
  struct Element {
    llvm::Value *key, *position;
  };
  Element load(llvm::Value* place);
  void store(llvm::Value* place, const Element& element);
  void store_position(llvm::Value* place, llvm::Value* position);
  /// The same for the scratch row.
  Element load_scratch(llvm::Value* place);
  void store_scratch(llvm::Value* place, const Element& element);

  /// Returns whether `a` comes before `b` because of their keys.
  llvm::Value* is_before(const Element& a, const Element& b);

 private:
  struct Memory {
    llvm::Value *first = nullptr, *stride = nullptr;
    dlvm::ElementType type = dlvm::ElementType::i32;
  };
  Memory memory(const schedule::Tile& tile);
  llvm::Value* load(const Memory& memory, llvm::Value* place);
  void store(const Memory& memory, llvm::Value* place, llvm::Value* value);

  Emitter& e_;
  bool descending_;
  llvm::Value* count_;
  Memory keys_, positions_, scratch_keys_, scratch_positions_;
};

/// Emits a loop: `body(i)` for i = begin, begin + step … below `end`, all i64.
template <typename Body>
void emit_range(Emitter& e, llvm::Value* begin, llvm::Value* end, llvm::Value* step, const Body& body) {
  llvm::IRBuilder<>& b = e.builder();
  llvm::BasicBlock *before = b.GetInsertBlock(), *head = e.block("range"), *inside = e.block("each"),
                   *done = e.block("done");
  b.CreateBr(head);
  b.SetInsertPoint(head);
  llvm::PHINode* i = b.CreatePHI(b.getInt64Ty(), 2);
  i->addIncoming(begin, before);
  b.CreateCondBr(b.CreateICmpSLT(i, end), inside, done);
  b.SetInsertPoint(inside);
  body(static_cast<llvm::Value*>(i));
  i->addIncoming(b.CreateAdd(i, step), b.GetInsertBlock());
  b.CreateBr(head);
  b.SetInsertPoint(done);
}

}  // namespace codegen::emit
