#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/elements.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/print.h"
#include "dlvm/transform/loop_segmentation.h"
#include "dlvm/verify/verify.h"
#include "tests/dlvm/differentiate/derivatives.h"
#include "tests/fuzz/control_flow.h"
#include "tests/fuzz/same_values.h"

using namespace dlvm;

namespace {

/// Follows one run of a function and builds what it computes as a body of one block, whose derivatives are
/// those of the function at that place.
class Trace {
 public:
  Trace(Builder& builder, std::vector<RuntimeValue> inputs) : builder_(builder), inputs_(std::move(inputs)) {}

  /// The result, or null where the run fails or is long.
  Value* follow(const Function& function) {
    std::vector<Traced> arguments;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      arguments.push_back({builder_.block().arguments()[i].get(), inputs_[i]});
    return call(function, std::move(arguments)) ? result_.value : nullptr;
  }

 private:
  struct Traced {
    Value* value;
    RuntimeValue now;
  };
  using Frame = std::unordered_map<const Value*, Traced>;

  bool call(const Function& function, std::vector<Traced> arguments) {
    Frame frame;
    const BasicBlock* block = &function.entry();
    for (;;) {
      if (++steps_ > 300) return false;
      for (std::size_t i = 0; i < arguments.size(); ++i) frame[block->arguments()[i].get()] = arguments[i];
      for (const auto& instruction : block->instructions()) {
        if (instruction->is(Trait::terminator)) break;
        if (!execute(*instruction, frame)) return false;
      }
      const Instruction& end = *block->terminator();
      if (end.opcode() == Opcode::trap) return false;
      if (end.opcode() == Opcode::return_) {
        result_ = at(end.operand(0), frame);
        return true;
      }
      const bool first =
          end.opcode() == Opcode::branch || at(end.operand(0), frame).now.tensor().integer(0) != 0;
      const std::size_t taken = first ? 0 : 1;
      arguments.clear();
      for (const Value* value : end.passed(taken)) arguments.push_back(at(value, frame));
      block = end.successors()[taken].block;
    }
  }

  Traced at(const Value* value, const Frame& frame) {
    if (const Literal* literal = as_literal(value)) {
      Value* copy = builder_.function().literal(literal->type().substitute(names_), literal->data());
      if (literal->type().is_scalar()) return {copy, literal->data()};
      return {copy, elements::stretched(literal->data(), {3})};
    }
    return frame.at(value);
  }

  bool execute(const Instruction& from, Frame& frame) {
    std::vector<Traced> operands;
    std::vector<Value*> values;
    for (const Value* operand : from.operands()) {
      operands.push_back(at(operand, frame));
      values.push_back(operands.back().value);
    }
    if (const auto apply = as<Apply>(from)) {
      if (!call(*apply.callee(), operands)) return false;
      frame[&from] = result_;
      return true;
    }
    std::vector<Attribute> attributes;
    for (const Attribute& each : from.attributes()) attributes.push_back(substitute(each, names_));
    Value* made = builder_.create(from.opcode(), values, attributes);
    RuntimeValue now;
    if (from.opcode() == Opcode::literal) {
      std::vector<RuntimeValue> all;
      for (const Traced& operand : operands) all.push_back(operand.now);
      now = RuntimeValue(std::move(all));
    } else if (const auto extract = as<Extract>(from)) {
      now = operands[0].now.elements()[extract.position()];
    } else {
      std::vector<Tensor> tensors;
      for (const Traced& operand : operands) tensors.push_back(operand.now.tensor());
      const auto folded = fold(*as_instruction(made), tensors);
      if (!folded) return false;
      now = *folded;
    }
    frame[&from] = {made, now};
    return true;
  }

  Builder& builder_;
  std::vector<RuntimeValue> inputs_;
  const Extent::Substitution names_{{"N", 3}};
  Traced result_{};
  int steps_ = 0;
};

GradientDeclaration by_floats(const Function& of) {
  GradientDeclaration declaration;
  declaration.of = &of;
  declaration.wrt = Integers{0, 1};
  declaration.warned = true;
  return declaration;
}

/// The first and second derivative by the two floating arguments, and the first in forward mode.
void declare_all(Module& module, const Function& f) {
  const Function* first = derivatives::declare(module, "first", by_floats(f));
  derivatives::declare(module, "second", by_floats(*first));
  GradientDeclaration forward = by_floats(f);
  forward.mode = GradientDeclaration::Mode::forward;
  derivatives::declare(module, "forward", forward);
}

double worst_difference(const RuntimeValue& a, const RuntimeValue& b) {
  double worst = 0, largest = 1;
  for (std::size_t i = 0; i < a.elements().size(); ++i) {
    const Tensor &left = a.elements()[i].tensor(), &right = b.elements()[i].tensor();
    REQUIRE(left.size() == right.size());
    for (std::size_t k = 0; k < left.size(); ++k) {
      const double x = left.real(k), y = right.real(k);
      largest = std::max({largest, std::fabs(x), std::fabs(y)});
      if (!(x == y) && !(std::isnan(x) && std::isnan(y))) worst = std::max(worst, std::fabs(x - y));
    }
  }
  return worst / largest;
}

/// Σ a b over all elements of two tuples.
double product(std::span<const RuntimeValue> a, std::span<const RuntimeValue> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a[i].tensor().size(); ++k)
      sum += a[i].tensor().real(k) * b[i].tensor().real(k);
  return sum;
}

