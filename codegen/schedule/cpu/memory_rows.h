#pragma once

#include "codegen/schedule/cpu/operand_packer.h"
#include "codegen/schedule/cpu/product_nest.h"

namespace codegen::schedule::cpu {

/// The columns of a product as rows of memory one after the other. A vector of columns is the end of one row,
/// maybe whole rows, and the beginning of another; each row is accessed under a mask, in one step.
class MemoryRows {
 public:
  /// `n` are the axes of the columns, of which `line`, the last ones, are a row; `lanes` columns are a
  /// vector.
  MemoryRows(const AxisGroup& n, AxisGroup line, std::int64_t lanes);

  /// Binds the axes of n to column first + lane, and returns when it is in the row of memory that has one of
  /// the vector's columns: of `per_vector()` ones evenly apart, the one of this number. These are so close
  /// that no row is left out, and no row is outside of memory while its columns are not.
  std::vector<Bound> bind(const Index& first, const Index& lane, std::int64_t number,
                          Renaming& renaming) const;
  /// Returns how many rows a vector of columns may meet.
  std::int64_t per_vector() const;
  /// Whether few vectors of columns are in more than one row of memory.
  bool are_long() const;
  /// Returns when the vector of columns from `first` on is in more than one row of memory.
  Bound crosses(const Index& first) const;

  /// Returns statements that let the processor fetch the lines of the result of the tile that begins at that
  /// row and column.
  Body prefetch(ProductNest& nest, const Access& result, const Index& first_row, const Index& column) const;
  /// Returns the statements that pack the operand, whose other axes are n, row of memory by row. `ragged`
  /// says that the last block of k is shorter. The loop over k that is innermost leaves rows and masks alone.
  Body pack(ContractionBuilder& builder, const PackedOperand& p, bool ragged) const;

 private:
  std::int64_t lanes_;
  AxisGroup rows_, line_;  ///< the last axes of n make a row of memory, and those before count rows
};

}  // namespace codegen::schedule::cpu
