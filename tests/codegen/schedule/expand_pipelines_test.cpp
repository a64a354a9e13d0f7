#include "codegen/schedule/gpu/expand_pipelines.h"

#include <fmt/format.h>

#include <random>

#include "codegen/schedule/gpu/barriers.h"
#include "codegen/schedule/transform/simplify.h"
#include "codegen/schedule/verify/verify.h"
#include "interpreted.h"

/// Pipelines, whose panels become multistage buffers, run by the interpreter of schedules.
namespace schedule_tests {
namespace {

constexpr std::int64_t width = 40;

/// y[i] = Σ x[k, width - 1 - i] * 2^k / 2^K, by panels of `step` rows; thread i reads what another one
/// brought.
struct Sum {
  std::int64_t step = 1, depth = 2;
  bool asynchronous = true, second = false;  ///< a second panel is evaluated, not copied
  int width_of_copies = 1;
  std::string swizzle = {};

  std::string text() const {
    const std::string how =
        asynchronous ? fmt::format(
                           "copy x[$k1 + $i3, {0}*$t2]({0}) strides [1] to p[$i3, {0}*$t2](1, {0}) "
                           "asynchronous within ($k1 + $i3 of N)",
                           width_of_copies)
                     : "%0: f32 = literal 0 %1: f32 = load x[$k1 + $i3, $t2] within ($k1 + $i3 of "
                       "N) else %0 store %1 to p[$i3, $t2]";
    const std::string other =
        second ? fmt::format("thread $s6 in {0} {{ %5: f32 = position $k1 + $s6 store %5 to q[$s6] }}", step)
               : "";
    const std::string factor = second ? "%6: f32 = load q[$i5]" : "%6: f32 = position $k1 + $i5";
    return fmt::format(R"((y: <{0} x f32> written, x: <N x {0} x f32>) {{
  shared p: <{1} x {0} x f32>{2}
  shared q: <{1} x f32>
  registers r: f32
  variant {{
    block $b0 in 1 {{
      allocate p
      allocate q
      allocate r
      fill r[]() with f32 0
      pipeline $k1 in N step {1} depth {3} {{
        thread $t2 in {4} {{
          unrolled $i3 in {1} {{
            {5}
          }}
        }}
        {6}
        thread $t4 in {0} {{
          unrolled $i5 in {1} {{
            %2: f32 = load p[$i5, -$t4 + {7}]
            {8}
            %3: f32 = multiply %2, %6
            store %3 to r[] by add
          }}
        }}
      }}
      thread $t7 in {0} {{
        %4: f32 = load r[]
        store %4 to y[$t7]
      }}
    }}
  }}
}})",
                       width, step, swizzle, depth, asynchronous ? width / width_of_copies : width, how,
                       other, width - 1, factor);
  }
};

codegen::schedule::Schedule expanded(const std::string& text) {
  std::string error;
  auto schedule = codegen::schedule::parse_schedule("schedule @s" + text, error);
  REQUIRE_MESSAGE(schedule.has_value(), error);
  codegen::schedule::gpu::insert_barriers(*schedule);
  codegen::schedule::gpu::expand_pipelines(*schedule);
  simplify(*schedule);
  CHECK(verify(*schedule).value_or("") == "");
  return *schedule;
}

std::string text_of(const codegen::schedule::Schedule& schedule) {
  const std::string text = print(schedule), head = "schedule @s";
  REQUIRE(text.substr(0, head.size()) == head);
  return text.substr(head.size());
}

std::vector<dlvm::Tensor> inputs(std::int64_t trips) {
  Reals x;
  for (std::int64_t i = 0; i < trips * width; ++i) x.push_back(static_cast<double>(i % 17 - 5));
  return {f32(Reals(width, 7)), f32(x, {trips, width})};
}

Reals expected(std::int64_t trips) {
  Reals y(width, 0);
  const auto all = inputs(trips);
  for (std::int64_t k = 0; k < trips; ++k)
    for (std::int64_t i = 0; i < width; ++i)
      y[static_cast<std::size_t>(i)] +=
          static_cast<double>(k) * all[1].real(static_cast<std::size_t>(k * width + width - 1 - i));
  return y;
}

std::string error_of(const std::string& text, std::int64_t trips, std::uint32_t seed = 0) {
  const Ran ran = run(text, inputs(trips), seed);
  if (!ran.error.empty()) return ran.error;
  const Reals right = expected(trips);
  for (std::size_t i = 0; i < right.size(); ++i)
    if (ran.arguments[0].real(i) != right[i]) return fmt::format("y[{}] is wrong", i);
  return "";
}

std::string without(std::string text, const std::string& part) {
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.erase(at, part.size());
}

