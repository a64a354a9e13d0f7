#include "dlvm/transform/counted_loop.h"

#include <iterator>

namespace dlvm {
namespace {

constexpr ElementType counted = ElementType::i64;

}  // namespace

Value* number_of(Builder& b, const Extent& extent) {
  const auto constant = extent.constant();
  return constant ? b.constant(counted, static_cast<double>(*constant)) : b.extent(extent, counted);
}

void move_to(Builder& builder, BasicBlock& block) {
  Builder next(block);
  next.set_locations(builder.locations());
  builder = next;
}

std::vector<Value*> build_loop(Builder& b, const Extent& count, const CarriedValues& first,
                               const LoopRound& round) {
  if (count.is(1)) return round(b.constant(counted, 0), first.values);
  Function& function = b.function();
  BasicBlock* head = function.add_block("head", &b.block());
  BasicBlock* body = function.add_block("body", head);
  BasicBlock* behind = function.add_block("behind", body);
  Value* number = head->add_argument(Type::scalar(counted), "number");
  std::vector<Value*> passed{b.constant(counted, 0)}, carried;
  for (std::size_t i = 0; i < first.values.size(); ++i) {
    passed.push_back(first.values[i]);
    carried.push_back(head->add_argument(first.values[i]->type(), first.names[i]));
  }
  Value* rounds = number_of(b, count);
  b.branch(*head, std::move(passed));
  move_to(b, *head);
  b.conditional(b.binary(Opcode::lessThan, number, rounds), *body, {}, *behind, {});
  move_to(b, *body);
  std::vector<Value*> next = round(number, carried);
  next.insert(next.begin(), b.add(number, b.constant(counted, 1)));
  b.branch(*head, std::move(next));
  move_to(b, *behind);
  return carried;
}

std::vector<Value*> delinearize(Builder& b, Value* number, std::span<const Extent> shape) {
  std::vector<Value*> position(shape.size());
  std::size_t outermost = 0;  // of the axes that are not 1: it takes what is left
  while (outermost < shape.size() && shape[outermost].is(1)) ++outermost;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (shape[axis].is(1)) {
      position[axis] = b.constant(counted, 0);
    } else if (axis == outermost) {
      position[axis] = number;
    } else {
      Value* extent = number_of(b, shape[axis]);
      position[axis] = b.binary(Opcode::modulo, number, extent);
      number = b.binary(Opcode::floorDivide, number, extent);
    }
  }
  return position;
}

BasicBlock* split_behind(Instruction& instruction) {
  BasicBlock& block = *instruction.block();
  BasicBlock* rest = block.function().add_block(block.name(), &block);
  auto place = block.instructions().begin();
  while (place->get() != &instruction) ++place;
  rest->take_from(block, std::next(place)->get());
  return rest;
}

}  // namespace dlvm
