#include "dlvm/analysis/lasting_memory.h"

#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// Why the value of that name in a body lasts. The body may use the f32 %x, the i32 %i, the bool %c and two
/// functions: @take of a pointer, and @hold of a stack.
std::string why(const std::string& body, std::string_view name = "m") {
  const parsed::Text text(R"(
func @take: (*f32) -> f32 {
'entry(%p: *f32):
    %y = load %p: *f32
    return %y: f32
}
func @hold: (stack) -> f32 {
'entry(%s: stack):
    return 0: f32
}
func @f: (f32, i32, bool) -> f32 {
'entry(%x: f32, %i: i32, %c: bool):
)" + body + "    return %x: f32\n}\n");
  for (const auto& block : text.function().blocks())
    for (const auto& instruction : block->instructions())
      if (instruction->name() == name) return why_it_lasts(*instruction);
  return "no such value";
}

const std::string stack = "    %m = allocateStack f32 count 1\n", made = "    %m = createStack\n";

}  // namespace

TEST_CASE("memory whose address goes nowhere can be values") {
  CHECK(why(stack + "    store %x: f32 to %m: *f32\n    %y = load %m: *f32\n").empty());
  CHECK(why("    %m = allocateHeap f32 count 3: i32\n    store %x: f32 to %m: *f32\n").empty());
  CHECK(why("    %m = negate %x: f32\n").empty());
}

TEST_CASE("values of tensors can be chosen by run-time positions, others cannot") {
  const auto chosen = [](const std::string& type) {
    return why("    %m = allocateStack " + type + " count 2\n    %p = elementPointer %m: *" + type +
               " from %i: i32\n    %y = load %p: *" + type + "\n");
  };
  CHECK(chosen("(f32, i32)").empty());
  CHECK(chosen("(f32, [2 x (i32, <3 x f32>)], i32)").empty());
  CHECK(chosen("(f32, [2 x (i32, *f32)], i32)") ==
        ", where run-time positions choose among values of type *f32,");
}

TEST_CASE("an address that goes elsewhere says where") {
  CHECK(why(stack + "    %y = apply @take(%m: *f32) -> f32\n") == ", whose address is passed to @take,");
  CHECK(why(stack + "    %n = allocateStack *f32 count 1\n    store %m: *f32 to %n: **f32\n") ==
        ", whose address is stored,");
  CHECK(why(stack + "    branch 'next(%m: *f32)\n'next(%p: *f32):\n") ==
        ", whose address a block takes from several others,");
  CHECK(why(stack + "    %pair = literal (%m: *f32, %x: f32)\n") == ", whose address literal takes,");
  const parsed::Text returned("func @f: () -> *f32 {\n'entry():\n" + stack + "    return %m: *f32\n}\n");
  CHECK(why_it_lasts(*returned.function().entry().instructions().front()) == ", whose address is returned,");
}

TEST_CASE("an allocation that is used behind its end lasts") {
  CHECK(why("    %m = allocateHeap f32 count 1: i32\n    deallocate %m: *f32\n    %y = load %m: *f32\n") ==
        ", which something uses when it may have ended,");
}

TEST_CASE("a stack of values of one type that stays in its function can be values") {
  CHECK(why(made +
            "    push %x: f32 to %m: stack\n    %y = pop f32 from %m: stack\n    destroyStack %m: stack\n")
            .empty());
  CHECK(why(made).empty());
}

TEST_CASE("a stack that goes elsewhere, holds stacks, or values of several types says so") {
  CHECK(why(made + "    %y = apply @hold(%m: stack) -> f32\n") == ", which is passed to @hold,");
  CHECK(why(made + "    branch 'next(%m: stack)\n'next(%s: stack):\n") ==
        ", which goes to another block or to the caller,");
  const std::string both = made + "    %n = createStack\n    push %n: stack to %m: stack\n";
  CHECK(why(both) == ", which holds stacks or is held by one,");
  CHECK(why(both, "n") == ", which holds stacks or is held by one,");
  CHECK(why(made + "    push %x: f32 to %m: stack\n    push %i: i32 to %m: stack\n") ==
        ", whose values have several types,");
}
