// One register tile of a product of tiles on one core: vectors of sums that are carried through the loops
// over k.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/emit/emitter.h"
#include "codegen/math/operations.h"

namespace codegen::target::cpu {

/// Bytes that a processor fetches from memory at once.
constexpr std::int64_t line_bytes = 64;

/// The values that all register tiles of one product share. Strides are in elements. A row of sums is one
/// vector of all columns, or several if their number is no power of two; in a vector loop it is one vector
/// for each column, with a lane for each iteration.
struct Product {
  dlvm::ElementType type;
  math::SimdBuilder lanes;  ///< of a vector of sums
  std::int64_t across;      ///< vectors in a row of sums
  bool by_lane;             ///< each lane has its own element of the left operand
  bool apart;               ///< the sums begin with zero and are added to those in memory once
  llvm::Value* anew;        ///< whether the sums replace those in memory; null if they never do
  llvm::Type* to_element;   ///< in which the strides of the sums count
  llvm::Value *to, *left, *right, *count;
  llvm::Value *to_stride, *left_stride;   ///< from row to row
  llvm::Value *to_column, *right_column;  ///< from vector to vector in a row
  llvm::Value *left_step, *right_step;    ///< from k to k + 1
  std::vector<llvm::Value*> masks;        ///< the lanes of each vector in a row that are there
  /// An axis of k before the last: its extent, and the steps of both operands along it.
  struct Axis {
    llvm::Value *extent, *left, *right;
  };
  std::vector<Axis> axes;
  /// The memory that is fetched while the terms are computed. It is rows of cache lines.
  struct Ahead {
    llvm::Value* first = nullptr;       ///< the first line; null if nothing is fetched
    llvm::Value* stride = nullptr;      ///< from row to row, in bytes
    std::int64_t row_lines = 0;         ///< the lines of a row
    std::int64_t lines = 0, terms = 0;  ///< the lines of all rows, and the terms over which they are spread
  };
  Ahead ahead;
};

/// The loops over one register tile, of which `sums` has the vectors of each row.
class RegisterTile {
 public:
  /// If `masked`, the product's masks say which lanes of a row are there.
  RegisterTile(emit::Emitter& e, const Product& p, bool masked)
      : e_(e), b_(e.builder()), p_(p), masked_(masked), lanes_(p.lanes) {}

  using Sums = std::vector<llvm::Value*>;

  /// The terms along the axes of k from one axis on.
  struct Terms {
    llvm::Value *left, *right;  ///< where the operands of the first term are
    llvm::Value* number;        ///< the number of the first term along the axes before
  };

  /// Returns the sums with the products of all terms along the axes of k from number `axis` on.
  Sums add(std::size_t axis, const Terms& terms, const Sums& sums);

  /// Returns the place at that multiple of a step.
  llvm::Value* move(llvm::Value* place, llvm::Value* by, llvm::Value* step) {
    return b_.CreateInBoundsGEP(element(), place, b_.CreateMul(by, step));
  }
  llvm::Value* plus(llvm::Value* x, llvm::Value* y);
  llvm::Type* element() const { return math::memory_type(b_.getContext(), p_.type); }
  llvm::Type* vector() const { return lanes_.type(element()); }
  llvm::Align align() const { return llvm::Align(dlvm::info(p_.type).bytes); }

 private:
  Sums add_innermost(const Terms& all, const Sums& sums);
  Sums add_term(llvm::Value* left, const Sums& line, const Sums& before);
  bool overlaps(std::size_t sums) const;
  /// Returns the extent of an axis of k before the last, if no loop is emitted for it: all terms from it on
  /// fit in the body of the loop around it.
  std::optional<std::int64_t> unrolled_terms(std::size_t axis, std::size_t sums) const;
  /// Returns how much code one term takes with that many vectors of sums, measured in bytes of the fused
  /// multiply-adds that would compute it.
  std::int64_t size_of_term(std::size_t sums) const;
  void end_loads();
  llvm::Value* forget_origin(llvm::Value* place);
  void fetch_ahead(llvm::Value* k, std::int64_t count);
  llvm::Value* load(llvm::Value* place, std::size_t j);
  Sums load_line(llvm::Value* right);
  template <typename Body>
  Sums loop(llvm::Value* first, llvm::Value* end, std::int64_t by, const Sums& start, const Body& body);

  emit::Emitter& e_;
  llvm::IRBuilder<>& b_;
  const Product& p_;
  bool masked_;
  math::SimdBuilder lanes_;
};

}  // namespace codegen::target::cpu
