#include "frontend/check/declarations/trees.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/enum_values.h"
#include "frontend/check/declarations/outer_parts.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/elements.h"

namespace frontend::check {
namespace {

using Kind = OuterPart::Kind;

/// Adds a variable for the row of the node at hand to the body. Returns its number.
std::size_t add_row(BodyContext& context, std::string name, Location location) {
  Variable row;
  row.kind = Variable::Kind::counter;
  row.name = std::move(name);
  row.location = location;
  row.type = {ElementType::i64, {}};
  row.not_negative = true;
  context.body.variables.push_back(std::move(row));
  return context.body.variables.size() - 1;
}

/// Returns what the caller passes of an `in` of recurrent blocks, of which this is the element in a step.
const Declaration& passed(const Declaration& element) {
  const Declaration* whole = &element;
  while (whole->part == Declaration::Part::element) whole = whole->of;
  return *whole;
}

}  // namespace

Node* make_node_of_number(BodyContext& context, const DeclaredType& type, Node* number, Location location) {
  if (number == nullptr) return nullptr;
  Node child;
  child.kind = Node::Kind::child;
  child.type.declared = &type;
  child.location = location;
  child.operands = {number};
  child.declaration = number->operands[0]->declaration;
  return add_node(context, std::move(child));
}

Node* make_tree(BodyContext& context, const DeclaredType& type, std::size_t first, Location location,
                const MakeTensor& tensor) {
  const std::size_t root = first + count_outer_tensors({{}, {}, &type}, nullptr) - 1;
  // All are asked for at once, so that those that have not been checked are, and their types are known.
  std::vector<Node*> tables;
  for (std::size_t i = first; i < root; ++i) tables.push_back(tensor(i));
  Node* number = tensor(root);
  if (number == nullptr || std::ranges::find(tables, nullptr) != tables.end()) return nullptr;

  auto described = std::make_shared<TreeTables>();
  const std::string& name = tables[0]->declaration->name;
  described->name = name.substr(0, name.rfind('.'));
  described->count = tables[0]->type.shape[0];
  Node tree;
  tree.kind = Node::Kind::tree;
  tree.type.declared = &type;
  tree.location = location;
  tree.operands = {make_checked_index(context, number, described->count, false, location)};
  const auto add_side = [&](const auto& make) {
    const std::size_t before = context.body.nodes.size();
    tree.operands.push_back(make());
    tree.sides.push_back(context.body.nodes.size() - before);
  };
  const auto cases = static_cast<std::int64_t>(type.members.size());
  add_side([&] { return make_checked_index(context, tensor(first), Extent(cases), false, location); });
  std::size_t next = 1;  // the table at which the payload of the case begins
  for (std::size_t i = 0; i < type.members.size(); ++i) {
    TreeTables::Case& described_case =
        described->cases.emplace_back(TreeTables::Case{type.members[i].name, {}, {}});
    std::size_t count = 0;
    for (const Type& each : type.members[i].types) count += count_outer_tensors(each, &type);
    if (count > 0) {
      described_case.rows = tables[next]->type.shape[0];
      described_case.row = add_row(context, type.members[i].name + "_row", location);
    }
    add_side([&]() -> Node* {
      std::vector<Node*> payload =
          make_payload_of_tensors(context, type, i, &type, first, location, [&](std::size_t at) {
            Node* row = make_variable(context, *described_case.row, location);
            return make_operation(context, dlvm::Opcode::gather, {tensor(at), row}, {dlvm::Integers{0}},
                                  location);
          });
      const bool complete = std::ranges::find(payload, nullptr) == payload.end();
      return complete ? make_case(context, type, i, std::move(payload), location) : nullptr;
    });
    next += count;
  }
  if (std::ranges::find(tree.operands, nullptr) != tree.operands.end()) return nullptr;
  tree.tree = std::move(described);
  return add_node(context, std::move(tree));
}

std::optional<Extent> Checker::rows_of_tables(const Declaration& tensor) const {
  const OuterPlace place = place_of(tensor);
  if (place.tree == nullptr || place.part.kind == Kind::root) return std::nullopt;
  const bool of_case = place.part.kind == Kind::payload;
  const std::string& dimension = program_.dimensions_of_tables.at(
      place.tree_name + "." + (of_case ? place.tree->members[place.part.of_case].name : ""));
  return tensor.scope->dimensions.find(dimension)->second.extent;
}

void Checker::assemble_step_of_trees(Declaration& element, dlvm::Diagnostics& messages) {
  const Declaration& whole = passed(element);
  std::vector<Declaration*> counters;  // of the blocks around, the outermost first
  for (const Declaration* each = &element; each != &whole; each = each->of)
    counters.insert(counters.begin(), each->recurrence->counter);
  if (element.recurrence != whole.axes) return;  // the steps of inner blocks take what they need of the whole
  BodyContext context{*this, element.scope, nullptr, messages};
  context.recurrence = element.recurrence;
  Node* value =
      make_of_tensors(context, *element.type.declared, element.location, [&](std::size_t number) -> Node* {
        Declaration& tensor = *whole.tensors[number];
        std::vector<Node*> operands{make_reference(context, tensor, element.location)};
        if (tensor.axes == nullptr) return operands[0];
        dlvm::Integers axes;
        for (Declaration* counter : counters) {
          axes.push_back(static_cast<std::int64_t>(axes.size()));
          operands.push_back(make_reference(context, *counter, element.location));
        }
        if (std::ranges::find(operands, nullptr) != operands.end()) return nullptr;
        return make_operation(context, dlvm::Opcode::gather, std::move(operands), {std::move(axes)},
                              element.location);
      });
  element.failed = value == nullptr || !finish_body(context, value, own_element(context));
  if (!element.failed) element.body = std::move(context.body);
}

}  // namespace frontend::check