/// Whether the derivative in forward mode is that in reverse mode times the tangents.
void check_forward(const RuntimeValue& first, std::span<const RuntimeValue> tangents,
                   const RuntimeValue& forward) {
  const double expected = product(first.elements(), tangents),
               actual = forward.elements()[0].tensor().real(0);
  double largest = 1;
  for (const RuntimeValue& each : first.elements())
    for (std::size_t k = 0; k < each.tensor().size(); ++k)
      largest = std::max(largest, std::fabs(each.tensor().real(k)));
  if (std::isfinite(expected)) CHECK(std::fabs(actual - expected) / largest < 1e-10);
}

struct Tally {
  int compared = 0, cut = 0;
};

/// Whether the first derivative has the same bits where loops are cut into segments, but for some of the
/// rounds.
void check_segments(std::uint64_t seed, const fuzz::ControlFlowCase& expected, Tally& tally) {
  const fuzz::ControlFlowCase each = fuzz::random_control_flow(seed, ElementType::f64);
  each.module->stage = Module::Stage::raw;
  const std::size_t functions = each.module->functions().size();
  const auto number = static_cast<std::int64_t>(seed);
  const Segments segments{.levels = {{1 + number % 7, 2 + number % 2}, {2 + number % 3, 2}},
                          .uncut = seed % 4 == 0 ? 0 : static_cast<std::int64_t>(seed * 37 % 90)};
  segment_loops(*each.module, *each.module->function("f"), segments, Extent(1000));
  if (each.module->functions().size() == functions) return;
  ++tally.cut;
  declare_all(*each.module, *each.module->function("f"));
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(verify(*each.module, diagnostics), render(diagnostics));
  const std::string segmented = print(*each.module);
  INFO("became, with segments,\n", segmented);
  // The number of the exit is a step, so that a second derivative that is zero may be an error.
  if (!run_passes(*each.module, std::vector{pass_named("AD")}, diagnostics, {.verify_each = true})) {
    for (const Diagnostic& diagnostic : diagnostics.all()) CHECK(diagnostic.kind->code == "DLVM-E0302");
    return;
  }
  for (const auto& inputs : each.inputs) {
    const auto with = interpret(*each.module->function("first"), inputs);
    const auto without = interpret(*expected.module->function("first"), inputs);
    CHECK(bool(with) == bool(without));
    if (with && without) CHECK(fuzz::same(with.value, without.value));
  }
}

void check_case(std::uint64_t seed, Tally& tally) {
  const fuzz::ControlFlowCase each = fuzz::random_control_flow(seed, ElementType::f64);
  INFO("seed ", seed, "\n", print(*each.module));
  const std::string before = print(*each.module);
  const Function& f = *each.module->function("f");
  each.module->stage = Module::Stage::raw;
  declare_all(*each.module, f);
  Diagnostics diagnostics;
  const bool good = run_passes(*each.module, std::vector{pass_named("AD")}, diagnostics, {true, nullptr});
  if (!good) {
    for (const Diagnostic& diagnostic : diagnostics.all()) CHECK(diagnostic.kind->code == "DLVM-E0302");
    return;
  }
  check_segments(seed, each, tally);
  INFO("became\n", print(*each.module));
  const fuzz::ControlFlowCase original = fuzz::random_control_flow(seed, ElementType::f64);
  for (const auto& inputs : each.inputs) {
    Module traced("trace");
    std::vector<Type> types;
    for (const RuntimeValue& input : inputs) {
      Shape shape;
      for (const auto extent : input.tensor().extents()) shape.emplace_back(extent);
      types.push_back(Type::tensor(input.tensor().element(), shape));
    }
    Value* result = nullptr;
    Function* straight = derivatives::define(
        traced, "f", types, [&](Builder& b, const std::vector<Value*>& arguments) -> Value* {
          result = Trace(b, inputs).follow(*original.module->function("f"));
          return result != nullptr ? b.extract(result, 0) : arguments[0];
        });
    if (result == nullptr) continue;
    declare_all(traced, *straight);
    Diagnostics ignored;
    if (!run_passes(traced, std::vector{pass_named("AD")}, ignored)) continue;
    std::mt19937_64 random(seed);
    RuntimeValue first;
    for (const char* name : {"first", "second", "forward"}) {
      std::vector<RuntimeValue> arguments = inputs;
      if (name == std::string("forward")) {
        arguments.emplace_back(derivatives::draw(random, ElementType::f64, {}, -1, 1));
        arguments.emplace_back(derivatives::draw(random, ElementType::f64, {3}, -1, 1));
      }
      const auto expected = interpret(*traced.function(name), arguments);
      const auto actual = interpret(*each.module->function(name), arguments);
      INFO(std::string(name), "\n", print(*straight));
      REQUIRE(expected);
      REQUIRE_MESSAGE(actual, actual.error->text);
      CHECK(worst_difference(expected.value, actual.value) < 1e-10);
      ++tally.compared;
      if (name == std::string("first")) first = actual.value;
      if (name == std::string("forward")) check_forward(first, std::span(arguments).last(2), actual.value);
    }
  }
}

}  // namespace

TEST_CASE("random control flow: derivatives are those of the instructions that were run") {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 300; ++seed) check_case(seed, tally);
  CHECK(tally.compared > 500);
  CHECK(tally.cut > 20);
}

TEST_CASE("random control flow: derivatives, the long sweep" * doctest::skip()) {
  Tally tally;
  for (std::uint64_t seed = 10000; seed < 20000; ++seed) check_case(seed, tally);
}
