#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <random>

#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "compare.h"

/// Random programs against the interpreter. TELC_FUZZ_PROGRAMS says how many; a short slice by default.
namespace kernel_tests {
namespace {

using dlvm::Combinator;
using dlvm::ElementType;
using dlvm::Extent;
using dlvm::Opcode;
using dlvm::Shape;
using dlvm::Value;

constexpr ElementType f = ElementType::f64;  // both interpreters round alike

class Generator {
 public:
  explicit Generator(unsigned seed)
      : random_(seed),
        scene_({tensor(f, {N, 3}), tensor(f, {3, N, 2}), tensor(f, {N}), tensor(f, {3}), i32({N}),
                tensor(f, {})}) {
    for (std::size_t i : {0, 1, 2, 3, 5}) pool_.push_back(scene_[i]);
  }

  const dlvm::Function& generate(int instructions) {
    for (int i = 0; i < instructions; ++i)
      if (Value* next = step()) pool_.push_back(next);
    std::vector<Value*> results;
    for (int i = 0; i < 4; ++i) results.push_back(any());
    results.push_back(pool_.back());
    return scene_.results(results);
  }

 private:
  std::size_t below(std::size_t n) { return n == 0 ? 0 : random_() % n; }
  /// Later values more often.
  Value* any() {
    return pool_[below(3) == 0 ? below(pool_.size())
                               : pool_.size() - 1 - below(std::min<std::size_t>(5, pool_.size()))];
  }
  static const Shape& shape(Value* v) { return v->type().shape(); }

  bool fits(Value* a, Value* b) {
    std::string why;
    return dlvm::broadcast_shapes(shape(a), shape(b), why).has_value();
  }

  Value* binary() {
    Value *a = any(), *b = any();
    constexpr Opcode choices[]{Opcode::add, Opcode::subtract, Opcode::multiply, Opcode::max, Opcode::min};
    for (int i = 0; i < 5 && !fits(a, b); ++i) b = any();
    if (!fits(a, b)) return nullptr;
    Value* result = scene_.b.binary(choices[below(5)], a, b);
    if (below(4) != 0) return result;
    Value* condition = scene_.b.binary(Opcode::lessThan, a, b);
    return scene_.b.select(result, scene_.b.constant(f, 0.5), condition);
  }

  Value* view() {
    Value* v = any();
    const std::size_t rank = shape(v).size();
    const auto axis = static_cast<std::int64_t>(below(rank));
    switch (below(10)) {
      case 0:
        return rank < 5 ? scene_.b.pad_shape(v, static_cast<std::int64_t>(below(rank + 1))) : nullptr;
      case 1: {
        dlvm::Integers permutation;
        for (std::size_t i = 0; i < rank; ++i) permutation.push_back(static_cast<std::int64_t>(i));
        std::shuffle(permutation.begin(), permutation.end(), random_);
        return scene_.b.transpose(v, permutation);
      }
      case 2:
        return rank > 0 ? scene_.b.reverse(v, {axis}) : nullptr;
      case 3: {
        dlvm::ExtentPairs amounts(rank);
        for (auto& [before, after] : amounts)
          before = Extent(static_cast<std::int64_t>(below(2))),
          after = Extent(static_cast<std::int64_t>(below(2)));
        return rank > 0 ? scene_.b.pad(v, amounts, fill()) : nullptr;
      }
      case 4: {
        const Extent count = unit_count(shape(v));
        if (rank > 0 && below(2) == 0) return scene_.b.shape_cast(v, {count});
        if (const auto third = Extent::exact_divide(count, 3)) return scene_.b.shape_cast(v, {3, *third});
        return nullptr;
      }
      case 5: {
        Shape from(rank, Extent(0)), upto = shape(v);
        if (rank == 0 || upto[below(rank)].constant().value_or(0) < 2) return nullptr;
        for (std::size_t i = 0; i < rank; ++i)
          if (upto[i].constant().value_or(0) >= 2) from[i] = 1;
        return scene_.b.slice(v, from, upto);
      }
      case 6:
        return rank > 0 && rank < 5 ? spread(v, static_cast<std::size_t>(axis)) : nullptr;
      case 7:
        return rank > 0 ? every_other(v, static_cast<std::size_t>(axis)) : nullptr;
      case 8:
        if (rank == 0 || rank > 3) return nullptr;
        return scene_.b.concatenate({v, any_of(v)}, axis);
      default:
        if (rank == 0 || rank > 3 || !(shape(v)[0] == Extent(3) || shape(v)[0] == N)) return nullptr;
        return shape(v)[0] == Extent(3) ? scene_.b.gather(v, {scene_[4]}, {0}) : nullptr;
    }
  }

  Value* fill() {
    constexpr double fills[]{0, 0, 1, 7};
    return scene_.b.constant(f, fills[below(4)]);
  }

  /// The elements along the axis with fills between them, as the derivative of a step has them.
  Value* spread(Value* v, std::size_t axis) {
    constexpr int most_spreads = 3;  // values grow by them
    if (++spreads_ > most_spreads) return nullptr;
    const auto step = static_cast<std::int64_t>(2 + below(2));
    Shape with_one = shape(v), wide = shape(v);
    with_one.insert(with_one.begin() + static_cast<std::ptrdiff_t>(axis) + 1, Extent(1));
    wide[axis] = wide[axis] * step;
    dlvm::ExtentPairs amounts(with_one.size());
    amounts[axis + 1].second = Extent(step - 1);
    return scene_.b.shape_cast(scene_.b.pad(scene_.b.shape_cast(v, with_one), amounts, fill()), wide);
  }

