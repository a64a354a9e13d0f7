#pragma once

#include "dlvm/ir/builder.h"

namespace dlvm {

/// A value and where to build on it, so that a derivative reads like its formula. Numbers take the element
/// type of the value beside them.
struct Expression {
  Builder* builder = nullptr;
  Value* value = nullptr;

  ElementType element() const { return value->type().element(); }
  Expression constant(double number) const { return {builder, builder->constant(element(), number)}; }
  Expression apply(Opcode opcode) const { return {builder, builder->unary(opcode, value)}; }
  Expression apply(Opcode opcode, Expression y) const {
    return {builder, builder->binary(opcode, value, y.value)};
  }
  Expression apply(Opcode opcode, double y) const { return apply(opcode, constant(y)); }
};

#define EXPRESSION_OPERATOR(symbol, opcode)                                                            \
  inline Expression operator symbol(Expression x, Expression y) { return x.apply(Opcode::opcode, y); } \
  inline Expression operator symbol(Expression x, double y) { return x.apply(Opcode::opcode, y); }     \
  inline Expression operator symbol(double x, Expression y) { return y.constant(x).apply(Opcode::opcode, y); }
EXPRESSION_OPERATOR(+, add)
EXPRESSION_OPERATOR(-, subtract)
EXPRESSION_OPERATOR(*, multiply)
EXPRESSION_OPERATOR(/, divide)
EXPRESSION_OPERATOR(<, lessThan)
EXPRESSION_OPERATOR(>, greaterThan)
EXPRESSION_OPERATOR(==, equal)
#undef EXPRESSION_OPERATOR

#define EXPRESSION_FUNCTION(name) \
  inline Expression name(Expression x) { return x.apply(Opcode::name); }
EXPRESSION_FUNCTION(sinh)
EXPRESSION_FUNCTION(cosh)
EXPRESSION_FUNCTION(log)
EXPRESSION_FUNCTION(exp)
EXPRESSION_FUNCTION(sign)
EXPRESSION_FUNCTION(square)
EXPRESSION_FUNCTION(rsqrt)
EXPRESSION_FUNCTION(cos)
EXPRESSION_FUNCTION(sin)
EXPRESSION_FUNCTION(tan)
EXPRESSION_FUNCTION(digamma)
#undef EXPRESSION_FUNCTION

inline Expression operator-(Expression x) { return x.apply(Opcode::negate); }
inline Expression power(Expression x, Expression y) { return x.apply(Opcode::power, y); }
inline Expression power(Expression x, double y) { return x.apply(Opcode::power, y); }
inline Expression floor_divide(Expression x, Expression y) { return x.apply(Opcode::floorDivide, y); }
inline Expression absorbing_multiply(Expression x, Expression y) {
  return x.apply(Opcode::absorbingMultiply, y);
}
inline Expression select(Expression condition, Expression where_true, Expression where_false) {
  return {condition.builder, condition.builder->select(where_true.value, where_false.value, condition.value)};
}
inline Expression select(Expression condition, double where_true, Expression where_false) {
  return select(condition, where_false.constant(where_true), where_false);
}
inline Expression select(Expression condition, Expression where_true, double where_false) {
  return select(condition, where_true, where_true.constant(where_false));
}

}  // namespace dlvm
