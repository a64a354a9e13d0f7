#include "dlvm/transform/combinator_loops.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/elementwise_function.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/replacement.h"
#include "dlvm/transform/algebra_simplification.h"
#include "dlvm/transform/combinator_flattening.h"
#include "dlvm/transform/counted_loop.h"

namespace dlvm {
namespace {

constexpr ElementType counted = ElementType::i64;

using Values = std::vector<Value*>;

Extent count_of(const Shape& shape, std::size_t first, std::size_t end) {
  return unit_count(
      {shape.begin() + static_cast<std::ptrdiff_t>(first), shape.begin() + static_cast<std::ptrdiff_t>(end)});
}

Integers axes_below(std::size_t rank) {
  Integers axes;
  for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  return axes;
}

/// Builds what an instruction by a function computes as loops, at the end of the builder's block.
class CombinatorLoops {
 public:
  CombinatorLoops(Module& module, Builder& builder, const Combinator& by, const Type& type)
      : by_(by),
        b_(builder),
        type_(type),
        replaces_{Opcode::add, replacement(module, type.element())},
        zero_(builder.constant(type.element(), 0)) {}

  /// Combines the elements of the axes in row-major order.
  Value* build(const Reduce& reduce) {
    Integers axes = reduce.axes(), order;
    std::ranges::sort(axes);
    for (const std::int64_t axis : axes_below(reduce.input()->type().rank()))
      if (!std::ranges::binary_search(axes, axis)) order.push_back(axis);
    order.insert(order.end(), axes.begin(), axes.end());
    Value* x = reduce.input();
    if (!std::ranges::is_sorted(order)) x = b_.transpose(x, order);
    const Shape shape = x->type().shape();
    const std::size_t kept = shape.size() - axes.size();
    const Extent results = count_of(shape, 0, kept), terms = count_of(shape, kept, shape.size());
    x = b_.shape_cast(x, {results, terms});
    return for_each_result(results, [&](Value* result) {
      return accumulate(terms, reduce.initial(), [&](Value* term) { return element(x, {result, term}); });
    });
  }

  /// Combines the taps of each window in row-major order.
  Value* build(const ReduceWindow& window) {
    const auto axes = window.axes();
    Shape taps;
    for (const WindowAxis& axis : axes) taps.push_back(axis.taps);
    return for_each_result(unit_count(type_.shape()), [&](Value* result) {
      const Values at = delinearize(b_, result, type_.shape());
      return accumulate(unit_count(taps), window.initial(), [&](Value* number) {
        return window_element(window, axes, at, delinearize(b_, number, taps));
      });
    });
  }

  /// The first element of a line is a result as it is.
  Value* build(const Scan& scan) {
    const Shape& shape = type_.shape();
    const Shape parts{count_of(shape, 0, scan.axis()), shape[scan.axis()],
                      count_of(shape, scan.axis() + 1, shape.size())};
    const Shape lines{parts[0], parts[2]};
    Value* x = b_.shape_cast(scan.input(), parts);
    const auto line = [&](Value* number, const Values& results) {
      const Values at = delinearize(b_, number, lines);
      const auto step = [&](Value* k, const Values& carried) {
        const Values place{at[0], k, at[1]};
        Value* next = element(x, place);
        Value* is_later = b_.binary(Opcode::greaterThan, k, b_.constant(counted, 0));
        Value* sum = chosen(is_later, next, [&] { return call(carried[1], next); });
        return Values{write(sum, carried[0], place), sum};
      };
      return Values{build_loop(b_, parts[1], {{results[0], zero_}, {"results", "sum"}}, step)[0]};
    };
    return b_.shape_cast(build_loop(b_, unit_count(lines), {{zeros(parts)}, {"results"}}, line)[0], shape);
  }

