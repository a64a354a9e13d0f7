// Bounds of random functions with loops, compared with what the interpreter computes.
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <ranges>

#include "dlvm/analysis/bounds.h"
#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"
#include "dlvm/text/print.h"

using namespace dlvm;

namespace {

constexpr ElementType types[]{ElementType::i8, ElementType::i16, ElementType::i32, ElementType::i64,
                              ElementType::u8, ElementType::u16, ElementType::u32, ElementType::u64};

/// A function of integers of one type, made of arithmetic on two extents and of loops one after another.
class RandomFunction {
 public:
  explicit RandomFunction(std::uint64_t seed)
      : random_(seed), type_(pick(types)), function_(make_function()), builder_(*function_.add_entry()) {
    for (const char* name : {"S", "T"}) pool_.push_back(builder_.extent(Extent::dimension(name), type_));
    for (int part = 0; part < 3; ++part) {
      for (int i = 0; i < 4; ++i) pool_.push_back(expression());
      loop();
    }
    builder_.return_(pool_.back());
  }

  const Module& module() const { return module_; }
  const Function& function() const { return function_; }
  /// What each loop computes once each time round.
  const std::vector<const Value*>& counters() const { return counters_; }

 private:
  template <typename Range>
  std::ranges::range_value_t<const Range&> pick(const Range& range) {
    return *(std::begin(range) + random_() % std::size(range));
  }

  Function& make_function() {
    const auto row = [](const char* name) {
      return Type::tensor(ElementType::f32, {Extent::dimension(name)});
    };
    return *module_.add_function("f", Type::function({row("S"), row("T")}, Type::scalar(type_)));
  }

  Value* constant() {
    constexpr int numbers[]{0, 1, 2, 3, 5, 9, 126, 127, -1, -2, -128};
    return builder_.constant(type_, pick(numbers));
  }
  Value* any() { return random_() % 4 == 0 ? constant() : pick(pool_); }

  Value* expression() {
    constexpr Opcode opcodes[]{Opcode::add, Opcode::subtract,       Opcode::multiply,    Opcode::min,
                               Opcode::max, Opcode::truncateDivide, Opcode::floorDivide, Opcode::modulo,
                               Opcode::abs, Opcode::negate,         Opcode::dataTypeCast};
    const Opcode opcode = pick(opcodes);
    if (opcode == Opcode::abs || opcode == Opcode::negate) return builder_.unary(opcode, any());
    if (opcode == Opcode::dataTypeCast) return builder_.cast(builder_.cast(any(), pick(types)), type_);
    return builder_.binary(opcode, any(), any());
  }

  /// Counts from one value as long as it compares with another; the test is before the step or behind it. The
  /// loop may go on in two ways, with equal steps or others.
  void loop() {
    constexpr Opcode relations[]{Opcode::lessThan,           Opcode::lessThanOrEqual, Opcode::greaterThan,
                                 Opcode::greaterThanOrEqual, Opcode::equal,           Opcode::notEqual};
    BasicBlock *header = function_.add_block("header"), *body = function_.add_block("body"),
               *behind = function_.add_block("behind");
    Value *start = any(), *end = any();
    builder_.branch(*header, {start, builder_.constant(type_, 0)});
    Argument *i = header->add_argument(Type::scalar(type_), "i"),
             *n = header->add_argument(Type::scalar(type_), "n");
    builder_ = Builder(*header);
    const Opcode way = random_() % 2 == 0 ? Opcode::add : Opcode::subtract;
    Value *next = stepped(way, i), *other = random_() % 3 == 0 ? next : stepped(way, i);
    Value* odd =
        builder_.binary(Opcode::equal, builder_.binary(Opcode::modulo, n, builder_.constant(type_, 2)),
                        builder_.constant(type_, 1));
    counters_.push_back(next);
    Value* chosen = builder_.select(next, other, odd);
    Value* tested = pick(std::vector<Value*>{i, i, next, next, chosen});
    if (random_() % 2 == 0) std::swap(tested, end);
    Value* more = builder_.binary(pick(relations), tested, end);
    if (random_() % 2 == 0)
      builder_.conditional(more, *body, {}, *behind, {});
    else
      builder_.conditional(more, *behind, {}, *body, {});
    builder_ = Builder(*body);
    go_on(*header, *body, odd, {next, other, chosen}, builder_.add(n, builder_.constant(type_, 1)));
    builder_ = Builder(*behind);
    pool_.insert(pool_.end(), {next, n});
  }

