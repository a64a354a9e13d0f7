#include "tests/fuzz/instructions.h"

#include <algorithm>
#include <limits>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/instruction_views.h"
#include "tests/fuzz/draw.h"
#include "tests/support/random_windows.h"

namespace fuzz {
namespace {

using namespace dlvm;

constexpr ElementType element_choices[]{ElementType::f32,     ElementType::f32, ElementType::i32,
                                        ElementType::boolean, ElementType::f16, ElementType::u8};
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double number_choices[]{0,   0, -0.0, -0.0, 1, 1,    -1,       2,
                                  0.5, 4, -2,   3,    7, 1e30, infinite, not_a_number};

class Generator : Draw {
  std::vector<Value*> values_;

  /// A value that satisfies the condition; null if there is none.
  template <typename Condition>
  Value* pick_if(Condition condition) {
    std::vector<Value*> found;
    std::ranges::copy_if(values_, std::back_inserter(found), condition);
    return found.empty() ? nullptr : pick(found);
  }
  /// One that an instruction of the opcode gives, half of the time.
  Value* result_of(Opcode opcode) {
    Value* found = pick_if([&](Value* value) { return match(value, opcode) != nullptr; });
    return one_in(2) ? found : nullptr;
  }

 public:
  explicit Generator(std::uint64_t seed) : Draw(seed) {}

  Case make(int steps) {
    Case made{std::make_unique<Module>("fuzz"), {}};
    made.module->stage = Module::Stage::canonical;
    std::vector<Type> parameters;
    for (int i = 0; i < 4; ++i) {
      std::vector<std::int64_t> extents = extents_choice();
      parameters.push_back(Type::tensor(pick(element_choices), Shape(extents.begin(), extents.end())));
      made.inputs.push_back(tensor(parameters.back().element(), extents));
    }
    Function& scratch = *made.module->add_function("scratch", Type::function(parameters, Type()));
    BasicBlock* block = scratch.add_entry();
    for (const auto& argument : block->arguments()) values_.push_back(argument.get());
    Builder b(*block);
    for (int made_steps = 0, tries = 0; made_steps < steps && tries < 400 * steps; ++tries)
      made_steps += step(b);
    Value* result = b.tuple(values_);
    Function* f = made.module->add_function("f", Type::function(parameters, result->type()));
    b.return_(result);
    scratch.set_type(f->type());
    f->take_body(scratch);
    made.module->erase_functions({&scratch});
    return made;
  }

 private:
  std::vector<std::int64_t> extents_choice() {
    std::vector<std::int64_t> extents(below(4));
    for (auto& extent : extents) extent = static_cast<std::int64_t>(1 + below(3));
    return extents;
  }

  Tensor tensor(ElementType element, const std::vector<std::int64_t>& extents) {
    Tensor out(element, extents);
    for (std::size_t i = 0; i < out.size(); ++i) out.set(i, pick(number_choices));
    return out;
  }

  Value* operand(Builder& b) {
    if (below(3) != 0) return values_[below(values_.size())];
    const Type& like = pick(values_)->type();
    if (!like.is_tensor()) return b.constant(ElementType::f32, 1);
    const bool dense = below(5) == 0;
    std::vector<std::int64_t> extents;
    for (const Extent& extent : like.shape()) extents.push_back(*extent.constant());
    const Type type = below(2) == 0 ? like : Type::scalar(like.element());
    return b.function().literal(
        type, tensor(like.element(), dense && !type.is_scalar() ? extents : std::vector<std::int64_t>{}));
  }

  Shape shape() {
    const auto extents = extents_choice();
    return below(3) == 0 ? pick(values_)->type().is_tensor() ? values_[0]->type().shape() : Shape{}
                         : Shape(extents.begin(), extents.end());
  }

  Integers integers() {
    Integers all(below(4));
    for (auto& each : all) each = static_cast<std::int64_t>(below(3));
    return all;
  }

  Attribute attribute(const Part& part) {
    if (part.optional && below(2) == 0) return {};
    switch (part.kind) {
      case PartKind::integers:
      case PartKind::path:
        return integers();
      case PartKind::extents:
        return shape();
      case PartKind::extent_pairs: {
        ExtentPairs pairs;
        for (const auto each : integers())
          pairs.emplace_back(Extent(each), Extent(static_cast<std::int64_t>(below(2))));
        return pairs;
      }
      case PartKind::axis_pairs: {
        AxisPairs pairs;
        for (const auto each : integers()) pairs.emplace_back(each, static_cast<std::int64_t>(below(3)));
        return pairs;
      }
      case PartKind::window_padding:
        return static_cast<WindowPadding>(below(3));
      case PartKind::element:
      case PartKind::result_type:
        return pick(element_choices);
      case PartKind::combinator: {
        constexpr Opcode opcodes[]{Opcode::add, Opcode::multiply, Opcode::max,
                                   Opcode::min, Opcode::and_,     Opcode::greaterThan};
        return Combinator{pick(opcodes), nullptr};
      }
      default:
        return {};
    }
  }

