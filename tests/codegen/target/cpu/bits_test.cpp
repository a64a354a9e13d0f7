// Row 0 has the same bits whatever the number of rows, and every run gives the same bits.
#include <doctest/doctest.h>
#include <xmmintrin.h>

#include <cstring>
#include <optional>
#include <random>

#include "../../kernel/compare.h"
#include "jit.h"

namespace {

using kernel_tests::f32;
using kernel_tests::M;
using kernel_tests::N;
using kernel_tests::Scene;

dlvm::Tensor random_rows(std::int64_t rows, std::int64_t columns) {
  std::mt19937 engine(3);
  std::normal_distribution<float> normal;
  dlvm::Tensor result(dlvm::ElementType::f32, {rows, columns});
  for (std::size_t i = 0; i < result.size(); ++i) result.set(i, static_cast<double>(normal(engine)));
  return result;
}

/// Softmax of relu(x • w) • v, with extents that fill no tile.
const dlvm::Function& network(Scene& s) {
  dlvm::Value* h =
      s.b.binary(dlvm::Opcode::max, s.b.dot(s[0], s[1], {{1, 0}}), s.b.constant(dlvm::ElementType::f32, 0));
  dlvm::Value* logits = s.b.dot(h, s[2], {{1, 0}});
  dlvm::Value* e = s.b.unary(dlvm::Opcode::exp, logits);
  return s.results({s.b.divide(e, s.b.pad_shape(s.b.sum(e, {1}), 1)), h});
}

/// Leaves subnormal numbers where the next call's stack will be.
[[gnu::noinline]] void litter_stack() {
  volatile float litter[1 << 14];
  for (volatile float& number : litter) number = 1e-40f;
}

}  // namespace

TEST_CASE("row 0 does not depend on the number of rows") {
  for (const char* cpu : {"native", "x86-64-v3", "x86-64"}) {
    Scene s({f32({N, 37}), f32({37, 45}), f32({45, 10})});
    const dlvm::Function& function = network(s);
    const test::CompiledProgram compiled(kernel_tests::program(function), cpu);
    const dlvm::Tensor w = random_rows(37, 45), v = random_rows(45, 10);
    std::vector<std::byte> first;
    for (const std::int64_t rows : {1, 2, 7, 8, 9, 14, 15, 64, 1000}) {
      const auto run = compiled.run({random_rows(rows, 37), w, v}, {{"N", rows}});
      for (std::size_t i = 0; i < 2; ++i) {
        const dlvm::Tensor& output = run.outputs[i];
        const std::size_t bytes = output.byte_count() / static_cast<std::size_t>(rows);
        if (rows == 1) first.insert(first.end(), output.data(), output.data() + bytes);
        INFO(cpu, ", ", rows, " rows, output ", i);
        CHECK(std::memcmp(output.data(), first.data() + (i == 0 ? 0 : 10 * 4), bytes) == 0);
      }
    }
  }
}

TEST_CASE("an element of a product does not depend on whether its tile is whole") {
  for (const char* cpu : {"native", "x86-64-v3", "x86-64"}) {
    Scene s({f32({N, 37}), f32({M, 37})});
    dlvm::Value* product = s.b.dot(s[0], s[1], {{1, 1}});
    const dlvm::Function& function =
        s.results({s.b.binary(dlvm::Opcode::multiply, product, s.b.constant(dlvm::ElementType::f32, 0.125))});
    CHECK(kernel_tests::differences(function, {1, 5, 6, 16, 17, 48}) == "");
    const test::CompiledProgram compiled(kernel_tests::program(function), cpu);
    std::optional<dlvm::Tensor> first;
    for (const auto& [rows, columns] : {std::pair{5, 15}, {6, 16}, {19, 33}, {48, 64}}) {
      const auto run =
          compiled.run({random_rows(rows, 37), random_rows(columns, 37)}, {{"N", rows}, {"M", columns}});
      const dlvm::Tensor& output = run.outputs[0];
      if (!first) first = output;
      INFO(cpu, ", ", rows, " x ", columns);
      for (int i = 0; i < 5; ++i)
        CHECK(std::memcmp(output.data() + 4 * i * columns, first->data() + 4 * i * 15, std::size_t{4} * 15) ==
              0);
    }
  }
}

TEST_CASE("every run gives the same bits") {
  Scene s({f32({N, 37}), f32({37, 45}), f32({45, 10})});
  const dlvm::Function& function = network(s);
  const test::CompiledProgram compiled(kernel_tests::program(function));
  const std::vector<dlvm::Tensor> inputs{random_rows(33, 37), random_rows(37, 45), random_rows(45, 10)};
  const auto first = compiled.run(inputs, {{"N", 33}});
  for (int i = 0; i < 3; ++i) CHECK(compiled.run(inputs, {{"N", 33}}).outputs == first.outputs);
}

TEST_CASE("a product of one row has the bits of a row among others") {
  for (const char* cpu : {"native", "x86-64-v3", "x86-64"})
    for (const std::int64_t depth : {1, 37, 700}) {
      const dlvm::Tensor w = random_rows(depth, 45);
      const auto product = [&](const dlvm::Extent& n, std::int64_t rows) {
        Scene s({f32({n, depth}), f32({depth, 45})});
        const dlvm::Function& function = s.results({s.b.dot(s[0], s[1], {{1, 0}})});
        const test::CompiledProgram compiled(kernel_tests::program(function), cpu);
        return compiled.run({random_rows(rows, depth), w}, {{"N", rows}}).outputs[0];
      };
      const dlvm::Tensor one = product(1, 1);
      for (const std::int64_t rows : {1, 7, 1000}) {
        INFO(cpu, ", ", depth, " terms, ", rows, " rows");
        CHECK(std::memcmp(product(N, rows).data(), one.data(), one.byte_count()) == 0);
      }
    }
}

TEST_CASE("nothing is computed from what the stack held before") {
  constexpr unsigned subnormal_operand = 2;  // a flag of MXCSR
  for (const char* cpu : {"native", "x86-64-v3", "x86-64"})
    for (const bool transposed : {false, true}) {
      Scene s({f32({N, 8}), transposed ? f32({10, 8}) : f32({8, 10})});
      const dlvm::Function& function = s.results({s.b.dot(s[0], s[1], {{1, transposed ? 1 : 0}})});
      const test::CompiledProgram compiled(kernel_tests::program(function), cpu);
      const std::vector<dlvm::Tensor> inputs{random_rows(33, 8),
                                             transposed ? random_rows(10, 8) : random_rows(8, 10)};
      litter_stack();
      _mm_setcsr(_mm_getcsr() & ~0x3fu);
      compiled.run(inputs, {{"N", 33}});
      CHECK((_mm_getcsr() & subnormal_operand) == 0);
    }
}