  Value* stepped(Opcode way, Value* i) {
    return builder_.binary(way, i, builder_.constant(type_, 1 + static_cast<int>(random_() % 3)));
  }

  /// Goes back to the header by one way, by two, or by two that meet; `next` holds the counter in the one, in
  /// the other, and the one that `odd` chooses.
  void go_on(BasicBlock& header, const BasicBlock& body, Value* odd, const std::array<Value*, 3>& next,
             Value* round) {
    const auto shape = random_() % 4;
    if (shape < 2) return static_cast<void>(builder_.branch(header, {shape == 0 ? next[0] : next[2], round}));
    BasicBlock *one = function_.add_block("one", &body), *two = function_.add_block("two", &body);
    builder_.conditional(odd, *one, {}, *two, {});
    BasicBlock* latch = shape == 2 ? function_.add_block("latch", two) : nullptr;
    if (latch != nullptr)
      Builder(*latch).branch(header, {latch->add_argument(Type::scalar(type_), "j"), round});
    for (std::size_t way : {0, 1}) {
      Builder b(way == 0 ? *one : *two);
      b.branch(latch != nullptr ? *latch : header,
               latch != nullptr ? std::vector{next[way]} : std::vector{next[way], round});
    }
  }

  std::mt19937_64 random_;
  Module module_{"m"};
  const ElementType type_;
  Function& function_;
  Builder builder_;
  std::vector<Value*> pool_;
  std::vector<const Value*> counters_;
};

/// The value of a bound; nothing where 64 bits do not hold it.
std::optional<WideInteger> value_of(const std::optional<Extent>& bound, const Extent::Bindings& dimensions) {
  const auto value = bound ? bound->evaluate(dimensions) : std::nullopt;
  return value ? std::optional<WideInteger>(*value) : std::nullopt;
}

bool holds(const IntegerBounds& bounds, WideInteger value, const Extent::Bindings& dimensions) {
  const auto lower = value_of(bounds.lower, dimensions), upper = value_of(bounds.upper, dimensions);
  return bounds.least <= value && value <= bounds.most && (!lower || *lower <= value) &&
         (!upper || value <= *upper);
}

/// Runs the function and compares each value, and how often each loop computes its next one; returns the
/// number of loops with a bound.
std::size_t compare(const RandomFunction& random, std::int64_t s, std::int64_t t) {
  const ControlFlow flow(random.function());
  const DominatorTree dominators(flow);
  const LoopNest loops(flow, dominators);
  Bounds bounds(flow, dominators, loops);
  const Extent::Bindings dimensions{{"S", s}, {"T", t}};
  std::unordered_map<const Value*, std::int64_t> runs;
  std::size_t wrong = 0;
  InterpretOptions options;
  options.step_limit = 700;
  options.observe = [&](const Instruction& instruction, std::span<const RuntimeValue>,
                        const RuntimeValue& value) {
    ++runs[&instruction];
    const ElementType type = instruction.type().element();
    if (!is_integer(type)) return;
    const std::int64_t bits = value.tensor().integer(0);
    const WideInteger is = type == ElementType::u64 ? WideInteger(static_cast<std::uint64_t>(bits)) : bits;
    wrong += holds(bounds.of(instruction), is, dimensions) ? 0 : 1;
  };
  const std::vector<RuntimeValue> arguments{Tensor(ElementType::f32, {s}), Tensor(ElementType::f32, {t})};
  interpret(random.function(), arguments, options);
  std::size_t found = 0;
  for (const Value* counter : random.counters()) {
    const Loop* loop = loops.innermost(defining_block(counter));
    const auto most = loop != nullptr ? bounds.rounds(*loop) : std::nullopt;
    if (!most) continue;
    ++found;
    const auto times = most->times.evaluate(dimensions);
    wrong += !times || runs[counter] <= *times + 1 ? 0 : 1;
  }
  CHECK_MESSAGE(wrong == 0, "S = " << s << ", T = " << t << "\n" << print(random.module()));
  return found;
}

void compare_functions(std::uint64_t first, std::uint64_t count) {
  std::size_t found = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const RandomFunction random(seed);
    for (const std::int64_t s : {0, 1, 3})
      for (const std::int64_t t : {0, 2, 5, 130}) found += compare(random, s, t);
  }
  CHECK(found > count);  // of 36 each
}

}  // namespace

TEST_CASE("no value and no loop of random functions exceeds its bounds") { compare_functions(0, 300); }

TEST_CASE("no value and no loop of random functions exceeds its bounds: the long sweep" * doctest::skip()) {
  compare_functions(1000, 20000);
}
