#include "tests/fuzz/views.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "dlvm/ir/builder.h"
#include "tests/fuzz/draw.h"

namespace fuzz {
namespace {

using namespace dlvm;

/// Returns what the function reads and computes that views are possible of. Integers without axes may be
/// numbers of rounds, which derivatives of loops must find in extents; they stay as they are.
std::vector<Value*> tensors(const Function& function) {
  std::vector<Value*> found;
  const auto add = [&](Value* value) {
    const Type& type = value->type();
    const bool is_number = type.is_tensor() && type.rank() == 0 && is_integer(type.element());
    if (type.is_tensor() && !is_number && !value->users().empty()) found.push_back(value);
  };
  for (const auto& block : function.blocks()) {
    for (const auto& argument : block->arguments()) add(argument.get());
    for (const auto& instruction : block->instructions()) add(instruction.get());
  }
  return found;
}

class Views : Draw {
 public:
  explicit Views(std::uint64_t seed) : Draw(seed) {}

  void insert(Function& function) {
    for (Value* value : tensors(function))
      if (one_in(3)) insert(value);
  }

 private:
  void insert(Value* value) {
    const Instruction* definition = as_instruction(value);
    BasicBlock& block = definition != nullptr ? *definition->block() : *as_argument(value)->block();
    const auto& instructions = block.instructions();
    auto behind = instructions.begin();
    if (definition != nullptr) {
      behind = std::ranges::find(instructions, definition, [](const auto& each) { return each.get(); });
      ++behind;
    }
    const std::vector<Instruction*> users = value->users();
    Builder b(block, behind->get());
    Value* view = value;
    for (std::size_t depth = 1 + below(2); depth > 0; --depth) view = same(b, view);
    for (Instruction* user : users)
      for (std::size_t i = 0; i < user->operands().size(); ++i)
        if (user->operand(i) == value && !one_in(3)) user->set_operand(i, view);
  }

  /// Returns the value, as two views of it, of which the second one undoes the first.
  Value* same(Builder& b, Value* x) {
    const std::size_t rank = x->type().rank();
    if (rank == 0) return b.squeeze_shape(b.pad_shape(x, 0), 0);
    const std::size_t axis = below(rank);
    switch (below(8)) {
      case 0:
        return padded(b, x);
      case 1:
        return transposed(b, x);
      case 2: {
        const Shape shape = x->type().shape();
        return b.shape_cast(b.shape_cast(x, {unit_count(shape)}), shape);
      }
      case 3: {
        const Integers axes{static_cast<std::int64_t>(axis)};
        return b.reverse(b.reverse(x, axes), axes);
      }
      case 4:
        return concatenated(b, x, axis);
      case 5:
        return b.gather(x, {b.iota({x->type().shape()[axis]}, 0, ElementType::i32)},
                        {static_cast<std::int64_t>(axis)});
      case 6:
        return interleaved(b, x);
      default: {
        const auto at = static_cast<std::int64_t>(below(rank + 1));
        return b.squeeze_shape(b.pad_shape(x, at), at);
      }
    }
  }

  Value* padded(Builder& b, Value* x) {
    Shape from, upto;
    ExtentPairs amounts;
    for (const Extent& extent : x->type().shape()) {
      const auto before = static_cast<std::int64_t>(below(3)), after = static_cast<std::int64_t>(below(2));
      amounts.emplace_back(Extent(before), Extent(after));
      from.emplace_back(before);
      upto.push_back(extent + before);
    }
    return b.slice(b.pad(x, amounts, b.constant(x->type().element(), 1)), from, upto);
  }

  Value* transposed(Builder& b, Value* x) {
    Integers permutation(x->type().rank()), inverse(x->type().rank());
    std::iota(permutation.begin(), permutation.end(), 0);
    std::ranges::shuffle(permutation, random_);
    for (std::size_t i = 0; i < permutation.size(); ++i)
      inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
    return b.transpose(b.transpose(x, permutation), inverse);
  }

  Value* concatenated(Builder& b, Value* x, std::size_t axis) {
    const Shape shape = x->type().shape();
    const bool second = one_in(2);
    Value* other = one_in(2) ? x : b.broadcast(b.constant(x->type().element(), 1), shape);
    std::vector<Value*> parts{x, other};
    if (second) std::swap(parts[0], parts[1]);
    Shape from(shape.size(), Extent(0)), upto = shape;
    if (second) from[axis] = shape[axis], upto[axis] = shape[axis] + shape[axis];
    return b.slice(b.concatenate(std::move(parts), static_cast<std::int64_t>(axis)), from, upto);
  }

  /// Every second element along the last axis, of twice as many; where their number is not known, one of each
  /// pair.
  Value* interleaved(Builder& b, Value* x) {
    const Shape shape = x->type().shape();
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto at = static_cast<std::int64_t>(below(2));
    Value* pairs = b.concatenate({b.pad_shape(x, rank), b.pad_shape(x, rank)}, rank);
    const std::int64_t count = shape.back().constant().value_or(0);
    if (count == 0) {
      Shape from(shape.size() + 1, Extent(0)), upto = shape;
      from.back() = at;
      upto.emplace_back(at + 1);
      return b.squeeze_shape(b.slice(pairs, from, upto), rank);
    }
    Shape from(shape.size(), Extent(0)), upto = shape;
    from.back() = at;
    upto.back() = 2 * count;
    Integers steps(shape.size(), 1);
    steps.back() = 2;
    return b.slice(b.shape_cast(pairs, upto), from, upto, std::move(steps));
  }
};

}  // namespace

void insert_views(Function& function, std::uint64_t seed) { Views(seed).insert(function); }

}  // namespace fuzz
