#include "dlvm/transform/node_pools.h"

#include <map>

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

/// How many nodes of each pool a function makes at most; nothing where that is not known.
class MadeNodes {
 public:
  using Counts = std::vector<std::optional<Extent>>;
  MadeNodes(const EnumTypes& types, const NumberedFunctions& functions)
      : types_(types), functions_(functions) {}

  Counts of(const Function& function) {
    Counts counts(types_.pools().size(), Extent(0));
    const ControlFlow flow(function);
    const DominatorTree dominators(flow);
    const LoopNest loops(flow, dominators);
    Bounds bounds(flow, dominators, loops);
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions()) {
        if (const auto p = written_pool(*instruction, types_))
          add(counts[*p], bounds.most_runs(*block), Extent(1));
        const auto call = as<Apply>(*instruction);
        const PoolUse* use = call ? functions_.use_of(*call.callee()) : nullptr;
        if (use == nullptr || use->written.empty()) continue;
        const Counts inner = of_callee(*call.callee());
        for (const std::size_t p : use->written) add(counts[p], bounds.most_runs(*block), inner[p]);
      }
    return counts;
  }

 private:
  /// The dimensions of a callee have other names, so that its numbers are constants or not known; those of a
  /// function that calls itself are not.
  Counts of_callee(const Function& callee) {
    const Function& function = callee.gradient ? *callee.gradient->of : callee;
    const auto [known, fresh] = known_.try_emplace(&function, types_.pools().size(), std::nullopt);
    if (!fresh) return known->second;
    Counts counts = of(function);
    for (auto& each : counts)
      if (each && !each->constant()) each = std::nullopt;
    return known_[&function] = std::move(counts);
  }

  static void add(std::optional<Extent>& count, const std::optional<Extent>& runs,
                  const std::optional<Extent>& made) {
    count = count && runs && made ? std::optional(*count + *runs * *made) : std::nullopt;
  }

  const EnumTypes& types_;
  const NumberedFunctions& functions_;
  std::map<const Function*, Counts> known_;
};

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
  auto made = MadeNodes(types, functions).of(function);
  std::vector<Extent> capacities;
  for (auto& each : made) {
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
