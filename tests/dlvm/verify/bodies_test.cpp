// Bodies that the text cannot express: each breaks one invariant of dlvm/verify/verify.h.
#include <doctest/doctest.h>

#include "dlvm/ir/builder.h"
#include "dlvm/verify/verify.h"

using namespace dlvm;

namespace {

const Type scalar = Type::scalar(ElementType::f32);
const Type vector = Type::tensor(ElementType::f32, {Extent(3)});

/// `(f32) -> f32`, so far without a body.
Function* declare(Module& module, const char* name) {
  return module.add_function(name, Type::function({scalar}, scalar));
}

std::string messages(const Module& module) {
  Diagnostics diagnostics;
  const bool good = verify(module, diagnostics);
  CHECK(good == diagnostics.all().empty());
  return render(diagnostics);
}

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

std::unique_ptr<Instruction> make(Opcode opcode, Type type, std::vector<Value*> operands,
                                  std::vector<Attribute> attributes = {}) {
  return std::make_unique<Instruction>(opcode, std::move(type), std::move(operands), std::move(attributes));
}

}  // namespace

TEST_CASE("a legal body verifies") {
  Module module("m");
  Function* f = declare(module, "f");
  Builder b(*f->add_entry());
  b.return_(b.negate(f->entry().arguments()[0].get()));
  CHECK(messages(module).empty());
}

TEST_CASE("5: the entry block's arguments are the parameters") {
  Module module("m");
  Function* f = declare(module, "f");
  BasicBlock* block = f->add_block("entry");
  Builder(*block).return_(block->add_argument(vector, "x"));
  const std::string text = messages(module);
  CHECK(says(text, "argument 0 has type <3 x f32>, the function's parameter f32"));
  CHECK(says(text, "returns <3 x f32>, the function f32"));
}

TEST_CASE("7: operands are defined above, in the same function") {
  Module module("m");
  Function *f = declare(module, "f"), *g = declare(module, "g");
  Value* elsewhere = g->add_entry()->arguments()[0].get();
  Builder(g->entry()).return_(elsewhere);
  Builder b(*f->add_entry());
  b.return_(b.negate(elsewhere));
  const std::string text = messages(module);
  CHECK(says(text, "DLVM-E0203: @f 'entry: operand 0 is not defined in the function"));
  CHECK(says(text, "negate %?: f32"));
  f->clear_body();
}

TEST_CASE("7: a use above the definition") {
  Module module("m");
  Function* f = declare(module, "f");
  Builder b(*f->add_entry());
  Value* x = f->entry().arguments()[0].get();
  Instruction* first = as_instruction(b.negate(x));
  Value* second = b.negate(x);
  b.return_(first);
  first->set_operand(0, second);
  CHECK(says(messages(module), "operand 0 is not defined above it"));
}

TEST_CASE("8: the type is what the rule gives; operands and attributes are the table's") {
  Module module("m");
  Function* f = declare(module, "f");
  BasicBlock* block = f->add_entry();
  Value* x = block->arguments()[0].get();
  block->insert(make(Opcode::negate, vector, {x}));
  block->insert(make(Opcode::add, scalar, {x}));
  block->insert(make(Opcode::dataTypeCast, scalar, {x}));
  block->insert(make(Opcode::reverse, scalar, {x}, {Shape{}}));
  Builder(*block).return_(x);
  const std::string text = messages(module);
  CHECK(says(text, "has type <3 x f32>; its operands give f32"));
  CHECK(says(text, "1 operands"));
  CHECK(says(text, "lacks its type"));
  CHECK(says(text, "lacks its axes"));
}

TEST_CASE("9: a literal's data has its type") {
  Module module("m");
  Function* f = declare(module, "f");
  Builder b(*f->add_entry());
  b.negate(f->literal(vector, Tensor(ElementType::f32, {2})));
  b.negate(f->literal(scalar, Tensor(ElementType::i32, {})));
  b.return_(f->entry().arguments()[0].get());
  const std::string text = messages(module);
  CHECK(says(text, "a literal's data has other extents than <3 x f32>"));
  CHECK(says(text, "a literal of type f32 with data of another element type"));
}

TEST_CASE("1 to 4: functions") {
  Module module("m"), other("other");
  declare(module, "f");
  declare(module, "f");
  CHECK(says(messages(module), "another function has the name"));

  Module referring("r");
  Function* g = declare(referring, "g");
  Builder b(*g->add_entry());
  b.return_(b.apply(declare(other, "h"), {g->entry().arguments()[0].get()}));
  CHECK(says(messages(referring), "refers to a function that is not in the module"));

  Module huge("h");
  const Extent large = Extent(std::int64_t{1} << 62) * Extent(4);
  huge.add_function("f", Type::function({Type::tensor(ElementType::f32, {large})}, scalar));
  CHECK(says(messages(huge), "an extent or the size of its type overflows"));
}

