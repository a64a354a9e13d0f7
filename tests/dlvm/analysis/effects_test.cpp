#include "dlvm/analysis/effects.h"

#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// Whether a call of the function with that body may fail. It takes an i32 %i, an i64 %j, a tensor %x of 5
/// elements, a tensor %y of N and a pointer %p, and returns an f32.
bool may_fail(const std::string& body) {
  const parsed::Text text(
      "func @f: (i32, i64, <5 x f32>, <N x f32>, *f32) -> f32 {\n"
      "'entry(%i: i32, %j: i64, %x: <5 x f32>, %y: <N x f32>, %p: *f32):\n" +
      body + "}\n");
  const bool fails = Effects(text.module()).may_fail(text.function());
  return fails;
}

/// A body that gathers from %x at %k, which these instructions make.
std::string gathered(const std::string& index) {
  return index + "    %y0 = gather %x: <5 x f32> at %k: i32 along 0\n    return %y0: f32\n";
}

}  // namespace

TEST_CASE("an index that was checked to be inside cannot fail; the check itself may") {
  const parsed::Text text(R"(
func @f: (i32, <5 x f32>) -> f32 {
'entry(%i: i32, %x: <5 x f32>):
    %inside = checkIndex %i: i32 from 0 upto 5
    %a = gather %x: <5 x f32> at %inside: i32 along 0
    %wide = checkIndex %i: i32 from 0 upto 6
    %b = gather %x: <5 x f32> at %wide: i32 along 0
    %from = checkIndex %i: i32 from 1 upto 5
    %c = gather %x: <5 x f32> at %from: i32 along 0
    %d = gather %x: <5 x f32> at %i: i32 along 0
    %either = checkIndex %i: i32 from -5 upto 5
    %negative = lessThan %either: i32, 0: i32
    %moved = add %either: i32, 5: i32
    %k = select %moved: i32, %either: i32 by %negative: bool
    %e = gather %x: <5 x f32> at %k: i32 along 0
    %moved4 = add %either: i32, 4: i32
    %l = select %moved4: i32, %either: i32 by %negative: bool
    %g = gather %x: <5 x f32> at %l: i32 along 0
    %below1 = lessThan %either: i32, 1: i32
    %m = select %moved: i32, %either: i32 by %below1: bool
    %h = gather %x: <5 x f32> at %m: i32 along 0
    %turned = select %either: i32, %moved: i32 by %negative: bool
    %o = gather %x: <5 x f32> at %turned: i32 along 0
    return %a: f32
}
)");
  const Effects effects(text.module());
  std::string safe, unsafe;
  for (const auto& instruction : text.function().entry().instructions())
    (effects.may_fail(*instruction) ? unsafe : safe) += instruction->name() + " ";
  CHECK(safe == "a negative moved k e moved4 l below1 m turned  ");
  CHECK(unsafe == "inside wide b from c d either g h o ");
}

