#include "tests/fuzz/control_flow.h"

#include <algorithm>

#include "dlvm/analysis/control_flow.h"
#include "dlvm/ir/builder.h"
#include "tests/fuzz/draw.h"

namespace fuzz {
namespace {

using namespace dlvm;

const Extent n = Extent::dimension("N");
const Type integer = Type::scalar(ElementType::i32);
const Type condition = Type::scalar(ElementType::boolean);
constexpr std::size_t type_count = 4;
enum Kind : std::size_t { reals, vectors, integers, conditions };

/// The values that may be used at a place, by type; there is always one of each.
struct Scope {
  std::vector<Value*> values[type_count];
};

class Generator : Draw {
 public:
  Generator(std::uint64_t seed, ElementType element, bool declared)
      : Draw(seed), element_(element), vector_(Type::tensor(element, {n})), declared_(declared) {}

  ControlFlowCase make() {
    ControlFlowCase made{std::make_unique<Module>("fuzz"), {}};
    made.module->stage = Module::Stage::canonical;
    const std::vector<Type> parameters = all_types_;
    const Type type = Type::function(parameters, Type::tuple(parameters));
    if (declared_) declare_types(*made.module);
    for (const char* name : {"f", "g", "h", "k"}) functions_.push_back(made.module->add_function(name, type));
    // `f` calls all others, `g` and `h` call each other with less fuel, `k` calls nobody.
    for (std::size_t i = functions_.size(); i-- > 0;) fill(i);
    if (one_in(2)) make_entry(*made.module);
    for (int run = 0; run < 3; ++run) made.inputs.push_back(inputs());
    return made;
  }

 private:
  std::vector<RuntimeValue> inputs() {
    constexpr double numbers[]{0, -0.0, 1, -1, 0.5, 2, 3.25, -7};
    return draw_inputs(element_, [&] { return pick(numbers); }, -2);
  }

  /// Only `f` is called from outside then, so that passes may change the types of the others.
  static void make_entry(Module& module) {
    EntryPoint entry{EntryKind::forward, "f", "f", {}, {}, "", {}};
    for (std::size_t t = 0; t < type_count; ++t) {
      entry.arguments.push_back({ArgumentRole::input, "x" + std::to_string(t), ""});
      entry.results.push_back({ResultRole::output, "y" + std::to_string(t), ""});
    }
    module.entries.push_back(std::move(entry));
  }

  void fill(std::size_t number) {
    function_ = functions_[number];
    number_ = number;
    budget_ = 14;
    calls_ = 0;
    loops_ = 0;
    Scope scope;
    BasicBlock* entry = function_->add_entry({"x", "row", "i", "c"});
    for (std::size_t t = 0; t < type_count; ++t) scope.values[t].push_back(entry->arguments()[t].get());
    block_ = entry;
    if (number == 1 || number == 2) return_without_fuel(scope);
    pointers_.clear();
    if (declared_ && one_in(2)) allocate();
    statements(scope, 0);
    give(scope);
    if (one_in(4)) add_unreachable();
  }

  Builder builder() { return Builder(*block_); }
  BasicBlock* fresh() { return function_->add_block(one_in(3) ? "" : "b"); }

  // ------------------------------------------------------------------------------------------- values

  Value* constant(std::size_t type) {
    Builder b = builder();
    switch (type) {
      case reals:
        return b.constant(element_, static_cast<double>(below(5)) - 1.5);
      case vectors:
        return b.splat(vector_, static_cast<double>(below(3)));
      case integers:
        return b.constant(ElementType::i32, static_cast<double>(below(5)) - 1);
      default:
        return b.constant(ElementType::boolean, static_cast<double>(below(2)));
    }
  }

  Value* any(const Scope& scope, std::size_t type) {
    if (one_in(6)) return constant(type);
    const auto& values = scope.values[type];
    return values[std::max(below(values.size()), below(values.size()))];
  }

  std::vector<Value*> one_of_each(const Scope& scope) {
    std::vector<Value*> all;
    for (std::size_t t = 0; t < type_count; ++t) all.push_back(any(scope, t));
    return all;
  }

