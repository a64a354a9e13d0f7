#include "codegen/kernel/interpret.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/builder.h"

namespace codegen::kernel {
namespace {

using dlvm::Tensor;
using Extents = std::vector<std::int64_t>;

Tensor element_of(const Tensor& tensor, std::size_t i) {
  Tensor result(tensor.element(), {});
  const std::size_t size = dlvm::info(tensor.element()).bytes;
  std::memcpy(result.data(), tensor.data() + i * size, size);
  return result;
}

void set_element(Tensor& tensor, std::size_t i, const Tensor& value) {
  const std::size_t size = dlvm::info(tensor.element()).bytes;
  std::memcpy(tensor.data() + i * size, value.data(), size);
}

Tensor undefined(ElementType element, const Extents& extents) {
  Tensor tensor(element, extents);
  if (dlvm::is_floating(element))
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set(i, std::nan(""));
  return tensor;
}

/// Single instructions on scalars, by the interpreter of DLVM.
class Scalars {
 public:
  std::optional<Tensor> apply(dlvm::Opcode opcode, ElementType type, const std::vector<Tensor>& operands) {
    std::vector<dlvm::Type> types;
    for (const Tensor& operand : operands) types.push_back(dlvm::Type::scalar(operand.element()));
    std::vector<dlvm::Attribute> attributes;
    if (opcode == dlvm::Opcode::dataTypeCast) attributes.emplace_back(type);
    return fold(opcode, types, std::move(attributes), operands);
  }

  /// Element `index` of the stream: the last of a tensor of index + 1.
  std::optional<Tensor> random(const std::vector<Tensor>& operands, std::int64_t index) {
    std::vector<dlvm::Type> types;
    for (const Tensor& operand : operands) types.push_back(dlvm::Type::scalar(operand.element()));
    const auto all = fold(dlvm::Opcode::random, types, {Shape{Extent(index + 1)}}, operands);
    if (!all) return std::nullopt;
    return element_of(*all, all->size() - 1);
  }