  /// A convolution or a reduction of windows of random values, whose parts seldom fit where each is drawn
  /// alone.
  bool window(Builder& b) {
    const auto c = test::random_convolution(random_, 2);
    const ElementType element = below(2) == 0 ? ElementType::f32 : ElementType::i32;
    const auto literal = [&](const test::Extents& extents) {
      return b.function().literal(Type::tensor(element, Shape(extents.begin(), extents.end())),
                                  tensor(element, extents));
    };
    if (below(2) == 0) {
      values_.push_back(b.convolve(literal(c.input), literal(c.kernel), c.axes, c.groups));
    } else {
      const auto w = test::random_window(random_);
      constexpr Opcode opcodes[]{Opcode::add, Opcode::multiply, Opcode::max, Opcode::min};
      values_.push_back(
          b.reduce_window(literal(w.input), {pick(opcodes), nullptr}, b.constant(element, 1), w.axes));
    }
    return true;
  }

  Value* positions(Builder& b, std::int64_t end) {
    const std::vector<std::int64_t> extents = extents_choice();
    Tensor all(ElementType::i32, extents);
    for (std::size_t i = 0; i < all.size(); ++i)
      all.set(i, static_cast<std::int64_t>(below(static_cast<std::size_t>(end))));
    const Type type = Type::tensor(ElementType::i32, Shape(extents.begin(), extents.end()));
    return b.function().literal(type, std::move(all));
  }

  bool index(Builder& b, Opcode opcode) {
    Value* input = pick(values_);
    if (!input->type().is_tensor() || input->type().rank() == 0) return false;
    const std::size_t axis = below(input->type().rank());
    const std::int64_t end = *input->type().shape()[axis].constant();
    if (end == 0) return false;
    Value* at = positions(b, end);
    Value* gathered = b.gather(input, {at}, {static_cast<std::int64_t>(axis)});
    if (*unit_count(gathered->type().shape()).constant() > 100) return false;
    if (opcode == Opcode::gather) return values_.push_back(gathered), true;
    constexpr Opcode opcodes[]{Opcode::add, Opcode::multiply, Opcode::max, Opcode::min};
    const bool logical = is_boolean(input->type().element());
    values_.push_back(b.scatter(gathered, input, {at}, {logical ? Opcode::or_ : pick(opcodes), nullptr},
                                {static_cast<std::int64_t>(axis)}));
    return true;
  }

  /// A check of positions, or once more with bounds that may be wider.
  bool check_index(Builder& b) {
    Value* checked = result_of(Opcode::checkIndex);
    const std::int64_t wider = one_in(2) ? 1 : 0;
    const Attribute failure =
        one_in(3) ? Attribute(static_cast<Failure>(below(static_cast<int>(last_failure) + 1))) : Attribute();
    values_.push_back(
        b.check_index(checked != nullptr ? checked : positions(b, 3), -wider, 3 + wider, failure));
    return true;
  }

  /// A part of a tensor, which may be a part itself.
  bool slice(Builder& b) {
    Value* part = result_of(Opcode::slice);
    Value* whole = part != nullptr ? part : pick(values_);
    if (!whole->type().is_tensor()) return false;
    Shape from, upto;
    for (const Extent& extent : whole->type().shape()) {
      const auto end = static_cast<std::size_t>(*extent.constant());
      const std::size_t first = below(end + 1);
      from.emplace_back(static_cast<std::int64_t>(first));
      upto.emplace_back(static_cast<std::int64_t>(first + below(end - first + 1)));
    }
    values_.push_back(b.slice(whole, from, upto));
    return true;
  }

  /// The tuple with another component, a component of it, or both.
  bool component(Builder& b, Opcode opcode) {
    Value* tuple = result_of(Opcode::insert);
    if (tuple == nullptr)
      tuple = pick_if(
          [](Value* value) { return value->type().is_tuple() && value->type().component_count() > 0; });
    if (tuple == nullptr) return false;
    const std::size_t count = tuple->type().component_count(), at = below(count);
    Value* other = pick_if([&](Value* value) { return value->type() == tuple->type().component(at); });
    const bool inserts = opcode == Opcode::insert || one_in(3);
    if (inserts && other != nullptr) {
      tuple = b.create(Opcode::insert, {other, tuple}, {Integers{static_cast<std::int64_t>(at)}});
      values_.push_back(tuple);
    }
    if (opcode == Opcode::extract)
      values_.push_back(b.extract(tuple, static_cast<std::int64_t>(below(count))));
    return opcode == Opcode::extract || other != nullptr;
  }