TEST_CASE("a pipeline becomes a ring") {
  const std::string text = text_of(expanded(Sum{1, 3}.text()));
  INFO(text);
  CHECK(text.find("pipeline") == std::string::npos);
  CHECK(text.find("shared p: <3 x 1 x 40 x f32> strides [64, 40, 1]") != std::string::npos);
  CHECK(text.find(R"(      for $ahead8 in 2 {
        unrolled $trip9 in 1 within ($ahead8 of N) {
          thread $t10 in 40 {
            copy x[$ahead8, $t10](1) strides [1] to p[$ahead8, 0, $t10](1, 1, 1) asynchronous within ($ahead8 of N)
          }
        }
        commit
      }
      for $k1 in N {
        wait 1
        barrier
        unrolled $trip12 in 1 within ($k1 + 2 of N) {
          thread $t13 in 40 {
            copy x[$k1 + 2, $t13](1) strides [1] to p[mod($k1 + 2 / 3), 0, $t13](1, 1, 1) asynchronous within ($k1 + 2 of N)
          }
        }
        commit
        thread $t4 in 40 {
)") != std::string::npos);
}

TEST_CASE("multistage buffers of every depth, at their ends") {
  for (const std::int64_t depth : {2, 3, 4})
    for (const std::int64_t step : {1, 2})
      for (std::int64_t trips = 0; trips <= 5; ++trips) {
        const std::string text = text_of(expanded(Sum{step, depth}.text()));
        for (const std::uint32_t seed : {0u, 1u, 2u}) CHECK(error_of(text, trips, seed) == "");
      }
}

TEST_CASE("random multistage buffers") {
  std::mt19937 random(5);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < 60; ++i) {
    Sum sum{draw(1, 4), draw(2, 4), draw(0, 2) > 0, draw(0, 1) > 0};
    if (sum.asynchronous) sum.width_of_copies = 1 << draw(0, 2);
    if (draw(0, 1)) sum.swizzle = " strides [40, 1] swizzle 1, 2, 1";
    const int trips = draw(0, 11);
    const std::string text = text_of(expanded(sum.text()));
    INFO(text);
    CHECK(error_of(text, trips, static_cast<std::uint32_t>(i)) == "");
  }
}

TEST_CASE("a pipeline whose panels are used while they are filled is a serial loop") {
  const auto schedule = expanded(R"((y: <8 x f32> written, x: <N x 8 x f32>) { shared p: <8 x f32> variant {
    block $b0 in 1 {
      allocate p
      thread $t1 in 8 { %0: f32 = literal 0 store %0 to p[$t1] }
      pipeline $k2 in N depth 3 {
        thread $t3 in 8 { %1: f32 = load x[$k2, $t3] %2: f32 = load p[$t3] %3: f32 = add %1, %2 store %3 to p[-$t3 + 7] }
      }
      thread $t4 in 8 { %4: f32 = load p[$t4] store %4 to y[$t4] }
    } } })");
  CHECK(text_of(schedule).find("for $k2 in N {") != std::string::npos);
  CHECK(text_of(schedule).find("wait") == std::string::npos);
}

TEST_CASE("what a ring is used for after its loop is ordered") {
  // The second loop fills slots that slow threads of the first may still read.
  const std::string text = text_of(expanded(R"((y: <40 x f32> written, x: <N x 40 x f32>) {
    shared p: <40 x f32> registers r: f32 variant { block $b0 in 1 {
      allocate p
      allocate r
      fill r[]() with f32 0
      for $o5 in 3 {
        pipeline $k1 in N depth 2 {
          thread $t2 in 40 { copy x[$k1, $t2](1) strides [1] to p[$t2](1) asynchronous }
          thread $t4 in 40 { %2: f32 = load p[-$t4 + 39] store %2 to r[] by add }
        }
      }
      thread $t7 in 40 { %4: f32 = load r[] store %4 to y[$t7] }
    } } })"));
  INFO(text);
  for (std::int64_t trips = 0; trips < 4; ++trips) {
    CHECK(run(text, inputs(trips), 1).error == "");
    CHECK(run(text, inputs(trips), 3).error == "");
  }
}

// ----------------------------------------------------------------------------------------- planted mistakes

TEST_CASE("a ring without its wait, its barrier or its commits is found") {
  const std::string text = text_of(expanded(Sum{2, 3}.text()));
  CHECK(error_of(text, 9) == "");
  CHECK(error_of(without(text, "        wait 1\n"), 9).find("while a copy to it is under way") !=
        std::string::npos);
  for (const std::uint32_t seed : {0u, 1u, 2u})
    CHECK(error_of(without(text, "        barrier\n"), 9, seed) != "");
  CHECK(error_of(without(text, "        commit\n"), 9) != "");
  std::string late = text;
  late.replace(late.find("wait 1"), 6, "wait 2");
  CHECK(error_of(late, 9).find("while a copy to it is under way") != std::string::npos);
  std::string slot = text;
  slot.replace(slot.find("/ 3)", slot.find("wait 1")), 4, "/ 2)");
  CHECK(error_of(slot, 9) != "");
}

}  // namespace
}  // namespace schedule_tests
