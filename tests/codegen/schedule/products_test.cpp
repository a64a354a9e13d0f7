#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "../kernel/compare.h"
#include "codegen/schedule/interpret/interpret.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "codegen/schedule/text/text.h"
#include "codegen/schedule/transform/variants.h"
#include "dlvm/call/random_inputs.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"
#include "tests/codegen/scheduled.h"

/// Which variants and grids products get on devices.
namespace kernel_tests {
namespace {

using codegen::schedule::grid_count;
using codegen::schedule::Schedule;

struct Product {
  explicit Product(const std::string& text) {
    dlvm::Diagnostics diagnostics;
    module =
        frontend::compile(*sources.add("product.tel", "module product\n" + text), sources, {}, diagnostics);
    REQUIRE(module != nullptr);
    REQUIRE(optimize(*module, diagnostics));
  }
  const dlvm::Function& function() const { return *module->function(module->entries[0].function); }
  Call call(std::int64_t n) const {
    dlvm::Draw draw(1);
    std::string why;
    const auto drawn = dlvm::random_call(*module, module->entries[0], {}, n, {-2, 2}, draw, why);
    REQUIRE_MESSAGE(drawn.has_value(), why);
    Call result{{}, drawn->dimensions};
    for (const auto& argument : drawn->arguments) result.inputs.push_back(argument.tensor());
    return result;
  }
  codegen::schedule::ScheduledProgram scheduled(int architecture) const {
    return test::scheduled_for_gpu(program(function()), architecture);
  }
  dlvm::Sources sources;
  std::unique_ptr<dlvm::Module> module;
};

TEST_CASE("few rows get a variant of the same bits") {
  for (const std::string type : {"float32", "float64", "float16", "bfloat16", "int32", "int8"}) {
    const Product product("x: in " + type + "[N x 72]\nW: in " + type + "[72 x 67]\ny: out = -(x • W)\n");
    for (const int architecture : {75, 80}) {
      INFO(type, ", ", architecture);
      const auto both = product.scheduled(architecture);
      REQUIRE(both.schedules.size() == 1);
      const auto& variants = both.schedules[0].variants;
      REQUIRE(variants.size() == 2);
      const bool tensor_cores =
          architecture == 80 && (type == "float32" || type == "float16" || type == "bfloat16");
      CHECK(variants[0].guards[0].end == (tensor_cores ? 17 : 9));
      auto many = both;
      many.schedules[0].variants.erase(many.schedules[0].variants.begin());
      for (const std::int64_t rows : {1, 3, 8}) {
        const Call call = product.call(rows);
        const auto few = codegen::schedule::interpret(both, call.inputs, call.dimensions, 2);
        CHECK(few.error.value_or("") == "");
        CHECK(few.outputs == codegen::schedule::interpret(many, call.inputs, call.dimensions).outputs);
      }
    }
  }
}

// Their tiles are checked in product_types.kernel.
TEST_CASE("products of 16-bit operands and integers below sm_80") {
  for (const std::string type : {"float16", "bfloat16", "int8", "uint8", "int32", "int64"}) {
    INFO(type);
    const Product product("x: in " + type + "[40 x 72]\nW: in " + type + "[72 x 64]\ny: out = x • W\n");
    CHECK(schedule_differences(product.function(), {product.call(1)}, {{true}, {0, 3}}) == "");
  }
}

TEST_CASE("computed operands are read as vectors of 16 bytes of their panels where extents allow") {
  /// The widths of the vectors that the first schedule has.
  const auto widths = [](const std::string& text, int architecture) {
    const Product product(text);
    CHECK(schedule_differences(product.function(), {product.call(9)}, {{true}, {0, 3}}) == "");
    const std::string schedule = print(product.scheduled(architecture).schedules[0]);
    std::set<int> result;
    for (auto at = schedule.find("vector $"); at != std::string::npos; at = schedule.find("vector $", at + 1))
      result.insert(std::stoi(schedule.substr(schedule.find(" in ", at) + 4)));
    return result;
  };
  const std::string half = "type float16\n", real = "type float64\n";
  const std::string even = "x: in[80 x 64]\nW: in[64 x 128]\ny: out = ",
                    odd = "x: in[80 x 65]\nW: in[65 x 67]\ny: out = ";
  CHECK(widths(even + "x • W\n", 75) == std::set{4});
  CHECK(widths(even + "x • W\n", 80) == std::set<int>{});  // copied
  CHECK(widths(even + "(2 * x) • (-W)\n", 80) == std::set{4});
  CHECK(widths(half + even + "x • W\n", 75) == std::set{4});
  CHECK(widths(half + even + "(2 * x) • (-W)\n", 80) == std::set{8});
  CHECK(widths(real + even + "(2 * x) • (-W)\n", 80) == std::set{2});
  for (const int architecture : {75, 80})
    CHECK(widths(odd + "(2 * x) • (-W)\n", architecture) == std::set<int>{});
}

// Their grids are checked in split_product.kernel.
TEST_CASE("products of few tiles with many summed points") {
  const Product product("x: in[N x 9]\nz: in[N x 11]\ny: out = x^T • z + 1\n");
  CHECK(schedule_differences(product.function(), {product.call(0), product.call(512), product.call(513)},
                             {{true}, {0, 3}}) == "");
}

TEST_CASE("whether a product is split does not depend on free extents of its result") {
  const auto grids = [](const std::string& text) {
    return grid_count(Product(text).scheduled(80).schedules[0]);
  };
  CHECK(grids("x: in[900 x 70]\nz: in[900 x 66]\ny: out = x^T • z\n") == 2);
  CHECK(grids("x: in[500 x 70]\nz: in[500 x 66]\ny: out = x^T • z\n") == 1);
  CHECK(grids("x: in[900 x 30]\nz: in[900 x 40]\ny: out = x^T • z\n") == 1);  // small: one block may have it
  CHECK(grids("x: in[900 x N]\nz: in[900 x 66]\ny: out = x^T • z\n") == 1);
  CHECK(grids("x: in[900 x 2000]\nz: in[900 x 2000]\ny: out = x^T • z\n") == 1);
  const Product split("x: in[900 x 70]\nz: in[900 x 66]\ny: out = x^T • z\n");
  CHECK(schedule_differences(split.function(), {split.call(1)}, {{true}, {2}}) == "");
}

}  // namespace
}  // namespace kernel_tests
