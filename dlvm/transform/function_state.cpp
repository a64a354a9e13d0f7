#include "dlvm/transform/function_state.h"

#include "dlvm/ir/builder.h"
#include "dlvm/ir/copy_blocks.h"

namespace dlvm {

Function* add_with_state(Module& module, const Function& function, std::vector<Type> parameters,
                         std::span<const Type> state) {
  std::vector<Type> results{function.type().result()};
  results.insert(results.end(), state.begin(), state.end());
  Function* made =
      module.add_function(module.fresh_name(function.name() + ".with_state"),
                          Type::function(std::move(parameters), Type::tuple(std::move(results))));
  made->attributes = function.attributes;
  made->location = function.location;
  copy_blocks(*made, function, {});
  copy_requirements(*made, function, {});
  return made;
}

void return_state(Instruction& end, std::span<Value* const> pointers) {
  Builder b(*end.block(), &end);
  b.set_locations(end.locations());
  std::vector<Value*> results{end.operands().empty() ? b.tuple({}) : end.operand(0)};
  for (Value* pointer : pointers) results.push_back(b.create(Opcode::load, {pointer}));
  b.return_(b.tuple(std::move(results)));
  end.block()->erase(&end);
}

void call_with_state(Instruction& call, const Function& with_state, std::vector<Value*> arguments,
                     std::span<Value* const> pointers) {
  Builder b(*call.block(), &call);
  b.set_locations(call.locations());
  Value* results = b.apply(&with_state, std::move(arguments));
  std::int64_t at = 0;
  Value* result = b.extract(results, at);
  result->set_name(call.name());
  for (Value* pointer : pointers) b.create(Opcode::store, {b.extract(results, ++at), pointer});
  if (!call.users().empty()) replace_all_uses(call, *result);
  call.block()->erase(&call);
}

}  // namespace dlvm
