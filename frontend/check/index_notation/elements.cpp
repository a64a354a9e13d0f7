// The first step of index notation: the expression of one element.
#include "frontend/check/types/elements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "frontend/check/diagnostics/index_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/index_notation/equation.h"
#include "frontend/check/index_notation/lift.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// An equation for as long as its expression is checked.
class Current {
 public:
  Current(BodyContext& context, Equation& equation) : context_(context) { context.equation = &equation; }
  ~Current() { context_.equation = nullptr; }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  BodyContext& context_;
};

std::optional<IndexId> bind(BodyContext& context, const ast::Name& name) {
  Equation& equation = *context.equation;
  if (const auto before = equation.find(name.text)) {
    context.diagnostics.report(index_bound_twice, name.location, name.text)
        .note(equation.indices[*before].location, fmt::format("'{}' is bound here first", name.text))
        .fix("give one of the two another name");
    return std::nullopt;
  }
  IndexVariable index;
  index.name = name.text;
  index.location = index.source = name.location;
  equation.indices.push_back(std::move(index));
  return equation.indices.size() - 1;
}

/// The tensor because of which the value is not a scalar.
const Node* tensor_in(const Node* value) {
  const auto is_tensor = [](const Node* operand) { return !operand->type.is_scalar(); };
  while (value->indexed) {
    const auto found = std::ranges::find_if(value->operands, is_tensor);
    if (found == value->operands.end()) return value;
    value = *found;
  }
  return value;
}

/// Returns an index for each axis: those of the left side where they are all there are, or else i, j, ...
std::vector<std::string> likely_subscripts(const Equation& equation, std::size_t rank) {
  std::vector<std::string> names;
  const bool left_side_alone =
      equation.indices.size() == rank && std::ranges::none_of(equation.indices, &IndexVariable::reduced);
  for (std::size_t axis = 0; axis < rank; ++axis)
    names.push_back(left_side_alone ? equation.indices[axis].name
                                    : std::string(1, static_cast<char>('i' + axis % 16)));
  return names;
}

bool is_scalar(BodyContext& context, const Node* element) {
  if (element == nullptr) return false;
  if (element->type.is_scalar()) return true;
  auto& report =
      context.diagnostics.report(element_not_scalar, element->place(), spelling(type_of(context, element)));
  const Node* tensor = tensor_in(element);
  explain_value(context, report, tensor, "the tensor");
  report.fix(fmt::format("one element of it is {}[{}]", quoted_operand(tensor->place()),
                         fmt::join(likely_subscripts(*context.equation, tensor->type.rank()), ", ")));
  return false;
}

// ------------------------------------------------------------------------------------------- reductions

struct Kind {
  std::string_view name;
  dlvm::Opcode opcode;
  bool mean = false;
};
constexpr Kind kinds[]{
    {"sum", dlvm::Opcode::add},  {"product", dlvm::Opcode::multiply}, {"min", dlvm::Opcode::min},
    {"max", dlvm::Opcode::max},  {"mean", dlvm::Opcode::add, true},   {"any", dlvm::Opcode::or_},
    {"all", dlvm::Opcode::and_},
};

const Kind* kind_of(BodyContext& context, const ast::Name& function) {
  const auto found =
      std::ranges::find_if(kinds, [&](const Kind& each) { return each.name == function.text; });
  if (found != std::end(kinds)) return found;
  context.diagnostics.report(not_a_reduction, function.location, function.text)
      .fix("apply a function to the element inside of the reduction: sum(f(x[i]) for i)");
  return nullptr;
}

/// Sets the range that is written.
bool set_range(BodyContext& context, const ast::Binder& binder, IndexId id) {
  if (!binder.first) return true;
  const auto first = check_extent(context, *binder.first), stop = check_extent(context, *binder.stop);
  if (!first || !stop) return false;
  const Extent count = *stop - *first;
  const std::string range = fmt::format("{}..{}", spelling(*first), spelling(*stop));
  const auto constant = count.constant();
  const bool empty = constant && *constant < 1;
  if (!count.valid()) {
    context.diagnostics.report(extent_overflow, binder.first->location);
    return false;
  }
  if (empty || !require_at_most(context, 0, count,
                                fmt::format("the range {} of the index '{}' has {{right}} values", range,
                                            binder.name.text),
                                binder.name.location)) {
    context.diagnostics.report(index_without_values, binder.name.location, binder.name.text, range)
        .fix("the end of a range is left out: 0..3 holds 0, 1 and 2");
    return false;
  }
  IndexVariable& index = context.equation->indices[id];
  index.given = true;
  index.first = *first;
  index.extent = count;
  index.source = binder.name.location;
  return true;
}

Node* make_reduction(BodyContext& context, const ast::Reduction& e, Hint hint) {
  const Kind* kind = kind_of(context, e.function);
  Reduction reduction;
  reduction.mean = kind != nullptr && kind->mean;
  bool complete = kind != nullptr;
  for (const ast::Binder& binder : e.binders) {
    const auto id = bind(context, binder.name);
    complete = complete && id;
    if (!id) continue;
    reduction.indices.push_back(*id);
    context.equation->indices[*id].reduced = true;
    complete = set_range(context, binder, *id) && complete;
  }
  Equation& equation = *context.equation;
  Node* element = complete ? check_expression(context, *e.element, hint) : nullptr;
  for (const IndexId id : reduction.indices) equation.indices[id].visible = false;
  if (!is_scalar(context, element)) return nullptr;
  if (!require_accepted(context, kind->mean ? dlvm::Opcode::exp : kind->opcode, element, e.function.text,
                        e.location))
    return nullptr;
  Node node;
  node.kind = Node::Kind::reduction;
  node.opcode = kind->opcode;
  node.type.element = element->type.element;
  node.location = node.span = e.location;
  node.operands = {element};
  node.index = equation.reductions.size();
  node.indexed = true;
  equation.reductions.push_back(std::move(reduction));
  return add_node(context, std::move(node));
}

