#include <cmath>
#include <limits>

#include "dlvm/ir/philox.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;
using Arguments = std::vector<Value*>;
using Numbers = std::vector<double>;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(),
                 NaN = std::numeric_limits<double>::quiet_NaN();
const Extent N = Extent::dimension("N");

/// `opcode` on scalars of one type; NaN where it fails.
double scalar(Opcode opcode, ElementType element, std::vector<double> operands) {
  std::vector<Type> types(operands.size(), Type::scalar(element));
  const Built built(types, [&](Builder& b, const Arguments& a) { return b.create(opcode, a); });
  std::vector<RuntimeValue> inputs;
  for (const double x : operands) inputs.push_back(Tensor::scalar(element, x));
  const auto result = built.run(inputs);
  return result ? result.value.tensor().real(0) : NaN;
}

}  // namespace

TEST_CASE("integers wrap and never trap") {
  const auto i8 = ElementType::i8;
  CHECK(scalar(Opcode::add, i8, {127, 1}) == -128);
  CHECK(scalar(Opcode::multiply, i8, {16, 17}) == 16);
  CHECK(scalar(Opcode::negate, i8, {-128}) == -128);
  CHECK(scalar(Opcode::abs, i8, {-128}) == -128);
  CHECK(scalar(Opcode::truncateDivide, i8, {-128, -1}) == -128);
  CHECK(scalar(Opcode::truncateDivide, i8, {-7, 2}) == -3);
  CHECK(scalar(Opcode::floorDivide, i8, {-7, 2}) == -4);
  CHECK(scalar(Opcode::floorDivide, i8, {7, 0}) == 0);
  CHECK(scalar(Opcode::modulo, i8, {-7, 3}) == 2);
  CHECK(scalar(Opcode::modulo, i8, {7, -3}) == -2);
  CHECK(scalar(Opcode::modulo, i8, {7, 0}) == 0);
  CHECK(scalar(Opcode::power, i8, {-2, 7}) == -128);
  CHECK(scalar(Opcode::power, i8, {2, -1}) == 0);
  CHECK(scalar(Opcode::power, i8, {-1, -3}) == -1);
  CHECK(scalar(Opcode::subtract, ElementType::u8, {1, 2}) == 255);
  CHECK(scalar(Opcode::floorDivide, ElementType::u64, {0x1p63, 2}) == 0x1p62);
  CHECK(scalar(Opcode::max, ElementType::u64, {0x1p63, 2}) == 0x1p63);
  CHECK(scalar(Opcode::lessThan, ElementType::u64, {2, 0x1p63}) == 1);
  CHECK(scalar(Opcode::negate, ElementType::i64, {-0x1p63}) == -0x1p63);
  CHECK(scalar(Opcode::floorDivide, ElementType::i64, {-0x1p63, -1}) == -0x1p63);
}

TEST_CASE("floating special values") {
  const auto f32 = ElementType::f32;
  CHECK(std::isnan(scalar(Opcode::max, f32, {NaN, 1})));
  CHECK(std::isnan(scalar(Opcode::min, f32, {1, NaN})));
  CHECK(std::signbit(scalar(Opcode::min, f32, {0.0, -0.0})));
  CHECK_FALSE(std::signbit(scalar(Opcode::max, f32, {-0.0, 0.0})));
  CHECK(scalar(Opcode::modulo, f32, {-1, 3}) == 2);
  // The exact quotients are just below 10 and -10, and between -1 and 0; those of the last are exact, or
  // infinite.
  CHECK(scalar(Opcode::floorDivide, ElementType::f64, {1, 0.1}) == 9);
  CHECK(scalar(Opcode::floorDivide, ElementType::f64, {1, -0.1}) == -10);
  CHECK(scalar(Opcode::floorDivide, ElementType::f64, {-1, 0.1}) == -10);
  CHECK(scalar(Opcode::floorDivide, ElementType::f64, {-0x1p-1000, 0x1p1000}) == -1);
  CHECK(scalar(Opcode::floorDivide, ElementType::f64, {0x1.fffffffffffffp1023, 0x1.fffffffffffffp1022}) == 2);
  CHECK(scalar(Opcode::floorDivide, ElementType::f64, {-6, 3}) == -2);
  CHECK(std::isinf(scalar(Opcode::floorDivide, ElementType::f64, {1, 0})));
  CHECK(scalar(Opcode::modulo, f32, {5.5, -2}) == -0.5);
  CHECK(scalar(Opcode::power, f32, {0, 0}) == 1);
  CHECK(std::isnan(scalar(Opcode::power, f32, {-8, 0.5})));
  CHECK(scalar(Opcode::absorbingMultiply, f32, {0, inf}) == 0);
  CHECK(scalar(Opcode::absorbingMultiply, f32, {NaN, 0}) == 0);
  CHECK(scalar(Opcode::absorbingMultiply, f32, {2, 3}) == 6);
  CHECK(scalar(Opcode::round, f32, {-2.5}) == -3);
  CHECK(scalar(Opcode::rint, f32, {2.5}) == 2);
  CHECK(std::isnan(scalar(Opcode::sign, f32, {NaN})));
  CHECK(scalar(Opcode::digamma, ElementType::f64, {1}) ==
        doctest::Approx(-0.57721566490153286).epsilon(1e-15));
  CHECK(scalar(Opcode::digamma, ElementType::f64, {-0.5}) ==
        doctest::Approx(0.03648997397857652).epsilon(1e-14));
  CHECK(scalar(Opcode::digamma, ElementType::f64, {100}) ==
        doctest::Approx(4.6001618527380874).epsilon(1e-15));
  // The neighbours of its zero.
  CHECK(scalar(Opcode::digamma, ElementType::f64, {1.4616321449683622}) ==
        doctest::Approx(-9.241263611731541e-17).epsilon(1e-5).scale(0));
  CHECK(scalar(Opcode::digamma, ElementType::f64, {1.4616321449683625}) ==
        doctest::Approx(1.2245372091112648e-16).epsilon(1e-5).scale(0));
  CHECK(scalar(Opcode::digamma, f32, {0}) == -inf);
  CHECK(std::isnan(scalar(Opcode::digamma, f32, {-3})));
  CHECK(scalar(Opcode::normalCdf, ElementType::f64, {inf}) == 1);
  CHECK(scalar(Opcode::normalCdf, ElementType::f64, {-inf}) == 0);
}

