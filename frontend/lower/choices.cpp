// Nodes of which one side is computed: each side has a block, and the block behind takes its value.
#include <algorithm>

#include "frontend/lower/body.h"

namespace frontend::lower {

std::vector<std::string> names_of(const Body& body, const std::vector<std::optional<std::size_t>>& payload) {
  std::vector<std::string> names;
  for (const auto& each : payload) names.push_back(each ? body.variables[*each].name : "");
  return names;
}

dlvm::Value* BodyLowering::choice(const Body& body, std::size_t end) {
  const Node& node = *body.nodes[end];
  dlvm::BasicBlock &where_true = add_block("then"), &where_false = add_block("else"),
                   &joined = add_block("end");
  builder_.set_locations({node.location});
  builder_.conditional(operand(node.operands[0]), where_true, {}, where_false, {});
  std::size_t first = end - node.sides[0] - node.sides[1];
  for (std::size_t side = 0; side < 2; ++side) {
    continue_in(side == 0 ? where_true : where_false);
    build(body, first, first + node.sides[side]);
    builder_.set_locations({node.location});
    builder_.branch(joined, {operand(node.operands[side + 1])});
    first += node.sides[side];
  }
  continue_in(joined);
  return joined.add_argument(type(node.type), "");
}

dlvm::Value* BodyLowering::match(const Body& body, std::size_t end) {
  const Node& node = *body.nodes[end];
  std::vector<std::size_t> written(node.cases.size());  // for each case of the enum its place in the match
  std::vector<std::size_t> first(node.cases.size());
  for (std::size_t i = node.cases.size(), begin = end; i-- > 0;) {
    written[node.cases[i].position] = i;
    first[i] = begin -= node.sides[i];
  }
  const Cases cases = branch_by_case(operand(node.operands[0]), node.location, [&](std::size_t i) {
    return names_of(body, node.cases[written[i]].payload);
  });
  dlvm::BasicBlock& joined = add_block("end");
  variables.resize(std::max(variables.size(), body.variables.size()));
  for (std::size_t i = 0; i < cases.blocks.size(); ++i) {
    const std::size_t at = written[i];
    const auto& payload = node.cases[at].payload;
    continue_in(*cases.blocks[i]);
    for (std::size_t j = 0; j < payload.size(); ++j)
      if (payload[j]) variables[*payload[j]] = cases.payloads[i][j];
    build(body, first[at], first[at] + node.sides[at]);
    builder_.set_locations({node.location});
    builder_.branch(joined, {operand(node.operands[at + 1])});
    for (const auto& each : payload)
      if (each) variables[*each] = nullptr;
  }
  continue_in(joined);
  return joined.add_argument(type(node.type), "");
}

Cases BodyLowering::branch_by_case(dlvm::Value* value, dlvm::Location location,
                                   const std::function<std::vector<std::string>(std::size_t)>& names) {
  const auto& members = value->type().declaration().members;
  Cases cases;
  std::vector<dlvm::Successor> successors;
  dlvm::Integers positions;
  for (std::size_t i = 0; i < members.size(); ++i) {
    positions.push_back(static_cast<std::int64_t>(i));
    cases.blocks.push_back(&add_block(members[i].name));
    successors.push_back({cases.blocks.back(), 0});
    const std::vector<std::string> named = names(i);
    auto& payload = cases.payloads.emplace_back();
    for (const dlvm::Type& type : members[i].types)
      payload.push_back(cases.blocks.back()->add_argument(type, named[payload.size()]));
  }
  builder_.set_locations({location});
  builder_.create(dlvm::Opcode::branchEnum, {value}, {positions}, successors);
  return cases;
}

}  // namespace frontend::lower
