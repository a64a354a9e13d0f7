// The derivatives of sorts: the cotangent goes back to where each element stood.
#include "dlvm/differentiate/transposes.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/take_along.h"

namespace dlvm::transposes {
namespace {

Value* put_back(Builder& b, Value* cotangent, Value* input, Value* positions, std::size_t axis) {
  const Shape& shape = input->type().shape();
  Integers axes;
  for (std::size_t d = 0; d < shape.size(); ++d) axes.push_back(static_cast<std::int64_t>(d));
  return b.scatter(cotangent, zeros(b, input->type()), indices_along(b, positions, axis),
                   {Opcode::add, nullptr}, std::move(axes));
}

}  // namespace

Value* sort(Builder& b, Instruction& primal, std::size_t, Value* cotangent) {
  const Sort view(primal);
  Value* positions = b.create(Opcode::argsort, {view.input()}, primal.attributes());
  return put_back(b, cotangent, view.input(), positions, view.axis());
}

Value* topk(Builder& b, Instruction& primal, std::size_t, Value* cotangent) {
  const TopK view(primal);
  return put_back(b, cotangent, view.input(), b.extract(&primal, 1), view.axis());
}

}  // namespace dlvm::transposes