  /// Takes one update after the other. A position outside is an error before the first of them, or with its
  /// update where a position may have none.
  Value* build(const Scatter& scatter) {
    const Shape& shape = type_.shape();
    const auto first = static_cast<std::size_t>(scatter.axes().front()), end = first + scatter.axes().size();
    const auto axis = [&](std::size_t i) { return shape.begin() + static_cast<std::ptrdiff_t>(i); };
    Shape to{count_of(shape, 0, first)};
    to.insert(to.end(), axis(first), axis(end));
    to.push_back(count_of(shape, end, shape.size()));
    const Shape from{to.front(), unit_count(scatter.indices()[0]->type().shape()), to.back()};
    const bool moves =
        provably_at_most(1, from[0]) == Proof::yes && provably_at_most(1, from[2]) == Proof::yes;
    Values indices;
    for (std::size_t i = 0; i < scatter.indices().size(); ++i) {
      Value* index = scatter.indices()[i];
      if (moves) index = b_.check_index(index, 0, shape[first + i]);
      indices.push_back(b_.shape_cast(index, {from[1]}));
    }
    Value *updates = b_.shape_cast(scatter.updates(), from), *input = b_.shape_cast(scatter.input(), to);
    const auto update = [&](Value* number, const Values& carried) {
      const Values at = delinearize(b_, number, from);
      Values place{at[0]};
      for (Value* index : indices) place.push_back(b_.cast(element(index, {at[1]}), counted));
      place.push_back(at[2]);
      return Values{write(call(element(carried[0], place), element(updates, at)), carried[0], place)};
    };
    return b_.shape_cast(build_loop(b_, unit_count(from), {{input}, {"results"}}, update)[0], shape);
  }

 private:
  Value* zeros(Shape shape) const { return b_.broadcast(zero_, std::move(shape)); }
  Value* call(Value* left, Value* right) const { return b_.apply(by_.function, {left, right}); }
  Value* element(Value* x, const Values& place) const {
    return place.empty() ? x : b_.gather(x, place, axes_below(place.size()));
  }
  Value* write(Value* value, Value* to, const Values& place) const {
    return b_.scatter(value, to, place, replaces_, axes_below(place.size()));
  }

  /// Returns the result of the instruction: `build` computes the element of each number.
  template <typename Build>
  Value* for_each_result(const Extent& count, Build build) {
    const auto round = [&](Value* number, const Values& carried) {
      return Values{write(build(number), carried[0], {number})};
    };
    return b_.shape_cast(build_loop(b_, count, {{zeros({count})}, {"results"}}, round)[0], type_.shape());
  }

  /// Combines the initial value with what `build` computes of the number of each term.
  template <typename Build>
  Value* accumulate(const Extent& terms, Value* initial, Build build) {
    const auto round = [&](Value* number, const Values& carried) {
      Value* term = build(number);
      return Values{call(carried[0], term)};
    };
    return build_loop(b_, terms, {{initial}, {"sum"}}, round)[0];
  }

  /// Returns what `build` computes where the condition holds, and `otherwise` elsewhere.
  template <typename Build>
  Value* chosen(Value* condition, Value* otherwise, Build build) {
    BasicBlock* within = b_.function().add_block("within", &b_.block());
    BasicBlock* join = b_.function().add_block("join", within);
    Value* result = join->add_argument(otherwise->type(), "chosen");
    b_.conditional(condition, *within, {}, *join, {otherwise});
    move_to(b_, *within);
    Value* built = build();
    b_.branch(*join, {built});
    move_to(b_, *join);
    return result;
  }

