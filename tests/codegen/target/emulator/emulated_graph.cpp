#include "emulated_graph.h"

#include <doctest/doctest.h>

#include <utility>

#include "runtime/emulator/state.h"

namespace test {

EmulatedGraph::EmulatedGraph(std::vector<std::int32_t> aliases, std::int32_t first_alias)
    : tel_queue{add_grid, nullptr, add_exchange, add_decision, open, close},
      aliases_(std::move(aliases)),
      first_alias_(first_alias) {}

std::int32_t EmulatedGraph::add_grid(tel_queue* queue, std::int64_t kernel, std::int64_t blocks,
                                     const std::int32_t* slots) {
  static_cast<EmulatedGraph*>(queue)->open_.back()->push_back({Grid{kernel, blocks, slots}});
  return TEL_OK;
}

std::int32_t EmulatedGraph::add_exchange(tel_queue* queue, std::int32_t first, std::int32_t second) {
  static_cast<EmulatedGraph*>(queue)->open_.back()->push_back({Exchange{first, second}});
  return TEL_OK;
}

std::int32_t EmulatedGraph::add_decision(tel_queue* queue, const tel_decision* decision) {
  auto& graph = *static_cast<EmulatedGraph*>(queue);
  graph.graph_of_.try_emplace(decision->handle, graph.open_.back());
  graph.has_node_.try_emplace(decision->handle, false);
  graph.open_.back()->push_back({decision});
  return TEL_OK;
}

std::int32_t EmulatedGraph::open(tel_queue* queue, std::int32_t kind, std::int32_t handle) {
  auto& graph = *static_cast<EmulatedGraph*>(queue);
  REQUIRE(graph.graph_of_.contains(handle));
  CHECK(graph.graph_of_[handle] == graph.open_.back());
  CHECK(!std::exchange(graph.has_node_[handle], true));
  Nodes& nodes = *graph.open_.back();
  nodes.push_back({Conditional{kind == TEL_WHILE, handle, {}}});
  graph.open_.push_back(&std::get<Conditional>(nodes.back().node).body);
  return TEL_OK;
}

std::int32_t EmulatedGraph::close(tel_queue* queue) {
  auto& graph = *static_cast<EmulatedGraph*>(queue);
  REQUIRE(graph.open_.size() > 1);
  graph.open_.pop_back();
  return TEL_OK;
}

std::int32_t EmulatedGraph::run(runtime::emulator::Session& session) {
  CHECK(open_.size() == 1);
  for (const auto& [handle, has_node] : has_node_) CHECK_MESSAGE(has_node, "handle ", handle);
  session_ = &session;
  return run(nodes_);
}

std::int32_t EmulatedGraph::run(const Nodes& nodes) {
  for (const Node& node : nodes)
    if (const std::int32_t status = std::visit([this](const auto& one) { return run(one); }, node.node))
      return status;
  return TEL_OK;
}

std::int32_t EmulatedGraph::run(const Grid& grid) {
  std::vector<std::int32_t> slots;
  for (std::int32_t i = 0; i < session_->settings.kernels[grid.kernel].argument_count; ++i)
    slots.push_back(slot(grid.slots[i]));
  return runtime::emulator::launch(*session_, grid.kernel, grid.blocks, slots.data());
}

std::int32_t EmulatedGraph::run(const Exchange& exchange) {
  const auto alias = [&](std::int32_t word) -> std::int32_t& {
    return aliases_.at(static_cast<std::size_t>(word - first_alias_));
  };
  std::swap(alias(exchange.first), alias(exchange.second));
  return TEL_OK;
}

std::int32_t EmulatedGraph::run(const tel_decision* decision) {
  const bool failed = runtime::emulator::index_record(*session_).site != 0;
  const bool holds = !failed && (decision->argument_slot == 0 ||
                                 runtime::emulator::condition(*session_, slot(decision->argument_slot)) == 1);
  values_[decision->handle] = failed  ? decision->after_error
                              : holds ? decision->when_true
                                      : decision->when_false;
  if (decision->opposite_of >= 0)
    CHECK((values_.at(decision->opposite_of) != 0) == (values_[decision->handle] == 0));
  return TEL_OK;
}

std::int32_t EmulatedGraph::run(const Conditional& conditional) {
  constexpr int most_rounds = 1'000'000;
  for (int round = 0; round < most_rounds; ++round) {
    REQUIRE(values_.contains(conditional.handle));
    if (values_[conditional.handle] == 0) return TEL_OK;
    if (const std::int32_t status = run(conditional.body)) return status;
    if (!conditional.is_loop) return TEL_OK;
  }
  FAIL("a loop that does not end");
  return TEL_DEVICE;
}

std::int32_t EmulatedGraph::slot(std::int32_t word) const {
  return word < first_alias_ ? word : aliases_.at(static_cast<std::size_t>(word - first_alias_));
}

}  // namespace test