  void give(const Scope& scope) {
    if (number_ != 0 && one_in(25)) {
      builder().trap();
      return;
    }
    Value* result = builder().tuple(one_of_each(scope));
    builder().return_(result);
  }

  void operation(Scope& scope) {
    Builder b = builder();
    constexpr Opcode floating[]{Opcode::add, Opcode::multiply, Opcode::max, Opcode::subtract};
    constexpr Opcode comparisons[]{Opcode::lessThan, Opcode::equal, Opcode::greaterThanOrEqual};
    const auto push = [&](std::size_t type, Value* value) { scope.values[type].push_back(value); };
    switch (below(13)) {
      case 0:
        return push(reals, b.binary(floating[below(4)], any(scope, reals), any(scope, reals)));
      case 1:
        return push(vectors, b.binary(floating[below(4)], any(scope, vectors), any(scope, vectors)));
      case 2:
        return push(integers, b.binary(floating[below(4)], any(scope, integers), any(scope, integers)));
      case 3:
        return push(conditions, b.binary(comparisons[below(3)], any(scope, reals), any(scope, reals)));
      case 4:
        return push(conditions, b.binary(comparisons[below(3)], any(scope, integers), any(scope, integers)));
      case 5:
        return push(conditions, b.unary(Opcode::not_, any(scope, conditions)));
      case 6:
        return push(reals, b.sum(any(scope, vectors), {0}));
      case 7:
        return push(vectors, b.broadcast(any(scope, reals), {n}));
      case 8:
        return push(reals, b.select(any(scope, reals), any(scope, reals), any(scope, conditions)));
      case 9:
        return push(reals, b.cast(any(scope, integers), element_));
      case 10:
        return push(integers, b.extent(n, ElementType::i32));
      case 11:
        return push(vectors, updated(scope));
      default:
        return push(reals, element(scope));
    }
  }

  /// A row with one element combined with a number.
  Value* updated(const Scope& scope) {
    Builder b = builder();
    Value* index = any(scope, integers);
    if (!one_in(4)) index = b.binary(Opcode::modulo, index, b.constant(ElementType::i32, 3));
    const Combinator by{one_in(2) ? Opcode::add : Opcode::max, nullptr};
    return b.scatter(any(scope, reals), any(scope, vectors), {index}, by, {0});
  }

  /// An element of a row, at an index that is checked, or known to be inside, or neither.
  Value* element(const Scope& scope) {
    Builder b = builder();
    Value* index = any(scope, integers);
    if (!one_in(4)) index = b.binary(Opcode::modulo, index, b.constant(ElementType::i32, 3));
    if (!one_in(3)) index = b.check_index(index, 0, n);
    return b.gather(any(scope, vectors), {index}, {0});
  }

  // ----------------------------------------------------------------------------------------- statements

  void statements(Scope& scope, int depth) {
    for (std::size_t count = 1 + below(3); count > 0 && block_ != nullptr; --count) statement(scope, depth);
  }

  void statement(Scope& scope, int depth) {
    if (--budget_ < 0 || depth > 3) return operation(scope);
    if (declared_ && one_in(4)) return declared(scope, depth);
    switch (below(10)) {
      case 0:
      case 1:
        return choice(scope, depth);
      case 9:
        return stack(scope);
      case 2:
        return loop(scope, depth);
      case 3:
        return cycle(scope);
      case 4:
        return call(scope);
      default:
        return operation(scope);
    }
  }

  /// A block with arguments of a few types, whose values join the scope.
  struct Join {
    BasicBlock* block;
    std::vector<std::size_t> types;
  };
  Join join() {
    Join made{fresh(), {}};
    for (std::size_t count = below(3); count > 0; --count) {
      made.types.push_back(below(type_count));
      made.block->add_argument(all_types_[made.types.back()], "");
    }
    return made;
  }
  std::vector<Value*> values_for(const Join& join, const Scope& scope) {
    std::vector<Value*> all;
    for (const std::size_t type : join.types) all.push_back(any(scope, type));
    return all;
  }
  void enter(const Join& join, Scope& scope) {
    block_ = join.block;
    for (std::size_t i = 0; i < join.types.size(); ++i)
      scope.values[join.types[i]].push_back(join.block->arguments()[i].get());
  }

