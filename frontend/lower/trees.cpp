// Enums that hold themselves and that callers give as tables: a loop over the nodes makes the value of each,
// and keeps it in memory, from where the nodes behind it and the body take it. A node takes the values that
// it holds from there, so that nodes stay shared, and no recursion needs a bound.
#include <algorithm>

#include "frontend/lower/body.h"

namespace frontend::lower {
namespace {

using dlvm::ElementType;
using dlvm::Opcode;
using dlvm::Value;

dlvm::Type number_type() { return dlvm::Type::scalar(ElementType::i64); }

}  // namespace

void BodyLowering::build_trees(const Body& body) {
  for (std::size_t i = 0; i < body.nodes.size(); ++i)
    if (body.nodes[i]->live && body.nodes[i]->kind == Node::Kind::tree) build_nodes(body, i);
}

/// Ends the call unless each case has as many rows as nodes.
void BodyLowering::check_rows(const check::TreeTables& tables, Value* kinds) {
  for (std::size_t i = 0; i < tables.cases.size(); ++i) {
    const check::TreeTables::Case& each = tables.cases[i];
    if (!each.row) continue;
    Value* of_case =
        builder_.binary(Opcode::equal, kinds, builder_.constant(ElementType::i32, static_cast<double>(i)));
    Value* count = builder_.sum(builder_.cast(of_case, ElementType::i64), {0});
    count->set_name(tables.name + "." + each.name + "_nodes");
    Value* rows = builder_.extent(each.rows, ElementType::i64);
    Value* unused = builder_.subtract(rows, builder_.check_index(count, 0, each.rows + dlvm::Extent(1)));
    unused->set_name(tables.name + "." + each.name + "_rows_unused");
    builder_.check_index(unused, 0, 1);
  }
}

/// Ends the block at hand: goes on in the block that has the number.
void BodyLowering::branch_by_number(Value* number, const std::vector<dlvm::BasicBlock*>& blocks) {
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
    Value* is_it =
        builder_.binary(Opcode::equal, number, builder_.constant(ElementType::i32, static_cast<double>(i)));
    dlvm::BasicBlock& next = i + 2 == blocks.size() ? *blocks[i + 1] : add_block("");
    builder_.conditional(is_it, *blocks[i], {}, next, {});
    continue_in(next);
  }
  if (blocks.size() == 1) builder_.branch(*blocks[0]);
}

Value* BodyLowering::element_pointer(Value* memory, Value* position) {
  return builder_.create(Opcode::elementPointer, {memory, position}, {dlvm::Integers{}});
}

/// The value that the node at hand holds. It stands before the node.
Value* BodyLowering::child(const Node& node, Value* number) {
  Value* between =
      builder_.subtract(builder_.subtract(node_at_hand_, number), builder_.constant(ElementType::i64, 1));
  between->set_name(node.declaration->name + ".nodes_before_parent");
  builder_.check_index(between, 0, tables_at_hand_->count);
  return builder_.create(Opcode::load, {element_pointer(nodes_at_hand_, number)});
}

void BodyLowering::build_nodes(const Body& body, std::size_t end) {
  const Node& node = *body.nodes[end];
  const check::TreeTables& tables = *node.tree;
  std::vector<std::size_t> first{end};  // the nodes of each side begin here; the last one ends at `end`
  for (auto side = node.sides.rbegin(); side != node.sides.rend(); ++side)
    first.insert(first.begin(), first.front() - *side);
  builder_.set_locations({node.location});
  build(body, first[0], first[1]);
  Value* kinds = operand(node.operands[1]);
  builder_.set_locations({node.location});
  check_rows(tables, kinds);
  nodes_at_hand_ = builder_.create(Opcode::allocateStack, {}, {type(node.type), dlvm::Shape{tables.count}});
  nodes_at_hand_->set_name(tables.name + ".nodes");
  trees_[&node] = nodes_at_hand_;
  tables_at_hand_ = &tables;

  // The loop counts the nodes, and those of each case that has tables.
  variables.resize(std::max(variables.size(), body.variables.size()));
  std::vector<std::size_t> rows;
  for (const auto& each : tables.cases)
    if (each.row) rows.push_back(*each.row);
  dlvm::BasicBlock &header = add_block(tables.name), &step = add_block("node"), &made = add_block("made"),
                   &after = add_block("end");
  const auto counts = [&](Value* position, std::size_t more) {  // `more`: the row that is counted up
    std::vector<Value*> all{position};
    for (const std::size_t row : rows)
      all.push_back(row == more ? builder_.add(variables[row], builder_.constant(ElementType::i64, 1))
                                : variables[row]);
    return all;
  };
  Value* zero = builder_.constant(ElementType::i64, 0);
  for (const std::size_t row : rows) variables[row] = zero;
  const std::size_t none = body.variables.size();
  builder_.branch(header, counts(zero, none));
  node_at_hand_ = header.add_argument(number_type(), "node");
  for (const std::size_t row : rows)
    variables[row] = header.add_argument(number_type(), body.variables[row].name);
  continue_in(header);
  Value* more =
      builder_.binary(Opcode::lessThan, node_at_hand_, builder_.extent(tables.count, ElementType::i64));
  builder_.conditional(more, step, {}, after, {});

  continue_in(step);
  std::vector<dlvm::BasicBlock*> blocks;
  for (const auto& each : tables.cases) blocks.push_back(&add_block(each.name));
  branch_by_number(builder_.gather(kinds, {node_at_hand_}, {0}), blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    continue_in(*blocks[i]);
    build(body, first[i + 1], first[i + 2]);
    builder_.set_locations({node.location});
    builder_.branch(made, counts(operand(node.operands[i + 2]), tables.cases[i].row.value_or(none)));
  }
  Value* value = made.add_argument(type(node.type), "");
  for (const std::size_t row : rows)
    variables[row] = made.add_argument(number_type(), body.variables[row].name);
  continue_in(made);
  builder_.create(Opcode::store, {value, element_pointer(nodes_at_hand_, node_at_hand_)});
  builder_.branch(header, counts(builder_.add(node_at_hand_, builder_.constant(ElementType::i64, 1)), none));
  for (const std::size_t row : rows) variables[row] = nullptr;
  continue_in(after);
}

}  // namespace frontend::lower
