#include "runtime/cuda/graphs.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/graph_builder.h"

namespace runtime::cuda {
namespace {

bool is_for(const CachedGraph& cached, const Work& work) {
  return cached.program == work.ready->program && cached.argument_buffer == work.layout.argument_buffer &&
         memcmp(cached.dims, work.call.dims, sizeof(int64_t) * static_cast<size_t>(cached.dimension_count)) ==
             0;
}

/// Destroys what was made; the driver frees a graph that still runs when it is done.
void clear(const Driver& driver, CachedGraph& cached) {
  if (cached.execution) driver.cuGraphExecDestroy(cached.execution);
  if (cached.graph) driver.cuGraphDestroy(cached.graph);
  free(cached.nodes);
  cached.execution = nullptr;
  cached.graph = nullptr;
  cached.nodes = nullptr;
}

void forget(const Driver& driver, CachedGraph& cached) {
  clear(driver, cached);
  free(cached.dims);
  memset(&cached, 0, sizeof cached);
}

/// The place for a new graph: a free one, or that used longest ago. Null where all are busy.
CachedGraph* find_place(Graphs& graphs) {
  CachedGraph* oldest = nullptr;
  for (CachedGraph& cached : graphs.cached)
    if (!cached.busy && (!oldest || cached.used < oldest->used)) oldest = &cached;
  return oldest;
}

/// Remembers that the call came.
void note(const Work& work, Graphs& graphs) {
  CachedGraph* place = find_place(graphs);
  if (!place) return;
  forget(work.calls.driver(), *place);
  const int64_t count = work.call.entry.dimension_count;
  auto* dims = static_cast<int64_t*>(malloc(sizeof(int64_t) * static_cast<size_t>(count + 1)));
  if (!dims) return;
  memcpy(dims, work.call.dims, sizeof(int64_t) * static_cast<size_t>(count));
  place->program = work.ready->program;
  place->argument_buffer = work.layout.argument_buffer;
  place->dims = dims;
  place->dimension_count = count;
  place->used = ++graphs.clock;
}

int32_t no_conditions(const Work& work) {
  Failure failure = work.calls.fail(TEL_DEVICE);
  failure.text() << "the driver takes no graph with conditions, and TEL_CONDITIONS is graph: "
                 << work.device.control_refusal;
  return failure;
}

/// Who decides conditions, by the environment variable TEL_CONDITIONS.
bool is_decided_by(const char* who) {
  const char* text = getenv("TEL_CONDITIONS");
  return text && strcmp(text, who) == 0;
}

int32_t add_nodes(const Work& work, CachedGraph& cached, int64_t* block, GraphBuilder& builder) {
  cached.node_count = argument_grid_count(work.layout);
  cached.nodes = static_cast<GraphNode*>(calloc(static_cast<size_t>(cached.node_count), sizeof(GraphNode)));
  if (!cached.nodes) return work.calls.no_memory();
  for (int64_t i = 0; i < cached.node_count; ++i) {
    ArgumentGrid grid(work, block, i);
    if (const int32_t status = builder.add(argument_kernel, grid.node())) return status;
    cached.nodes[i] = builder.last();
  }
  if (const int32_t status = builder.add_program()) return status;
  if (!work.ready->program->reads && builder.grids() < min_grids) return TEL_OK;
  return builder.instantiate(cached.execution);
}

/// If the driver takes no graph that decides the program's conditions, the host decides them from then on.
int32_t make(const Work& work, CachedGraph& cached, int64_t* block) {
  Function control = nullptr;
  if (work.ready->program->reads) {
    if (!is_decided_by("host"))
      if (const int32_t status = find_control(work.calls, work.device, control)) return status;
    if (!control && is_decided_by("graph")) return no_conditions(work);
    cached.by_host = !control;
    if (!control) return TEL_OK;
  }
  if (const int32_t status = work.calls(&Driver::cuGraphCreate, &cached.graph, 0u)) return status;
  GraphBuilder builder(work, cached.graph, control);
  const int32_t status = add_nodes(work, cached, block, builder);
  if (status == TEL_OK) return TEL_OK;
  clear(work.calls.driver(), cached);
  cached.by_host = builder.is_refused() && !is_decided_by("graph");
  return cached.by_host ? static_cast<int32_t>(TEL_OK) : status;
}

int32_t set_words(const Work& work, const CachedGraph& cached, int64_t* block) {
  for (int64_t i = 0; i < cached.node_count; ++i) {
    ArgumentGrid grid(work, block, i);
    const KernelNode node = grid.node();
    if (const int32_t status = work.calls.about(argument_kernel, &Driver::cuGraphExecKernelNodeSetParams,
                                                cached.execution, cached.nodes[i], &node))
      return status;
  }
  return TEL_OK;
}

}  // namespace

int32_t check_conditions(const Work& work) {
  const char* text = getenv("TEL_CONDITIONS");
  if (!text || !*text || is_decided_by("host") || is_decided_by("graph")) return TEL_OK;
  Failure failure = work.calls.fail(TEL_INVALID_ARGUMENT);
  failure.text() << "the environment's TEL_CONDITIONS is '";
  failure.text().quoted(text, strlen(text)) << "', expected host or graph";
  return failure;
}

CachedGraph* take_graph(const Work& work) {
  const Lock lock;
  Graphs& graphs = *work.device.graphs;
  for (CachedGraph& cached : graphs.cached) {
    if (!cached.program || !is_for(cached, work)) continue;
    if (cached.busy) return nullptr;
    cached.busy = 1;
    cached.used = ++graphs.clock;
    return &cached;
  }
  note(work, graphs);
  return nullptr;
}

void give_back(CachedGraph& cached) {
  const Lock lock;
  cached.busy = 0;
}

int32_t launch_graph(const Work& work, CachedGraph& cached, int64_t* block, bool& launched) {
  launched = false;
  if (cached.by_host) return TEL_OK;
  const bool fresh = !cached.graph;
  if (fresh)
    if (const int32_t status = make(work, cached, block)) return status;
  if (!cached.execution) return TEL_OK;
  if (!fresh)
    if (const int32_t status = set_words(work, cached, block)) return status;
  launched = true;
  return work.calls(&Driver::cuGraphLaunch, cached.execution, work.stream);
}

void forget_graphs(const Driver& driver, Device& device) {
  for (CachedGraph& cached : device.graphs->cached) forget(driver, cached);
}

}  // namespace runtime::cuda
