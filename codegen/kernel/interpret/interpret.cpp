#include "codegen/kernel/interpret/interpret.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "codegen/kernel/interpret/control_flow.h"
#include "codegen/kernel/interpret/evaluate.h"
#include "dlvm/interpret/sorting.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {
namespace {

using dlvm::Tensor;

Tensor undefined(ElementType element, const std::vector<std::int64_t>& extents) {
  Tensor tensor(element, extents);
  if (dlvm::is_floating(element))
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, std::nan(""));
  return tensor;
}

std::byte* place_in(Tensor& tensor, std::size_t i) {
  return tensor.data() + i * dlvm::info(tensor.element()).bytes;
}

class Interpreter final : public Evaluation, private StatementActions {
 public:
  Interpreter(const Program& program, Run& run) : Evaluation(run), program_(program) {}

  Execution run(std::span<const Tensor> inputs) {
    Execution execution;
    for (const Value& value : program_.values) {
      switch (value.place) {
        case Value::Place::input:
          memory_.push_back(inputs[value.index]);
          break;
        case Value::Place::literal:
          memory_.push_back(value.data);
          break;
        case Value::Place::output:
        case Value::Place::arena:
          memory_.push_back(value.updated_input ? inputs[*value.updated_input]
                                                : undefined(value.element, run_.extents(value.shape)));
          break;
      }
    }
    kernel::run(program_.body, *this);
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const Value& value = program_.values[i];
      if (value.place != Value::Place::output) continue;
      if (execution.outputs.size() <= value.index) execution.outputs.resize(value.index + 1);
      execution.outputs[value.index] = memory_[i];
    }
    execution.error = run_.error;
    return execution;
  }

 private:
  bool launch(const Launch& launch) override {
    kernel_ = &program_.kernels[launch.kernel];
    const auto holds = [&](const Guard& guard) {
      const std::int64_t value = run_.extent(guard.value);
      return guard.first <= value && (!guard.end || value < *guard.end);
    };
    if (!std::ranges::all_of(kernel_->guards, holds)) return true;
    run_.kernel = kernel_->name;
    buffers_.clear();
    locals_.clear();
    for (const ValueId value : launch.values) buffers_.push_back(&memory_[value]);
    for (std::size_t i = launch.values.size(); i < kernel_->buffers.size(); ++i) {
      locals_.emplace_back();
      buffers_.push_back(nullptr);
    }
    block(kernel_->root, 0);
    return !run_.error;
  }
  void swap(const Swap& swap) override { std::swap(memory_[swap.first], memory_[swap.second]); }
  bool condition(ValueId value) override { return memory_[value].real(0) != 0; }

  /// Calls `visit` at every point of the axes of the kinds in `kinds`, in order.
  template <typename Visit>
  void points(const std::vector<Axis>& axes, bool parallel, std::size_t from, const Visit& visit) {
    while (from < axes.size() && (axes[from].kind == AxisKind::parallel) != parallel) ++from;
    if (from == axes.size()) return visit();
    const std::int64_t end = run_.extent(axes[from].extent);
    for (std::int64_t i = 0; i < end && !run_.error; ++i) {
      if (position_.size() <= axes[from].id) position_.resize(axes[from].id + 1);
      position_[axes[from].id] = i;
      points(axes, parallel, from + 1, visit);
    }
  }

  void block(const Block& block, std::uint32_t depth) {
    const auto accumulating = accumulating_stages(block);
    if (accumulating.empty()) return block_points(block, block.axes, depth);
    const std::size_t last = accumulating.front()->accumulated.size(), first = block.axes.size() - last;
    points({block.axes.begin(), block.axes.begin() + static_cast<std::ptrdiff_t>(first)}, true, 0, [&] {
      for (const Stage* stage : accumulating) accumulated_.erase(stage);
      block_points(block, {block.axes.begin() + static_cast<std::ptrdiff_t>(first), block.axes.end()}, depth);
      for (const Stage* stage : accumulating) {
        std::size_t point = 0;
        points(stage->axes, true, 0, [&] { finish_accumulated(*stage, point++); });
      }
    });
  }

  static std::vector<const Stage*> accumulating_stages(const Block& block) {
    std::vector<const Stage*> stages;
    for (const auto& child : block.children)
      if (const auto* stage = std::get_if<Stage>(&child); stage != nullptr && !stage->accumulated.empty())
        stages.push_back(stage);
    return stages;
  }

  /// Returns the state of the stage at its point of that number, of those that are not reduced.
  std::vector<Tensor>& accumulated_state(const Stage& stage, std::size_t point) {
    auto& states = accumulated_[&stage];
    if (states.size() <= point) states.resize(point + 1, stage.reduction->identity);
    return states[point];
  }

  void finish_accumulated(const Stage& stage, std::size_t point) {
    if (run_.error) return;
    scalars_.assign(stage.body.size(), Tensor());  // an epilogue sees no scalar of the body
    finish(stage, accumulated_state(stage, point));
  }

  /// Runs the block at each point of `axes`, which are its own or the last ones of them.
  void block_points(const Block& block, const std::vector<Axis>& axes, std::uint32_t depth) {
    points(axes, true, 0, [&] {
      for (std::size_t i = 0; i < locals_.size(); ++i) {
        const std::size_t id = kernel_->buffers.size() - locals_.size() + i;
        const Buffer& buffer = kernel_->buffers[id];
        if (buffer.depth != depth) continue;
        locals_[i] = undefined(buffer.element, run_.extents(buffer.shape));
        buffers_[id] = &locals_[i];
      }
      const dlvm::Overloaded run_child{[&](const Block& inner) { this->block(inner, depth + 1); },
                                       [&](const Stage& inner) { stage(inner); }};
      for (const auto& child : block.children) std::visit(run_child, child);
    });
  }

  void stage(const Stage& stage) {
    std::size_t point = 0;  // of those that are not reduced
    points(stage.axes, true, 0, [&] {
      if (stage.sorting) return sort(*stage.sorting);
      if (!stage.reduction) {
        scalars_.clear();
        body(stage.body);
        for (const Store& s : stage.stores) store(s);
        return;
      }
      const bool ordered = std::any_of(stage.axes.begin(), stage.axes.end(),
                                       [](const Axis& axis) { return axis.kind == AxisKind::ordered; });
      const bool accumulates = !stage.accumulated.empty();
      std::vector<Tensor> state = accumulates ? accumulated_state(stage, point) : stage.reduction->identity;
      points(stage.axes, false, 0, [&] {
        scalars_.clear();
        body(stage.body);
        if (run_.error) return;
        std::vector<Tensor> point;
        for (const ScalarId input : stage.reduction->inputs) point.push_back(scalars_[input]);
        state = combined(run_, *stage.reduction, state, point);
        if (ordered) finish(stage, state);
      });
      if (accumulates) {
        accumulated_state(stage, point++) = std::move(state);
      } else if (!ordered) {
        scalars_.assign(stage.body.size(), Tensor());  // an epilogue sees no scalar of the body
        finish(stage, state);
      }
    });
  }

  void finish(const Stage& stage, const std::vector<Tensor>& state) {
    state_ = state;
    scalars_.resize(stage.body.size());
    body(stage.epilogue);
    for (const Store& s : stage.stores) store(s);
  }

  void body(const std::vector<Scalar>& scalars) {
    for (const Scalar& scalar : scalars) {
      if (run_.error) return;
      scalars_.push_back(value(scalar));
    }
  }

  std::int64_t position(AxisId axis) override { return axis < position_.size() ? position_[axis] : 0; }
  Tensor scalar(ScalarId id) override {
    if (id < scalars_.size()) return scalars_[id];
    run_.fail(fmt::format("%{} is used before it is defined", id));
    return Tensor();
  }
  Tensor load(const Access& access, ElementType) override {
    const auto at = place(access);
    if (!at) return Tensor();
    Tensor& buffer = *buffers_[access.buffer];
    return element_at(buffer.element(), place_in(buffer, *at));
  }
  Tensor state(std::uint32_t component) override {
    if (component < state_.size()) return state_[component];
    run_.fail("no such component of the state");
    return Tensor();
  }

  /// Row-major position of the element.
  std::optional<std::size_t> place(const Access& access) {
    const Tensor* buffer = buffers_[access.buffer];
    if (buffer == nullptr || access.indices.size() != buffer->extents().size()) {
      run_.fail("an access that does not fit " + kernel_->buffers[access.buffer].name);
      return std::nullopt;
    }
    std::int64_t at = 0;
    for (std::size_t i = 0; i < access.indices.size(); ++i) {
      const std::int64_t x = index(access.indices[i]), end = buffer->extents()[i];
      if (x < 0 || x >= end) {
        run_.fail(fmt::format("index {} of axis {} of {} is not below {}", x, i,
                              kernel_->buffers[access.buffer].name, end));
        return std::nullopt;
      }
      at = at * end + x;
    }
    return static_cast<std::size_t>(at);
  }

  void store(const Store& store) {
    if (run_.error || !inside(store.bounds)) return;
    const auto at = place(store.access);
    if (!at) return;
    Tensor& buffer = *buffers_[store.access.buffer];
    Tensor value = scalar(store.value);
    if (store.combine)
      value = combine(*store.combine, element_at(buffer.element(), place_in(buffer, *at)), value);
    if (value.element() != buffer.element())
      return run_.fail("a store of another type to " + kernel_->buffers[store.access.buffer].name);
    std::memcpy(place_in(buffer, *at), value.data(), value.byte_count());
  }

  void sort(const Sorting& sorting) {
    Access keys = sorting.keys, positions = sorting.positions;
    const std::int64_t count = buffers_[keys.buffer]->extents()[sorting.axis];
    std::vector<std::size_t> row, places;
    for (std::int64_t k = 0; k < count && !run_.error; ++k) {
      keys.indices[sorting.axis] = positions.indices[sorting.axis] = constant_index(k);
      row.push_back(place(keys).value_or(0));
      places.push_back(place(positions).value_or(0));
    }
    if (run_.error) return;
    Tensor& tensor = *buffers_[keys.buffer];
    const std::vector<std::size_t> order = dlvm::sorted(tensor, row, sorting.descending);
    const Tensor before = tensor;
    const std::size_t bytes = dlvm::info(tensor.element()).bytes;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto from = std::find(row.begin(), row.end(), order[k]) - row.begin();
      buffers_[positions.buffer]->set(places[k], std::int64_t{from});
      std::memcpy(tensor.data() + row[k] * bytes, before.data() + order[k] * bytes, bytes);
    }
  }

  const Program& program_;
  std::vector<Tensor> memory_;      ///< one for each value
  const Kernel* kernel_ = nullptr;  ///< being launched
  std::vector<Tensor*> buffers_;    ///< of the kernel
  std::vector<Tensor> locals_;
  std::vector<std::int64_t> position_;  ///< of axes
  std::vector<Tensor> scalars_, state_;
  /// The states of stages that accumulate, by the number of their points that are not reduced.
  std::map<const Stage*, std::vector<std::vector<Tensor>>> accumulated_;
};

}  // namespace

Execution interpret(const Program& program, std::span<const Tensor> inputs,
                    const Extent::Bindings& dimensions) {
  Run run{dimensions, program.name, {}, {}};
  return Interpreter(program, run).run(inputs);
}

}  // namespace codegen::kernel
