#include "dlvm/transform/control_flow_edits.h"

#include "dlvm/text/print.h"
#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

struct Body {
  explicit Body(const std::string& blocks)
      : text("func @f: (f32, bool) -> f32 {\n'entry(%x: f32, %c: bool):\n" + blocks + "}\n") {}
  parsed::Text text;

  BlockEdge edge(std::string_view from, std::size_t successor = 0) const {
    return {text.block(from)->terminator(), successor};
  }
  /// The blocks, without the line of the first one.
  std::string written() const {
    const std::string all = print(text.function());
    const auto begin = all.find("%c: bool):\n") + 11;
    return all.substr(begin, all.rfind('}') - begin);
  }
};

constexpr const char* forwarding = R"(    conditional %c: bool then 'on(%x: f32) else 'end(1: f32)
'on(%y: f32):
    branch 'end(%y: f32)
'end(%z: f32):
    return %z: f32
)";

}  // namespace

TEST_CASE("a condition that is a literal is a branch, with what that way passes") {
  const Body taken(
      "    conditional true: bool then 'a(%x: f32) else 'b()\n"
      "'a(%y: f32):\n"
      "    return %y: f32\n"
      "'b():\n"
      "    return 0: f32\n");
  CHECK(fold_condition(*taken.text.block("entry")));
  CHECK(taken.written().starts_with("    branch 'a(%x: f32)\n"));
  const Body other(
      "    conditional false: bool then 'a(%x: f32) else 'b()\n"
      "'a(%y: f32):\n"
      "    return %y: f32\n"
      "'b():\n"
      "    return 0: f32\n");
  CHECK(fold_condition(*other.text.block("entry")));
  CHECK(other.written().starts_with("    branch 'b()\n"));
  const Body open(forwarding);
  CHECK_FALSE(fold_condition(*open.text.block("entry")));
  CHECK_FALSE(fold_condition(*open.text.block("on")));
}

TEST_CASE("a block that only goes on can be skipped") {
  const Body body(forwarding);
  CHECK(is_forwarding(*body.text.block("on")));
  CHECK_FALSE(is_forwarding(*body.text.block("entry")));
  CHECK_FALSE(is_forwarding(*body.text.block("end")));
  const std::vector<Value*> passed = passed_behind(body.edge("entry"));
  REQUIRE(passed.size() == 1);
  CHECK(passed[0]->name() == "x");
  skip_block(body.edge("entry"));
  CHECK(body.written().starts_with("    conditional %c: bool then 'end(%x: f32) else 'end(1: f32)\n"));
}

TEST_CASE("a block that computes, goes to itself, or whose arguments others use, does not only go on") {
  const auto is = [](const std::string& blocks) {
    const Body body("    conditional %c: bool then 'on(%x: f32) else 'end()\n'on(%y: f32):\n" + blocks);
    return is_forwarding(*body.text.block("on"));
  };
  CHECK(is("    branch 'end()\n'end():\n    return %x: f32\n"));
  CHECK_FALSE(is("    %z = negate %y: f32\n    branch 'end()\n'end():\n    return %x: f32\n"));
  CHECK_FALSE(is("    branch 'on(%y: f32)\n'end():\n    return %x: f32\n"));
  CHECK_FALSE(
      is("    conditional %c: bool then 'end() else 'other()\n"
         "'other():\n"
         "    trap\n"
         "'end():\n"
         "    return %x: f32\n"));
  CHECK_FALSE(is("    branch 'next()\n'next():\n    return %y: f32\n'end():\n    return %x: f32\n"));
}

TEST_CASE("blocks are put on edges, with arguments or without") {
  const Body split(forwarding);
  CHECK(split_edge(split.edge("entry", 1), "made")->name() == "made");
  CHECK(
      split.written().starts_with("    conditional %c: bool then 'on(%x: f32) else 'made()\n"
                                  "'made():\n    branch 'end(1: f32)\n"));
  const Body inserted(forwarding);
  insert_block(*inserted.text.block("end"), {inserted.edge("entry", 1), inserted.edge("on")}, "made");
  CHECK(inserted.written() == R"(    conditional %c: bool then 'on(%x: f32) else 'made(1: f32)
'on(%y: f32):
    branch 'made(%y: f32)
'made(%z_0: f32):
    branch 'end(%z_0: f32)
'end(%z: f32):
    return %z: f32
)");
}

TEST_CASE("what one edge passes alone is used without an argument") {
  const Body body(forwarding);
  CHECK(forward_arguments(body.text.function()));
  CHECK(
      body.written().starts_with("    conditional %c: bool then 'on() else 'end(1: f32)\n"
                                 "'on():\n"
                                 "    branch 'end(%x: f32)\n"));
  CHECK_FALSE(forward_arguments(body.text.function()));
}

TEST_CASE("a preheader is the only way into a loop, and goes nowhere else") {
  const auto of = [](const std::string& blocks) {
    const Body body(blocks +
                    "'loop(%y: f32):\n"
                    "    conditional %c: bool then 'loop(%y: f32) else 'end()\n"
                    "'end():\n"
                    "    return %x: f32\n");
    const auto found = [&] {
      const ControlFlow flow(body.text.function());
      const DominatorTree dominators(flow);
      const LoopNest loops(flow, dominators);
      const BasicBlock* block = preheader(*loops.loops().front());
      return std::pair(block == nullptr ? "" : block->name(), make_preheader(*loops.loops().front())->name());
    };
    const auto [before, made] = found();
    CHECK(found().first == made);
    return before + " " + made;
  };
  CHECK(of("    branch 'loop(%x: f32)\n") == "entry entry");
  CHECK(of("    conditional %c: bool then 'loop(%x: f32) else 'end()\n") == " preheader");
  CHECK(of("    conditional %c: bool then 'a() else 'loop(%x: f32)\n"
           "'a():\n"
           "    branch 'loop(1: f32)\n") == " preheader");
}
