#include "dlvm/transform/node_pools.h"

#include "dlvm/analysis/bounds.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/instruction_views.h"

namespace dlvm {
namespace {

/// The pool to which the instruction adds a node.
std::optional<std::size_t> written_pool(const Instruction& instruction, const EnumTypes& types) {
  if (instruction.opcode() != Opcode::literal || !types.is_node(instruction.type())) return std::nullopt;
  const std::int64_t enum_case = (*Composite(instruction).enum_case())[0];
  return types.pool(instruction.type().declaration(), static_cast<std::size_t>(enum_case));
}

}  // namespace

bool has_value(const Type& type) { return !type.is_tuple() || !type.elements().empty(); }

std::string pool_name(const NodePool& pool) {
  return pool.declaration->name + "_" + pool.declaration->members[pool.enum_case].name;
}

Type rows_type(const Type& leaf, const Extent& capacity) {
  Shape shape{capacity};
  shape.insert(shape.end(), leaf.shape().begin(), leaf.shape().end());
  return leaf.with_shape(std::move(shape));
}

std::vector<Extent> pool_capacities(const Function& function, const EnumTypes& types,
                                    const NumberedFunctions& functions) {
  std::vector<std::optional<Extent>> known(types.pools().size(), Extent(0));
  const ControlFlow flow(function);
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      if (const auto p = written_pool(*instruction, types); p && known[*p]) {
        const auto runs = bounds.most_runs(*block);
        known[*p] = runs ? std::optional(*known[*p] + *runs) : std::nullopt;
      }
      const auto call = as<Apply>(*instruction);
      if (const PoolUse* use = call ? functions.use_of(*call.callee()) : nullptr)
        for (const std::size_t p : use->written) known[p] = std::nullopt;
    }
  std::vector<Extent> capacities;
  for (auto& each : known) {
    if (!each || !each->valid()) each = Extent::dimension(name_after(function, "nodes"));
    capacities.push_back(each->is(0) ? Extent(1) : *each);
  }
  return capacities;
}

Type numbered_function(const Function& function, const PoolUse& use, EnumTypes& types) {
  std::set<std::string> names;
  function.type().collect_names(names);
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) instruction->type().collect_names(names);
  std::vector<Type> parameters, pools;
  for (const Type& type : function.type().parameters()) parameters.push_back(types.numbered(type));
  for (const std::size_t p : use.all) {
    const NodePool& pool = types.pools()[p];
    std::string name = pool_name(pool);
    while (!names.insert(name).second) name += "_";
    std::vector<Type> variables;
    for (const Type& leaf : pool.leaves) variables.push_back(rows_type(leaf, Extent::dimension(name)));
    if (use.written.contains(p)) {
      variables.push_back(Type::scalar(EnumTypes::number));
      pools.insert(pools.end(), variables.begin(), variables.end());
    }
    parameters.insert(parameters.end(), variables.begin(), variables.end());
  }
  Type result = types.numbered(function.type().result());
  if (use.written.empty() || !use.returns) return Type::function(std::move(parameters), std::move(result));
  if (has_value(result)) pools.insert(pools.begin(), std::move(result));
  return Type::function(std::move(parameters), Type::tuple(std::move(pools)));
}

}  // namespace dlvm
