/// Launches sequences of grids as CUDA graphs. A device caches a bounded number of graphs and evicts the one
/// that was used longest ago. A graph is made for one program, its extents and one workspace: kernels receive
/// only the address of the argument buffer and argument slots, which are then the same on every call. The
/// contents of the buffer are parameters of the graph's first nodes, which are set before every launch. A
/// graph is made when the same call comes a second time. Conditions of the program become conditional nodes
/// (CUDA 12.4); the environment variable TEL_CONDITIONS says `host` if the host is to decide them all the
/// same, and `graph` if a call is to fail where the driver takes no such graph.
#pragma once

#include "runtime/cuda/work.h"

namespace runtime::cuda {

/// The graph of one call.
struct CachedGraph {
  const DeviceProgram* program;  ///< null if the entry is free
  Address argument_buffer;
  int64_t* dims;  ///< a copy of the values of the entry's dimensions
  int64_t dimension_count;
  Graph graph;               ///< owns the nodes; null if it is not made yet
  GraphExecution execution;  ///< null if there are too few grids to make a graph worthwhile
  GraphNode* nodes;          ///< the nodes that write the argument buffer
  int64_t node_count;
  int64_t used;     ///< the time of its last use, by `Graphs::clock`
  int32_t busy;     ///< set while a thread launches it
  int32_t by_host;  ///< 1: the program has conditions, and the driver takes no graph that decides them
};

/// The number of graphs that a device caches.
constexpr int64_t graph_limit = 64;
/// The least number of grids for which a graph is launched; fewer grids are launched one by one.
constexpr int64_t min_grids = 3;

/// The graphs of one device.
struct Graphs {
  CachedGraph cached[graph_limit];
  int64_t clock;
};

/// Returns a failure if the environment's TEL_CONDITIONS is another word than `host` and `graph`.
int32_t check_conditions(const Work& work);

/// Returns the cache entry of the call's graph, which is `busy` until `give_back`. Returns null if the grids
/// are to be launched directly: on the first such call, or while another thread launches the same graph.
CachedGraph* take_graph(const Work& work);
/// Makes a cache entry from `take_graph` available to other threads.
void give_back(CachedGraph& cached);

/// Makes the graph if there is none, and launches it with the argument buffer in `block`. If that is not
/// worthwhile, it returns TEL_OK and sets `launched` to false.
int32_t launch_graph(const Work& work, CachedGraph& cached, int64_t* block, bool& launched);

/// Destroys all graphs of the device; it ignores failures of the driver.
void forget_graphs(const Driver& driver, Device& device);

}  // namespace runtime::cuda
