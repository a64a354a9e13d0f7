// Changing bodies: users, places and successors stay right.
#include "dlvm/ir/function.h"

#include "dlvm/ir/builder.h"
#include "dlvm/text/print.h"
#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

struct Body {
  parsed::Text text{R"(
func @f: (f32, bool) -> f32 {
'entry(%x: f32, %c: bool):
    %a = negate %x: f32
    %b = add %a: f32, %a: f32
    conditional %c: bool then 'one(%a: f32, %b: f32) else 'two(%x: f32)
'one(%p: f32, %q: f32):
    %s = add %p: f32, %q: f32
    return %s: f32
'two(%r: f32):
    return %r: f32
}
)"};
  Function& function = text.function();
  BasicBlock &entry = *text.block("entry"), &one = *text.block("one"), &two = *text.block("two");

  Instruction& instruction(std::string_view name) const {
    for (const auto& block : function.blocks())
      for (const auto& instruction : block->instructions())
        if (instruction->name() == name) return *instruction;
    throw std::runtime_error("no such instruction");
  }
  Value* x() const { return entry.arguments()[0].get(); }
  /// The body without its first line and its end.
  std::string written() const {
    const std::string all = print(function);
    const auto begin = all.find("'entry");
    return all.substr(begin, all.rfind('}') - begin);
  }
};

std::string names(std::span<Value* const> values) {
  std::string all;
  for (const Value* value : values) all += value->name() + " ";
  return all;
}

}  // namespace

TEST_CASE("users are there once for each use, and follow it") {
  Body body;
  Instruction &a = body.instruction("a"), &b = body.instruction("b");
  CHECK(a.users().size() == 3);
  b.set_operand(0, body.x());
  CHECK(a.users().size() == 2);
  CHECK(body.x()->users().size() == 3);
  replace_all_uses(a, *body.x());
  CHECK(a.users().empty());
  CHECK(body.x()->users().size() == 5);
  body.entry.erase(&a);
  CHECK(body.x()->users().size() == 4);
  CHECK(body.written() == R"('entry(%x: f32, %c: bool):
    %b = add %x: f32, %x: f32
    conditional %c: bool then 'one(%x: f32, %b: f32) else 'two(%x: f32)
'one(%p: f32, %q: f32):
    %s = add %p: f32, %q: f32
    return %s: f32
'two(%r: f32):
    return %r: f32
)");
}

TEST_CASE("what a terminator passes belongs to its successors in order") {
  Body body;
  Instruction& end = *body.entry.terminator();
  CHECK(names(end.own_operands()) == "c ");
  CHECK(end.first_passed(0) == 1);
  CHECK(end.first_passed(1) == 3);
  CHECK(names(end.passed(0)) == "a b ");
  CHECK(names(end.passed(1)) == "x ");
  end.add_passed(0, body.x());
  CHECK(names(end.passed(0)) == "a b x ");
  CHECK(names(end.passed(1)) == "x ");
  end.remove_passed(0, 1);
  CHECK(names(end.passed(0)) == "a x ");
  CHECK(body.instruction("b").users().empty());
  end.set_successor(1, &body.one, {end.passed(0).begin(), end.passed(0).end()});
  CHECK(names(end.passed(1)) == "a x ");
  CHECK(end.successors()[1].block == &body.one);
  CHECK(names(end.own_operands()) == "c ");
}

TEST_CASE("instructions and blocks are added, moved and taken away where it is said") {
  Body body;
  Instruction &a = body.instruction("a"), &b = body.instruction("b");
  Builder builder(body.entry, &b);
  builder.unary(Opcode::exp, body.x())->set_name("e");
  body.one.take(&body.instruction("e"), &body.instruction("s"));
  CHECK(body.instruction("e").block() == &body.one);
  BasicBlock* made = body.function.add_block("made", &body.entry);
  CHECK(parsed::names(body.function.blocks()) == "entry made one two");
  CHECK(body.function.add_block("last")->name() == "last");
  CHECK(parsed::names(body.function.blocks()) == "entry made one two last");
  made->take_from(body.entry, &b);
  CHECK(body.entry.instructions().size() == 1);
  CHECK(body.entry.terminator() == nullptr);
  CHECK(made->terminator() != nullptr);
  CHECK(b.block() == made);
  body.entry.take(&b);
  CHECK(body.entry.instructions().back().get() == &b);
  CHECK(body.entry.instructions().front().get() == &a);
  CHECK(b.block() == &body.entry);
}

