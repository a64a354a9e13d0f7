// Values by which gradients inside expressions are taken, and what stands for the gradients until the
// function is finished.
#include "frontend/lower/body.h"

namespace frontend::lower {
namespace {

using dlvm::Value;

/// Appends the tensors of a struct that is made of its fields, or the tensor.
void append_tensors(Value* value, std::vector<Value*>& into) {
  if (value->type().is_tensor()) return into.push_back(value);
  for (Value* field : dlvm::as_instruction(value)->operands()) append_tensors(field, into);
}

/// Builds a value of the type from its tensors, which are elements of `all` from number `next` on.
Value* assembled(dlvm::Builder& builder, Value* all, const dlvm::Type& type, std::int64_t& next) {
  if (type.is_tensor()) return builder.extract(all, next++);
  std::vector<Value*> fields;
  for (std::size_t i = 0; i < type.component_count(); ++i)
    fields.push_back(assembled(builder, all, type.component(i), next));
  return builder.aggregate(type, std::move(fields));
}

}  // namespace

// A struct is made anew of its fields, so that each tensor in it is a value before it is in the struct.
Value* BodyLowering::named(Value* value) {
  const dlvm::Type type = value->type();
  if (type.is_structure() || type.is_tuple()) {
    std::vector<Value*> fields;
    for (std::size_t i = 0; i < type.component_count(); ++i)
      fields.push_back(named(builder_.extract(value, static_cast<std::int64_t>(i))));
    Value* own = builder_.aggregate(type, std::move(fields));
    own->set_name(value->name());
    named_structures_.insert(own);
    return own;
  }
  if (!type.is_tensor() || !dlvm::is_floating(type.element())) return value;
  Value* own = builder_.unary(dlvm::Opcode::detach, value);
  own->set_name(value->name());
  gradients_.named.insert(dlvm::as_instruction(own));
  return own;
}

/// The value with a name, or the part of it, that the node stands for.
Value* BodyLowering::by(const Node& node) {
  if (node.kind != Node::Kind::field) return operand(&node);
  Value* whole = by(*node.operands[0]);
  return named_structures_.contains(whole) ? dlvm::as_instruction(whole)->operand(node.index)
                                           : builder_.extract(whole, static_cast<std::int64_t>(node.index));
}

// Until the function is finished, a tuple of what is differentiated and the tensors to differentiate by
// stands for the derivatives, which have the types of the latter.
Value* BodyLowering::gradient(const Node& node) {
  std::vector<Value*> values{operand(node.operands[0])};
  std::vector<const Node*> names;
  bool tensors = true;
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    Value* value = by(*node.operands[i]);
    tensors = tensors && value->type().is_tensor();
    if (!value->type().is_tensor() && !named_structures_.contains(value)) value = named(value);
    append_tensors(value, values);
    names.resize(values.size() - 1, node.operands[i]);
  }
  Value* place = builder_.tuple(values);
  gradients_.places.push_back({dlvm::as_instruction(place), &node, std::move(names)});
  if (tensors) return node.operands.size() > 2 ? place : builder_.extract(place, 1);
  std::vector<Value*> results{values[0]};
  std::int64_t next = 1;
  for (std::size_t i = 1; i < node.operands.size(); ++i)
    results.push_back(assembled(builder_, place, type(node.operands[i]->type), next));
  return results.size() > 2 ? builder_.tuple(std::move(results)) : results[1];
}

Value* BodyLowering::part(const Node& node, Value* of) {
  const bool behind_scalar = node.operands[0]->kind == Node::Kind::gradient;
  return builder_.extract(of, static_cast<std::int64_t>(node.index + (behind_scalar ? 1 : 0)));
}

}  // namespace frontend::lower
