#include "dlvm/analysis/control_flow.h"

#include "dlvm/analysis/effects.h"
#include "dlvm/analysis/liveness.h"
#include "dlvm/analysis/loops.h"
#include "tests/dlvm/analysis/parsed.h"

using parsed::names;
using parsed::Text;
using namespace dlvm;

namespace {

/// A loop in a loop, with an exit from the middle of the inner one; two blocks that nothing reaches.
const char* const nested = R"(
func @f: (bool, i32) -> i32 {
'entry(%c: bool, %n: i32):
    branch 'outer(0: i32)
'done(%r: i32):
    return %r: i32
'outer(%i: i32):
    %t = add %i: i32, %n: i32
    branch 'inner(%t: i32)
'inner(%j: i32):
    conditional %c: bool then 'body else 'after
'body():
    %u = add %j: i32, 1: i32
    conditional %c: bool then 'inner(%u: i32) else 'done(%t: i32)
'after():
    conditional %c: bool then 'outer(%j: i32) else 'done(%i: i32)
'lost():
    branch 'lost2
'lost2():
    branch 'done(%n: i32)
}
)";

}  // namespace

TEST_CASE("blocks in an order in which each stands behind its dominator") {
  const Text text(nested);
  const ControlFlow flow(text.function());
  CHECK(names(flow.order()) == "entry outer inner body after done lost lost2");
  CHECK(flow.is_reachable(text.block("done")));
  CHECK_FALSE(flow.is_reachable(text.block("lost2")));
  CHECK(flow.is_root(text.block("lost")));
  CHECK_FALSE(flow.is_root(text.block("lost2")));
  CHECK(flow.has_cycle());
  std::string into;
  for (const BlockEdge& edge : flow.predecessors(text.block("done"))) into += edge.from()->name() + " ";
  CHECK(into == "body after lost2 ");
}

TEST_CASE("dominators") {
  const Text text(nested);
  const ControlFlow flow(text.function());
  const DominatorTree tree(flow);
  CHECK(tree.immediate(text.block("entry")) == nullptr);
  CHECK(tree.immediate(text.block("done")) == text.block("inner"));
  CHECK(names(tree.children(text.block("inner"))) == "body after done");
  CHECK(names(tree.roots()) == "entry lost");
  CHECK(tree.dominates(text.block("outer"), text.block("done")));
  CHECK(tree.dominates(text.block("done"), text.block("done")));
  CHECK_FALSE(tree.dominates(text.block("body"), text.block("done")));
  CHECK_FALSE(tree.dominates(text.block("entry"), text.block("lost2")));
  CHECK(tree.dominates(text.block("lost"), text.block("lost2")));
}

TEST_CASE("a block that goes back to itself, before the block that goes to it") {
  const Text text(R"(
func @f: (bool) -> () {
'entry(%c: bool):
    branch 'before
'round():
    conditional %c: bool then 'round else 'done
'before():
    branch 'round
'done():
    return
}
)");
  const DominatorTree tree{ControlFlow(text.function())};
  CHECK(tree.immediate(text.block("round")) == text.block("before"));
  CHECK(tree.immediate(text.block("done")) == text.block("round"));
}

TEST_CASE("natural loops and their nest") {
  const Text text(nested);
  const ControlFlow flow(text.function());
  const LoopNest nest(flow, DominatorTree(flow));
  REQUIRE(nest.loops().size() == 2);
  CHECK_FALSE(nest.is_irreducible());
  const Loop &outer = *nest.loops()[0], &inner = *nest.loops()[1];
  CHECK(names(outer.blocks) == "outer inner body after");
  CHECK(names(inner.blocks) == "inner body");
  CHECK(inner.parent == &outer);
  CHECK(inner.depth == 2);
  CHECK(nest.innermost(text.block("after")) == &outer);
  CHECK(nest.innermost(text.block("done")) == nullptr);
  CHECK(inner.latches.size() == 1);
  CHECK(inner.entries[0].from() == text.block("outer"));
  CHECK(inner.exits.size() == 2);
  CHECK(outer.exits.size() == 2);
}

TEST_CASE("a cycle with two entries is irreducible") {
  const Text text(R"(
func @f: (bool) -> () {
'entry(%c: bool):
    conditional %c: bool then 'a else 'b
'a():
    branch 'b
'b():
    conditional %c: bool then 'a else 'done
'done():
    return
}
)");
  const ControlFlow flow(text.function());
  const LoopNest nest(flow, DominatorTree(flow));
  CHECK(nest.is_irreducible());
  CHECK(nest.loops().empty());
  CHECK(flow.has_cycle());
}

TEST_CASE("what is live at the borders of blocks") {
  const Text text(nested);
  const ControlFlow flow(text.function());
  const Liveness liveness(flow);
  const Value* t = text.block("outer")->instructions().front().get();
  const Value* n = text.function().entry().arguments()[1].get();
  CHECK(liveness.live_out(text.block("outer")).contains(t));
  CHECK(liveness.live_in(text.block("body")).contains(t));
  CHECK(liveness.live_in(text.block("after")).contains(n));
  CHECK_FALSE(liveness.live_in(text.block("after")).contains(t));
  CHECK_FALSE(liveness.live_in(text.block("outer")).contains(t));
  CHECK(liveness.live_in(text.block("done")).empty());
  CHECK(liveness.live_in(text.block("entry")).empty());
}

TEST_CASE("what may fail or not end") {
  const Text text(R"(
func @plain: (f32) -> f32 {
'entry(%x: f32):
    return %x: f32
}
func @branches: (bool, f32) -> f32 {
'entry(%c: bool, %x: f32):
    conditional %c: bool then 'a else 'b
'a():
    %y = apply @plain(%x: f32) -> f32
    return %y: f32
'b():
    return %x: f32
}
func @traps: (bool) -> () {
'entry(%c: bool):
    conditional %c: bool then 'a else 'b
'a():
    return
'b():
    trap
}
func @loops: (bool) -> () {
'entry(%c: bool):
    branch 'a
'a():
    conditional %c: bool then 'a else 'b
'b():
    return
}
func @calls: (bool) -> () {
'entry(%c: bool):
    %u = apply @loops(%c: bool) -> ()
    return
}
func @recurses: (bool) -> () {
'entry(%c: bool):
    %u = apply @recurses(%c: bool) -> ()
    return
}
func @outside: (bool) -> ()
)");
  const Effects effects(text.module());
  for (const char* name : {"plain", "branches"}) CHECK_FALSE(effects.may_fail(text.function(name)));
  for (const char* name : {"traps", "loops", "calls", "recurses", "outside"})
    CHECK(effects.may_fail(text.function(name)));
  CHECK(Effects().may_fail(text.function("plain")));
}
