#pragma once

#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

/// The right operand of a contraction as lines of memory: for neighbours along the last axis of n, every term
/// of k reads neighbours. So one copy of the lines, with zeros where the window leaves them, serves all terms
/// from where it is; lines that are outside of memory are left out as a whole.
struct InputLines {
  /// An axis of the copy: its element `at` is element `at + from` along that dimension of the buffer.
  struct CopyAxis {
    std::size_t dimension;
    Index at, from;  ///< of the axes inside of the copy, and of those around it
    std::int64_t extent;
  };
  std::vector<CopyAxis> axes;               ///< the last one is along the lines
  std::vector<const kernel::Axis*> around;  ///< the axes of n for each point of which there is a copy
  std::vector<const kernel::Axis*> lines;   ///< the other axes of n but the last
  std::vector<const kernel::Axis*> choice;  ///< axes of k that say with n which lines are read, maybe outside
  std::vector<const kernel::Axis*> terms;   ///< the other axes of k
  std::vector<Bound> line_bounds;           ///< when the line is in memory
  std::optional<Bound> bound;               ///< when the element of a line is in memory

  /// Returns the number of the copy's elements.
  std::int64_t size() const;
};

/// Returns the lines of the right operand if it has that form and all sizes are known.
std::optional<InputLines> input_lines(const kernel::Stage& stage, const ProductAxes& axes);

}  // namespace codegen::schedule::cpu