  /// The statements of one side, in a scope of their own; then it meets the other, or returns.
  void side(BasicBlock* block, const Join& join, Scope scope, int depth) {
    block_ = block;
    if (!one_in(3)) statements(scope, depth + 1);
    if (one_in(8))
      give(scope);
    else
      builder().branch(*join.block, values_for(join, scope));
  }

  void choice(Scope& scope, int depth) {
    const Join end = join();
    Value* chosen = any(scope, conditions);
    BasicBlock* from = block_;
    const bool left_direct = one_in(4), right_direct = one_in(3);
    BasicBlock* left = left_direct ? end.block : fresh();
    BasicBlock* right = right_direct ? end.block : fresh();
    const std::vector<Value*> none;
    const auto left_values = left_direct ? values_for(end, scope) : none;
    const auto right_values = right_direct ? values_for(end, scope) : none;
    Builder(*from).conditional(chosen, *left, left_values, *right, right_values);
    if (!left_direct) side(left, end, scope, depth);
    if (!right_direct) side(right, end, scope, depth);
    enter(end, scope);
  }

  // ------------------------------------------------------------------- declared types, enums and memory

  /// `$S` holds one of each type and an array; `$E` has cases with and without a payload; `$L` is a list.
  void declare_types(Module& module) {
    using Kind = TypeDeclaration::Kind;
    structure_ =
        module.add_type({Kind::structure,
                         "S",
                         {{"x", {all_types_[reals]}}, {"c", {condition}}, {"all", {Type::array(2, integer)}}},
                         {},
                         {}});
    choice_ = module.add_type(
        {Kind::enumeration,
         "E",
         {{"a", {all_types_[reals], integer}}, {"b", {}}, {"c", {Type::tensor(element_, {Extent(3)})}}},
         {},
         {}});
    list_ = module.add_type({Kind::enumeration, "L", {{"nil", {}}, {"cons", {}}}, {}, {}});
    list_->members[1].types = {all_types_[reals], Type::declared(*list_)};
    global_ = module.add_global({"shared", all_types_[reals], {}});
  }

  void declared(Scope& scope, int depth) {
    if (one_in(3)) return aggregate(scope);
    return pointers_.empty() || one_in(2) ? match(scope, depth) : access(scope);
  }

  /// Makes a struct, replaces components of it, and takes one out.
  void aggregate(Scope& scope) {
    Builder b = builder();
    const Type type = Type::declared(*structure_);
    Value* array = b.aggregate(Type::array(2, integer), {any(scope, integers), any(scope, integers)});
    Value* made = one_in(4) ? b.function().literal(type, Literal::Form::zero)
                            : b.aggregate(type, {any(scope, reals), any(scope, conditions), array});
    if (one_in(2)) made = b.create(Opcode::insert, {any(scope, reals), made}, {Integers{0}});
    if (one_in(3)) made = passed_on(made);
    b = builder();
    scope.values[reals].push_back(b.extract(made, 0));
    scope.values[conditions].push_back(b.extract(made, 1));
    scope.values[integers].push_back(b.extract(b.extract(made, 2), static_cast<std::int64_t>(below(2))));
  }

  /// The value as the argument of a block behind this one.
  Value* passed_on(Value* value) {
    BasicBlock* next = fresh();
    builder().branch(*next, {value});
    block_ = next;
    return next->add_argument(value->type(), "");
  }

  Value* enumerator(Scope& scope) {
    Builder b = builder();
    const auto at = static_cast<std::int64_t>(below(3));
    std::vector<Value*> payload;
    if (at == 0) payload = {any(scope, reals), any(scope, integers)};
    if (at == 2) payload = {b.splat(Type::tensor(element_, {Extent(3)}), static_cast<double>(below(3)))};
    return b.create(Opcode::literal, std::move(payload), {Type::declared(*choice_), Integers{at}});
  }