  /// Every other element along the axis, of which the number must be known.
  Value* every_other(Value* v, std::size_t axis) {
    const auto extent = shape(v)[axis].constant();
    if (!extent || *extent < 2) return nullptr;
    Shape from(shape(v).size(), Extent(0)), upto = shape(v);
    from[axis] = Extent(static_cast<std::int64_t>(below(2)));
    dlvm::Integers steps(shape(v).size(), 1);
    steps[axis] = 2;
    return scene_.b.slice(v, from, upto, steps);
  }

  /// A value of the same type, or `v`.
  Value* any_of(Value* v) {
    for (int i = 0; i < 5; ++i)
      if (Value* other = any(); other->type() == v->type()) return other;
    return v;
  }

  Value* aggregate() {
    Value* v = any();
    const std::size_t rank = shape(v).size();
    if (rank == 0) return nullptr;
    const auto axis = static_cast<std::int64_t>(below(rank));
    constexpr Opcode choices[]{Opcode::add, Opcode::max, Opcode::min};
    const Combinator by{choices[below(3)], nullptr};
    switch (below(8)) {
      case 6:
        return scene_.b.cast(scene_.b.create(Opcode::argsort, {v}, {dlvm::Attribute(), dlvm::Integers{axis}}),
                             f);
      case 7:
        return scene_.b.create(Opcode::recurrence, {scene_.b.unary(Opcode::tanh, v), v},
                               {dlvm::Integers{axis}});
      case 0:
        return scene_.b.scan(v, by, axis);
      case 1:
        return scene_.b.cast(scene_.b.create(Opcode::argmax, {v}, {dlvm::Integers{axis}}), f);
      case 2: {
        Value* w = any();
        for (std::size_t i = 0; i < shape(w).size(); ++i)
          if (shape(w)[i] == shape(v)[static_cast<std::size_t>(axis)] && rank + shape(w).size() <= 5)
            return scene_.b.dot(v, w, {{axis, static_cast<std::int64_t>(i)}});
        return nullptr;
      }
      default: {
        Value* r = scene_.b.reduce(v, by, scene_.b.constant(f, 0.25), {axis});
        return below(2) == 0 ? scene_.b.pad_shape(r, axis) : r;
      }
    }
  }

  Value* step() {
    const std::size_t kind = below(10);
    // Bounded, so that the tolerance stays meaningful.
    constexpr Opcode unary[]{Opcode::tanh, Opcode::sin, Opcode::abs, Opcode::negate, Opcode::erf};
    if (kind < 4) return binary();
    if (kind < 6) return scene_.b.unary(unary[below(5)], any());
    if (kind < 8) return view();
    return aggregate();
  }

  std::mt19937 random_;
  Scene scene_;
  std::vector<Value*> pool_;
  int spreads_ = 0;
};

TEST_CASE("random programs") {
  const char* count = std::getenv("TELC_FUZZ_PROGRAMS");
  const unsigned programs = count != nullptr ? static_cast<unsigned>(std::strtoul(count, nullptr, 10)) : 300;
  for (unsigned seed = 0; seed < programs; ++seed) {
    INFO("seed ", seed);
    Generator generator(seed);
    const dlvm::Function& function = generator.generate(10 + static_cast<int>(seed % 40));
    const bool compile = seed % 6 == 0;  // LLVM takes most of the time
    REQUIRE(differences(function, {0, 1, 4}, 3, compile) == "");
  }
}

void compare_schedules(unsigned programs, const std::vector<std::int64_t>& sizes, const Sweep& sweep) {
  for (unsigned seed = 0; seed < programs; ++seed) {
    INFO("seed ", seed);
    Generator generator(seed);
    CHECK(schedule_differences(generator.generate(10 + static_cast<int>(seed % 40)), sizes, 3, sweep) == "");
  }
}

TEST_CASE("random programs as schedules") { compare_schedules(100, {4}, {{true}, {0, 2}}); }

TEST_CASE("random programs as schedules, the long sweep" * doctest::skip()) {
  compare_schedules(2000, {0, 1, 4, 9}, {});
}

double seconds_to_build(const dlvm::Function& function) {
  const std::clock_t begin = std::clock();  // of the processor: others may be at work
  const auto p = program(function);
  CHECK(!p.kernels.empty());
  CHECK(verify(p) == std::nullopt);
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// x, x + x or x * view(x) …, `length` times.
double chain(int length, int kind) {
  Scene s({tensor(f, {N, 4, 4})});
  Value* x = s[0];
  for (int i = 0; i < length; ++i) {
    switch (kind) {
      case 0:
        x = s.b.add(x, x);
        break;
      case 1:
        x = s.b.unary(Opcode::tanh, x);
        break;
      case 2:
        x = s.b.add(x, s.b.transpose(x, {0, 2, 1}));
        break;
      case 3:
        x = s.b.shape_cast(s.b.reverse(s.b.shape_cast(x, {16, N}), {1}), {N, 4, 4});
        break;
      case 4:
        x = s.b.subtract(x, s.b.pad_shape(s.b.reduce(x, {Opcode::max, nullptr}, s.b.constant(f, 0), {2}), 2));
        break;
      default:
        x = s.b.transpose(x, {0, 2, 1});
    }
  }
  return seconds_to_build(s.results({x}));
}

TEST_CASE("long chains take time in proportion, and their kernels stay small") {
  for (int kind = 0; kind < 6; ++kind) {
    INFO("kind ", kind);
    const double shorter = chain(4'000, kind), longer = chain(16'000, kind);
    CHECK(longer < 8 * shorter + 0.5);
  }
}

}  // namespace
}  // namespace kernel_tests
