#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <variant>
#include <vector>

#include "runtime/emulator/emulator.h"

namespace test {

/// A graph with conditional nodes, as `DeviceProgram::enqueue_graph` makes it. It runs on the emulator by the
/// rules of CUDA's graphs: a handle belongs to one node, and it is set before its node is reached.
class EmulatedGraph : tel_queue {
 public:
  /// `aliases`: the words that words from `first_alias` on are copies of.
  EmulatedGraph(std::vector<std::int32_t> aliases, std::int32_t first_alias);
  EmulatedGraph(const EmulatedGraph&) = delete;

  tel_queue* queue() { return this; }
  /// Runs the graph and returns the first status that is not TEL_OK.
  std::int32_t run(runtime::emulator::Session& session);

 private:
  struct Node;
  using Nodes = std::deque<Node>;  // which keeps its nodes where they are
  struct Grid {
    std::int64_t kernel, blocks;
    const std::int32_t* slots;
  };
  struct Exchange {
    std::int32_t first, second;
  };
  struct Conditional {
    bool is_loop;
    std::int32_t handle;
    Nodes body;
  };
  struct Node {
    std::variant<Grid, Exchange, const tel_decision*, Conditional> node;
  };

  static std::int32_t add_grid(tel_queue*, std::int64_t kernel, std::int64_t blocks,
                               const std::int32_t* slots);
  static std::int32_t add_exchange(tel_queue*, std::int32_t first, std::int32_t second);
  static std::int32_t add_decision(tel_queue*, const tel_decision*);
  static std::int32_t open(tel_queue*, std::int32_t kind, std::int32_t handle);
  static std::int32_t close(tel_queue*);

  std::int32_t run(const Nodes& nodes);
  std::int32_t run(const Grid& grid);
  std::int32_t run(const Exchange& exchange);
  std::int32_t run(const tel_decision* decision);
  std::int32_t run(const Conditional& conditional);
  std::int32_t slot(std::int32_t word) const;

  std::vector<std::int32_t> aliases_;
  std::int32_t first_alias_;
  Nodes nodes_;
  std::vector<Nodes*> open_{&nodes_};            ///< the graphs around, the innermost last
  std::map<std::int32_t, Nodes*> graph_of_;      ///< where the first decision about a handle is
  std::map<std::int32_t, bool> has_node_;        ///< of each handle that is decided
  std::map<std::int32_t, std::int32_t> values_;  ///< of the handles that are set
  runtime::emulator::Session* session_ = nullptr;
};

}  // namespace test