TEST_CASE("conversions saturate, and round once") {
  const auto cast = [](ElementType from, double x, ElementType to) {
    const Built built({Type::scalar(from)}, [&](Builder& b, const Arguments& a) { return b.cast(a[0], to); });
    return result_of(built, {Tensor::scalar(from, x)})[0];
  };
  CHECK(cast(ElementType::f32, 300, ElementType::i8) == 127);
  CHECK(cast(ElementType::f32, -2.9, ElementType::i32) == -2);
  CHECK(cast(ElementType::f32, NaN, ElementType::i32) == 0);
  CHECK(cast(ElementType::f32, -1, ElementType::u8) == 0);
  CHECK(cast(ElementType::i32, 300, ElementType::i8) == 44);
  CHECK(cast(ElementType::f32, 0.5, ElementType::boolean) == 1);

  // 2^53 + 2^29 + 1 lies just above a tie of f32; by way of f64 it would become the tie itself.
  const Built built({Type::scalar(ElementType::i64)},
                    [](Builder& b, const Arguments& a) { return b.cast(a[0], ElementType::f32); });
  Tensor x(ElementType::i64, {});
  x.set(0, (std::int64_t{1} << 53) + (std::int64_t{1} << 29) + 1);
  CHECK(result_of(built, {x})[0] == 0x1p53 + 0x1p30);
}

TEST_CASE("sums are rounded once") {
  const auto f16 = ElementType::f16;
  const Built built({type(f16, {N})}, [&](Builder& b, const Arguments& a) { return b.sum(a[0], {0}); });
  Numbers ones(4096, 1.0);
  ones[0] = 0.25;
  CHECK(result_of(built, {tensor(f16, {4096}, ones)}) ==
        Numbers{4096});  // running in f16 it would stop at 2048
  CHECK(result_of(built, {Tensor(f16, {0})}) == Numbers{0});
}

TEST_CASE("float64 mode rounds nothing") {
  const Built built({f32({}), f32({})}, [](Builder& b, const Arguments& a) { return b.divide(a[0], a[1]); });
  InterpretOptions options;
  options.float64 = true;
  const auto result =
      built.run({Tensor::scalar(ElementType::f32, 1.0), Tensor::scalar(ElementType::f64, 3.0)}, options);
  REQUIRE(result);
  CHECK(result.value.tensor().element() == ElementType::f64);
  CHECK(result.value.tensor().real(0) == 1.0 / 3);
}

TEST_CASE("Philox 4x32-10 gives the published words") {
  const std::array<std::uint32_t, 4> zero{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  CHECK(philox(0, 0, 0) == zero);
  const std::array<std::uint32_t, 4> ones{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd};
  CHECK(philox(~0ull, ~0ull, ~0ull) == ones);

  const Built built({Type::scalar(ElementType::u64)}, [](Builder& b, const Arguments& a) {
    return b.random({5}, b.constant(ElementType::f32, 0), b.constant(ElementType::f32, 1), a[0],
                    b.constant(ElementType::u64, 0));
  });
  const auto numbers = result_of(built, {Tensor::scalar(ElementType::u64, std::int64_t{0})});
  CHECK(numbers[0] == (0x6627e8d5 >> 8) * 0x1p-24);
  CHECK(numbers[4] == (philox(0, 0, 1)[0] >> 8) * 0x1p-24);
}