 private:
  std::optional<Tensor> fold(dlvm::Opcode opcode, const std::vector<dlvm::Type>& types,
                             std::vector<dlvm::Attribute> attributes, const std::vector<Tensor>& operands) {
    dlvm::Function function("scalar", dlvm::Type::function(types, dlvm::Type()));
    dlvm::Builder builder(*function.add_entry());
    std::vector<dlvm::Value*> arguments;
    for (const auto& argument : builder.block().arguments()) arguments.push_back(argument.get());
    const auto* instruction = dlvm::as_instruction(builder.create(opcode, arguments, std::move(attributes)));
    return dlvm::fold(*instruction, operands);
  }
};

class Machine {
 public:
  Machine(const Program& program, const Extent::Bindings& dimensions)
      : program_(program), dimensions_(dimensions) {}

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
        default:
          memory_.push_back(undefined(value.element, extents(value.shape)));
      }
    }
    for (const Launch& launch : program_.launches) {
      kernel_ = &program_.kernels[launch.kernel];
      buffers_.clear();
      locals_.clear();
      for (const std::uint32_t value : launch.values) buffers_.push_back(&memory_[value]);
      for (std::size_t i = launch.values.size(); i < kernel_->buffers.size(); ++i) {
        locals_.emplace_back();
        buffers_.push_back(nullptr);
      }
      block(kernel_->root, 0);
    }
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const Value& value = program_.values[i];
      if (value.place != Value::Place::output) continue;
      if (execution.outputs.size() <= value.index) execution.outputs.resize(value.index + 1);
      execution.outputs[value.index] = memory_[i];
    }
    execution.error = error_;
    return execution;
  }

 private:
  void fail(std::string text) {
    if (!error_) error_ = fmt::format("kernel @{}: {}", kernel_->name, text);
  }

  std::int64_t extent(const Extent& extent) {
    const auto value = extent.evaluate(dimensions_);
    if (!value) fail("unbound extent " + extent.text());
    return value.value_or(0);
  }
  Extents extents(const Shape& shape) {
    Extents result;
    for (const Extent& e : shape) result.push_back(extent(e));
    return result;
  }

  /// Calls `visit` at every point of the axes of the kinds in `kinds`, in order.
  template <typename Visit>
  void points(const std::vector<Axis>& axes, bool parallel, std::size_t from, const Visit& visit) {
    while (from < axes.size() && (axes[from].kind == AxisKind::parallel) != parallel) ++from;
    if (from == axes.size()) return visit();
    const std::int64_t end = extent(axes[from].extent);
    for (std::int64_t i = 0; i < end && !error_; ++i) {
      position_[axes[from].id] = i;
      points(axes, parallel, from + 1, visit);
    }
  }

  void block(const Block& block, std::uint32_t depth) {
    points(block.axes, true, 0, [&] {
      for (std::size_t i = 0; i < locals_.size(); ++i) {
        const std::size_t id = kernel_->buffers.size() - locals_.size() + i;
        const Buffer& buffer = kernel_->buffers[id];
        if (buffer.depth != depth) continue;
        locals_[i] = undefined(buffer.element, extents(buffer.shape));
        buffers_[id] = &locals_[i];
      }
      for (const auto& child : block.children) {
        if (const auto* inner = std::get_if<Block>(&child))
          this->block(*inner, depth + 1);
        else
          stage(std::get<Stage>(child));
      }
    });
  }

  void stage(const Stage& stage) {
    points(stage.axes, true, 0, [&] {
      if (!stage.reduction) {
        scalars_.clear();
        body(stage.body);
        for (const Store& s : stage.stores) store(s);
        return;
      }
      const bool ordered = std::any_of(stage.axes.begin(), stage.axes.end(),
                                       [](const Axis& axis) { return axis.kind == AxisKind::ordered; });
      std::vector<Tensor> state = stage.reduction->identity;
      points(stage.axes, false, 0, [&] {
        scalars_.clear();
        body(stage.body);
        if (error_) return;
        std::vector<Tensor> point;
        for (const ScalarId input : stage.reduction->inputs) point.push_back(scalars_[input]);
        combine(*stage.reduction, state, point);
        if (ordered) finish(stage, state);
      });
      if (!ordered) {
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

  void combine(const Reduction& reduction, std::vector<Tensor>& state, const std::vector<Tensor>& point) {
    auto outer = std::move(scalars_);
    scalars_.clear();
    state_ = state;
    state_.insert(state_.end(), point.begin(), point.end());
    body(reduction.combine);
    if (!error_)
      for (std::size_t i = 0; i < state.size(); ++i) state[i] = scalars_[reduction.results[i]];
    scalars_ = std::move(outer);
  }

  void body(const std::vector<Scalar>& scalars) {
    for (const Scalar& scalar : scalars) {
      if (error_) return;
      scalars_.push_back(std::visit([&](const auto& d) { return value(scalar.type, d); }, scalar.definition));
    }
  }

  const Tensor& scalar(ScalarId id) {
    static const Tensor nothing;
    if (id < scalars_.size()) return scalars_[id];
    fail(fmt::format("%{} is used before it is defined", id));
    return nothing;
  }
  std::vector<Tensor> scalars(const std::vector<ScalarId>& ids) {
    std::vector<Tensor> result;
    for (const ScalarId id : ids) result.push_back(scalar(id));
    return result;
  }

  Tensor value(ElementType, const Scalar::Literal& literal) { return literal.value; }
  Tensor value(ElementType type, const Scalar::Position& p) { return Tensor::scalar(type, index(p.index)); }
  Tensor value(ElementType, const Scalar::Load& load) {
    if (!inside(load.bounds)) return scalar(load.fill);
    const auto at = place(load.access);
    return at ? element_of(*buffers_[load.access.buffer], *at) : Tensor();
  }
  Tensor value(ElementType type, const Scalar::Operation& operation) {
    const auto result = scalars_of_.apply(operation.opcode, type, scalars(operation.operands));
    if (!result) fail(fmt::format("{} cannot be evaluated", dlvm::definition(operation.opcode).name));
    return result.value_or(Tensor());
  }
  Tensor value(ElementType, const Scalar::State& s) {
    if (s.component >= state_.size()) fail("no such component of the state");
    return error_ ? Tensor() : state_[s.component];
  }
  Tensor value(ElementType type, const Scalar::Check& check) {
    const std::int64_t i = scalar(check.operand).integer(0), first = extent(check.first),
                       end = extent(check.end);
    if (i >= first && i < end) return Tensor::scalar(type, i);
    fail(fmt::format("site {}: index {} is not in [{}, {})", check.site, i, first, end));
    return Tensor::scalar(type, first);
  }
  Tensor value(ElementType, const Scalar::Random& r) {
    const auto result = scalars_of_.random(scalars({r.low, r.high, r.key, r.counter}), index(r.index));
    if (!result) fail("random cannot be evaluated");
    return result.value_or(Tensor());
  }

  std::int64_t index(const Index& index) {
    std::int64_t sum = extent(index.constant);
    for (const auto& term : index.terms) sum += extent(term.coefficient) * atom(term.atom);
    return sum;
  }
  std::int64_t atom(const Index::Atom& atom) {
    if (const auto* axis = std::get_if<AxisId>(&atom)) return position_[*axis];
    if (const auto* loaded = std::get_if<Loaded>(&atom)) return scalar(loaded->scalar).integer(0);
    const auto& quotient = *std::get<std::shared_ptr<const Index::Quotient>>(atom);
    const std::int64_t i = index(quotient.index), d = extent(quotient.divisor);
    if (d == 0) return 0;
    const std::int64_t q = i / d - ((i % d != 0) && ((i < 0) != (d < 0)));
    return quotient.kind == Index::Quotient::Kind::floor ? q : i - q * d;
  }
  bool inside(const std::vector<Bound>& bounds) {
    for (const Bound& bound : bounds)
      if (const std::int64_t i = index(bound.index); i < 0 || i >= extent(bound.end)) return false;
    return true;
  }

  /// Row-major position of the element.
  std::optional<std::size_t> place(const Access& access) {
    const Tensor* buffer = buffers_[access.buffer];
    if (buffer == nullptr || access.indices.size() != buffer->extents().size()) {
      fail("an access that does not fit " + kernel_->buffers[access.buffer].name);
      return std::nullopt;
    }
    std::int64_t at = 0;
    for (std::size_t i = 0; i < access.indices.size(); ++i) {
      const std::int64_t x = index(access.indices[i]), end = buffer->extents()[i];
      if (x < 0 || x >= end) {
        fail(fmt::format("index {} of axis {} of {} is not below {}", x, i,
                         kernel_->buffers[access.buffer].name, end));
        return std::nullopt;
      }
      at = at * end + x;
    }
    return static_cast<std::size_t>(at);
  }

  void store(const Store& store) {
    if (error_ || !inside(store.bounds)) return;
    const auto at = place(store.access);
    if (!at) return;
    Tensor& buffer = *buffers_[store.access.buffer];
    Tensor value = scalar(store.value);
    if (store.combine) {
      const auto joined = combined(*store.combine, element_of(buffer, *at), value);
      if (!joined) return fail("a store that cannot be combined");
      value = *joined;
    }
    if (value.element() != buffer.element())
      return fail("a store of another type to " + kernel_->buffers[store.access.buffer].name);
    set_element(buffer, *at, value);
  }

  std::optional<Tensor> combined(const dlvm::Combinator& by, const Tensor& left, const Tensor& right) {
    if (by.function == nullptr) return scalars_of_.apply(by.opcode, left.element(), {left, right});
    const std::vector<dlvm::RuntimeValue> arguments{dlvm::RuntimeValue(left), dlvm::RuntimeValue(right)};
    const auto result = dlvm::interpret(*by.function, arguments);
    if (!result) return std::nullopt;
    return result.value.tensor();
  }

  const Program& program_;
  const Extent::Bindings& dimensions_;
  Scalars scalars_of_;
  std::vector<Tensor> memory_;      ///< one for each value
  const Kernel* kernel_ = nullptr;  ///< being launched
  std::vector<Tensor*> buffers_;    ///< of the kernel
  std::vector<Tensor> locals_;
  std::map<AxisId, std::int64_t> position_;
  std::vector<Tensor> scalars_, state_;
  std::optional<std::string> error_;
};

}  // namespace

Execution interpret(const Program& program, std::span<const Tensor> inputs,
                    const Extent::Bindings& dimensions) {
  return Machine(program, dimensions).run(inputs);
}

}  // namespace codegen::kernel
