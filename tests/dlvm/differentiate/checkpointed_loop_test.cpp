#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "dlvm/analysis/checkpoint_schedule.h"
#include "dlvm/interpret/interpret.h"
#include "dlvm/pipeline.h"
#include "dlvm/text/parse.h"
#include "dlvm/transform/loop_segmentation.h"
#include "dlvm/transform/rewrite.h"

namespace dlvm {
namespace {

/// A loop of ROUNDS rounds that may end early, at a value that the caller gives.
constexpr std::string_view text = R"(
stage raw
func @f: (f64, f64, i32) -> f64 {
'entry(%x: f64, %w: f64, %end: i32):
    branch 'test(0: i32, %x: f64)
'test(%t: i32, %h: f64):
    %more = lessThan %t: i32, ROUNDS: i32
    conditional %more: bool then 'step() else 'done()
'step():
    %a = tanh %h: f64
    %b = multiply %a: f64, %w: f64
    %c = dataTypeCast %t: i32 to f64
    %d = add %b: f64, %c: f64
    %next = sin %d: f64
    %u = add %t: i32, 1: i32
    %ends = equal %u: i32, %end: i32
    conditional %ends: bool then 'done.early() else 'again()
'again():
    branch 'test(%u: i32, %next: f64)
'done.early():
    branch 'out(%next: f64)
'done():
    branch 'out(%h: f64)
'out(%y: f64):
    %l = multiply %y: f64, %x: f64
    return %l: f64
}
[gradient @f wrt 0, 1]
func @grad: (f64, f64, i32) -> (f64, f64)
)";

struct Run {
  RuntimeValue value;
  std::string error;
  std::int64_t steps = 0;  ///< how often the loop's body has run
};

/// Gives the stack of the derivative on which states are, of which `kept` are kept, room for less.
void take_room(const Function& derivative, std::int64_t kept, std::int64_t less) {
  int changed = 0;
  for (const auto& instruction : derivative.entry().instructions()) {
    const Attribute capacity = Shape{kept};
    if (instruction->opcode() != Opcode::createStack || instruction->attributes()[0] != capacity) continue;
    instruction->set_attribute(0, Shape{kept - less});
    ++changed;
  }
  CHECK(changed == 1);
}

std::string with_rounds(std::int64_t rounds) {
  std::string made(text);
  return made.replace(made.find("ROUNDS"), std::strlen("ROUNDS"), std::to_string(rounds));
}

Run run(const Segments& segments, std::int32_t end, std::int64_t rounds = 60, std::int64_t less = 0) {
  Sources sources;
  Diagnostics diagnostics;
  const auto module = parse(*sources.add("loop.dl", with_rounds(rounds)), sources, diagnostics);
  REQUIRE_MESSAGE(module != nullptr, render(diagnostics));
  if (!segments.levels.empty()) segment_loops(*module, *module->function("f"), segments, Extent(1000));
  REQUIRE_MESSAGE(run_passes(*module, std::vector{pass_named("AD")}, diagnostics, {.verify_each = true}),
                  render(diagnostics));
  Run result;
  InterpretOptions options;
  options.observe = [&](const Instruction& instruction, std::span<const RuntimeValue>, const RuntimeValue&) {
    result.steps += instruction.opcode() == Opcode::tanh ? 1 : 0;
  };
  if (less > 0) take_room(*module->function("grad"), segments.levels[0].checkpoints, less);
  const auto scalar = [](double value) { return RuntimeValue{Tensor::scalar(ElementType::f64, value)}; };
  const auto got =
      interpret(*module->function("grad"),
                std::vector<RuntimeValue>{scalar(0.3), scalar(0.9),
                                          Tensor::scalar(ElementType::i32, static_cast<std::int64_t>(end))},
                options);
  REQUIRE_MESSAGE((got || less > 0), got.error->text);
  if (got.error) result.error = got.error->text;
  result.value = got.value;
  return result;
}

bool same(const RuntimeValue& a, const RuntimeValue& b) {
  for (std::size_t i = 0; i < a.elements().size(); ++i)
    if (a.elements()[i].tensor().real(0) != b.elements()[i].tensor().real(0)) return false;
  return true;
}

TEST_CASE("a loop with checkpoints runs as few steps again as the schedule says") {
  const Run all = run({}, -1);
  CHECK(all.steps == 60);
  for (std::int64_t count : {2, 7, 20, 61})
    for (std::int64_t kept = 2; kept <= 12; ++kept) {
      INFO(count, " segments, ", kept, " states");
      const Run few = run({.levels = {{count, kept}}}, -1);
      CHECK(same(few.value, all.value));
      // The header runs once more than the body, and segments are as long as that.
      const std::int64_t length = (60 + count) / count, calls = (60 + length) / length;
      const double again = mean_repetitions(count, std::min(count, kept));
      if (calls == count && count * length == 61) CHECK(few.steps == 60 + std::llround(again * 61) - 1);
      if (calls == count && kept < count)
        CHECK(run({.levels = {{count, kept}}}, -1, 60, 1).error.ends_with("is full"));
      CHECK(few.steps <= 60 + std::llround(again * static_cast<double>(count * length)));
    }
}

TEST_CASE("a loop with checkpoints may have few rounds, or none") {
  for (std::int64_t rounds : {0, 1, 2, 3})
    for (std::int64_t count : {2, 3, 7})
      for (std::int64_t kept : {2, 3}) {
        INFO(rounds, " rounds, ", count, " segments, ", kept, " states");
        CHECK(same(run({.levels = {{count, kept}}}, -1, rounds).value, run({}, -1, rounds).value));
      }
}

TEST_CASE("a loop with checkpoints may end early") {
  for (std::int32_t end : {1, 2, 13, 14, 37, 59})
    for (std::int64_t count : {7, 20, 61}) {
      INFO(count, " segments, ended behind ", end);
      const Run few = run({.levels = {{count, 3}}}, end);
      CHECK(same(few.value, run({}, end).value));
    }
}

}  // namespace
}  // namespace dlvm
