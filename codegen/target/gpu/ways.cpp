#include "codegen/target/gpu/ways.h"

namespace codegen::target::gpu {

using kernel::Branch;
using kernel::Jump;
using kernel::Scope;
using kernel::Statement;

Ways ways(const Statement& statement) {
  Ways result;
  if (const auto* jump = std::get_if<Jump>(&statement.node)) return {false, {jump->scope}};
  if (const auto* branch = std::get_if<Branch>(&statement.node)) {
    result = ways(branch->then);
    Ways other = ways(branch->otherwise);
    result.falls_through |= other.falls_through;
    result.scopes.merge(other.scopes);
  }
  if (const auto* scope = std::get_if<Scope>(&statement.node)) {
    result = ways(scope->body);
    const bool is_target = result.scopes.erase(scope->name) > 0;
    result.falls_through |= is_target && scope->kind == Scope::Kind::block;
  }
  return result;
}

Ways ways(Statements statements) {
  Ways result;
  for (const Statement& statement : statements) {
    Ways one = ways(statement);
    result.scopes.merge(one.scopes);
    result.falls_through = one.falls_through;
    if (!result.falls_through) break;
  }
  return result;
}

}  // namespace codegen::target::gpu
