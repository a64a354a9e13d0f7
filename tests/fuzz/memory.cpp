#include "tests/fuzz/memory.h"

#include <algorithm>

#include "dlvm/ir/builder.h"
#include "tests/fuzz/draw.h"

namespace fuzz {
namespace {

using namespace dlvm;

constexpr std::int64_t list_count = 3;

/// Kinds of values. `to_list` is the address of the first of three numbers, `to_slot` that of an address, and
/// `to_heap` that of a value that can be deallocated.
enum Kind : std::size_t {
  reals,
  vectors,
  integers,
  conditions,
  to_real,
  to_vector,
  to_pair,
  to_slot,
  to_list,
  to_heap,
  boxes,
  kind_count
};

/// The values that may be used at a place, by kind; there is always one of each.
struct Scope {
  std::vector<Value*> values[kind_count];
};

class Generator : Draw {
 public:
  Generator(std::uint64_t seed, bool is_faulty) : Draw(seed), is_faulty_(is_faulty) {}

  ControlFlowCase make() {
    ControlFlowCase made{std::make_unique<Module>("memory"), {}};
    Module& module = *made.module;
    module.stage = Module::Stage::canonical;
    pair_ = module.add_type(
        {TypeDeclaration::Kind::structure, "P", {{"x", {real}}, {"v", {vector}}, {"n", {integer}}}, {}, {}});
    heap_ =
        module.add_type({TypeDeclaration::Kind::structure, "H", {{"x", {real}}, {"v", {vector}}}, {}, {}});
    global_ = module.add_global({"shared", real, {}});
    Function* f = module.add_function(
        "f", Type::function({real, vector, integer, condition}, Type::tuple({real, vector})));
    if (one_in(2))
      swap_ =
          module.add_function("g", Type::function({Type::pointer(real), Type::pointer(real), integer}, real));
    if (swap_ != nullptr) fill_swap();
    fill(*f);
    for (int run = 0; run < 3; ++run) made.inputs.push_back(inputs());
    return made;
  }

 private:
  std::vector<RuntimeValue> inputs() {
    return draw_inputs(ElementType::f64, [&] { return static_cast<double>(below(40)) / 16 - 1; }, 0);
  }

  Type type_of(std::size_t kind) const {
    const Type types[]{real,
                       vector,
                       integer,
                       condition,
                       Type::pointer(real),
                       Type::pointer(vector),
                       Type::pointer(Type::declared(*pair_)),
                       Type::pointer(Type::pointer(real)),
                       Type::pointer(real),
                       Type::pointer(Type::declared(*heap_)),
                       Type::box(Type::declared(*pair_))};
    return types[kind];
  }

  Builder builder() const { return Builder(*block_); }
  BasicBlock* fresh() const { return block_->function().add_block("b"); }
  Value* any(const Scope& scope, std::size_t kind) {
    const auto& values = scope.values[kind];
    return values[std::max(below(values.size()), below(values.size()))];
  }
  /// An integer from 0 to 2.
  Value* position(const Scope& scope) {
    Builder b = builder();
    if (one_in(2)) return b.constant(ElementType::i32, static_cast<double>(below(3)));
    Value* three = b.constant(ElementType::i32, 3);
    return b.binary(Opcode::modulo, b.add(b.binary(Opcode::modulo, any(scope, integers), three), three),
                    three);
  }

  void fill(Function& function) {
    Scope scope;
    block_ = function.add_entry({"x", "row", "i", "c"});
    for (std::size_t kind = 0; kind < 4; ++kind)
      scope.values[kind].push_back(function.entry().arguments()[kind].get());
    budget_ = 18;
    for (const std::size_t kind : {to_real, to_vector, to_pair, to_list, to_slot, to_heap, boxes})
      allocate(scope, kind);
    scope.values[to_real].push_back(function.literal(Type::pointer(real), Literal::Form::address, global_));
    statements(scope, 0);
    Builder b = builder();
    Value* sum = any(scope, reals);
    for (int i = 0; i < 3; ++i) sum = b.add(sum, b.create(Opcode::load, {any(scope, to_real)}));
    b.return_(b.tuple({sum, b.create(Opcode::load, {any(scope, to_vector)})}));
  }

