#include "dlvm/call/random_trees.h"

#include <set>
#include <string_view>

#include "tests/dlvm/analysis/parsed.h"

using parsed::Text;
using namespace dlvm;

namespace {

/// The function `f` takes a tree whose nodes hold a struct of two others.
constexpr std::string_view tree = R"(
entry forward "f" @f(
  input "t.kind" struct "Tree" enum "Tree" "leaf" "node" "end",
  input "t.leaf_0" struct "Tree",
  input "t.node_0.left" struct "Tree" "Pair" enum "Tree" "leaf" "node" "end",
  input "t.node_0.right" struct "Tree" "Pair" enum "Tree" "leaf" "node" "end",
  input "t.root" struct "Tree" enum "Tree" "leaf" "node" "end") -> (output "y")
func @f: (<n x i32>, <l x 2 x f32>, <p x i64>, <p x i64>, i64) -> (f32) {
'entry(%kind: <n x i32>, %leaf: <l x 2 x f32>, %left: <p x i64>, %right: <p x i64>, %root: i64):
    %y = literal (0: f32): (f32)
    return %y: (f32)
}
)";

std::optional<EntryCall> draw(const Text& text, const EntryInputs& given, std::int64_t extent, Draw& numbers,
                              std::string& why) {
  return random_call(text.module(), text.module().entries[0], given, extent, {-1, 1}, numbers, why);
}

}  // namespace

TEST_CASE(
    "random trees: children stand before their parents, and tables have a row for each node of a case") {
  const Text text{std::string(tree)};
  Draw numbers(3);
  std::string why;
  std::set<std::int64_t> seen;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const auto call = draw(text, {}, 12, numbers, why);
    REQUIRE_MESSAGE(call, why);
    CHECK(call->dimensions.at("n") == 12);
    const Tensor &kind = call->arguments[0].tensor(), &left = call->arguments[2].tensor(),
                 &right = call->arguments[3].tensor();
    REQUIRE(kind.size() == 12);
    std::size_t leaves = 0, nodes = 0;
    for (std::size_t i = 0; i < 12; ++i) {
      seen.insert(kind.integer(i));
      if (kind.integer(i) == 0) ++leaves;
      if (kind.integer(i) != 1) continue;
      REQUIRE(nodes < left.size());
      for (const Tensor* child : {&left, &right}) {
        CHECK(child->integer(nodes) >= 0);
        CHECK(child->integer(nodes) < static_cast<std::int64_t>(i));
      }
      ++nodes;
    }
    CHECK(kind.integer(0) != 1);
    CHECK(kind.integer(11) == 1);
    CHECK(nodes == left.size());
    CHECK(call->arguments[1].tensor().extents() == std::vector<std::int64_t>{std::int64_t(leaves), 2});
    CHECK(call->arguments[4].tensor().integer(0) == 11);
  }
  CHECK(seen == std::set<std::int64_t>{0, 1, 2});
}

TEST_CASE("random trees: what is given stays, and the rest is drawn for it") {
  const Text text{std::string(tree)};
  Draw numbers(3);
  std::string why;
  EntryInputs given;
  Tensor kind(ElementType::i32, {4});
  for (std::size_t i = 0; i < 4; ++i) kind.set(i, std::int64_t(i == 1 || i == 3));
  given.inputs.push_back({"t.kind", kind});
  const auto call = draw(text, given, 9, numbers, why);
  REQUIRE_MESSAGE(call, why);
  CHECK(call->arguments[0].tensor() == kind);
  CHECK(call->dimensions == Extent::Bindings{{"n", 4}, {"l", 2}, {"p", 2}});
  CHECK(call->arguments[2].tensor().integer(0) == 0);
  CHECK(call->arguments[2].tensor().integer(1) < 3);
  CHECK(call->arguments[4].tensor().integer(0) == 3);
}

TEST_CASE("random trees: without nodes there is no root") {
  const Text text{std::string(tree)};
  Draw numbers(3);
  std::string why;
  const auto call = draw(text, {}, 0, numbers, why);
  REQUIRE_MESSAGE(call, why);
  CHECK(call->dimensions == Extent::Bindings{{"n", 0}, {"l", 0}, {"p", 0}});
}