TEST_CASE("a function may fail by an index, by a loop without a bound, by a trap and by memory") {
  const std::string done = "    return 0: f32\n";
  CHECK_FALSE(may_fail(done));
  CHECK(may_fail(gathered("    %k = add %i: i32, 0: i32\n")));
  CHECK(may_fail("    %v = load %p: *f32\n" + done));
  const auto loop = [&](const std::string& test, const std::string& step) {
    return "    %n = extent N: i32\n    branch 'loop(0: i32)\n'loop(%k: i32):\n    %more = " + test +
           "\n    %next = add %k: i32, " + step +
           ": i32\n    conditional %more: bool then 'loop(%next: i32) else 'end()\n'end():\n" + done;
  };
  CHECK_FALSE(may_fail(loop("lessThan %k: i32, %n: i32", "1")));
  CHECK(may_fail(loop("lessThan %k: i32, %n: i32", "0")));
  CHECK(may_fail(loop("notEqual %k: i32, %i: i32", "2")));
  CHECK(may_fail(R"(    %c = lessThan %i: i32, 0: i32
    conditional %c: bool then 'a() else 'b()
'a():
    branch 'b()
'b():
    conditional %c: bool then 'a() else 'end()
'end():
)" + done));
}

TEST_CASE("a function with a requirement may fail, and so may those that call it") {
  const parsed::Text text(R"(
require N == 3 "three"
func @three: (<N x f32>) -> <N x f32> {
'entry(%x: <N x f32>):
    return %x: <N x f32>
}
func @calls: (<3 x f32>) -> <3 x f32> {
'entry(%x: <3 x f32>):
    %y = apply @three(%x: <3 x f32>) -> <3 x f32>
    return %y: <3 x f32>
}
func @other: (<3 x f32>) -> <3 x f32> {
'entry(%x: <3 x f32>):
    return %x: <3 x f32>
}
)");
  const Effects effects(text.module());
  CHECK(effects.may_fail(text.function("three")));
  CHECK(effects.may_fail(text.function("calls")));
  CHECK_FALSE(effects.may_fail(text.function("other")));
}

TEST_CASE(
    "calls that are given state, or give any, keep their places; others touch memory where they do so "
    "inside") {
  const parsed::Text text(R"(
struct $Holder { #p: *f32 }
func @plain: (f32) -> f32 {
'entry(%x: f32):
    return %x: f32
}
func @inside: (f32) -> f32 {
'entry(%x: f32):
    %p = allocateStack f32 count 1
    store %x: f32 to %p: *f32
    %y = load %p: *f32
    return %y: f32
}
func @around: (f32) -> f32 {
'entry(%x: f32):
    %y = apply @inside(%x: f32) -> f32
    return %y: f32
}
func @takes: ((f32, $Holder)) -> f32 {
'entry(%h: (f32, $Holder)):
    return 0: f32
}
func @f: (f32, (f32, $Holder)) -> f32 {
'entry(%x: f32, %h: (f32, $Holder)):
    %a = apply @plain(%x: f32) -> f32
    %b = apply @inside(%x: f32) -> f32
    %c = apply @around(%x: f32) -> f32
    %d = apply @takes(%h: (f32, $Holder)) -> f32
    %e = negate %x: f32
    return %a: f32
}
)");
  const MemoryEffects memory(text.module());
  std::string effect, touching;
  for (const auto& instruction : text.function().entry().instructions()) {
    if (has_effect(*instruction)) effect += instruction->name() + " ";
    if (memory.touches(*instruction)) touching += instruction->name() + " ";
  }
  CHECK(effect == "d ");
  CHECK(touching == "b c d ");
}

TEST_CASE("functions that call each other touch memory together, whichever is asked about first") {
  const parsed::Text text(R"(
var @count: f32
func @even: (bool) -> f32 {
'entry(%more: bool):
    conditional %more: bool then 'go() else 'stop()
'go():
    %y = apply @odd(%more: bool) -> f32
    return %y: f32
'stop():
    %c = load @count: *f32
    return %c: f32
}
func @odd: (bool) -> f32 {
'entry(%more: bool):
    %y = apply @even(%more: bool) -> f32
    return %y: f32
}
func @f: (bool) -> f32 {
'entry(%x: bool):
    %a = apply @even(%x: bool) -> f32
    %b = apply @odd(%x: bool) -> f32
    %c = apply @even(%x: bool) -> f32
    return %a: f32
}
)");
  const MemoryEffects memory(text.module());
  for (const auto& instruction : text.function().entry().instructions())
    CHECK(memory.touches(*instruction) == (instruction->opcode() == Opcode::apply));
}

TEST_CASE("a function that combines elements has its effects wherever it is used") {
  const parsed::Text text(R"(
var @count: f32
func @counts: (f32, f32) -> f32 {
'entry(%x: f32, %y: f32):
    store %x: f32 to @count: *f32
    return %y: f32
}
func @traps: (f32, f32) -> f32 {
'entry(%x: f32, %y: f32):
    trap
}
func @last: (f32, f32) -> f32 {
'entry(%x: f32, %y: f32):
    return %y: f32
}
func @f: (<3 x f32>) -> f32 {
'entry(%x: <3 x f32>):
    %a = reduce %x: <3 x f32> by @counts init 0: f32 along 0
    %b = reduce %x: <3 x f32> by @traps init 0: f32 along 0
    %c = scan %x: <3 x f32> by @traps along 0
    %d = reduce %x: <3 x f32> by @last init 0: f32 along 0
    %e = reduce %x: <3 x f32> by add init 0: f32 along 0
    %g = reduce %x: <3 x f32> by @calls init 0: f32 along 0
    return %a: f32
}
func @calls: (f32, f32) -> f32 {
'entry(%x: f32, %y: f32):
    %z = apply @last(%x: f32, %y: f32) -> f32
    return %z: f32
}
)");
  const Effects effects(text.module()), without_module;
  const MemoryEffects memory(text.module());
  std::string failing, touching, failing_alone;
  for (const auto& instruction : text.function().entry().instructions()) {
    if (instruction->is(Trait::terminator)) break;
    if (effects.may_fail(*instruction)) failing += instruction->name() + " ";
    if (without_module.may_fail(*instruction)) failing_alone += instruction->name() + " ";
    if (memory.touches(*instruction)) touching += instruction->name() + " ";
  }
  CHECK(failing == "a b c ");
  CHECK(failing_alone == "a b c g ");
  CHECK(touching == "a ");
}