  /// Returns the element that the tap of a window meets, or the initial value outside.
  Value* window_element(const ReduceWindow& window, const std::vector<WindowAxis>& axes, const Values& at,
                        const Values& taps) {
    Values place;
    Value* inside = nullptr;
    const auto require = [&](Opcode comparison, Value* left, Value* right) {
      Value* holds = b_.binary(comparison, left, right);
      inside = inside == nullptr ? holds : b_.binary(Opcode::and_, inside, holds);
    };
    const auto number = [&](std::int64_t value) { return b_.constant(counted, static_cast<double>(value)); };
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const WindowAxis& axis = axes[i];
      Value* position = b_.add(b_.multiply(at[i], number(axis.stride)), taps[i]);
      if (!axis.low.is(0)) position = b_.subtract(position, b_.extent(axis.low, counted));
      if (axis.left_dilation != 1) {
        require(Opcode::equal, b_.binary(Opcode::modulo, position, number(axis.left_dilation)), number(0));
        position = b_.binary(Opcode::floorDivide, position, number(axis.left_dilation));
      }
      if (!axis.low.is(0) || !axis.high.is(0) || axis.left_dilation != 1) {
        require(Opcode::greaterThanOrEqual, position, number(0));
        require(Opcode::lessThan, position, b_.extent(axis.input, counted));
      }
      place.push_back(position);
    }
    if (inside == nullptr) return element(window.input(), place);
    return chosen(inside, window.initial(), [&] { return element(window.input(), place); });
  }

  const Combinator by_;
  Builder& b_;
  const Type type_;
  const Combinator replaces_;
  Value* zero_;
};

const Combinator* combinator_of(const Instruction& instruction) {
  for (const Attribute& attribute : instruction.attributes())
    if (const auto* by = std::get_if<Combinator>(&attribute); by != nullptr && by->function != nullptr)
      return by;
  return nullptr;
}

void replace_by_loops(Module& module, Instruction& instruction) {
  BasicBlock* rest = split_behind(instruction);
  Builder builder(*instruction.block());
  builder.set_locations(instruction.locations());
  CombinatorLoops loops(module, builder, *combinator_of(instruction), instruction.type());
  Value* result = nullptr;
  if (const auto reduce = as<Reduce>(instruction)) result = loops.build(reduce);
  if (const auto window = as<ReduceWindow>(instruction)) result = loops.build(window);
  if (const auto scan = as<Scan>(instruction)) result = loops.build(scan);
  if (const auto scatter = as<Scatter>(instruction)) result = loops.build(scatter);
  builder.branch(*rest);
  if (result->name().empty()) result->set_name(instruction.name());
  replace_all_uses(instruction, *result);
  instruction.block()->erase(&instruction);
}

/// Whether it is a scatter by a function for which differentiation has no rule.
bool lacks_derivative(const Instruction& instruction) {
  const auto scatter = as<Scatter>(instruction);
  return scatter && is_floating(scatter.type().element()) && !replaces(scatter.combinator());
}

/// Returns the instructions by functions that are not elementwise, or that lack a derivative that is asked
/// for.
std::vector<Instruction*> combining(const Module& module) {
  const auto differentiated = differentiated_functions(module);
  std::unordered_map<const Function*, bool> elementwise;
  std::vector<Instruction*> found;
  for (const auto& function : module.functions())
    for (const auto& block : function->blocks())
      for (const auto& instruction : block->instructions()) {
        const Combinator* by = combinator_of(*instruction);
        if (by == nullptr) continue;
        const auto [known, is_new] = elementwise.try_emplace(by->function, true);
        if (is_new) known->second = is_elementwise(*by->function);
        const bool is_needed = differentiated.contains(function.get()) && lacks_derivative(*instruction);
        if (!known->second || is_needed) found.push_back(instruction.get());
      }
  return found;
}

/// Simplifies the functions of the instructions: tuples may have kept one from being elementwise.
bool simplify_functions(Module& module, const std::vector<Instruction*>& instructions) {
  std::unordered_set<const Function*> functions;
  for (const Instruction* each : instructions) functions.insert(combinator_of(*each)->function);
  bool changed = false;
  for (const auto& function : module.functions())
    if (functions.contains(function.get()))
      changed = algebra_simplification(*function, module.stage) || changed;
  return changed;
}

}  // namespace

bool combinator_loops(Module& module) {
  std::vector<Instruction*> found = combining(module);
  const bool simplified = !found.empty() && simplify_functions(module, found);
  if (simplified) {
    combinator_flattening(module);
    found = combining(module);
  }
  for (Instruction* instruction : found) replace_by_loops(module, *instruction);
  return simplified || !found.empty();
}

}  // namespace dlvm
