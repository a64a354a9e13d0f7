// Bodies with declared types that the text cannot express: each breaks one invariant of dlvm/verify/verify.h.
#include <doctest/doctest.h>

#include "dlvm/ir/builder.h"
#include "dlvm/verify/verify.h"

using namespace dlvm;

namespace {

const Type scalar = Type::scalar(ElementType::f32);

std::string messages(const Module& module) {
  Diagnostics diagnostics;
  const bool good = verify(module, diagnostics);
  CHECK(good == diagnostics.all().empty());
  return render(diagnostics);
}

bool says(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// `enum $E { ?some(f32) ?none }`, and a function over it whose cases return the payload or zero.
struct Cases {
  Module module{"m"};
  TypeDeclaration* declaration;
  Function* f;
  BasicBlock *entry, *some, *none;
  Instruction* end;

  Cases() {
    declaration = module.add_type(
        {TypeDeclaration::Kind::enumeration, "E", {{"some", {scalar}}, {"none", {}}}, Type(), {}});
    f = module.add_function("f", Type::function({Type::declared(*declaration)}, scalar));
    entry = f->add_entry();
    some = f->add_block("some");
    none = f->add_block("none");
    Builder(*some).return_(some->add_argument(scalar, "x"));
    Builder(*none).return_(f->literal(ElementType::f32, 0));
    end = entry->insert(std::make_unique<Instruction>(
        Opcode::branchEnum, Type(), std::vector<Value*>{entry->arguments()[0].get()},
        std::vector<Attribute>{Integers{0, 1}}, std::vector<Successor>{{some, 0}, {none, 0}}));
  }
};

}  // namespace

TEST_CASE("16: the cases of an enum go to blocks of their own with their payloads") {
  Cases cases;
  CHECK(messages(cases.module).empty());
  cases.end->set_successor(0, cases.none);
  CHECK(says(messages(cases.module), "goes to 'none, to which something else goes as well"));
  cases.end->set_successor(0, cases.some);
  cases.end->set_attribute(0, Integers{1, 0});
  CHECK(says(messages(cases.module), "the arguments of 'some are not the payload of ?none"));
  cases.end->set_attribute(0, Integers{0, 0});
  CHECK(says(messages(cases.module), "the case ?some is named twice"));
  cases.end->set_attribute(0, Integers{0, 2});
  CHECK(says(messages(cases.module), "no such case in $E"));
  cases.end->set_attribute(0, Integers{0});
  CHECK(says(messages(cases.module), "has 2 successors, not 1"));
  cases.end->set_attribute(0, Integers{0, 1});
  cases.end->add_passed(1, cases.entry->arguments()[0].get());
  CHECK(says(messages(cases.module), "passes values besides the payload"));
}

TEST_CASE("20: declared types and variables have no dimensions of functions") {
  const Type row = Type::tensor(ElementType::f32, {Extent::dimension("N")});
  Module module("m");
  module.add_type({TypeDeclaration::Kind::structure, "S", {{"x", {scalar}}}, Type(), {}});
  CHECK(messages(module).empty());
  module.add_type({TypeDeclaration::Kind::structure, "T", {{"x", {Type::tuple({row})}}}, Type(), {}});
  CHECK(says(messages(module), "$T: the extents of (<N x f32>) are no numbers"));
  Module other("m");
  other.add_global({"g", row, {}});
  CHECK(says(messages(other), "@g: the extents of <N x f32> are no numbers"));
}

TEST_CASE("17: constants have types with such a constant") {
  Module module("m"), other("other");
  Function* f = module.add_function("f", Type::function({}, scalar));
  BasicBlock* entry = f->add_entry();
  Builder b(*entry);
  Instruction* load =
      as_instruction(b.create(Opcode::load, {f->literal(Type::pointer(scalar), Literal::Form::null)}));
  b.return_(load);
  CHECK(messages(module).empty());
  const Global* foreign = other.add_global({"g", scalar, {}});
  load->set_operand(0, f->literal(Type::pointer(scalar), Literal::Form::address, foreign));
  CHECK(says(messages(module), "the address of a variable that is not in the module"));
  const Global* integer = module.add_global({"i", Type::scalar(ElementType::i32), {}});
  load->set_operand(0, f->literal(Type::pointer(scalar), Literal::Form::address, integer));
  CHECK(says(messages(module), "the address of a variable with another type than *f32"));
  load->set_operand(0, f->literal(Type::box(scalar), Literal::Form::undefined));
  CHECK(says(messages(module), "box{f32} is not a pointer"));
  load->set_operand(0, f->literal(Type::pointer(scalar), Literal::Form::zero));
  CHECK(messages(module).empty());
  entry->terminator()->set_operand(0, f->literal(scalar, Literal::Form::null));
  CHECK(says(messages(module), "null is no f32"));
}
