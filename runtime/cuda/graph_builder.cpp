#include "runtime/cuda/graph_builder.h"

#include <stdlib.h>
#include <string.h>

namespace runtime::cuda {

/// Each handle has one body, so no more bodies are open at a time than there are handles.
GraphBuilder::GraphBuilder(const Work& work, Graph graph, Function control)
    : tel_queue{add_grid, nullptr, add_exchange, add_decision, open_body, close_body},
      work_(work),
      control_(control) {
  const auto count = static_cast<size_t>(control ? work.ready->program->handle_count : 0);
  chains_ = static_cast<Chain*>(calloc(1, sizeof(Chain) * (count + 1) + sizeof(Handle) * count));
  if (!chains_) return;
  handles_ = reinterpret_cast<Handle*>(chains_ + count + 1);
  for (size_t i = 0; i < count; ++i) handles_[i].opposite_of = -1;
  chains_[0] = {graph, nullptr};
}

GraphBuilder::~GraphBuilder() { free(chains_); }

int32_t GraphBuilder::add_program() {
  const DeviceProgram& program = *work_.ready->program;
  const tel_enqueue enqueue = control_ ? program.enqueue_graph : program.enqueue;
  const int32_t status = enqueue(work_.call.dims, this);
  return status != TEL_OK ? status : append_control();
}

int32_t GraphBuilder::add(const char* name, const KernelNode& kernel) {
  if (!chains_) return work_.calls.no_memory();
  const int32_t status = append_control();
  return status != TEL_OK ? status : append(name, kernel);
}

int32_t GraphBuilder::instantiate(GraphExecution& execution) {
  const Code code = work_.calls.driver().cuGraphInstantiate(&execution, chains_[0].graph, 0);
  return result(code, &Driver::cuGraphInstantiate);
}

int32_t GraphBuilder::append(const char* name, const KernelNode& kernel) {
  Chain& chain = chains_[depth_];
  GraphNode node = nullptr;
  const Code code = work_.calls.driver().cuGraphAddKernelNode(
      &node, chain.graph, &chain.last, static_cast<size_t>(chain.last ? 1 : 0), &kernel);
  chain.last = node;
  return result(code, &Driver::cuGraphAddKernelNode, name);
}

int32_t GraphBuilder::append_control() {
  if (pending_.exchange_count + pending_.decision_count == 0) return TEL_OK;
  Address argument_buffer = work_.layout.argument_buffer;
  Control control = pending_;
  memset(&pending_, 0, sizeof pending_);
  void* parameters[] = {&argument_buffer, &control};
  return append(control_kernel_name, simple_node(control_, 1, 1, parameters));
}

int32_t GraphBuilder::add_grid(tel_queue* queue, int64_t number, int64_t blocks,
                               const int32_t* argument_slots) {
  auto& builder = *static_cast<GraphBuilder*>(queue);
  const Loaded& loaded = *builder.work_.ready->loaded;
  const Kernel& kernel = loaded.code->kernels[number];
  if (const int32_t status = check_grid(builder.work_.calls, kernel.name, blocks)) return status;
  auto** parameters =
      static_cast<void**>(__builtin_alloca(sizeof(void*) * (static_cast<size_t>(kernel.argument_count) + 1)));
  Address argument_buffer = builder.work_.layout.argument_buffer;
  fill_parameters(kernel, argument_buffer, argument_slots, parameters);
  ++builder.grids_;
  return builder.add(kernel.name, grid_node(loaded.kernels[number], blocks, kernel, parameters));
}

int32_t GraphBuilder::add_exchange(tel_queue* queue, int32_t first, int32_t second) {
  auto& builder = *static_cast<GraphBuilder*>(queue);
  Control& pending = builder.pending_;
  if (pending.decision_count > 0 || pending.exchange_count == Control::limit)
    if (const int32_t status = builder.append_control()) return status;
  pending.exchanges[pending.exchange_count++] = {first, second};
  return TEL_OK;
}

int32_t GraphBuilder::add_decision(tel_queue* queue, const tel_decision* decision) {
  auto& builder = *static_cast<GraphBuilder*>(queue);
  if (decision->opposite_of >= 0 && builder.work_.device.has_two_bodies) {
    builder.handles_[decision->handle].opposite_of = decision->opposite_of;
    builder.handles_[decision->opposite_of].has_opposite = true;
    return TEL_OK;
  }
  Control& pending = builder.pending_;
  if (pending.decision_count == Control::limit ||
      (pending.decision_count > 0 && pending.argument_slot != decision->argument_slot))
    if (const int32_t status = builder.append_control()) return status;
  if (const int32_t status = builder.find_handle(decision->handle)) return status;
  pending.argument_slot = decision->argument_slot;
  pending.decisions[pending.decision_count++] = {builder.handles_[decision->handle].value,
                                                 decision->when_false, decision->when_true,
                                                 decision->after_error, 0};
  return TEL_OK;
}

/// Makes a handle for the graph under way, unless there is one.
int32_t GraphBuilder::find_handle(int32_t number) {
  Handle& handle = handles_[number];
  if (handle.is_made) return TEL_OK;
  const Code code = work_.calls.driver().cuGraphConditionalHandleCreate(&handle.value, chains_[depth_].graph,
                                                                        work_.device.context, 0, 0);
  handle.is_made = code == 0;
  return result(code, &Driver::cuGraphConditionalHandleCreate);
}

int32_t GraphBuilder::open_body(tel_queue* queue, int32_t kind, int32_t number) {
  auto& builder = *static_cast<GraphBuilder*>(queue);
  if (const int32_t status = builder.append_control()) return status;
  Handle& handle = builder.handles_[number];
  if (handle.opposite_of >= 0) {
    builder.chains_[++builder.depth_] = {builder.handles_[handle.opposite_of].second, nullptr};
    return TEL_OK;
  }
  Chain& chain = builder.chains_[builder.depth_];
  ConditionalNode parameters{};
  parameters.type = conditional_node;
  parameters.handle = handle.value;
  parameters.kind = kind;
  parameters.size = handle.has_opposite ? 2 : 1;
  parameters.context = builder.work_.device.context;
  GraphNode node = nullptr;
  const Code code = builder.work_.calls.driver().cuGraphAddNode(
      &node, chain.graph, &chain.last, nullptr, static_cast<size_t>(chain.last ? 1 : 0), &parameters);
  if (code != 0) return builder.result(code, &Driver::cuGraphAddNode);
  chain.last = node;
  if (handle.has_opposite) handle.second = parameters.bodies[1];
  builder.chains_[++builder.depth_] = {parameters.bodies[0], nullptr};
  return TEL_OK;
}

int32_t GraphBuilder::close_body(tel_queue* queue) {
  auto& builder = *static_cast<GraphBuilder*>(queue);
  const int32_t status = builder.append_control();
  --builder.depth_;
  return status;
}

}  // namespace runtime::cuda
