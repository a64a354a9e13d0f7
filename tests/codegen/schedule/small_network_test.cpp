#include <doctest/doctest.h>

#include <algorithm>

#include "../kernel/compare.h"
#include "codegen/kernel/text/text.h"
#include "codegen/kernel/verify/verify.h"
#include "codegen/schedule/gpu/barriers.h"
#include "codegen/schedule/gpu/single_block.h"
#include "codegen/schedule/gpu/small_network.h"
#include "codegen/schedule/gpu/small_product.h"
#include "codegen/schedule/interpret/interpret.h"
#include "codegen/schedule/interpret/interpret_program.h"
#include "codegen/schedule/ir/size.h"
#include "codegen/schedule/text/text.h"
#include "codegen/schedule/transform/variants.h"
#include "codegen/target/gpu/emit_kernels.h"
#include "codegen/target/gpu/join_launches.h"
#include "dlvm/call/random_inputs.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"
#include "tests/codegen/scheduled.h"

/// Chains of small layers as one launch of one block.
namespace kernel_tests {
namespace {

using codegen::kernel::Program;
using codegen::schedule::Schedule;

constexpr const char* small_layers = R"(module small
x:     in[N x 5]
label: in int32[N]
W: param[5 x 24] = glorot()
b: param[24] = 0
V: param[24 x 3] = glorot()
c: param[3] = 0
h = tanh(x • W + b)
logits = h • V + c
y: out = softmax(logits)
L: loss = cross_entropy(logits, label)
)";

constexpr const char* large_layers = R"(module large
x: in[N x 784]
W: param[784 x 256] = glorot()
V: param[256 x 10] = glorot()
y: out = relu(x • W) • V
)";

struct Network {
  explicit Network(const std::string& text) {
    dlvm::Diagnostics diagnostics;
    module = frontend::compile(*sources.add("network.tel", text), sources, {}, diagnostics);
    REQUIRE(module != nullptr);
    REQUIRE(optimize(*module, diagnostics));
  }
  const dlvm::EntryPoint& entry(const std::string& name) const {
    return *std::find_if(module->entries.begin(), module->entries.end(),
                         [&](const dlvm::EntryPoint& entry) { return entry.name == name; });
  }
  const dlvm::Function& operator[](const std::string& name) const {
    return *module->function(entry(name).function);
  }
  Call call(const std::string& name, std::int64_t n) const {
    dlvm::Draw draw(1);
    std::string why;
    const auto drawn = dlvm::random_call(*module, entry(name), {}, n, {-2, 2}, draw, why);
    REQUIRE_MESSAGE(drawn.has_value(), why);
    Call result{{}, drawn->dimensions};
    for (const auto& argument : drawn->arguments) result.inputs.push_back(argument.tensor());
    return result;
  }

  dlvm::Sources sources;
  std::unique_ptr<dlvm::Module> module;
};

codegen::schedule::ScheduledProgram scheduled(const dlvm::Function& function) {
  return test::scheduled_for_gpu(program(function), 80);
}

std::size_t locals(const Program& program) {
  const auto& buffers = program.kernels[0].buffers;
  return static_cast<std::size_t>(std::count_if(buffers.begin(), buffers.end(), [](const auto& buffer) {
    return buffer.space == codegen::kernel::Buffer::Space::local && buffer.depth == 0;
  }));
}

TEST_CASE("a chain of small layers is one launch, forward and gradient") {
  const Network network(small_layers);
  for (const char* entry : {"forward", "gradient"}) {
    Program joined = program(network[entry]);
    const std::size_t before = joined.body.size();
    codegen::target::gpu::join_launches(joined, codegen::schedule::gpu::target_of(80));
    CHECK(before >= 3);
    CHECK(joined.body.size() == 1);
    CHECK(joined.kernels.size() == 1);
    CHECK(codegen::kernel::verify(joined).value_or("") == "");
    const auto schedules = scheduled(network[entry]).schedules;
    REQUIRE(schedules.size() == 1);
    REQUIRE(schedules[0].variants.size() >= 2);  // one block, perhaps few summed points, and all
    const auto& block = schedules[0].variants[0];
    REQUIRE(block.guards.size() == 1);
    CHECK(block.guards[0].value.text() == "N");
    CHECK(block.guards[0].end == 65);
    CHECK(block.body.size() == 1);
    CHECK(codegen::schedule::grid_count(schedules[0]) >= 3);
  }
}

TEST_CASE("values of joined launches that are alike and do not meet are one buffer") {
  const Network network(R"(module chain
x: in[N x 8]
A: param[8 x 8] = glorot()
a = tanh(x • A)
b = tanh(a • A)
c = tanh(b • A)
y: out = c • A
)");
  Program joined = program(network["forward"]);
  codegen::target::gpu::join_launches(joined, codegen::schedule::gpu::target_of(80));
  CHECK(joined.body.size() == 1);
  CHECK(locals(joined) == 2);
}