// --------------------------------------------------------------------------------------------- accesses

/// A subscript that is computed when the program runs. In a subscript `/` rounds down.
Node* computed_subscript(BodyContext& context, const ast::Expression& e) {
  const auto* binary = ast::if_a<ast::Binary>(e);
  if (binary == nullptr || binary->operators.front().op < ast::BinaryOperator::add ||
      binary->operators.front().op > ast::BinaryOperator::modulo)
    return check_expression(context, e);
  Node* result = computed_subscript(context, *binary->operands[0]);
  for (std::size_t i = 0; i < binary->operators.size(); ++i) {
    const auto& op = binary->operators[i];
    Node* right = computed_subscript(context, *binary->operands[i + 1]);
    result = op.op == ast::BinaryOperator::divide
                 ? make_elementwise(context, dlvm::Opcode::floorDivide, result, right, "/", op.location)
                 : make_binary(context, op.op, result, right, op.location);
  }
  if (result != nullptr && !result->span.valid()) result->span = e.location;
  return result;
}

std::optional<Position> check_position(BodyContext& context, const ast::Subscript& s, const Extent& extent,
                                       std::vector<Node*>& operands) {
  if (s.slice) {
    context.diagnostics.report(slice_among_indices, s.location)
        .fix("bind an index for it, with a range: sum(x[i, k] for k in 0..3)");
    return std::nullopt;
  }
  Position position;
  position.location = s.location;
  if (!require_integers(context, *s.index, "an index")) return std::nullopt;
  position.affine = affine_subscript(context, *s.index);
  if (position.affine) return position;
  Node* index = computed_subscript(context, *s.index);
  if (index != nullptr && !index->type.is_scalar()) {
    is_scalar(context, index);
    return std::nullopt;
  }
  const bool indexed = index != nullptr && index->indexed;
  index = make_checked_index(context, index, extent, true, s.location);
  if (index == nullptr) return std::nullopt;
  index->indexed = indexed;
  position.operand = operands.size();
  operands.push_back(index);
  return position;
}

}  // namespace

std::optional<IndexId> Equation::find(std::string_view name) const {
  for (IndexId id = indices.size(); id-- > 0;)
    if (indices[id].visible && indices[id].name == name) return id;
  return std::nullopt;
}

Node* check_index_name(BodyContext& context, const ast::NameReference& e) {
  const auto id = context.equation != nullptr ? context.equation->find(e.text) : std::nullopt;
  if (!id) return nullptr;
  Node node;
  node.kind = Node::Kind::index;
  node.type.element = fresh_element(context);
  node.location = e.location;
  node.index = *id;
  node.indexed = true;
  return add_node(context, std::move(node));
}

Node* check_element(BodyContext& context, const ast::Index& e, Hint hint) {
  Node* x = check_expression(context, *e.object, hint);
  if (x == nullptr) return nullptr;
  const std::size_t rank = x->type.rank();
  if (e.subscripts.size() != rank) {
    const bool many = e.subscripts.size() > rank;
    auto& report = context.diagnostics.report(
        many ? too_many_subscripts : subscripts_missing, many ? e.subscripts[rank].location : e.location,
        counted(e.subscripts.size(), "subscript"), spelling(type_of(context, x)));
    explain_value(context, report, x, "the tensor");
    if (!many) report.fix("give each axis a subscript, separated by commas: A[i, j], x[n, 0]");
    return nullptr;
  }
  if (x->indexed) {
    context.diagnostics.report(not_of_elements, x->place(), "a tensor that depends on an index");
    return nullptr;
  }
  Access access;
  Node node;
  node.kind = Node::Kind::element;
  node.operands = {x};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    auto position = check_position(context, e.subscripts[axis], x->type.shape[axis], node.operands);
    if (!position) return nullptr;
    access.positions.push_back(std::move(*position));
  }
  node.type.element = x->type.element;
  node.location = node.span = e.location;
  node.index = context.equation->accesses.size();
  node.indexed = true;
  access.node = add_node(context, std::move(node));
  context.equation->accesses.push_back(std::move(access));
  return context.equation->accesses.back().node;
}

Node* check_reduction(BodyContext& context, const ast::Reduction& e, Hint hint) {
  if (context.equation != nullptr) return make_reduction(context, e, hint);
  Equation equation;
  const Current current(context, equation);
  Node* element = make_reduction(context, e, hint);
  if (element == nullptr || !settle_ranges(context, equation)) return nullptr;
  return lift(context, equation, element, {}, e.location);
}

Node* check_equation(BodyContext& context, const ast::Declaration& syntax, Hint hint,
                     const std::optional<ShapePattern>& declared) {
  Equation equation;
  equation.name = syntax.names.front().text;
  equation.left = syntax.indices.size();
  const Current current(context, equation);
  std::vector<IndexId> left;
  for (const ast::Name& name : syntax.indices) {
    const auto id = bind(context, name);
    if (!id) return nullptr;
    left.push_back(*id);
    if (!declared || declared->size() != syntax.indices.size()) continue;
    equation.indices[*id].declared = (*declared)[*id];
    equation.indices[*id].declared_at = syntax.type.location;
  }
  Node* element = check_expression(context, *syntax.value, hint);
  if (!is_scalar(context, element) || !settle_ranges(context, equation)) return nullptr;
  return lift(context, equation, element, left, syntax.value->location);
}

}  // namespace frontend::check
