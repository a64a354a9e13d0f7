// The names of extents are bound by those of values; what does not fit is said in a sentence each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/dlvm/analysis/parsed.h"
#include "tests/dlvm/interpret/build.h"

using namespace test;

namespace {

const Extent N = Extent::dimension("N"), M = Extent::dimension("M");

/// What does not fit, and with it the names: "N=3 M=2".
struct Bound {
  std::string wrong, names;
};
Bound bind(const std::vector<std::pair<Type, RuntimeValue>>& values, Extent::Bindings bindings = {}) {
  std::vector<TypedValue> typed;
  for (const auto& [type, value] : values) typed.push_back({fmt::format("v{}", typed.size()), &type, &value});
  const auto wrong = bind_dimensions(typed, bindings);
  std::string names;
  for (const auto& name : {"K", "M", "N"})
    if (bindings.contains(name))
      names += fmt::format("{}{}={}", names.empty() ? "" : " ", name, bindings[name]);
  return {fmt::format("{}", fmt::join(wrong, "; ")), names};
}

RuntimeValue zeros(std::vector<std::int64_t> extents) { return test::f32(std::move(extents), {}); }

}  // namespace

TEST_CASE("names are bound by axes that are a name, and by those of which one name is unknown") {
  CHECK(bind({{f32({N, 3}), zeros({2, 3})}, {f32({M}), zeros({0})}}).names == "M=0 N=2");
  CHECK(bind({{f32({2 * N + 1}), zeros({7})}}).names == "N=3");
  CHECK(bind({{f32({7 - N}), zeros({5})}}).names == "N=2");
  CHECK(bind({{f32({N + M}), zeros({5})}, {f32({M}), zeros({2})}}).names == "M=2 N=3");
  CHECK(bind({{f32({N * M}), zeros({6})}}, {{"M", 2}}).names == "M=2 N=3");
  CHECK(bind({{f32({N}), zeros({4})}, {f32({Extent::floor_divide(N, 2)}), zeros({2})}}).wrong.empty());
}

TEST_CASE("what gives a name no extent is left unbound, and said") {
  const auto wrong = [](const Extent& extent, std::int64_t actual, Extent::Bindings bindings = {}) {
    const Bound bound = bind({{f32({extent}), zeros({actual})}}, std::move(bindings));
    CHECK(bound.names.find('N') == std::string::npos);
    return bound.wrong;
  };
  CHECK(wrong(2 * N + 1, 6) == "v0: axis 0 has extent 6, which 2*N + 1 cannot be");
  CHECK(wrong(N + 4, 3) == "v0: axis 0 has extent 3, which N + 4 cannot be");
  CHECK(wrong(N * N, 4) == "v0: axis 0 has extent 4, which N*N cannot be");
  CHECK(wrong(N + M, 4) == "v0: axis 0 has extent 4, which M + N cannot be");
  CHECK(wrong(N * M, 0, {{"M", 0}}) == "v0: axis 0 has extent 0, which M*N cannot be");
  CHECK(wrong(Extent::floor_divide(N, 2), 4) == "v0: axis 0 has extent 4, which floor(N/2) cannot be");
  CHECK(wrong(Extent::floor_divide(12, N), 4) == "v0: axis 0 has extent 4, which floor(12/N) cannot be");
}

TEST_CASE("extents and ranks that differ are said, with where they are from") {
  CHECK(bind({{f32({N, 3}), zeros({2, 4})}}).wrong == "v0: axis 1 has extent 4, not 3");
  CHECK(bind({{f32({N}), zeros({2})}, {f32({N}), zeros({3})}}).wrong == "v1: axis 0 has extent 3, not N = 2");
  CHECK(bind({{f32({N}), zeros({2})}, {f32({2 * N}), zeros({3})}}).wrong ==
        "v1: axis 0 has extent 3, not 2*N = 4");
  CHECK(bind({{f32({N}), zeros({2})}}, {{"N", 5}}).wrong == "v0: axis 0 has extent 2, not N = 5");
  CHECK(bind({{f32({N}), zeros({2, 2})}, {f32({M}), zeros({})}}).wrong ==
        "v0 has rank 2, not 1 (<N x f32>); v1 has rank 0, not 1 (<M x f32>)");
}

TEST_CASE("values of another structure are said, and those in aggregates are found by their place") {
  const Type pair = Type::tuple({f32({N}), Type::tuple({f32({M})})});
  const RuntimeValue inner(std::vector{zeros({3})});
  CHECK(bind({{pair, RuntimeValue(std::vector{zeros({2}), inner})}}).names == "M=3 N=2");
  CHECK(bind({{pair, zeros({2})}}).wrong == "v0 is not " + pair.text());
  CHECK(bind({{pair, inner}}).wrong == "v0 is not " + pair.text());
  CHECK(bind({{f32({N}), inner}}).wrong == "v0 is not <N x f32>");
  CHECK(bind({{pair, RuntimeValue(std::vector{zeros({2}), zeros({3})})}}).wrong ==
        "v0, element 1 is not (<M x f32>)");
}

TEST_CASE("enums, pointers and stacks have no extents, and tensors are none of them") {
  const parsed::Text text(R"(
enum $Maybe { ?none ?some(f32) }
func @f: ($Maybe, *f32, stack) -> f32 {
'entry(%m: $Maybe, %p: *f32, %s: stack):
    return 1: f32
}
)");
  const auto& types = text.function().type().parameters();
  const RuntimeValue some = RuntimeValue::enumerator(1, {zeros({})}), stack(std::make_shared<RuntimeStack>());
  CHECK(bind({{types[0], some}, {types[1], RuntimeValue()}, {types[2], stack}}).wrong.empty());
  CHECK(bind({{types[0], zeros({})}}).wrong == "v0 is not $Maybe");
  CHECK(bind({{types[1], zeros({})}}).wrong == "v0 is not *f32");
  CHECK(bind({{types[2], some}}).wrong == "v0 is not stack");
}
