#pragma once

#include "runtime/cuda/control.h"
#include "runtime/cuda/work.h"

namespace runtime::cuda {

/// Makes the nodes of a graph, as the queue of a program. Each node follows the one before; the bodies of
/// conditional nodes are chains, too.
class GraphBuilder : public tel_queue {
 public:
  /// `control` is null if the program makes no conditional nodes.
  GraphBuilder(const Work& work, Graph graph, Function control);
  ~GraphBuilder();
  GraphBuilder(const GraphBuilder&) = delete;

  /// Adds the nodes of the program behind those that were added. Returns a status.
  int32_t add_program();
  /// Adds the node of a kernel. Returns a status.
  int32_t add(const char* name, const KernelNode& kernel);
  int32_t instantiate(GraphExecution& execution);

  GraphNode last() const { return chains_[depth_].last; }
  int64_t grids() const { return grids_; }
  /// Whether a failure means that the driver does not take such a graph with conditional nodes.
  bool is_refused() const { return refused_; }

 private:
  /// A graph under way: the whole one or a body.
  struct Chain {
    Graph graph;
    GraphNode last;
  };

  struct Handle {
    ConditionalHandle value;
    Graph second;         ///< the second body of its node
    bool is_made;         ///< the driver has made it
    bool has_opposite;    ///< its node has two bodies
    int32_t opposite_of;  ///< the handle whose node has the body, -1 if it has a node of its own
  };

  static int32_t add_grid(tel_queue* queue, int64_t number, int64_t blocks, const int32_t* argument_slots);
  static int32_t add_exchange(tel_queue* queue, int32_t first, int32_t second);
  static int32_t add_decision(tel_queue* queue, const tel_decision* decision);
  static int32_t open_body(tel_queue* queue, int32_t kind, int32_t handle);
  static int32_t close_body(tel_queue* queue);

  int32_t append(const char* name, const KernelNode& kernel);
  int32_t append_control();
  int32_t find_handle(int32_t number);
  template <typename... Parameters>
  int32_t result(Code code, Code (*Driver::*function)(Parameters...), const char* what = nullptr) {
    constexpr Code invalid_value = 1, not_supported = 801;
    refused_ |= control_ && (code == invalid_value || code == not_supported);
    return work_.calls.result(code, function, what);
  }

  const Work& work_;
  Function control_;
  Control pending_{};  ///< exchanges and decisions that no node has yet
  Chain* chains_;      ///< the graphs around, the whole one first
  Handle* handles_;
  int64_t depth_ = 0, grids_ = 0;
  bool refused_ = false;
};

}  // namespace runtime::cuda
