#include <doctest/doctest.h>

#include "codegen/kernel/memory/plan.h"
#include "codegen/kernel/text/text.h"

namespace codegen::kernel {
namespace {

const dlvm::Extent N = dlvm::Extent::dimension("N");

kernel::Kernel parsed(const char* text) {
  std::string error;
  auto kernel = kernel::parse_kernel(text, error);
  REQUIRE_MESSAGE(kernel.has_value(), error);
  return std::move(*kernel);
}

/// Reads every element where it writes it.
constexpr const char* same_place = R"(kernel @same(x: <N x 4 x f32>, y: <N x 4 x f32> written) {
  stage s over $i0 in N, $j1 in 4 {
    %0: f32 = load x[$i0, $j1]
    %1: f32 = exp %0
    store %1 to y[$i0, $j1]
  }
})";

/// Reads elsewhere.
constexpr const char* reversed = R"(kernel @reversed(x: <N x 4 x f32>, y: <N x 4 x f32> written) {
  stage s over $i0 in N, $j1 in 4 {
    %0: f32 = load x[$i0, -$j1 + 3]
    store %0 to y[$i0, $j1]
  }
})";

/// Input, `count` arena values, output, in a chain of launches of that kernel.
Program chain(const char* kernel, std::size_t count) {
  Program program;
  program.name = "chain";
  program.kernels.push_back(parsed(kernel));
  const dlvm::Shape shape{N, 4};
  const auto value = [&](Value::Place place, std::string name) {
    program.values.push_back({place, 0, std::move(name), dlvm::ElementType::f32, shape, {}});
  };
  value(Value::Place::input, "x");
  for (std::size_t i = 0; i < count; ++i) value(Value::Place::arena, "t" + std::to_string(i));
  value(Value::Place::output, "y");
  for (std::uint32_t i = 0; i <= count; ++i) program.body.push_back({Launch{0, {i, i + 1}}});
  return program;
}

TEST_CASE("a chain that reads where it writes needs one slot, one that does not needs two") {
  const MemoryPlan in_place = plan_memory(chain(same_place, 5));
  CHECK(in_place.slots.size() == 1);
  CHECK(in_place.slots[0] == std::vector{N * 16});
  const MemoryPlan apart = plan_memory(chain(reversed, 5));
  CHECK(apart.slots.size() == 2);
  for (std::size_t i = 1; i + 1 < 6; ++i) CHECK(apart.slot_of[i] != apart.slot_of[i + 1]);
  CHECK_FALSE(apart.slot_of[0].has_value());
  CHECK_FALSE(apart.slot_of[6].has_value());
}

TEST_CASE("a plan in which values that live at the same time share a slot does not verify") {
  const Program program = chain(same_place, 3);
  MemoryPlan p = plan_memory(program);
  CHECK(verify(p, program).value_or("") == "");
  Program longer = program;
  longer.body.push_back({Launch{0, {1, 4}}});
  CHECK(verify(p, longer).value_or("") == "M2: t0 and t1");
  p.slot_of[2].reset();
  CHECK(verify(p, program).value_or("") == "M1: t1");
}

TEST_CASE("values that live at the same time have different slots") {
  Program program = chain(same_place, 3);
  program.body.push_back({Launch{0, {1, 4}}});  // t0 is read once more at the end
  const MemoryPlan p = plan_memory(program);
  CHECK(p.slot_of[1] != p.slot_of[2]);
  CHECK(p.slot_of[1] != p.slot_of[3]);
  CHECK(p.slot_of[2] == p.slot_of[3]);
}

TEST_CASE("a small value that lives long takes no slot that a large one needs") {
  Program program = chain(reversed, 3);
  constexpr std::uint32_t input = 0, first = 1, small = 2, second = 3, output = 4;
  program.values[small].shape = {N};
  program.body = {{Launch{0, {input, first}}},  {Launch{0, {first, output}}},  {Launch{0, {input, small}}},
                  {Launch{0, {input, second}}}, {Launch{0, {second, output}}}, {Launch{0, {small, output}}}};
  const MemoryPlan p = plan_memory(program);
  CHECK(p.slot_of[first] == p.slot_of[second]);
  CHECK(p.slot_of[small] != p.slot_of[first]);
  CHECK(p.slots[*p.slot_of[small]] == std::vector{N * 4});
}

TEST_CASE("a slot is as large as the largest of its values, whichever the dimensions make that") {
  Program program = chain(reversed, 4);
  program.values[3].shape = {dlvm::Extent::dimension("M")};
  const MemoryPlan p = plan_memory(program);
  REQUIRE(p.slots.size() == 2);
  CHECK(p.slot_of[1] == p.slot_of[3]);
  CHECK(p.slots[*p.slot_of[1]].size() == 2);
  CHECK(print_plan(p, program).find("max(16*N, 4*M) bytes") != std::string::npos);
}

}  // namespace
}  // namespace codegen::kernel
