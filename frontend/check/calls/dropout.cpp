// Dropout: random numbers of each call, of which an entry point that trains takes the seed.
#include <algorithm>

#include "frontend/check/calls/builtins.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/operators.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check::make {

using dlvm::Opcode;

namespace {

/// Returns whether the number is a rate; one that is computed is taken as it is.
bool is_rate(const Node& rate) {
  if (!rate.is_constant() || rate.values.size() != 1) return true;
  return !rate.values[0].is_negative() && !(rate.values[0] > Number(1));
}

bool is_legal(BodyContext& context, const BuiltinCall& call) {
  Node *x = call.value(0), *rate = call.value(1);
  if (context.constant) {
    context.diagnostics.report(draw_in_constant, call.location);
    return false;
  }
  default_to(context, x, context.scope->element());
  if (!require_accepted(context, Opcode::sqrt, x, "dropout", call.location)) return false;
  if (!rate->type.is_scalar()) {
    context.diagnostics.report(scalar_wanted, rate->location, "the rate", spelling(type_of(context, rate)));
    return false;
  }
  if (!require_same_element(context, x, rate, "dropout", call.location)) return false;
  if (!is_rate(*rate)) context.diagnostics.report(rate_outside, rate->place(), rate->values[0].text());
  return is_rate(*rate);
}

}  // namespace

// select(training, select(u < rate, 0, x / (1 - rate)), x), u uniform in [0, 1). 16-bit floats are compared
// with numbers in float32, for they have too few digits of their own.
Node* dropout(BodyContext& context, const BuiltinCall& call) {
  if (!is_legal(context, call)) return nullptr;
  Node *x = call.value(0), *rate = call.value(1);
  const ElementType element = resolved(context, x->type.element).type;
  const ElementType drawn = element == ElementType::f64 ? ElementType::f64 : ElementType::f32;
  const auto number = [&](std::int64_t value, ElementType type) {
    return make_constant(context, Number(value), type, call.location);
  };
  const auto apply = [&](Opcode opcode, Node* a, Node* b) {
    return make_elementwise(context, opcode, a, b, "dropout", call.location);
  };
  Node key;
  key.kind = Node::Kind::key;
  key.type.element = ElementType::u64;
  key.location = call.location;
  key.draws = Draws::in_training;
  Node* counter = make_constant(context, Number(context.next_counter++), ElementType::u64, call.location);
  Node* u = make_operation(context, Opcode::random,
                           {number(0, drawn), number(1, drawn), add_node(context, std::move(key)), counter},
                           {x->type.shape}, call.location);
  Node* dropped = apply(Opcode::lessThan, u, make_conversion(context, rate, drawn, call.location));
  Node* kept = apply(Opcode::divide, x, apply(Opcode::subtract, number(1, element), rate));
  Node* trained = make_select(context, dropped, number(0, element), kept, call.location);
  Node training;
  training.kind = Node::Kind::training;
  training.type.element = ElementType::boolean;
  training.location = call.location;
  if (context.instance != nullptr) {
    context.instance->depends_on_training = true;
    context.instance->draws = std::max(context.instance->draws, Draws::in_training);
  }
  return make_select(context, add_node(context, std::move(training)), trained, x, call.location);
}

}  // namespace frontend::check::make
