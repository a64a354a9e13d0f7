/// Sequences of grids as CUDA graphs. A device keeps a bounded number of them, the one used longest ago makes
/// room. A graph is for a program, its extents and a workspace: all that kernels get as parameters is the
/// address of the words and positions in them, which are then the same; the words come as parameters of the
/// graph's first nodes, set before every launch. It is made when the same call comes a second time.
#pragma once

#include "runtime/cuda/work.h"

namespace runtime::cuda {

/// The grids of one call.
struct CachedGraph {
  const DeviceProgram* program;  ///< null: nothing is here
  Address words;
  int64_t* dims;  ///< a copy, of the entry's `dimension_count` values
  int64_t dimension_count;
  Graph graph;               ///< keeps the nodes; null: not made yet
  GraphExecution execution;  ///< null where there are too few grids to be worth it
  GraphNode* nodes;          ///< those that write the words
  int64_t node_count;
  int64_t used;  ///< when last
  int32_t busy;  ///< a thread is launching it
};

constexpr int64_t graph_limit = 64;
/// Fewer grids than that are launched one by one.
constexpr int64_t least_grids = 3;

struct Graphs {
  CachedGraph cached[graph_limit];
  int64_t clock;
};

/// The place of the call's graph, `busy` until `give_back`; null where the call is to be launched directly:
/// for the first time, or while another thread launches the same.
CachedGraph* take_graph(const Work& work);
void give_back(CachedGraph& cached);

/// Makes the graph if it is not there, and launches it with these words. `launched` is false, with TEL_OK,
/// where it is not worth it.
int32_t launch_graph(const Work& work, CachedGraph& cached, int64_t* block, bool& launched);

void forget_graphs(const Driver& driver, Device& device);

}  // namespace runtime::cuda
