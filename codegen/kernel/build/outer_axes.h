#pragma once

#include "codegen/kernel/build/fuse.h"

/// Which axes the stages of a kernel can share without reading memory badly.
namespace codegen::kernel {

/// The outer axes of a kernel, as axes of a stage's first node.
using OuterAxes = std::vector<std::size_t>;

/// Returns the number of the node's axes, the reduced ones included.
inline std::size_t count_axes(const Node& node) { return node.axes.size() + node.reduced.size(); }

/// Returns whether the axis is one that the node reduces, so that its stage accumulates where it is an outer
/// one.
inline bool is_reduced(const Node& node, std::size_t axis) { return axis >= node.axes.size(); }

/// Returns whether a stage of the node accumulates that has these outer axes.
bool accumulates(const Node& node, const OuterAxes& outer);

/// Returns whether an access of the node runs over inner axes while an outer one is its contiguous dimension.
/// `outer[a]` says that axis `a` of the node is an outer one.
bool runs_over_contiguous(const Node& node, const std::vector<bool>& outer);

/// Takes outer axes away, innermost first, until no access of the nodes runs over inner axes while an outer
/// one is its contiguous dimension. `axes[n][o]` is outer axis `o` as an axis of node n, and `alive[o]` says
/// whether it is left. Returns false where none is left, or where all axes are outer ones and nothing runs
/// inside.
bool drop_contiguous(const std::vector<const Node*>& nodes, const std::vector<OuterAxes>& axes,
                     std::vector<bool>& alive);

/// Takes outer axes away that have columns of a contraction among the nodes.
void drop_columns(const std::vector<const Node*>& nodes, const std::vector<OuterAxes>& axes,
                  std::vector<bool>& alive);

/// Returns whether an outer axis that is alive has rows of every contraction among the nodes or, if it is the
/// last one, the terms of those that accumulate, none has columns of one, and all axes of a batch are such
/// axes. Without contractions, it is enough that an axis is alive.
bool share_rows(const std::vector<const Node*>& nodes, const std::vector<OuterAxes>& axes,
                const std::vector<bool>& alive);

}  // namespace codegen::kernel
