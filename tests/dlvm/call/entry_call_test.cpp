#include "dlvm/call/entry_call.h"
#include "dlvm/call/weights.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/dlvm/interpret/build.h"

using namespace test;

namespace {

const Extent N = Extent::dimension("N"), M = Extent::dimension("M");

/// forward(x [N x 2], b [2]) = (y = x + b, m = M); b is initialised with 0.5.
struct Network {
  Module module{"test"};

  Network() {
    const Type x = f32({N, 2}), bias = f32({2}), seed = Type::scalar(ElementType::u64);
    Function* initialize = module.add_function("initialize.b", Type::function({seed}, bias));
    Builder in_initialize(*initialize->add_entry());
    in_initialize.return_(in_initialize.broadcast(in_initialize.constant(ElementType::f32, 0.5), {2}));
    Function* f = module.add_function(
        "forward", Type::function({x, bias}, Type::tuple({x, Type::scalar(ElementType::i64)})));
    Builder b(*f->add_entry({"x", "b"}));
    const auto& a = f->entry().arguments();
    b.return_(b.tuple({b.add(a[0].get(), a[1].get()), b.extent(M, ElementType::i64)}));
    module.tensors.push_back({StoredTensor::Role::parameter, "b", bias, "initialize.b", "", {}});
    module.entries.push_back({EntryKind::forward,
                              "forward",
                              "forward",
                              {{ArgumentRole::input, "x", ""}, {ArgumentRole::parameter, "b", ""}},
                              {{ResultRole::output, "y", ""}, {ResultRole::output, "m", ""}},
                              "",
                              {}});
    module.entries.push_back(
        {EntryKind::named_gradient, "other", "forward", {{ArgumentRole::input, "z", ""}}, {}, "", {}});
  }

  std::vector<std::string> problems(const EntryInputs& given) const {
    std::vector<std::string> all;
    CHECK_FALSE(prepare_call(module, module.entries[0], given, all));
    return all;
  }
};

}  // namespace

TEST_CASE("an entry point is called by names") {
  const Network network;
  EntryInputs given;
  given.inputs = {{"x", f32({1, 2}, {1, 2})}, {"z", f32({}, {1})}};
  given.dimensions["M"] = 5;
  std::vector<std::string> problems;
  const auto call = prepare_call(network.module, network.module.entries[0], given, problems);
  REQUIRE(call);
  InterpretError error;
  const auto results = interpret_entry(network.module, network.module.entries[0], *call, {}, error);
  REQUIRE(results);
  CHECK((*results)[0].name == "y");
  CHECK(values((*results)[0].tensor) == std::vector<double>{1.5, 2.5});
  CHECK((*results)[1].tensor.integer(0) == 5);
}

TEST_CASE("every problem with the inputs is listed") {
  const Network network;
  EntryInputs given;
  using Texts = std::vector<std::string>;
  CHECK(network.problems(given) ==
        Texts{"input 'x' (float32[N x 2]) is missing; give it with --in x=FILE.npy"});
  given.inputs = {{"q", f32({}, {1})}, {"x", i32({1, 2}, {1, 2})}};
  given.weights = NamedTensors{{"w", f32({}, {1})}, {"b", f32({3}, {1, 2, 3})}};
  CHECK(network.problems(given) ==
        Texts{"the module has no input 'q'; it has x, z",
              "the module has no parameter, constant or state 'w'; it has b",
              "input 'x' is int32[1 x 2] as given, but the module needs float32[N x 2]",
              "parameter 'b' (float32[3], declared float32[2]): axis 0 has extent 3, not 2"});
  given.weights = NamedTensors{};
  given.inputs = {{"x", f32({1, 2}, {1, 2})}};
  given.dimensions["N"] = 4;
  CHECK(network.problems(given) ==
        Texts{"parameter 'b' (float32[2]) is missing in the weights",
              "input 'x' (float32[1 x 2], declared float32[N x 2]): axis 0 has extent 1, not N = 4"});
  given.inputs = {{"x", f32({3}, {1, 2, 3})}};
  CHECK(network.problems(given)[0] ==
        "input 'x' is float32[3] as given, but the module needs float32[N x 2]");
}