TEST_CASE("what is not small stays as it is") {
  const Network network(large_layers);
  Program joined = program(network["forward"]);
  const std::string before = print(joined);
  codegen::target::gpu::join_launches(joined, codegen::schedule::gpu::target_of(80));
  CHECK(print(joined) == before);
  for (const Schedule& schedule : scheduled(network["forward"]).schedules) {
    REQUIRE(schedule.variants.size() == 2);  // few rows, and all
    CHECK(schedule.variants[0].guards[0].end == 17);
  }
}

/// A layer of long expressions after the other, of so many terms each.
std::string long_layers(int layers, int terms) {
  std::string text = "module long\nx0: in[N x 8]\nA: param[8 x 8] = glorot()\n";
  for (int i = 0; i < layers; ++i) {
    const std::string x = "x" + std::to_string(i), z = "z" + std::to_string(i);
    text += z + " = " + x + " • A\nx" + std::to_string(i + 1) + " = " + z;
    for (int k = 1; k < terms; ++k) text += " + abs(" + z + " - 0." + std::to_string(10 + k) + ")";
    text += "\n";
  }
  return text + "y: out = x" + std::to_string(layers) + "\n";
}

/// The estimated instructions of the variants that are one block.
std::vector<std::int64_t> block_sizes(const codegen::schedule::ScheduledProgram& scheduled) {
  std::vector<std::int64_t> sizes;
  for (const Schedule& schedule : scheduled.schedules)
    for (const auto& variant : schedule.variants)
      if (variant.body.size() == 1 && !variant.guards.empty())
        sizes.push_back(codegen::schedule::instruction_estimate(variant.body));
  return sizes;
}

TEST_CASE("launches that would come to many instructions are several kernels, with the same bits") {
  const Network network(long_layers(24, 60));
  const auto joined = scheduled(network["forward"]);
  const auto sizes = block_sizes(joined);
  const std::size_t launches = joined.program.body.size();
  CHECK(launches > 1);
  CHECK(launches < 24);
  CHECK(sizes.size() == joined.schedules.size());
  for (const std::int64_t size : sizes) CHECK(size <= codegen::schedule::gpu::max_block_instructions);
  const Call call = network.call("forward", 5);
  const auto apart = test::scheduled_for_gpu(program(network["forward"]), 80, false);
  CHECK(apart.program.body.size() >= 24);
  const auto one = codegen::schedule::interpret(joined, call.inputs, call.dimensions).outputs;
  const auto other = codegen::schedule::interpret(apart, call.inputs, call.dimensions).outputs;
  REQUIRE(one.size() == 1);
  CHECK(std::equal(one[0].data(), one[0].data() + one[0].byte_count(), other[0].data()));
}

TEST_CASE("a launch of many instructions has no variant of one block") {
  const auto is_block = [](int terms) {
    std::string text =
        "kernel @p(x: <N x f32>, y: <N x f32> written) { stage sum over $i0 in N { %0: f32 = load x[$i0] ";
    for (int i = 1; i < terms; ++i)
      text += "%" + std::to_string(i) + ": f32 = add %" + std::to_string(i - 1) + ", %0 ";
    text += "store %" + std::to_string(terms - 1) + " to y[$i0] } }";
    std::string error;
    const auto kernel = codegen::kernel::parse_kernel(text, error);
    REQUIRE_MESSAGE(kernel.has_value(), error);
    return codegen::schedule::gpu::schedule_as_single_block(*kernel, codegen::schedule::gpu::target_of(80),
                                                            64)
        .has_value();
  };
  CHECK(is_block(1000));
  CHECK(!is_block(5000));
}

TEST_CASE("an estimate counts unrolled loops as often as they run, and others once") {
  std::string error;
  const auto schedule = codegen::schedule::parse_schedule(R"(schedule @s(y: <32 x f32> written) {
  variant {
    block $b0 in 1 {
      for $i1 in N {
        unrolled $i2 in 4 { %0: f32 = literal 1 store %0 to y[$i2] }
      }
    }
  }
})",
                                                          error);
  REQUIRE_MESSAGE(schedule.has_value(), error);
  CHECK(codegen::schedule::instruction_estimate(schedule->variants[0].body) == 1 + 1 + 1 + 4 * 2);
}

TEST_CASE("both sides of the guard have the same bits") {
  const Network network(small_layers);
  for (const char* entry : {"forward", "gradient"}) {
    INFO(entry);
    const std::vector<Call> calls{network.call(entry, 64), network.call(entry, 65)};
    CHECK(schedule_differences(network[entry], calls, {{true}, {2}}) == "");
  }
}