TEST_CASE("6: a block ends in its only terminator") {
  Module module("m");
  Function *f = declare(module, "f"), *g = declare(module, "g");
  Builder in_f(*f->add_entry());
  in_f.negate(f->entry().arguments()[0].get());
  Builder in_g(*g->add_entry());
  in_g.return_(g->entry().arguments()[0].get());
  in_g.return_(g->entry().arguments()[0].get());
  const std::string text = messages(module);
  CHECK(says(text, "@f 'entry: the block does not end in a terminator"));
  CHECK(says(text, "@g 'entry: a terminator before the end of the block"));
}

TEST_CASE("7: a value is used below its definition in its block, and in blocks that it dominates") {
  Module module("m");
  Function* f = declare(module, "f");
  BasicBlock *entry = f->add_entry(), *next = f->add_block("next");
  Value* x = entry->arguments()[0].get();
  Builder in_next(*next);
  Value* made = in_next.negate(x);
  Value* above = Builder(*next, as_instruction(made)).negate(made);
  in_next.return_(above);
  Builder(*entry).branch(*next);
  const std::string text = messages(module);
  CHECK(says(text, "@f 'next: operand 0 is not defined above it in the block"));
  Value* early = Builder(*entry, entry->terminator()).negate(made);
  CHECK(says(messages(module),
             "@f 'entry: operand 0 is defined in 'next, which is not on every way to its use"));
  (void)early;
}

TEST_CASE("15: branches pass what their blocks take") {
  Module module("m");
  Function *f = declare(module, "f"), *g = declare(module, "g");
  BasicBlock* elsewhere = g->add_entry();
  Builder(*elsewhere).return_(elsewhere->arguments()[0].get());
  BasicBlock *entry = f->add_entry(), *next = f->add_block("");
  Value* x = entry->arguments()[0].get();
  Builder(*next).return_(next->add_argument(scalar, "y"));
  Instruction* end = Builder(*entry).branch(*next, {x});
  CHECK(messages(module).empty());
  end->add_passed(0, x);
  CHECK(says(messages(module), "DLVM-E0210: @f 'entry: passes 2 values to '1, which takes 1"));
  end->set_successor(0, next, {f->literal(ElementType::i32, 1)});
  CHECK(says(messages(module), "passes i32 to argument 0 of '1, which has type f32"));
  end->set_successor(0, elsewhere, {x});
  CHECK(says(messages(module), "goes to a block that is not in the function"));
  end->set_successor(0, next, {x});
  CHECK(messages(module).empty());
  entry->erase(end);
  entry->insert(make(Opcode::branch, Type(), {}));
  CHECK(says(messages(module), "has 0 successors, not 1"));
}

TEST_CASE("5: no branch goes to the entry block") {
  Module module("m");
  Function* f = declare(module, "f");
  BasicBlock *entry = f->add_entry(), *next = f->add_block("next");
  Builder(*entry).branch(*next, {entry->arguments()[0].get()});
  Builder(*next).branch(*entry, {next->add_argument(scalar, "x")});
  CHECK(says(messages(module), "DLVM-E0202: @f 'entry: a branch of 'next goes to the entry block"));
}

TEST_CASE("7: a block that nothing reaches uses what is read before it") {
  Module module("m");
  Function* f = declare(module, "f");
  BasicBlock *entry = f->add_entry(), *first = f->add_block("first"), *second = f->add_block("second");
  Builder(*entry).return_(entry->arguments()[0].get());
  Builder in_second(*second);
  Value* late = in_second.negate(entry->arguments()[0].get());
  in_second.return_(late);
  Builder(*first).return_(late);
  CHECK(says(messages(module), "@f 'first: operand 0 is defined in 'second, which is not on every way"));
  first->erase(first->terminator());
  Builder(*first).branch(*second);
  CHECK(messages(module).empty());
}

TEST_CASE("15: a block behind a branch that leaves the function is checked as well") {
  Module module("m");
  Function *f = declare(module, "f"), *g = declare(module, "g");
  BasicBlock* elsewhere = g->add_entry();
  Builder(*elsewhere).return_(elsewhere->arguments()[0].get());
  BasicBlock *entry = f->add_entry(), *fork = f->add_block("fork"), *side = f->add_block("side"),
             *last = f->add_block("last");
  Value* x = entry->arguments()[0].get();
  Value* condition = f->literal(ElementType::boolean, 1);
  Builder(*entry).conditional(condition, *elsewhere, {x}, *fork, {});
  Builder(*fork).conditional(condition, *side, {}, *last, {});
  Builder in_side(*side);
  Value* made = in_side.negate(x);
  in_side.branch(*last);
  Builder(*last).return_(made);
  const std::string text = messages(module);
  CHECK(says(text, "goes to a block that is not in the function"));
  CHECK(says(text, "@f 'last: operand 0 is defined in 'side, which is not on every way to its use"));
  entry->erase(entry->terminator());
}