TEST_CASE("arguments that are taken away leave the others their places") {
  Body body;
  body.instruction("s").set_operand(0, body.one.arguments()[1].get());
  body.one.remove_argument(0);
  REQUIRE(body.one.arguments().size() == 1);
  CHECK(body.one.arguments()[0]->name() == "q");
  CHECK(body.one.arguments()[0]->index() == 0);
  CHECK(body.one.add_argument(Type(), "n")->index() == 1);
}

TEST_CASE("blocks that use each other's values go together, and so do whole bodies") {
  Body body;
  Instruction& end = *body.entry.terminator();
  end.set_successor(1, &body.two);
  Builder builder(body.entry, &end);
  builder.branch(body.two, {body.x()});
  body.entry.erase(&end);
  body.function.erase_blocks({&body.one});
  CHECK(parsed::names(body.function.blocks()) == "entry two");
  CHECK(body.instruction("b").users().empty());
  CHECK_FALSE(body.function.is_straight_line());
  Function other("g", body.function.type());
  other.take_body(body.function);
  CHECK(parsed::names(other.blocks()) == "entry two");
  CHECK(&other.entry().function() == &other);
  CHECK_FALSE(body.function.has_body());
  other.clear_body();
  CHECK_FALSE(other.has_body());
  CHECK_FALSE(other.is_straight_line());
}

TEST_CASE("a body of one block that returns is a straight line; one that traps is not") {
  const parsed::Text text(R"(
func @f: (f32) -> f32 {
'entry(%x: f32):
    return %x: f32
}
func @g: (f32) -> f32 {
'entry(%x: f32):
    trap
}
)");
  CHECK(text.function("f").is_straight_line());
  CHECK_FALSE(text.function("g").is_straight_line());
}

TEST_CASE("locations are there once, and the first one is for messages") {
  Body body;
  Instruction& a = body.instruction("a");
  const Source source("a.tel", "");
  const Location first{&source, 1, 2, 3}, second{&source, 1, 2, 4};
  CHECK(a.place().source != &source);
  for (const Location& location : {first, second, first, Location{}}) a.add_location(location);
  CHECK(a.locations() == std::vector{first, second});
  CHECK(a.place() == first);
}

TEST_CASE("literals are the same where type, form and data are") {
  Body body;
  const Type pair = Type::tensor(ElementType::f32, {2});
  const Literal *one = body.function.literal(ElementType::f32, 1),
                *other = body.function.literal(ElementType::f32, 1);
  CHECK(one->is_same_as(*other));
  CHECK_FALSE(one->is_same_as(*body.function.literal(ElementType::f32, 2)));
  CHECK_FALSE(one->is_same_as(*body.function.literal(ElementType::f64, 1)));
  const Literal *zero = body.function.literal(pair, Literal::Form::zero),
                *undefined = body.function.literal(pair, Literal::Form::undefined);
  CHECK(zero->form() == Literal::Form::data);
  CHECK(zero->splat() == 0.0);
  CHECK(undefined->form() == Literal::Form::undefined);
  CHECK_FALSE(zero->is_same_as(*undefined));
  CHECK_FALSE(body.function.literal(pair, Tensor(ElementType::f32, {2}))->splat());
  CHECK_FALSE(body.function.literal(Type(), Literal::Form::zero)->is_splat());
}

TEST_CASE("a requirement is added once, and another of the same extents too") {
  const Extent n = Extent::dimension("N");
  std::vector<Requirement> all;
  const auto add = [&](const Extent& left, Requirement::Relation relation, const Extent& right) {
    Requirement requirement;
    requirement.left = left;
    requirement.relation = relation;
    requirement.right = right;
    return add_requirement(all, requirement);
  };
  using enum Requirement::Relation;
  CHECK(add(n, equal, 3));
  CHECK_FALSE(add(n, equal, 3));
  CHECK(add(3, equal, n));
  CHECK(add(n, at_most, 3));
  CHECK(add(n, equal, 4));
  CHECK(all.size() == 4);
}

TEST_CASE("functions of a module have names of their own") {
  Module module("m");
  const Type type = Type::function({}, Type());
  Function* f = module.add_function("f", type);
  CHECK(module.fresh_name("g") == "g");
  CHECK(module.fresh_name("f") == "f.1");
  Function* second = module.add_function("f.1", type);
  CHECK(module.fresh_name("f") == "f.2");
  CHECK(module.function("f") == f);
  module.erase_functions({f});
  CHECK(module.function("f") == nullptr);
  CHECK(module.function("f.1") == second);
  CHECK(module.functions().size() == 1);
}
