// The stand-in's graphs: chains of kernels.
#include "tests/runtime/cuda/stand_in_machine.h"

namespace stand_in {
namespace {

Code make_node(const KernelNode& node, std::function<void()>& work) {
  if (node.grid_y != 1 || node.grid_z != 1 || node.block_y != 1 || node.block_z != 1 || node.extra)
    return invalid_value;
  return make_grid(node.function, node.grid_x, node.block_x, node.shared, node.parameters, work);
}

}  // namespace

Code cuGraphCreate(Graph* graph, unsigned) {
  BEGIN(cuGraphCreate);
  *graph = new GraphHandle;
  machine.graphs.insert(*graph);
  return 0;
}

Code cuGraphAddKernelNode(GraphNode* node, Graph graph, const GraphNode* after, size_t count,
                          const KernelNode* kernel) {
  BEGIN(cuGraphAddKernelNode);
  // A chain: every node follows the one before.
  if (count != (graph->nodes.empty() ? 0u : 1u) || (count == 1 && after[0] != graph->nodes.back())) {
    complain("a graph that is no chain");
    return invalid_value;
  }
  auto made = std::make_unique<GraphNodeHandle>();
  if (const Code code = make_node(*kernel, made->work)) return code;
  made->function = kernel->function;
  *node = made.get();
  graph->nodes.push_back(made.get());
  machine.nodes.push_back(std::move(made));
  return 0;
}

Code cuGraphInstantiate(GraphExecution* execution, Graph graph, unsigned long long) {
  BEGIN(cuGraphInstantiate);
  *execution = new GraphExecutionHandle{graph->nodes, {}};
  for (GraphNode node : graph->nodes) (*execution)->work[node] = node->work;
  machine.executions.insert(*execution);
  return 0;
}

Code cuGraphExecKernelNodeSetParams(GraphExecution execution, GraphNode node, const KernelNode* kernel) {
  BEGIN(cuGraphExecKernelNodeSetParams);
  if (!execution->work.count(node) || kernel->function != node->function) return invalid_value;
  return make_node(*kernel, execution->work[node]);
}

Code cuGraphLaunch(GraphExecution execution, Stream stream) {
  BEGIN(cuGraphLaunch);
  if (!machine.executions.count(execution)) return invalid_value;
  for (GraphNode node : execution->nodes)
    if (const Code code = append(stream, execution->work[node])) return code;
  return 0;
}

Code cuGraphExecDestroy(GraphExecution execution) {
  const Lock lock(machine.lock);
  const Code code = enter("cuGraphExecDestroy");
  if (machine.executions.erase(execution) != 1) return invalid_value;
  delete execution;
  return code;
}

Code cuGraphDestroy(Graph graph) {
  const Lock lock(machine.lock);
  const Code code = enter("cuGraphDestroy");
  if (machine.graphs.erase(graph) != 1) return invalid_value;
  delete graph;
  return code;
}

}  // namespace stand_in
