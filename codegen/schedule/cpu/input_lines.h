#pragma once

#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

/// The right operand of a contraction as lines of memory: for neighbours along one of its axes, every term
/// reads neighbours. So one copy of the lines, with zeros where the window leaves them, serves all terms from
/// where it is.
struct InputLines {
  /// An axis of the copy: its element `at` is element `step * at + from` along that dimension of the buffer,
  /// or zero if that is not below `end`. The elements of two axes of one dimension are added up.
  struct CopyAxis {
    std::size_t dimension;
    Index at, from;  ///< of the axes inside of the copy, and of those around it
    std::int64_t extent;
    std::optional<Extent> end;
    std::int64_t step = 1;
  };
  /// Each line of the copy has products for one line of the result for each position of the axis `term`;
  /// these are `step` lines apart, and those of the next line of the copy are one line further.
  struct Sliding {
    const kernel::Axis *line, *term;
    std::int64_t step;
    std::int64_t count;   ///< the number of lines of the copy
    std::int64_t before;  ///< the number of lines before the result's that get products, too
    bool reversed;        ///< the line of the result for the last position of `term` is the first one
    /// Returns the number of lines that get products, which has those of the result.
    std::int64_t result_lines() const { return count + step * (*term->extent.constant() - 1); }
  };
  std::vector<CopyAxis> axes;               ///< the last one is along the lines
  std::vector<const kernel::Axis*> around;  ///< the axes of n for each point of which there is a copy
  std::vector<const kernel::Axis*> lines;   ///< the other axes of n but those of `line`
  std::vector<const kernel::Axis*> line;    ///< the last axes of n, along which the copy has neighbours
  std::vector<const kernel::Axis*> choice;  ///< axes of k that say with n which lines are read, maybe outside
  std::vector<const kernel::Axis*> terms;   ///< the other axes of k
  std::vector<Bound> line_bounds;           ///< when the line is in memory

  /// The copy has several positions of the window along a line, for each of which lines adjoin.
  bool has_windows() const { return axes.size() > 1 && axes.front().dimension == axes.back().dimension; }
  /// Returns the number of the copy's elements.
  std::int64_t size() const;
  /// Returns the share of the lines that all choices need for all lines of the result, that is in memory.
  double share_in_memory() const;
  /// Returns axes of the terms whose positions, row-major, have lines that are evenly apart in a dense copy:
  /// that of the window along the line, and those by which the copy has different lines of memory.
  std::vector<const kernel::Axis*> even_terms() const;
  /// Returns how the lines that a term needs depend on those of the result, if they do so for one term.
  std::optional<Sliding> sliding() const;
};

/// Returns the lines of the right operand along the last axis of n, which all terms of k read, if it has that
/// form and all sizes are known. Either group may be the columns.
std::optional<InputLines> input_lines(const kernel::Stage& stage, const AxisGroup& n, const AxisGroup& k,
                                      LineCopy copy);
/// Returns the lines of which single elements are read: neighbours along the last axis of n may be any steps
/// apart, all of n is inside of the copy, and it has no elements that no term reads. Lines that adjoin are
/// one.
std::optional<InputLines> pixel_lines(const kernel::Stage& stage, const AxisGroup& n, const AxisGroup& k,
                                      LineCopy copy);

}  // namespace codegen::schedule::cpu
