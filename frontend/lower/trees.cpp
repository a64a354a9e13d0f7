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

/// A loop over the nodes of a tree. It counts the nodes, and those of each case that has tables.
struct BodyLowering::TreeLoop {
  TreeLoop(const Body& of, std::size_t end)
      : body(of), node(*of.nodes[end]), tables(*node.tree), first{end}, none(of.variables.size()) {
    for (auto side = node.sides.rbegin(); side != node.sides.rend(); ++side)
      first.insert(first.begin(), first.front() - *side);
    for (const auto& each : tables.cases)
      if (each.row) rows.push_back(*each.row);
  }

  const Body& body;
  const Node& node;
  const check::TreeTables& tables;
  std::vector<std::size_t> first;  ///< where the values of each side begin, and behind them the tree
  std::vector<std::size_t> rows;   ///< the variables that count the nodes of cases
  std::size_t none;                ///< stands for no such variable
  dlvm::Value* kinds = nullptr;    ///< the cases of all nodes
  dlvm::BasicBlock *header = nullptr, *step = nullptr, *made = nullptr, *after = nullptr;
};

void BodyLowering::build_nodes(const Body& body, std::size_t end) {
  TreeLoop loop(body, end);
  begin_nodes(loop);
  enter_loop(loop);
  continue_in(*loop.step);
  build_node(loop);
  continue_in(*loop.after);
}

/// Builds the cases of the nodes, and memory for the nodes.
void BodyLowering::begin_nodes(TreeLoop& loop) {
  builder_.set_locations({loop.node.location});
  build(loop.body, loop.first[0], loop.first[1]);
  loop.kinds = operand(loop.node.operands[1]);
  builder_.set_locations({loop.node.location});
  check_rows(loop.tables, loop.kinds);
  nodes_at_hand_ =
      builder_.create(Opcode::allocateStack, {}, {type(loop.node.type), dlvm::Shape{loop.tables.count}});
  nodes_at_hand_->set_name(loop.tables.name + ".nodes");
  trees_[&loop.node] = nodes_at_hand_;
  tables_at_hand_ = &loop.tables;
}

/// Builds the loop's header, from which the ways lead to a step and behind the loop.
void BodyLowering::enter_loop(TreeLoop& loop) {
  loop.header = &add_block(loop.tables.name);
  loop.step = &add_block("node");
  loop.made = &add_block("made");
  loop.after = &add_block("end");
  variables.resize(std::max(variables.size(), loop.body.variables.size()));
  Value* zero = builder_.constant(ElementType::i64, 0);
  for (const std::size_t row : loop.rows) variables[row] = zero;
  builder_.branch(*loop.header, counts(loop, zero, loop.none));
  node_at_hand_ = loop.header->add_argument(number_type(), "node");
  take_rows(loop, *loop.header);
  continue_in(*loop.header);
  Value* more =
      builder_.binary(Opcode::lessThan, node_at_hand_, builder_.extent(loop.tables.count, ElementType::i64));
  builder_.conditional(more, *loop.step, {}, *loop.after, {});
}

/// Makes the node at hand by the side for its case, keeps it, and goes on to the next one.
void BodyLowering::build_node(const TreeLoop& loop) {
  std::vector<dlvm::BasicBlock*> blocks;
  for (const auto& each : loop.tables.cases) blocks.push_back(&add_block(each.name));
  branch_by_number(builder_.gather(loop.kinds, {node_at_hand_}, {0}), blocks);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    continue_in(*blocks[i]);
    build(loop.body, loop.first[i + 1], loop.first[i + 2]);
    builder_.set_locations({loop.node.location});
    const std::size_t counted = loop.tables.cases[i].row.value_or(loop.none);
    builder_.branch(*loop.made, counts(loop, operand(loop.node.operands[i + 2]), counted));
  }
  Value* value = loop.made->add_argument(type(loop.node.type), "");
  take_rows(loop, *loop.made);
  continue_in(*loop.made);
  builder_.create(Opcode::store, {value, element_pointer(nodes_at_hand_, node_at_hand_)});
  Value* next = builder_.add(node_at_hand_, builder_.constant(ElementType::i64, 1));
  builder_.branch(*loop.header, counts(loop, next, loop.none));
  for (const std::size_t row : loop.rows) variables[row] = nullptr;
}

/// Returns what the next block of the loop takes: `first`, and the counts, of which one is a node further.
std::vector<Value*> BodyLowering::counts(const TreeLoop& loop, Value* first, std::size_t counted) {
  std::vector<Value*> all{first};
  for (const std::size_t row : loop.rows)
    all.push_back(row == counted ? builder_.add(variables[row], builder_.constant(ElementType::i64, 1))
                                 : variables[row]);
  return all;
}

/// Lets the block take the counts.
void BodyLowering::take_rows(const TreeLoop& loop, dlvm::BasicBlock& block) {
  for (const std::size_t row : loop.rows)
    variables[row] = block.add_argument(number_type(), loop.body.variables[row].name);
}

}  // namespace frontend::lower
