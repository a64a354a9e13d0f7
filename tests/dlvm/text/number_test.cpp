#include "dlvm/text/number.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/dlvm/interpret/build.h"

using namespace dlvm;
using enum ElementType;

namespace {

std::string text(ElementType element, double value) { return number_text(Tensor::scalar(element, value), 0); }

/// The number that is read; NaN where the text is none.
double read(ElementType element, std::string_view text) {
  Tensor tensor(element, {2});
  return set_number(tensor, 1, text) ? tensor.real(1) : std::nan("");
}
bool refuses(ElementType element, std::string_view text) {
  Tensor tensor(element, {});
  return !set_number(tensor, 0, text);
}

}  // namespace

TEST_CASE("numbers are written in the fewest digits of their type") {
  CHECK(text(f64, 0.1) == "0.1");
  CHECK(text(f32, 0.1) == "0.1");
  CHECK(text(f16, 0.1) == "0.1");
  CHECK(text(bf16, 0.1) == "0.1");
  CHECK(text(f16, 1.0009765625) == "1.001");
  CHECK(text(bf16, 1.0078125) == "1.01");
  CHECK(text(f16, 65504) == "65504");
  CHECK(text(bf16, 0x1p100) == "1.27e+30");
  CHECK(text(f64, 1.0 / 3) == "0.3333333333333333");
  CHECK(text(f32, 1.0 / 3) == "0.33333334");
  for (const ElementType element : {f16, bf16, f32, f64}) {
    CHECK(text(element, -3) == "-3");
    CHECK(text(element, -HUGE_VAL) == "-inf");
    CHECK(text(element, HUGE_VAL) == "inf");
    CHECK(text(element, std::nan("")) == "nan");
  }
  CHECK(text(i8, -3) == "-3");
  CHECK(text(boolean, 1) == "true");
  CHECK(text(boolean, 0) == "false");
  CHECK(number_text(Tensor::scalar(u64, std::int64_t{-1}), 0) == "18446744073709551615");
  CHECK(number_text(Tensor::scalar(i64, std::int64_t{-1}), 0) == "-1");
}

TEST_CASE("every float of 16 bits reads back from its text, and none is longer than it need be") {
  for (const ElementType element : {f16, bf16})
    for (std::uint32_t bits = 0; bits < 0x10000; bits += 7) {
      Tensor tensor(element, {}), back(element, {});
      std::memcpy(tensor.data(), &bits, 2);
      if (std::isnan(tensor.real(0))) continue;
      const std::string written = number_text(tensor, 0);
      REQUIRE(set_number(back, 0, written));
      CHECK(back == tensor);
      CHECK(written.size() <= 12);
    }
}

TEST_CASE("texts that are no numbers of the type are refused") {
  CHECK(read(f64, "-0.5e-3") == -0.0005);
  CHECK(read(f64, "-inf") == -HUGE_VAL);
  CHECK(read(f32, "16777217") == 16777216);
  CHECK(read(f32, "1.00000017881393432617187499") ==
        1 + 0x1p-23);  // by way of f64 it would round to the next
  CHECK(read(i8, "-128") == -128);
  CHECK(read(u8, "255") == 255);
  CHECK(read(boolean, "true") == 1);
  CHECK(read(boolean, "false") == 0);
  for (const char* wrong : {"", "-", "x", "1x", ".5", "--1", "+1", " 1", "1e999", "infinity", "0.5.5"})
    CHECK(refuses(f64, wrong));
  CHECK(refuses(f16, "65520"));
  CHECK(refuses(f32, "1e39"));
  for (const char* wrong : {"", "1.5", "128", "-129", "x", "1x", "99999999999999999999"})
    CHECK(refuses(i8, wrong));
  for (const char* wrong : {"-1", "256"}) CHECK(refuses(u8, wrong));
  CHECK(refuses(u64, "18446744073709551616"));
  for (const char* wrong : {"1", "0", "", "True"}) CHECK(refuses(boolean, wrong));
}