TEST_CASE("row 0 has the same bits in a batch of the largest block, and of one more") {
  const Network network(small_layers);
  const auto schedules = scheduled(network["forward"]);
  Call many = network.call("forward", 65);
  Call few = network.call("forward", 64);
  for (std::size_t i = 0; i < few.inputs.size(); ++i)
    std::copy_n(many.inputs[i].data(), few.inputs[i].byte_count(), few.inputs[i].data());
  const auto all = codegen::schedule::interpret(schedules, many.inputs, many.dimensions).outputs;
  const auto first = codegen::schedule::interpret(schedules, few.inputs, few.dimensions).outputs;
  REQUIRE(all.size() == 1);
  CHECK(std::equal(first[0].data(), first[0].data() + first[0].byte_count(), all[0].data()));
}

// The sums over the batch and the positions are as long as a call says: 48 and 640 terms.
TEST_CASE("a convolution and its derivatives have the same bits joined and apart") {
  const Network network(R"(module windows
x: in[N x 2 x 6 x 6]
k: param[8 x 2 x 3 x 3] = glorot()
b: param[8 x 1 x 1] = 0
y: out = relu(convolve(x, k) + b)
L: loss = mean(y^2)
)");
  for (const char* entry : {"forward", "gradient"})
    CHECK(schedule_differences(network[entry], {network.call(entry, 3), network.call(entry, 40)},
                               {{true}, {0}}) == "");
}

TEST_CASE("what an extent is at most") {
  using codegen::schedule::gpu::upper_bound;
  const auto third = dlvm::Extent::floor_divide(N + dlvm::Extent(2), 3);
  CHECK(upper_bound(N * dlvm::Extent(4) + dlvm::Extent(1), 8) == 33);
  CHECK(upper_bound(N - M, 8) == 8);
  CHECK(upper_bound(N - dlvm::Extent(20), 8) == 0);
  CHECK(upper_bound(third, 8) == 3);
  CHECK(!upper_bound(N - third, 8));
  CHECK(!upper_bound(dlvm::Extent::floor_divide(N, M), 8));
}

TEST_CASE("which products are small") {
  const auto is_small = [](const std::string& m, const std::string& n, const std::string& k,
                           const std::string& type = "f32") {
    std::string error;
    const auto kernel = codegen::kernel::parse_kernel(
        "kernel @p(x: <" + m + " x " + k + " x " + type + ">, y: <" + k + " x " + n + " x " + type +
            ">, z: <" + m + " x " + n + " x " + type + "> written) { stage dot over $i0 in " + m +
            ", $j1 in " + n + ", reduced $k2 in " + k + " { %0: " + type + " = load x[$i0, $k2] %1: " + type +
            " = load y[$k2, $j1] %2: " + type +
            " = multiply %0, %1 contract batch [] m [$i0] n [$j1] k [$k2] of %0, %1 reduce add (" + type +
            " from 0) of %2 %3: " + type + " = state 0 store %3 to z[$i0, $j1] } }",
        error);
    REQUIRE_MESSAGE(kernel.has_value(), error);
    return codegen::schedule::gpu::is_small_product(
        std::get<codegen::kernel::Stage>(kernel->root.children[0]));
  };
  CHECK(is_small("N", "64", "64"));
  CHECK(is_small("64", "10", "N"));
  CHECK(is_small("100000", "64", "8", "f64"));
  CHECK(!is_small("N", "64", "65"));
  CHECK(!is_small("N", "N", "16"));
  CHECK(!is_small("N", "16", "16", "bf16"));
}

TEST_CASE("a loop that may have no trip leaves a barrier to be made after it") {
  std::string error;
  auto schedule = codegen::schedule::parse_schedule(R"(schedule @s(y: <32 x f32> written) {
  shared s: <32 x f32>
  shared t: <32 x f32>
  variant {
    block $b0 in 1 {
      allocate s
      allocate t
      thread $t1 in 32 { %0: f32 = literal 1 store %0 to s[$t1] }
      for $i2 in N {
        thread $t3 in 32 { %1: f32 = load s[31 - $t3] store %1 to t[$t3] }
      }
      thread $t4 in 32 { %2: f32 = load s[31 - $t4] store %2 to y[$t4] }
    }
  }
})",
                                                    error);
  REQUIRE_MESSAGE(schedule.has_value(), error);
  codegen::schedule::gpu::insert_barriers(*schedule);
  dlvm::Tensor y(dlvm::ElementType::f32, {32});
  for (const std::int64_t n : {0, 1, 2}) {
    std::vector<dlvm::Tensor> arguments{y};
    CHECK(codegen::schedule::interpret(*schedule, arguments, {{"N", n}}, 1).value_or("") == "");
  }
}

}  // namespace
}  // namespace kernel_tests
