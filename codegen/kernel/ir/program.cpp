#include "codegen/kernel/ir/program.h"

#include <algorithm>

#include "dlvm/support/overloaded.h"

namespace codegen::kernel {

bool may_be_variable(const Value& value) {
  constexpr std::int64_t most = 16;
  const auto count = dlvm::unit_count(value.shape).constant();
  return value.place == Value::Place::arena && count && *count >= 1 && *count <= most;
}

bool updates_input(const Program& program, const Launch& launch) {
  return std::ranges::any_of(launch.values,
                             [&](ValueId value) { return program.values[value].updated_input.has_value(); });
}

void walk(const Sequence& sequence, const std::function<void(const Statement&)>& visit) {
  const dlvm::Overloaded inner{[](const Launch&) {}, [](const Swap&) {},
                               [&](const Branch& branch) {
                                 walk(branch.then, visit);
                                 walk(branch.otherwise, visit);
                               },
                               [&](const Scope& scope) { walk(scope.body, visit); }, [](const Jump&) {}};
  for (const Statement& statement : sequence) {
    visit(statement);
    std::visit(inner, statement.node);
  }
}

}  // namespace codegen::kernel
