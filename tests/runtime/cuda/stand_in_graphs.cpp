// The stand-in's graphs: chains of kernels and conditional nodes, whose bodies are such chains.
#include "tests/runtime/cuda/stand_in_machine.h"

namespace stand_in {
namespace {

constexpr int most_rounds = 100'000;
constexpr int32_t nesting_version = 12040;     ///< the first with conditional nodes in bodies
constexpr int32_t two_bodies_version = 12080;  ///< the first with IF nodes of two bodies

Code make_node(const KernelNode& node, std::function<void()>& work) {
  if (node.grid_y != 1 || node.grid_z != 1 || node.block_y != 1 || node.block_z != 1 || node.extra)
    return invalid_value;
  return make_grid(node.function, node.grid_x, node.block_x, node.shared, node.parameters, work);
}

/// A chain: every node follows the one before.
bool is_chained(Graph graph, const GraphNode* after, size_t count) {
  const bool chained =
      count == (graph->nodes.empty() ? 0u : 1u) && (count == 0 || after[0] == graph->nodes.back());
  if (!chained) complain("a graph that is no chain");
  return chained;
}

GraphNode append_node(Graph graph, std::unique_ptr<GraphNodeHandle> node) {
  graph->nodes.push_back(node.get());
  machine.nodes.push_back(std::move(node));
  return graph->nodes.back();
}

bool is_inside(Graph graph, Graph around) {
  while (graph && graph != around) graph = graph->around;
  return graph != nullptr;
}

/// The rules of the manual for a conditional node in `graph`.
bool is_conditional(Graph graph, const ConditionalNode& node) {
  const auto found = machine.conditions.find(node.handle);
  if (node.type != conditional_node || found == machine.conditions.end()) return false;
  for (const int32_t reserved : node.reserved0)
    if (reserved != 0) return false;
  for (const int64_t reserved : node.reserved1)
    if (reserved != 0) return false;
  const Condition& condition = found->second;
  return node.reserved2 == 0 && !condition.node && is_inside(graph, condition.graph) &&
         node.context == condition.context && node.context == current() &&
         (node.kind == 0 || node.kind == 1) &&
         (node.size == 1 || (node.size == 2 && node.kind == 0 && machine.version >= two_bodies_version));
}

template <typename Each>
void for_each_condition(Graph graph, Each each) {
  for (auto& [handle, condition] : machine.conditions)
    if (is_inside(condition.graph, graph)) each(condition);
}

void run(Graph graph, const std::map<GraphNode, std::function<void()>>& work);

void run_conditional(const GraphNodeHandle& node, const std::map<GraphNode, std::function<void()>>& work) {
  for (int round = 0; machine.sticky == 0; ++round) {
    const auto value = machine.conditions.at(node.condition).value;
    if (!value) return complain("a conditional node before its handle is set");
    if (*value == 0) return node.bodies[1] ? run(node.bodies[1], work) : void();
    if (round == most_rounds) return complain("a loop without an end");
    run(node.bodies[0], work);
    if (!node.is_loop) return;
  }
}

void run(Graph graph, const std::map<GraphNode, std::function<void()>>& work) {
  for (GraphNode node : graph->nodes) {
    if (machine.sticky != 0) return;
    const auto own = work.find(node);
    if (node->bodies[0])
      run_conditional(*node, work);
    else
      own != work.end() ? own->second() : node->work();
  }
}

}  // namespace

void set_condition(ConditionalHandle handle, uint32_t value) {
  const auto found = machine.conditions.find(handle);
  if (found == machine.conditions.end() || !found->second.is_running)
    return complain("a handle is set that is none of the graph under way");
  found->second.value = value;
}

Code cuGraphCreate(Graph* graph, unsigned) {
  BEGIN(cuGraphCreate);
  *graph = new GraphHandle;
  machine.graphs.insert(*graph);
  return 0;
}

Code cuGraphAddKernelNode(GraphNode* node, Graph graph, const GraphNode* after, size_t count,
                          const KernelNode* kernel) {
  BEGIN(cuGraphAddKernelNode);
  if (!is_chained(graph, after, count)) return invalid_value;
  auto made = std::make_unique<GraphNodeHandle>();
  if (const Code code = make_node(*kernel, made->work)) return code;
  made->function = kernel->function;
  *node = append_node(graph, std::move(made));
  return 0;
}

Code cuGraphAddNode(GraphNode* node, Graph graph, const GraphNode* after, const void* edges, size_t count,
                    ConditionalNode* parameters) {
  BEGIN(cuGraphAddNode);
  if (edges || !is_chained(graph, after, count) || !is_conditional(graph, *parameters)) return invalid_value;
  if (graph->around && machine.version < nesting_version) return not_supported;
  auto made = std::make_unique<GraphNodeHandle>();
  for (unsigned i = 0; i < parameters->size; ++i)
    made->bodies[i] = machine.bodies.emplace_back(new GraphHandle{{}, graph}).get();
  made->condition = parameters->handle;
  made->is_loop = parameters->kind == 1;
  parameters->bodies = made->bodies;
  machine.conditions[parameters->handle].node = made.get();
  *node = append_node(graph, std::move(made));
  return 0;
}

Code cuGraphConditionalHandleCreate(ConditionalHandle* handle, Graph graph, Context context, unsigned,
                                    unsigned flags) {
  BEGIN(cuGraphConditionalHandleCreate);
  if (flags > 1 || context != current()) return invalid_value;
  *handle = machine.next_condition++;
  machine.conditions[*handle] = {graph, context};
  return 0;
}

Code cuGraphInstantiate(GraphExecution* execution, Graph graph, unsigned long long) {
  BEGIN(cuGraphInstantiate);
  if (!machine.graphs.count(graph)) return invalid_value;
  bool unused = false, conditional = false;
  for_each_condition(graph, [&](const Condition& condition) {
    conditional = true;
    unused |= !condition.node;
  });
  if (unused || (conditional && graph->executions > 0)) return invalid_value;
  *execution = new GraphExecutionHandle{graph, {}};
  ++graph->executions;
  for (GraphNode node : graph->nodes)
    if (node->function) (*execution)->work[node] = node->work;
  machine.executions.insert(*execution);
  return 0;
}

Code cuGraphExecKernelNodeSetParams(GraphExecution execution, GraphNode node, const KernelNode* kernel) {
  BEGIN(cuGraphExecKernelNodeSetParams);
  if (!execution->work.count(node) || kernel->function != node->function) return invalid_value;
  return make_node(*kernel, execution->work[node]);
}

/// A launched graph runs with the parameters that it has then.
Code cuGraphLaunch(GraphExecution execution, Stream stream) {
  BEGIN(cuGraphLaunch);
  if (!machine.executions.count(execution)) return invalid_value;
  return append(stream, [graph = execution->graph, work = execution->work] {
    const auto set_running = [&](bool running) {
      for_each_condition(graph, [&](Condition& condition) {
        condition.is_running = running;
        condition.value.reset();
      });
    };
    set_running(true);
    run(graph, work);
    set_running(false);
  });
}

Code cuGraphExecDestroy(GraphExecution execution) {
  const Lock lock(machine.lock);
  const Code code = enter("cuGraphExecDestroy");
  if (machine.executions.erase(execution) != 1) return invalid_value;
  drain_all();
  --execution->graph->executions;
  delete execution;
  return code;
}

Code cuGraphDestroy(Graph graph) {
  const Lock lock(machine.lock);
  const Code code = enter("cuGraphDestroy");
  if (machine.graphs.erase(graph) != 1) return invalid_value;
  std::erase_if(machine.conditions, [&](const auto& each) { return is_inside(each.second.graph, graph); });
  delete graph;
  return code;
}

}  // namespace stand_in
