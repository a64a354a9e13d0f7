#include "dlvm/analysis/integer_relation.h"

namespace dlvm {

std::optional<IntegerRelation> integer_relation(const Instruction& test, bool holds) {
  using Kind = IntegerRelation::Kind;
  if (test.operands().size() != 2) return std::nullopt;
  const Value *a = test.operand(0), *b = test.operand(1);
  if (!a->type().is_scalar() || !is_integer(a->type().element())) return std::nullopt;
  switch (test.opcode()) {
    case Opcode::lessThan:
      return holds ? IntegerRelation{a, b, Kind::less} : IntegerRelation{b, a, Kind::less_or_equal};
    case Opcode::lessThanOrEqual:
      return holds ? IntegerRelation{a, b, Kind::less_or_equal} : IntegerRelation{b, a, Kind::less};
    case Opcode::greaterThan:
      return holds ? IntegerRelation{b, a, Kind::less} : IntegerRelation{a, b, Kind::less_or_equal};
    case Opcode::greaterThanOrEqual:
      return holds ? IntegerRelation{b, a, Kind::less_or_equal} : IntegerRelation{a, b, Kind::less};
    case Opcode::equal:
    case Opcode::notEqual:
      if (holds == (test.opcode() == Opcode::equal)) return std::nullopt;
      return IntegerRelation{a, b, Kind::different};
    default:
      return std::nullopt;
  }
}

}  // namespace dlvm