  /// Calls itself with less fuel, and with other addresses in another order.
  void fill_swap() {
    block_ = swap_->add_entry({"p", "q", "fuel"});
    Value *p = swap_->entry().arguments()[0].get(), *q = swap_->entry().arguments()[1].get();
    Value* fuel = swap_->entry().arguments()[2].get();
    BasicBlock *some = fresh(), *none = fresh();
    Builder b = builder();
    Value* x = b.create(Opcode::load, {p});
    b.conditional(b.binary(Opcode::lessThan, fuel, b.constant(ElementType::i32, 1)), *none, {}, *some, {});
    Builder(*none).return_(x);
    block_ = some;
    b = builder();
    Value* y = b.multiply(x, b.create(Opcode::load, {q}));
    b.create(Opcode::store, {b.unary(Opcode::sin, y), one_in(2) ? p : q});
    Value* own = b.create(Opcode::allocateHeap, {b.constant(ElementType::i32, 1)}, {real});
    b.create(Opcode::store, {x, own});
    Value* const pointers[]{p, q, own};
    Value* less = b.subtract(fuel, b.constant(ElementType::i32, 1));
    Value* inner = b.apply(swap_, {pointers[below(3)], pointers[below(3)], less});
    Value* after = b.create(Opcode::load, {pointers[below(3)]});
    b.return_(b.add(inner, after));
  }

  // ------------------------------------------------------------------------------------------- statements

  void allocate(Scope& scope, std::size_t kind) {
    Builder b = builder();
    const auto one = [&] { return b.constant(ElementType::i32, 1); };
    const Type type = type_of(kind).pointee();
    Value* made = nullptr;
    if (kind == boxes) {
      scope.values[boxes].push_back(b.create(Opcode::allocateBox, {}, {type}));
      return;
    }
    if (kind == to_heap) {
      Value* count = is_faulty_ && one_in(4) ? position(scope) : one();
      b = builder();
      scope.values[to_heap].push_back(b.create(Opcode::allocateHeap, {count}, {type}));
      return;
    }
    if (kind == to_list) {
      Value* count = b.constant(ElementType::i32, list_count);
      if (one_in(3)) count = b.add(count, position(scope));
      made = one_in(2) ? b.create(Opcode::allocateStack, {}, {type, Shape{list_count}})
                       : b.create(Opcode::allocateHeap, {count}, {type});
    } else if (one_in(3)) {
      made = b.create(Opcode::allocateHeap, {one()}, {type});
    } else if (one_in(3)) {
      made = b.create(Opcode::projectBox, {b.create(Opcode::allocateBox, {}, {type})});
    } else {
      made = b.create(Opcode::allocateStack, {}, {type, Shape{1}});
    }
    if (kind == to_real || kind == to_list) b.create(Opcode::store, {any(scope, reals), made});
    if (kind == to_vector) b.create(Opcode::store, {any(scope, vectors), made});
    if (kind == to_slot) b.create(Opcode::store, {any(scope, to_real), made});
    scope.values[kind].push_back(made);
  }

  /// The address of a component, or of another value.
  void point(Scope& scope) {
    Builder b = builder();
    const auto add = [&](std::size_t kind, std::vector<Value*> operands, Integers path) {
      scope.values[kind].push_back(b.create(Opcode::elementPointer, std::move(operands), {std::move(path)}));
    };
    Value* at = position(scope);
    b = builder();
    switch (below(is_faulty_ ? 8 : 7)) {
      case 0:
        return add(to_real, {any(scope, to_pair)}, {0});
      case 1:
        return add(to_vector, {any(scope, to_pair)}, {1});
      case 2:
        return add(to_real, {any(scope, to_vector), at}, {position_of_value});
      case 3:
        return add(to_real, {any(scope, to_heap)}, {0});
      case 4:
        return add(to_vector, {any(scope, to_heap)}, {1});
      case 5:
        return scope.values[to_pair].push_back(b.create(Opcode::projectBox, {any(scope, boxes)}));
      case 6:
        return add(to_real, {any(scope, to_list), at}, {});
      default: {
        constexpr std::size_t kinds[]{to_real, to_vector, to_pair, to_slot, to_list, to_heap, boxes};
        const std::size_t kind = pick(kinds);
        scope.values[kind].push_back(block_->function().literal(type_of(kind), Literal::Form::null, nullptr));
      }
    }
  }