  /// Goes the way of an enum's case, and of the first two cells of a list.
  void match(Scope& scope, int depth) {
    if (one_in(3)) return match_list(scope);
    const Join end = join();
    Value* made = enumerator(scope);
    if (one_in(2)) made = passed_on(made);
    BasicBlock* from = block_;
    std::vector<Successor> successors;
    std::vector<Scope> scopes;
    for (const auto& member : choice_->members) {
      successors.push_back({fresh(), 0});
      scopes.push_back(scope);
      for (const Type& type : member.types) {
        Argument* argument = successors.back().block->add_argument(type, "");
        for (std::size_t t = 0; t < type_count; ++t)
          if (type == all_types_[t]) scopes.back().values[t].push_back(argument);
      }
    }
    from->insert(std::make_unique<Instruction>(Opcode::branchEnum, Type(), std::vector<Value*>{made},
                                               std::vector<Attribute>{Integers{0, 1, 2}}, successors));
    for (std::size_t i = 0; i < successors.size(); ++i) side(successors[i].block, end, scopes[i], depth);
    enter(end, scope);
  }

  void match_list(Scope& scope) {
    const Type type = Type::declared(*list_);
    Value* list = builder().create(Opcode::literal, {}, {type, Integers{0}});
    for (std::size_t count = below(3); count > 0; --count)
      list = builder().create(Opcode::literal, {any(scope, reals), list}, {type, Integers{1}});
    if (one_in(2)) list = passed_on(list);
    BasicBlock *nil = fresh(), *cons = fresh(), *end = fresh();
    Argument* x = cons->add_argument(all_types_[reals], "");
    cons->add_argument(type, "");
    Argument* result = end->add_argument(all_types_[reals], "");
    block_->insert(std::make_unique<Instruction>(Opcode::branchEnum, Type(), std::vector<Value*>{list},
                                                 std::vector<Attribute>{Integers{1, 0}},
                                                 std::vector<Successor>{{cons, 0}, {nil, 0}}));
    Builder(*cons).branch(*end, {x});
    Builder(*nil).branch(*end, {any(scope, reals)});
    block_ = end;
    scope.values[reals].push_back(result);
  }

  /// Pointers to one real each: of the stack, the heap, a box, a struct, and the variable of the module.
  void allocate() {
    Builder b = builder();
    pointers_.push_back(b.create(Opcode::allocateStack, {}, {all_types_[reals], Shape{1}}));
    if (one_in(2))
      pointers_.push_back(
          b.create(Opcode::allocateHeap, {b.constant(ElementType::i32, 1)}, {all_types_[reals]}));
    if (one_in(2))
      pointers_.push_back(
          b.create(Opcode::projectBox, {b.create(Opcode::allocateBox, {}, {all_types_[reals]})}));
    if (one_in(2)) {
      Value* whole = b.create(Opcode::allocateStack, {}, {Type::declared(*structure_), Shape{1}});
      pointers_.push_back(b.create(Opcode::elementPointer, {whole}, {Integers{0}}));
    }
    if (one_in(4))
      pointers_.push_back(
          b.function().literal(Type::pointer(all_types_[reals]), Literal::Form::address, global_));
  }

  void access(Scope& scope) {
    Builder b = builder();
    Value* pointer = pointers_[below(pointers_.size())];
    if (one_in(2))
      b.create(Opcode::store, {any(scope, reals), pointer});
    else
      scope.values[reals].push_back(b.create(Opcode::load, {pointer}));
  }

