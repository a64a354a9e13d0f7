// Enums of a network that hold themselves: a class collects nodes, which calls take as tables.
#include "trees.hpp"

#include <string>
#include <vector>

#include "check.h"

namespace {

using trees::ListNodes;
using trees::ShapeKind;
using trees::TreeNodes;
using trees::Way;

const trees::Parameters& parameters() {
  static const trees::Parameters all(1);
  return all;
}

const std::vector<float> first{1, 2}, second{3, 4};

/// Calls `forward` with this tree, an empty list, and no steps.
tel::Result<trees::ForwardResult> call(const trees::Tree& tree) {
  ListNodes list;
  TreeNodes steps;
  steps.double_();
  const std::vector<TreeNodes::Node> none;
  const auto end = list.nil();
  return trees::try_forward({.e = {.tree = tree, .label = 0},
                             .list = list.rooted(end),
                             .t = steps.rooted(none),
                             .value_depth = 8,
                             .total_depth = 8},
                            parameters());
}

float value(const trees::Tree& tree) { return call(tree).value().v; }

void check_cases() {
  TreeNodes nodes;
  const auto up = nodes.word(first, Way::up), twice = nodes.word(second, Way::double_);
  CHECK(up == 0 && twice == 1 && nodes.size() == 2 && nodes.depth() == 1);
  CHECK(value(nodes.rooted(up)) == 1 && value(nodes.rooted(twice)) == 8);
  const auto five = nodes.double_();
  const auto pair = nodes.pair(up, five, false), turned = nodes.pair(pair, twice, true);
  CHECK(value(nodes.rooted(pair)) == 15 && value(nodes.rooted(turned)) == 95);
  // A node may be held by several, or twice by one.
  CHECK(value(nodes.rooted(nodes.pair(pair, pair, false))) == 165);
  const auto circle = nodes.shape(ShapeKind::circle, 3, second), box = nodes.shape(ShapeKind::box, 3, second);
  CHECK(value(nodes.rooted(circle)) == 3 && value(nodes.rooted(box)) == 7);
  const auto large = nodes.size_(nodes.size_(circle));
  CHECK(value(nodes.rooted(large)) == 30000);
  const std::vector<tel::float16> numbers{tel::float16(1.f), tel::float16(2.f), tel::float16(3.f),
                                          tel::float16(0.5f)};
  CHECK(value(nodes.rooted(nodes.many({numbers.data()}))) == 6.5f);
  CHECK(nodes.depth(up) == 1 && nodes.depth(turned) == 3 && nodes.depth(large) == 3 && nodes.depth() == 3);
  CHECK(nodes.depth(-1) == 0 && nodes.depth(100) == 0);
  nodes.clear();
  CHECK(nodes.size() == 0 && nodes.depth() == 0 && nodes.double_() == 0);
}

void check_lists() {
  TreeNodes nodes;
  ListNodes list;
  auto end = list.nil();
  for (std::int64_t i = 1; i <= 5; ++i) end = list.item(i, end);
  const auto tree = nodes.double_();
  const std::vector<std::int64_t> roots;
  const auto result = trees::forward({.e = {.tree = nodes.rooted(tree), .label = 7},
                                      .list = list.rooted(end),
                                      .t = nodes.rooted(roots),
                                      .value_depth = 1,
                                      .total_depth = list.depth()},
                                     parameters());
  CHECK(result.n == 22 && result.v == 5 && result.y.size() == 0);
}

/// The steps of a block are nodes of one object.
void check_batches() {
  TreeNodes nodes;
  ListNodes list;
  const auto end = list.nil();
  std::vector<TreeNodes::Node> roots;
  roots.push_back(nodes.word(first, Way::up));
  roots.push_back(nodes.size_(roots[0]));
  roots.push_back(nodes.pair(roots[1], roots[0], false));
  roots.push_back(roots[0]);
  const trees::ForwardInputs inputs{.e = {.tree = nodes.rooted(roots[2])},
                                    .list = list.rooted(end),
                                    .t = nodes.rooted(roots),
                                    .value_depth = nodes.depth(),
                                    .total_depth = 1};
  const auto result = trees::forward(inputs, parameters());
  CHECK(result.y.size() == 4 && result.v == 1001);
  CHECK(result.y(0) == 1 && result.y(1) == 100 && result.y(2) == 1001 && result.y(3) == 1);
  const auto gradient = trees::gradient(
      {.e = inputs.e, .list = inputs.list, .t = inputs.t, .value_depth = nodes.depth(), .total_depth = 1},
      parameters());
  CHECK(gradient.gradient.W(1) == 1001);
  const auto words = trees::by_words(
      {.e = {.tree = nodes.rooted(roots[2])}, .value_depth = nodes.depth(), .by_words_steps = 8},
      parameters());
  CHECK(words.gradient.e_tree_word_0_vector(0, 0) == 1001);
}

std::string error_of(const trees::Tree& tree) {
  const auto result = call(tree);
  CHECK(!result && result.status() == tel::Status::index);
  return result.error().text;
}

/// Checks that a call says what is wrong with its tables before it computes anything from them.
void check_errors() {
  TreeNodes nodes;
  const auto leaf = nodes.word(first, Way::up), other = nodes.double_();
  nodes.pair(leaf, other, false);
  const trees::Tree good = nodes.rooted(2);
  CHECK(value(good) == 15);
  CHECK(error_of(nodes.rooted(3)) == "trees::forward: e.tree.root is 3, expected 0 to 2");
  CHECK(error_of(nodes.rooted(-1)) == "trees::forward: e.tree.root is -1, expected 0 to 2");

  trees::Tree wrong = good;
  const std::vector<std::int32_t> kind{0, 6, 1}, kinds{0, 0, 1}, ways{2};
  wrong.kind = kind;
  CHECK(error_of(wrong) == "trees::forward: e.tree.kind[1] is 6, expected 0 to 5");
  wrong.kind = kinds;
  CHECK(error_of(wrong) == "trees::forward: e.tree.word_nodes is 2, expected 0 to 1");
  wrong = good;
  wrong.word_0_way = ways;
  CHECK(error_of(wrong) == "trees::forward: e.tree.word_0.way is 2, expected 0 to 1");
  const std::vector<std::int64_t> self{2}, before{-1};
  wrong = good;
  wrong.pair_0_right = self;
  CHECK(error_of(wrong) == "trees::forward: e.tree.pair_0.right.nodes_before_parent is -1, expected 0 to 2");
  wrong.pair_0_right = before;
  CHECK(error_of(wrong) == "trees::forward: e.tree.pair_0.right is -1, expected 0 to 2");
  // A row that belongs to no node.
  wrong = good;
  const std::vector<std::int32_t> none{3, 3, 1};
  wrong.kind = none;
  CHECK(error_of(wrong) == "trees::forward: e.tree.word_rows_unused is 1, expected 0 to 0");

  // A view that is not set adds no row, and a node that does not exist is held by none.
  TreeNodes empty;
  empty.word({}, Way::up);
  const auto unset = call(empty.rooted(0));
  CHECK(!unset && unset.error().text ==
                      std::string("trees::forward: axis 0 of 'e.tree.word_0.way' is 1, expected 0 for "
                                  "e_tree_word_count = 0 (axis 0 of 'e.tree.word_0.vector')"));
  TreeNodes later;
  later.size_(later.size_(0));
  CHECK(error_of(later.rooted(1)) ==
        "trees::forward: e.tree.size_0.nodes_before_parent is -1, expected 0 to 1");
}

}  // namespace

int main() {
  check_cases();
  check_lists();
  check_batches();
  check_errors();
}