  /// Memory that ends where nothing uses it any more, of which there may be no values; addresses that are
  /// null stay unused.
  void use_shortly(Scope& scope) {
    Builder b = builder();
    const auto load = [&](Value* address) {
      scope.values[reals].push_back(b.create(Opcode::load, {address}));
    };
    const auto first_of = [&](Value* address) {
      return b.create(Opcode::elementPointer, {address}, {Integers{0}});
    };
    switch (below(4)) {
      case 0: {
        Value* made =
            b.create(Opcode::allocateHeap, {b.constant(ElementType::i32, 1)}, {type_of(to_heap).pointee()});
        Value* part = first_of(made);
        b.create(Opcode::store, {any(scope, reals), part});
        load(part);
        b.create(Opcode::deallocate, {made});
        return;
      }
      case 1: {
        Value* count = position(scope);
        b = builder();
        Value* made = b.create(Opcode::allocateHeap, {count}, {type_of(to_heap).pointee()});
        b.create(Opcode::copy, {made, made, count});
        b.create(Opcode::deallocate, {made});
        return;
      }
      case 2: {
        Value* made = b.create(Opcode::allocateBox, {}, {type_of(boxes).pointee()});
        b.create(Opcode::retain, {made});
        b.create(Opcode::release, {made});
        Value* part = first_of(b.create(Opcode::projectBox, {made}));
        b.create(Opcode::store, {any(scope, reals), part});
        load(part);
        b.create(Opcode::release, {made});
        return;
      }
      default: {
        Value* slot = b.create(Opcode::allocateStack, {}, {Type::pointer(real), Shape{1}});
        b.create(Opcode::load, {slot});
        b.create(Opcode::store, {any(scope, to_real), slot});
        load(b.create(Opcode::load, {slot}));
      }
    }
  }

  /// Ends memory that something may use afterwards.
  void end(Scope& scope) {
    Builder b = builder();
    if (one_in(2))
      b.create(Opcode::deallocate, {any(scope, to_heap)});
    else
      b.create(one_in(4) ? Opcode::retain : Opcode::release, {any(scope, boxes)});
  }

  void access(Scope& scope) {
    Builder b = builder();
    switch (below(7)) {
      case 0:
        return scope.values[reals].push_back(b.create(Opcode::load, {any(scope, to_real)}));
      case 1:
        return scope.values[vectors].push_back(b.create(Opcode::load, {any(scope, to_vector)}));
      case 2:
        return scope.values[to_real].push_back(b.create(Opcode::load, {any(scope, to_slot)}));
      case 3:
        b.create(Opcode::store, {any(scope, reals), any(scope, to_real)});
        return;
      case 4:
        b.create(Opcode::store, {any(scope, vectors), any(scope, to_vector)});
        return;
      case 5:
        b.create(Opcode::store, {any(scope, to_real), any(scope, to_slot)});
        return;
      default: {
        constexpr std::size_t kinds[]{to_real, to_vector, to_pair, to_list};
        const std::size_t kind = kinds[below(4)];
        Value* count = b.constant(ElementType::i32, kind == to_list ? 2 : 1);
        b.create(Opcode::copy, {any(scope, kind), any(scope, kind), count});
      }
    }
  }

  void compute(Scope& scope) {
    Builder b = builder();
    const auto push = [&](std::size_t kind, Value* value) { scope.values[kind].push_back(value); };
    switch (below(6)) {
      case 0:
        return push(reals, b.unary(Opcode::sin, b.multiply(any(scope, reals), any(scope, reals))));
      case 1:
        return push(reals, b.add(any(scope, reals), any(scope, reals)));
      case 2:
        return push(vectors, b.unary(Opcode::sin, b.multiply(any(scope, vectors), any(scope, reals))));
      case 3:
        return push(reals, b.sum(any(scope, vectors), {0}));
      case 4:
        return push(integers, b.add(any(scope, integers), b.constant(ElementType::i32, 1)));
      default:
        return push(conditions, b.binary(Opcode::lessThan, any(scope, reals), any(scope, reals)));
    }
  }