  /// `counter` from 0; the loop ends when it reaches a bound of at most 3, or in its middle.
  void loop(Scope& scope, int depth) {
    Builder b = builder();
    const auto number = [&](double value) { return b.constant(ElementType::i32, value); };
    Value* bound =
        one_in(2) ? number(one_in(2) ? 2 : 3) : b.binary(Opcode::modulo, any(scope, integers), number(4));
    Join head = join();
    Argument* counter = head.block->add_argument(integer, "counter");
    const Join end = join();
    const auto enter_head = [&](BasicBlock* from, const Scope& values, Value* count) {
      auto passed = values_for(head, values);
      passed.push_back(count);
      Builder(*from).branch(*head.block, passed);
    };
    enter_head(block_, scope, b.constant(ElementType::i32, 0));
    Scope inside = scope;
    enter(head, inside);
    ++loops_;
    const bool tested_first = !one_in(3);
    const auto test = [&](BasicBlock* next, Value* count) {
      Value* more = builder().binary(Opcode::lessThan, count, bound);
      builder().conditional(more, *next, {}, *end.block, values_for(end, inside));
    };
    if (tested_first) {
      BasicBlock* body = fresh();
      test(body, counter);
      block_ = body;
    }
    statements(inside, depth + 1);
    if (one_in(3)) {  // an exit in the middle
      BasicBlock* next = fresh();
      builder().conditional(any(inside, conditions), *end.block, values_for(end, inside), *next, {});
      block_ = next;
      statements(inside, depth + 1);
    }
    Value* count = builder().add(counter, builder().constant(ElementType::i32, 1));
    if (!tested_first) {
      BasicBlock* latch = fresh();
      test(latch, count);
      block_ = latch;
    }
    enter_head(block_, inside, count);
    --loops_;
    enter(end, scope);
  }

  /// A loop pushes at most 3 values of one type to a stack, which may be too small, and another takes them
  /// off.
  void stack(Scope& scope) {
    Builder here = builder();
    const std::size_t kind = below(type_count);
    const bool is_pair = one_in(3);
    Value* stack = here.create_stack(one_in(5) ? Extent(2) : one_in(2) ? n + Extent(1) : Extent(3));
    Value* bound = here.binary(Opcode::modulo, any(scope, integers), here.constant(ElementType::i32, 4));
    BasicBlock *head = fresh(), *body = fresh(), *back = fresh(), *take = fresh(), *end = fresh();
    Argument* count = head->add_argument(integer, "count");
    Argument *left = back->add_argument(integer, "left"), *sum = back->add_argument(all_types_[kind], "sum");
    here.branch(*head, {here.constant(ElementType::i32, 0)});
    Builder in_head(*head), in_body(*body), in_back(*back), in_take(*take);
    const auto next = [](Builder& b, Value* value, double step) {
      return b.add(value, b.constant(ElementType::i32, step));
    };
    Value* more = in_head.binary(Opcode::lessThan, count, bound);
    in_head.conditional(more, *body, {}, *back, {count, any(scope, kind)});
    Value* pushed = kind == integers ? count : any(scope, kind);
    in_body.push(is_pair ? in_body.tuple({pushed, count}) : pushed, stack);
    in_body.branch(*head, {next(in_body, count, 1)});
    in_back.conditional(in_back.binary(Opcode::greaterThan, left, in_back.constant(ElementType::i32, 0)),
                        *take, {}, *end, {});
    const Type type = is_pair ? Type::tuple({all_types_[kind], integer}) : all_types_[kind];
    if (one_in(3)) in_take.peek(type, stack);
    Value* taken = in_take.pop(type, stack);
    if (is_pair) taken = in_take.extract(taken, 0);
    Value* both = in_take.binary(kind == conditions ? Opcode::and_ : Opcode::add, taken, sum);
    in_take.branch(*back, {next(in_take, left, -1), both});
    block_ = end;
    if (one_in(2)) builder().create(Opcode::destroyStack, {stack});
    scope.values[kind].push_back(sum);
  }

