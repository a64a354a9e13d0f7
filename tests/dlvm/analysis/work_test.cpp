#include "dlvm/analysis/work.h"

#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

const Extent N = Extent::dimension("N"), M = Extent::dimension("M");

}  // namespace

TEST_CASE("counts and bytes take a dimension that is not given to be 128, and end at a limit") {
  CHECK(typical_count(N) == 128);
  CHECK(typical_count(N * M, {{"N", 3}}) == 3 * 128);
  CHECK(typical_count(2 - N) == 0);
  CHECK(typical_count(Extent(unbounded_count)) == unbounded_count);
  CHECK(typical_count(Extent(unbounded_count + 1)) == unbounded_count);
  CHECK(typical_bytes(Type::tensor(ElementType::f64, {N, 3})) == 128 * 3 * 8);
  CHECK(typical_bytes(Type::tensor(ElementType::f16, {N}), {{"N", 5}}) == 10);
  CHECK(typical_bytes(Type::tensor(ElementType::f64, {0})) == 0);
  CHECK(typical_bytes(Type::tensor(ElementType::f64, {unbounded_count / 8})) == unbounded_count);
  CHECK(typical_bytes(Type::tensor(ElementType::f64, {unbounded_count / 2})) == unbounded_count);
  CHECK(typical_bytes(Type::tuple({Type::tensor(ElementType::f64, {3})})) == 0);
}

TEST_CASE("the work of products is two for each term, that of others the cost of each element") {
  const parsed::Text text(R"(
func @f: (<4 x 16 x f32>, <16 x 3 x f32>, <2 x 5 x 9 x f32>, <7 x 5 x 3 x f32>, <3 x i32>) -> f32 {
'entry(%x: <4 x 16 x f32>, %y: <16 x 3 x f32>, %image: <2 x 5 x 9 x f32>, %kernel: <7 x 5 x 3 x f32>, %i: <3 x i32>):
    %dot = dot %x: <4 x 16 x f32>, %y: <16 x 3 x f32>
    %add = add %x: <4 x 16 x f32>, %x: <4 x 16 x f32>
    %sum = reduce %x: <4 x 16 x f32> by add init 0: f32 along 1
    %turned = transpose %x: <4 x 16 x f32>
    %rows = gather %y: <16 x 3 x f32> at %i: <3 x i32> along 0
    %pair = literal (%x: <4 x 16 x f32>, %y: <16 x 3 x f32>)
    %first = extract 0 from %pair: (<4 x 16 x f32>, <16 x 3 x f32>)
    %filtered = convolve %image: <2 x 5 x 9 x f32> kernel %kernel: <7 x 5 x 3 x f32>
    return 0: f32
}
)");
  const auto of = [&](std::string_view name) -> const Instruction& {
    for (const auto& instruction : text.function().entry().instructions())
      if (instruction->name() == name) return *instruction;
    throw std::runtime_error("no such instruction");
  };
  CHECK(work(of("dot")) == 2 * 16 * 12);
  CHECK(work(of("filtered")) == 2 * 5 * 3 * (2 * 7 * 7));
  CHECK(work(of("add")) == 64);
  CHECK(work(of("sum")) == 64);
  CHECK(work(of("turned")) == 0);
  CHECK(work(of("rows")) == 2 * 48);
  CHECK(work(of("pair")) == 0);
  for (const auto* name : {"turned", "pair", "first"}) CHECK(moves_elements(of(name)));
  for (const auto* name : {"dot", "add", "sum", "rows"}) CHECK_FALSE(moves_elements(of(name)));
}