  void call(Scope& scope) {
    Builder b = builder();
    Value* fuel = one_in(2) ? position(scope) : b.constant(ElementType::i32, 2);
    b = builder();
    scope.values[reals].push_back(b.apply(swap_, {any(scope, to_real), any(scope, to_real), fuel}));
  }

  void statements(Scope& scope, int depth) {
    for (std::size_t count = 2 + below(5); count > 0 && budget_ > 0; --count) {
      --budget_;
      switch (below(is_faulty_ ? 13 : 11)) {
        case 0:
        case 1:
          compute(scope);
          break;
        case 2:
        case 3:
          point(scope);
          break;
        case 4:
          allocate(scope, to_real + below(7));
          break;
        case 10:
          use_shortly(scope);
          break;
        case 11:
        case 12:
          end(scope);
          break;
        case 5:
          if (depth < 3) choice(scope, depth);
          break;
        case 6:
          if (depth < 2) loop(scope, depth);
          break;
        case 7:
          if (swap_ != nullptr) {
            call(scope);
            break;
          }
          [[fallthrough]];
        default:
          access(scope);
      }
    }
  }

  // ------------------------------------------------------------------------------------------ control flow

  /// A block that takes values of some kinds.
  struct Join {
    BasicBlock* block;
    std::vector<std::size_t> kinds;
  };
  Join join() {
    Join made{fresh(), {}};
    for (std::size_t kind = 0; kind < kind_count; ++kind)
      if (one_in(2)) {
        made.kinds.push_back(kind);
        made.block->add_argument(type_of(kind), "");
      }
    return made;
  }
  std::vector<Value*> values_for(const Join& join, const Scope& scope) {
    std::vector<Value*> passed;
    for (const std::size_t kind : join.kinds) passed.push_back(any(scope, kind));
    return passed;
  }
  void enter(const Join& join, Scope& scope) {
    block_ = join.block;
    for (std::size_t i = 0; i < join.kinds.size(); ++i)
      scope.values[join.kinds[i]].push_back(join.block->arguments()[i].get());
  }

  void choice(Scope& scope, int depth) {
    const Join end = join();
    BasicBlock *left = fresh(), *right = fresh();
    builder().conditional(any(scope, conditions), *left, {}, *right, {});
    for (BasicBlock* side : {left, right}) {
      Scope inside = scope;
      block_ = side;
      statements(inside, depth + 1);
      builder().branch(*end.block, values_for(end, inside));
    }
    enter(end, scope);
  }

  /// A loop of at most three rounds, of which a value may say how many there are.
  void loop(Scope& scope, int depth) {
    Value* bound = one_in(2) ? position(scope) : builder().constant(ElementType::i32, 2);
    const Join head = join(), end = join();
    Argument* counter = head.block->add_argument(integer, "counter");
    const auto go = [&](const Scope& values, Value* count) {
      std::vector<Value*> passed = values_for(head, values);
      passed.push_back(count);
      builder().branch(*head.block, passed);
    };
    go(scope, builder().constant(ElementType::i32, 0));
    Scope inside = scope;
    enter(head, inside);
    BasicBlock* body = fresh();
    Value* more = builder().binary(Opcode::lessThan, counter, bound);
    builder().conditional(more, *body, {}, *end.block, values_for(end, inside));
    block_ = body;
    statements(inside, depth + 1);
    go(inside, builder().add(counter, builder().constant(ElementType::i32, 1)));
    enter(end, scope);
  }

  const bool is_faulty_;
  const Type real = Type::scalar(ElementType::f64);
  const Type vector = Type::tensor(ElementType::f64, {Extent(3)});
  const Type integer = Type::scalar(ElementType::i32);
  const Type condition = Type::scalar(ElementType::boolean);
  const TypeDeclaration *pair_ = nullptr, *heap_ = nullptr;
  const Global* global_ = nullptr;
  Function* swap_ = nullptr;
  BasicBlock* block_ = nullptr;
  int budget_ = 0;
};

}  // namespace

ControlFlowCase random_memory(std::uint64_t seed) { return Generator(seed, false).make(); }
ControlFlowCase random_faulty_memory(std::uint64_t seed) { return Generator(seed, true).make(); }

}  // namespace fuzz