  /// Two blocks that go to each other, both of which can be entered: no natural loop.
  void cycle(Scope& scope) {
    BasicBlock *a = fresh(), *b = fresh(), *end = fresh();
    for (BasicBlock* block : {a, b}) {
      block->add_argument(integer, "fuel");
      block->add_argument(all_types_[reals], "x");
    }
    Argument* result = end->add_argument(all_types_[reals], "");
    Builder here = builder();
    Value* fuel = here.constant(ElementType::i32, static_cast<double>(below(5)));
    Value *left = any(scope, reals), *right = any(scope, reals);
    here.conditional(any(scope, conditions), *a, {fuel, left}, *b, {fuel, right});
    for (BasicBlock* block : {a, b}) {
      BasicBlock* other = block == a ? b : a;
      Builder in(*block);
      Value *left_over = block->arguments()[0].get(), *x = block->arguments()[1].get();
      Value* next = in.binary(block == a ? Opcode::add : Opcode::multiply, x, any(scope, reals));
      Value* less = in.subtract(left_over, in.constant(ElementType::i32, 1));
      Value* more = in.binary(Opcode::greaterThan, left_over, in.constant(ElementType::i32, 0));
      in.conditional(more, *other, {less, next}, *end, {next});
    }
    block_ = end;
    scope.values[reals].push_back(result);
  }

  void return_without_fuel(const Scope& scope) {
    BasicBlock *base = fresh(), *rest = fresh();
    Builder b = builder();
    Value* more = b.binary(Opcode::greaterThan, function_->entry().arguments()[integers].get(),
                           b.constant(ElementType::i32, 0));
    b.conditional(more, *rest, {}, *base, {});
    block_ = base;
    Value* result = builder().tuple(one_of_each(scope));
    builder().return_(result);
    block_ = rest;
  }

  void call(Scope& scope) {
    const bool recursive = number_ == 1 || number_ == 2;
    // Calls with fuel only outside of loops and few of them, so that the number of calls stays small.
    const bool with_fuel = number_ != 3 && loops_ == 0 && calls_ < 2 && !one_in(3);
    if (number_ == 3) return operation(scope);
    Builder b = builder();
    std::vector<Value*> arguments = one_of_each(scope);
    const Function* callee = functions_[3];
    if (with_fuel) {
      ++calls_;
      callee = functions_[1 + below(2)];
      arguments[integers] =
          recursive
              ? b.subtract(function_->entry().arguments()[integers].get(), b.constant(ElementType::i32, 1))
              : b.binary(Opcode::modulo, arguments[integers], b.constant(ElementType::i32, 4));
    }
    Value* result = b.apply(callee, arguments);
    for (std::size_t t = 0; t < type_count; ++t)
      if (!one_in(3)) scope.values[t].push_back(b.extract(result, static_cast<std::int64_t>(t)));
  }

  /// A block that nothing goes to, which goes to one that is reachable.
  void add_unreachable() {
    BasicBlock* to = function_->blocks().back().get();
    const ControlFlow flow(*function_);
    if (to == &function_->entry() || !flow.is_reachable(to)) return;
    if (flow.predecessors(to).front().terminator->supplies_arguments()) return;
    for (const auto& argument : to->arguments())
      if (std::find(all_types_.begin(), all_types_.end(), argument->type()) == all_types_.end()) return;
    block_ = fresh();
    std::vector<Value*> passed;
    for (const auto& argument : to->arguments())
      for (std::size_t t = 0; t < type_count; ++t)
        if (argument->type() == all_types_[t]) passed.push_back(constant(t));
    builder().branch(*to, passed);
  }

  const ElementType element_;
  const Type vector_;
  const std::vector<Type> all_types_{Type::scalar(element_), vector_, integer, condition};
  std::vector<Function*> functions_;
  Function* function_ = nullptr;
  BasicBlock* block_ = nullptr;
  std::vector<Value*> pointers_;  ///< of the function; what they point to lives as long as its call
  TypeDeclaration *structure_ = nullptr, *choice_ = nullptr, *list_ = nullptr;
  const Global* global_ = nullptr;
  const bool declared_;
  std::size_t number_ = 0;
  int budget_ = 0, calls_ = 0, loops_ = 0;
};

}  // namespace

ControlFlowCase random_control_flow(std::uint64_t seed, ElementType element) {
  return Generator(seed, element, false).make();
}
ControlFlowCase random_declared_types(std::uint64_t seed) {
  return Generator(seed, ElementType::f32, true).make();
}

}  // namespace fuzz
