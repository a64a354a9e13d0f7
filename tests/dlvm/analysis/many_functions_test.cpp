// Sizes at which anything that is quadratic takes minutes.
#include <doctest/doctest.h>

#include "dlvm/analysis/dependence.h"
#include "dlvm/analysis/dominators.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"
#include "dlvm/transform/inlining.h"

using namespace dlvm;

namespace {

constexpr std::size_t many = 20'000;
const Type scalar = Type::scalar(ElementType::f32);
const Type unary = Type::function({scalar}, scalar);

Edge all_smooth(const Instruction&, std::size_t) { return Edge::smooth; }

template <typename Body>
Function* define(Module& module, Body body) {
  Function* function = module.add_function(module.fresh_name("f"), unary);
  Builder builder(*function->add_entry());
  builder.return_(body(builder, function->entry().arguments()[0].get()));
  return function;
}

}  // namespace

TEST_CASE("functions are found and named") {
  Module module("m");
  for (std::size_t i = 0; i < many; ++i) module.add_function(module.fresh_name("f"), unary);
  CHECK(module.functions()[0]->name() == "f");
  CHECK(module.functions()[many - 1]->name() == "f.19999");
  for (const auto& function : module.functions()) CHECK(module.function(function->name()) == function.get());
  std::unordered_set<const Function*> removed;
  for (std::size_t i = 1; i < many; ++i) removed.insert(module.functions()[i].get());
  module.erase_functions(removed);
  CHECK(module.functions().size() == 1);
  CHECK(module.function("f") == module.functions()[0].get());
  CHECK(module.function("f.19999") == nullptr);
  CHECK(module.function(module.fresh_name("f")) == nullptr);
}

TEST_CASE("dependence through many calls of one function, and through a long chain of calls") {
  Module module("m");
  std::vector<const Function*> sines;
  for (std::size_t i = 0; i < many; ++i)
    sines.push_back(define(module, [](Builder& b, Value* x) { return b.unary(Opcode::sin, x); }));
  const Function* wide = define(module, [&](Builder& b, Value* x) {
    for (const Function* sine : sines) x = b.apply(sine, {x});
    return x;
  });
  const Function* deep = sines[0];
  for (std::size_t i = 0; i < many; ++i)
    deep = define(module, [&](Builder& b, Value* x) { return b.apply(deep, {x}); });
  Dependence dependence(all_smooth);
  CHECK(dependence.of_result(*wide, 0) == std::vector<Paths>{paths_of(Edge::smooth)});
  CHECK(dependence.of_result(*deep, 0) == std::vector<Paths>{paths_of(Edge::smooth)});
}

TEST_CASE("dependence through functions that call each other") {
  Module module("m");
  Function* ping = module.add_function("ping", Type::function({scalar, scalar}, scalar));
  Function* pong = module.add_function("pong", Type::function({scalar, scalar}, scalar));
  const auto body = [](Function& function, const Function* other, std::size_t kept) {
    Builder b(*function.add_entry());
    Value *x = function.entry().arguments()[0].get(), *y = function.entry().arguments()[1].get();
    b.return_(b.add(b.apply(other, {y, x}), kept == 0 ? x : b.constant(ElementType::f32, 1)));
  };
  body(*ping, pong, 1);
  body(*pong, ping, 0);
  Dependence dependence(all_smooth);
  const Paths smooth = paths_of(Edge::smooth);
  // ping(x, y) = pong(y, x) + 1 and pong(x, y) = ping(y, x) + x: only y of ping, only x of pong.
  CHECK(dependence.of_result(*ping, 0) == std::vector<Paths>{0, smooth});
  CHECK(dependence.of_result(*pong, 0) == std::vector<Paths>{smooth, 0});
}

TEST_CASE("dominators of a long chain of blocks that all go to one") {
  Module module("m");
  Function* function = module.add_function("f", Type::function({Type::scalar(ElementType::boolean)}, scalar));
  BasicBlock* block = function->add_entry();
  Value* condition = block->arguments()[0].get();
  BasicBlock* end = function->add_block("end");
  Builder(*end).return_(function->literal(ElementType::f32, 1));
  for (std::size_t i = 0; i < 10 * many; ++i) {
    BasicBlock* next = function->add_block("");
    Builder(*block).conditional(condition, *next, {}, *end, {});
    block = next;
  }
  Builder(*block).branch(*end);
  const DominatorTree tree{ControlFlow(*function)};
  CHECK(tree.immediate(end) == &function->entry());
  CHECK(tree.dominates(&function->entry(), block));
}

TEST_CASE("blocks are added behind others in a long function, and its calls are inlined") {
  Module module("m");
  const Function* callee = nullptr;
  {
    Function* function = module.add_function("g", unary);
    BasicBlock *entry = function->add_entry(), *end = function->add_block("end");
    Builder(*entry).branch(*end);
    Builder(*end).return_(entry->arguments()[0].get());
    callee = function;
  }
  Function* caller = define(module, [&](Builder& b, Value* x) {
    for (std::size_t i = 0; i < 10 * many; ++i) x = b.apply(callee, {x});
    return x;
  });
  REQUIRE(inlining(module, 100 * many));
  CHECK(caller->blocks().size() == 20 * many + 1);
  CHECK(caller->blocks().back()->terminator()->opcode() == Opcode::return_);
  Function* function = module.add_function("h", unary);
  const BasicBlock* entry = function->add_entry();
  for (std::size_t i = 0; i < 20 * many; ++i) function->add_block(i == 0 ? "first" : "", entry);
  CHECK(function->blocks().back()->name() == "first");
}