  /// A tensor made of elements along its first axis, or a constant with a name.
  bool tensor_literal(Builder& b) {
    Value* element = pick_if([](Value* value) { return value->type().is_tensor(); });
    if (element == nullptr) return false;
    const Type& type = element->type();
    if (one_in(3)) return values_.push_back(b.aggregate(type, {b.splat(type, 2)})), true;
    std::vector<Value*> elements;
    for (std::size_t count = 1 + below(3); count > 0; --count)
      elements.push_back(pick_if([&](Value* value) { return value->type() == type; }));
    Shape shape = type.shape();
    shape.insert(shape.begin(), static_cast<std::int64_t>(elements.size()));
    if (*unit_count(shape).constant() > 100) return false;
    values_.push_back(b.aggregate(type.with_shape(std::move(shape)), std::move(elements)));
    return true;
  }

  /// An element along the first axis of a tensor, of one that is made of elements if there is such.
  bool row(Builder& b) {
    Value* tensor = pick_if([](Value* value) { return bool(as<Stacked>(value)); });
    if (tensor == nullptr)
      tensor = pick_if([](Value* value) {
        return value->type().is_tensor() && value->type().rank() > 0 && !value->type().shape()[0].is(0);
      });
    if (tensor == nullptr) return false;
    const auto extent = static_cast<std::size_t>(*tensor->type().shape()[0].constant());
    return values_.push_back(b.extract(tensor, static_cast<std::int64_t>(below(extent)))), true;
  }

  /// A choice between true and false.
  bool select_truth(Builder& b) {
    Value* condition = pick_if(
        [](Value* value) { return value->type().is_tensor() && is_boolean(value->type().element()); });
    if (condition == nullptr) return false;
    const double first = one_in(4) ? 0 : 1;
    values_.push_back(
        b.select(b.splat(condition->type(), first), b.splat(condition->type(), 1 - first), condition));
    return true;
  }

  /// Whether an instruction that the type rules accept was made.
  bool step(Builder& b) {
    const auto opcode = static_cast<Opcode>(below(opcode_count));
    if (opcode == Opcode::convolve || opcode == Opcode::reduceWindow) return window(b);
    if (opcode == Opcode::gather || opcode == Opcode::scatter) return index(b, opcode);
    if (opcode == Opcode::checkIndex) return check_index(b);
    if (opcode == Opcode::slice && one_in(2)) return slice(b);
    if ((opcode == Opcode::extract || opcode == Opcode::insert) && one_in(2)) return component(b, opcode);
    if (opcode == Opcode::literal && one_in(4)) return tensor_literal(b);
    if (opcode == Opcode::extract && one_in(4)) return row(b);
    if (opcode == Opcode::select && one_in(4)) return select_truth(b);
    const InstructionDefinition& d = definition(opcode);
    if (d.is(Trait::terminator) || d.is(Trait::may_fail) || opcode == Opcode::apply) return false;
    std::vector<Value*> operands;
    std::vector<Attribute> attributes;
    for (const Part& part : d.parts) {
      if (part.kind == PartKind::operand && !part.optional) operands.push_back(operand(b));
      if (part.kind == PartKind::operands)
        for (std::size_t count = 1 + below(2); count > 0; --count) operands.push_back(operand(b));
      if (!is_operand(part.kind) && part.kind != PartKind::function) attributes.push_back(attribute(part));
    }
    std::vector<Type> types;
    for (const Value* each : operands) types.push_back(each->type());
    if (opcode != Opcode::extract && opcode != Opcode::insert && opcode != Opcode::literal)
      for (const Type& type : types)
        if (!type.is_tensor()) return false;
    std::string why;
    const auto type = infer_type(opcode, {types, attributes}, why);
    if (!type || (type->is_tensor() && *unit_count(type->shape()).constant() > 100)) return false;
    if (type->is_tuple() && type->text().size() > 200) return false;
    values_.push_back(b.create(opcode, std::move(operands), std::move(attributes)));
    return true;
  }
};

}  // namespace

Case random_case(std::uint64_t seed, int steps) { return Generator(seed).make(steps); }

}  // namespace fuzz
