#include <doctest/doctest.h>

#include <fmt/format.h>

#include "dlvm/call/entry_call.h"
#include "tests/conformance/target.h"
#include "tests/support/object.h"

namespace {

using namespace conformance;

constexpr std::int64_t summed = 129, columns = 81;

/// x • w for `count` rows of x.
Module product_of(ElementType type, const Extent& count) {
  Module module("batch");
  const Type x = Type::tensor(type, {count, summed}), w = Type::tensor(type, {summed, columns}),
             y = Type::tensor(type, {count, columns});
  Function* function = module.add_function("forward", Type::function({x, w}, Type::tuple({y})));
  Builder b(*function->add_entry());
  const auto& arguments = function->entry().arguments();
  b.return_(b.tuple({b.dot(arguments[0].get(), arguments[1].get(), {{1, 0}})}));
  EntryPoint entry{EntryKind::forward, "forward", "forward", {}, {{ResultRole::output, "y", ""}}, "", {}};
  for (const char* name : {"x", "w"}) entry.arguments.push_back({ArgumentRole::input, name, ""});
  module.entries.push_back(std::move(entry));
  return module;
}

/// Row i is the same whatever the count.
Tensor rows(ElementType type, std::int64_t count, std::int64_t length) {
  Tensor result(type, {count, length});
  for (std::size_t i = 0; i < result.size(); ++i)
    result.set(i, static_cast<double>(i * 7919 % 1009) / 509 - 0.99);
  return result;
}

/// The first row for so many rows of x.
std::vector<std::byte> first_row(codegen::jit::LoadedObject& object, const Module& module, ElementType type,
                                 std::int64_t count) {
  EntryInputs given;
  given.inputs = {{"x", rows(type, count, summed)}, {"w", rows(type, summed, columns)}};
  std::vector<std::string> problems;
  const auto call = prepare_call(module, module.entries[0], given, problems);
  REQUIRE(call.has_value());
  std::string why;
  auto loaded = object.prepare(module.entries[0], *call, why, place_under_test());
  const bool ran = loaded && loaded->run(why);
  REQUIRE_MESSAGE(ran, why);
  const Tensor result = loaded->results()[0].tensor;
  return {result.data(), result.data() + columns * static_cast<std::int64_t>(info(type).bytes)};
}

}  // namespace

TEST_CASE("the first row of a product has the same bits in every batch") {
  for (const ElementType type : {ElementType::f32, ElementType::f64, ElementType::f16, ElementType::bf16}) {
    const Module module = product_of(type, Extent::dimension("N")), of_one = product_of(type, 1);
    std::string why;
    if (test::recording()) {
      for (const Module* each : {&module, &of_one}) CHECK_MESSAGE(test::record(*each, "batch", why), why);
      continue;
    }
    const auto object = test::load(module, "batch", why, devices_under_test());
    REQUIRE_MESSAGE(object != nullptr, why);
    const auto one = first_row(*object, module, type, 1);
    if (place_under_test().kind == codegen::jit::CallTarget::Kind::processor) {
      const auto alone = test::load(of_one, "batch", why);
      REQUIRE_MESSAGE(alone != nullptr, why);
      INFO(info(type).name, ", one row by declaration");
      CHECK(first_row(*alone, of_one, type, 1) == one);
    }
    for (const std::int64_t count : {7, 16, 17, 129, 1000}) {
      INFO(info(type).name, ", ", count, " rows");
      CHECK(first_row(*object, module, type, count) == one);
    }
  }
}