TEST_CASE("a file of weights has names, orders of axes and floating-point types of its own") {
  Module module("test");
  StoredTensor matrix;
  matrix.name = "fc.W";
  matrix.type = Type::tensor(ElementType::f32, {2, 3});
  matrix.file_name = "fc.weight";
  matrix.transposed_in_file = true;
  StoredTensor count;
  count.role = StoredTensor::Role::state;
  count.name = "count";
  count.type = Type::tensor(ElementType::i32, {});
  module.tensors = {matrix, count};
  Tensor file(ElementType::f64, {3, 2});
  for (std::size_t i = 0; i < 6; ++i) file.set(i, static_cast<double>(i) + 0x1p-40);

  std::vector<std::string> problems;
  const auto weights = weights_of_file(module, {{"fc.weight", file}}, problems);
  REQUIRE(weights);
  CHECK((*weights)[0].name == "fc.W");
  CHECK((*weights)[0].tensor.element() == ElementType::f32);
  CHECK((*weights)[0].tensor.extents() == std::vector<std::int64_t>{2, 3});
  CHECK(values((*weights)[0].tensor) == std::vector<double>{0x1p-40, 2, 4, 1, 3, 5});

  CHECK_FALSE(weights_of_file(
      module, {{"fc.W", file}, {"fc.weight", f32({2}, {1, 2})}, {"count", f32({}, {1})}}, problems));
  CHECK(problems ==
        std::vector<std::string>{"the module has no parameter, constant or state 'fc.W'",
                                 "parameter 'fc.weight' (fc.W, transposed) is float32[2] in the file, but "
                                 "the module needs float32[3 x 2]",
                                 "state 'count' is float32[] in the file, but the module needs int32[]"});
}

TEST_CASE("integers come in any type of integers that has them") {
  const auto problem = [](ElementType declared, ElementType given, std::int64_t last) {
    Module module("test");
    const Type type = Type::tensor(declared, {N});
    Function* f = module.add_function("forward", Type::function({type}, Type::tuple({type})));
    Builder b(*f->add_entry({"x"}));
    b.return_(b.tuple({f->entry().arguments()[0].get()}));
    module.entries.push_back({EntryKind::forward,
                              "forward",
                              "forward",
                              {{ArgumentRole::input, "x", ""}},
                              {{ResultRole::output, "y", ""}},
                              "",
                              {}});
    Tensor tensor(given, {2});
    tensor.set(1, last);
    EntryInputs inputs;
    inputs.inputs.push_back({"x", tensor});
    std::vector<std::string> problems;
    const auto call = prepare_call(module, module.entries[0], inputs, problems);
    if (call) CHECK(call->arguments[0].tensor().integer(1) == last);
    return call ? "" : problems.at(0);
  };
  using enum ElementType;
  CHECK(problem(i32, i64, 2147483647).empty());
  CHECK(problem(i32, i64, -2147483648).empty());
  CHECK(problem(i64, u8, 255).empty());
  CHECK(problem(u8, i64, 255).empty());
  CHECK(problem(i32, i64, 2147483648) ==
        "input 'x' is int64[2] as given, but the module needs int32[N]: element [1] is 2147483648, which "
        "int32 does not have");
  CHECK(problem(u8, i64, -1) ==
        "input 'x' is int64[2] as given, but the module needs uint8[N]: element [1] is -1, which uint8 does "
        "not have");
  for (const ElementType declared : {i8, i32, i64})
    CHECK(problem(declared, u64, -1)
              .ends_with(fmt::format("element [1] is 18446744073709551615, which {} does not have",
                                     info(declared).tel_name)));
  CHECK(!problem(u64, i8, -1).empty());
  CHECK(problem(i32, boolean, 1) == "input 'x' is bool[2] as given, but the module needs int32[N]");
  CHECK(problem(f32, f64, 1) ==
        "input 'x' is float64[2] as given, but the module needs float32[N]; save it as float32, for nothing "
        "is rounded");
  CHECK(problem(f32, i32, 1) == "input 'x' is int32[2] as given, but the module needs float32[N]");
}

TEST_CASE("an entry point that is not there, or does not fit its function") {
  const Network network;
  std::string why;
  CHECK(find_entry(network.module, "forward", why) != nullptr);
  CHECK(find_entry(network.module, "backward", why) == nullptr);
  CHECK(why == "module 'test' has no entry point 'backward'; it has forward, other");
  CHECK(find_entry(network.module, "other", why) == nullptr);
  CHECK(why == "entry point 'other' does not fit @forward");
}
