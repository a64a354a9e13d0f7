#include "dlvm/gradcheck/decisions.h"

#include <bit>
#include <cmath>
#include <unordered_set>

#include "dlvm/ir/elements.h"

namespace dlvm {
namespace {

/// The decision that an instruction makes on floats.
enum class Choice : std::uint8_t {
  none,
  step,      ///< its result is constant between jumps
  side,      ///< the sign of its operand
  order,     ///< which of two operands is larger
  quotient,  ///< the whole part of a quotient
  extremum,  ///< which elements of a reduction or scan are its result
};

struct Row {
  Opcode opcode;
  Choice choice;
};
constexpr Row rows[]{{Opcode::floor, Choice::step},
                     {Opcode::ceil, Choice::step},
                     {Opcode::round, Choice::step},
                     {Opcode::rint, Choice::step},
                     {Opcode::sign, Choice::step},
                     {Opcode::truncateDivide, Choice::step},
                     {Opcode::floorDivide, Choice::step},
                     {Opcode::abs, Choice::side},
                     {Opcode::min, Choice::order},
                     {Opcode::max, Choice::order},
                     {Opcode::modulo, Choice::quotient},
                     {Opcode::reduce, Choice::extremum},
                     {Opcode::scan, Choice::extremum},
                     {Opcode::scatter, Choice::extremum},
                     {Opcode::reduceWindow, Choice::extremum}};

Choice choice_of(const Instruction& instruction) {
  for (const Row& row : rows) {
    if (row.opcode != instruction.opcode()) continue;
    if (row.choice != Choice::extremum) return row.choice;
    const Combinator& by = instruction.combinator();
    return by.is(Opcode::max) || by.is(Opcode::min) ? row.choice : Choice::none;
  }
  return Choice::none;
}

std::uint64_t three_way(double x, double y) { return x < y ? 1 : x > y ? 2 : x == y ? 3 : 4; }

}  // namespace

void Decisions::add(std::uint64_t word) {
  // One round of splitmix64's finaliser: order matters, all bits do.
  hash_ ^= word;
  hash_ = (hash_ ^ (hash_ >> 30)) * 0xbf58476d1ce4e5b9;
  hash_ = (hash_ ^ (hash_ >> 27)) * 0x94d049bb133111eb;
}

void Decisions::add_elements(const Tensor& tensor) {
  for (std::size_t i = 0; i < tensor.size(); ++i)
    add(is_floating(tensor.element()) ? std::bit_cast<std::uint64_t>(tensor.real(i))
                                      : static_cast<std::uint64_t>(tensor.integer(i)));
}

void Decisions::add_extrema(const Tensor& input, const Tensor& results) {
  const auto reals = elements::reals(results);
  const std::unordered_set<double> extrema(reals.begin(), reals.end());
  for (const double x : elements::reals(input)) add(extrema.contains(x));
}

void Decisions::observe(const Instruction& instruction, std::span<const RuntimeValue> operands,
                        const RuntimeValue& result) {
  if (!result.is_tensor() || instruction.opcode() == Opcode::apply) return;
  const Tensor& value = result.tensor();
  if (!is_floating(value.element())) return add_elements(value);
  switch (choice_of(instruction)) {
    case Choice::none:
      return;
    case Choice::step:
      return add_elements(value);
    case Choice::side:
      for (const double x : elements::reals(operands[0].tensor())) add(three_way(x, 0));
      return;
    case Choice::order:
    case Choice::quotient: {
      const auto x = elements::stretched(operands[0].tensor(), value.extents());
      const auto y = elements::stretched(operands[1].tensor(), value.extents());
      const bool order = choice_of(instruction) == Choice::order;
      for (std::size_t i = 0; i < value.size(); ++i)
        add(order ? three_way(x.real(i), y.real(i))
                  : std::bit_cast<std::uint64_t>(std::nearbyint((x.real(i) - value.real(i)) / y.real(i))));
      return;
    }
    case Choice::extremum: {
      if (instruction.opcode() == Opcode::reduceWindow) return add_extrema(operands[0].tensor(), value);
      // An operand's elements, each against the result that it is a part of.
      const Tensor& input = operands[instruction.opcode() == Opcode::scatter ? 1 : 0].tensor();
      const auto part = instruction.opcode() == Opcode::reduce
                            ? elements::reduced_positions(input.extents(), instruction.axes())
                            : std::vector<std::size_t>();
      for (std::size_t i = 0; i < input.size(); ++i)
        add(input.real(i) == value.real(part.empty() ? i : part[i]));
      return;
    }
  }
}

}  // namespace dlvm
