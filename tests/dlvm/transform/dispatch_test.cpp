#include "dlvm/transform/dispatch.h"

#include "dlvm/text/print.h"
#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// The function with a block before those that are named, which all that go to them go to.
std::string dispatched(const std::vector<std::string>& names) {
  const parsed::Text text(R"(
func @f: (i32, bool) -> i32 {
'entry(%n: i32, %c: bool):
    conditional %c: bool then 'a(%n: i32) else 'b()
'a(%x: i32):
    conditional %c: bool then 'c(%x: i32, %c: bool) else 'b()
'b():
    return 1: i32
'c(%y: i32, %d: bool):
    return %y: i32
}
)");
  std::vector<BasicBlock*> targets;
  std::vector<BlockEdge> edges;
  const ControlFlow flow(text.function());
  for (const std::string& name : names) {
    targets.push_back(text.block(name));
    for (const BlockEdge& edge : flow.predecessors(targets.back())) edges.push_back(edge);
  }
  CHECK(add_dispatch(text.function(), targets, edges)->name() == "dispatch");
  std::string body = print(text.module());
  body = body.substr(body.find("'entry"));
  return body.substr(0, body.find('}'));
}

}  // namespace

TEST_CASE("a dispatch goes on to its only target without a question") {
  CHECK(dispatched({"c"}) == R"('entry(%n: i32, %c: bool):
    conditional %c: bool then 'a(%n: i32) else 'b()
'a(%x: i32):
    conditional %c: bool then 'dispatch(0: i32, %x: i32, %c: bool) else 'b()
'dispatch(%target: i32, %y: i32, %d: bool):
    branch 'c(%y: i32, %d: bool)
'b():
    return 1: i32
'c(%y.1: i32, %d.1: bool):
    return %y.1: i32
)");
}

TEST_CASE("a dispatch passes what the edges passed, and zero for what they did not") {
  CHECK(dispatched({"a", "b"}) == R"('entry(%n: i32, %c: bool):
    conditional %c: bool then 'dispatch(0: i32, %n: i32) else 'dispatch(1: i32, 0: i32)
'dispatch(%target: i32, %x: i32):
    %1.0 = equal %target: i32, 0: i32
    conditional %1.0: bool then 'a(%x: i32) else 'b()
'a(%x.1: i32):
    conditional %c: bool then 'c(%x.1: i32, %c: bool) else 'dispatch(1: i32, 0: i32)
'b():
    return 1: i32
'c(%y: i32, %d: bool):
    return %y: i32
)");
}

TEST_CASE("a dispatch of three targets asks twice") {
  CHECK(dispatched({"b", "c", "a"}) == R"('entry(%n: i32, %c: bool):
    conditional %c: bool then 'dispatch(2: i32, 0: i32, false: bool, %n: i32) else 'dispatch(0: i32, 0: i32, false: bool, 0: i32)
'dispatch(%target: i32, %y: i32, %d: bool, %x: i32):
    %1.0 = equal %target: i32, 0: i32
    conditional %1.0: bool then 'b() else 'dispatch.1()
'dispatch.1():
    %2.0 = equal %target: i32, 1: i32
    conditional %2.0: bool then 'c(%y: i32, %d: bool) else 'a(%x: i32)
'a(%x.1: i32):
    conditional %c: bool then 'dispatch(1: i32, %x.1: i32, %c: bool, 0: i32) else 'dispatch(0: i32, 0: i32, false: bool, 0: i32)
'b():
    return 1: i32
'c(%y.1: i32, %d.1: bool):
    return %y.1: i32
)");
}
