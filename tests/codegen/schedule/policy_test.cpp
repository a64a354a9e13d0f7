#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "../kernel/compare.h"
#include "codegen/kernel/text/text.h"
#include "codegen/schedule/cpu/choose.h"
#include "codegen/schedule/cpu/schedule_for_cpu.h"
#include "codegen/schedule/gpu/choose.h"
#include "codegen/schedule/gpu/dynamic_rows.h"
#include "codegen/schedule/gpu/schedule_for_gpu.h"
#include "codegen/schedule/gpu/small_product.h"
#include "codegen/schedule/gpu/split_reduction.h"
#include "codegen/schedule/gpu/team_builder.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/text/text.h"
#include "codegen/target/gpu/emit_kernels.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"
#include "tests/codegen/scheduled.h"

/// The policy of both targets: what `choose` returns, what is printed of it, and what the pages say of it.
namespace kernel_tests {
namespace {

namespace cpu = codegen::schedule::cpu;
namespace gpu = codegen::schedule::gpu;
using codegen::schedule::Schedule;

codegen::kernel::Kernel parsed(const std::string& text) {
  std::string error;
  auto kernel = codegen::kernel::parse_kernel(text, error);
  REQUIRE_MESSAGE(kernel.has_value(), error);
  return std::move(*kernel);
}

/// The plans that a schedule shows: those of each variant in order, each once.
std::vector<std::string> plans(const Schedule& schedule) {
  std::vector<std::string> result;
  for (const auto& variant : schedule.variants)
    codegen::schedule::walk<codegen::schedule::Origin>(variant.body, [&](const auto& origin) {
      if (std::find(result.begin(), result.end(), origin.plan) == result.end()) result.push_back(origin.plan);
    });
  return result;
}

/// The plans for a program of one entry point, on the GPU of that capability.
std::vector<std::string> plans_of(const std::string& x, const std::string& y, int capability = 80) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto module = frontend::compile(
      *sources.add("policy.tel", "module policy\n" + x + "\ny: out = " + y + "\n"), sources, {}, diagnostics);
  REQUIRE_MESSAGE(module != nullptr, x << ", " << y);
  REQUIRE(optimize(*module, diagnostics));
  const dlvm::Function& function = *module->function(module->entries[0].function);
  std::vector<std::string> result;
  const auto scheduled = test::scheduled_for_gpu(program(function), capability, false);
  for (const auto& schedule : scheduled.schedules)
    for (std::string& plan : plans(schedule)) result.push_back(std::move(plan));
  return result;
}

std::string page(const std::string& name) {
  std::ifstream file(TEST_FOLDER "/../../docs/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Either side of every threshold of the policy for GPUs.
struct Probe {
  std::string x, y;
};
const std::vector<Probe>& probes() {
  static const std::vector<Probe> all{
      {"x: in[N x 1024]", "softmax(x)"},
      {"x: in[N x 1025]", "softmax(x)"},
      {"x: in[N x 16383]", "softmax(x)"},
      {"x: in[N x 16384]", "softmax(x)"},
      {"x: in[N x T]", "softmax(x)"},
      {"x: in[1023 x 64]", "max(x, along: 0)"},
      {"x: in[N x 256]", "max(x, along: 0)"},
      {"x: in[32768]", "sum(x)"},
      {"x: in[32769]", "sum(x)"},
      {"x: in[N x 512]", "x + 1"},
      {"x: in[N x 512]", "x^T + 1"},
      {"x: in[N x 512]", "x • x^T"},
  };
  return all;
}

}  // namespace

TEST_CASE("policy: docs/gpu.md shows what choose returns on either side of thresholds") {
  std::string table = "| program | plan |\n| --- | --- |\n";
  for (const auto& [x, y] : probes())
    for (const std::string& plan : plans_of(x, y)) table += fmt::format("| `{}`, `{}` | {} |\n", x, y, plan);
  const std::string text = page("gpu.md"), begin = "<!-- plans -->\n", end = "<!-- end of plans -->";
  const std::size_t from = text.find(begin), upto = text.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(upto != std::string::npos);
  CHECK_MESSAGE(text.substr(from + begin.size(), upto - from - begin.size()) == table,
                "docs/gpu.md should hold, between its two marks:\n"
                    << table);
}

TEST_CASE("policy: a schedule's text has the plans, and reading it gives them back") {
  const auto kernel = parsed(R"(kernel @rows(x: <N x 1024 x f32>, y: <N x f32> written) {
  stage sum over $i0 in N, reduced $j1 in 1024 {
    %0: f32 = load x[$i0, $j1]
    reduce add (f32 from 0) of %0
    %1: f32 = state 0
    store %1 to y[$i0]
  }
})");
  for (const Schedule& schedule :
       {gpu::schedule_for_gpu(kernel, gpu::target_of(80)), cpu::schedule_for_cpu(kernel, cpu::CpuTarget{})}) {
    const std::string text = print(schedule);
    CHECK(text.find("plan \"row reduction, ") != std::string::npos);
    std::string error;
    const auto again = codegen::schedule::parse_schedule(text, error);
    REQUIRE_MESSAGE(again.has_value(), error);
    CHECK(plans(*again) == plans(schedule));
    CHECK(print(*again) == text);
  }
}

TEST_CASE("policy: choose depends on the fields of the target") {
  const auto product =
      parsed(R"(kernel @dot(x: <N x 512 x f32>, w: <512 x 512 x f32>, y: <N x 512 x f32> written) {
  stage dot over $i0 in N, $j1 in 512, reduced $k2 in 512 {
    %0: f32 = load x[$i0, $k2]
    %1: f32 = load w[$k2, $j1]
    %2: f32 = multiply %0, %1
    contract batch [] m [$i0] n [$j1] k [$k2] of %0, %1
    reduce add (f32 from 0) of %2
    %3: f32 = state 0
    store %3 to y[$i0, $j1]
  }
})");
  const auto& stage = std::get<codegen::kernel::Stage>(product.root.children[0]);
  const auto buffers = gpu::kernel_buffers(product);
  const auto plan = [&](const gpu::GpuTarget& target) {
    return std::get<gpu::ProductPlan>(gpu::choose(stage, buffers, target, {}).plan);
  };
  gpu::GpuTarget target = gpu::target_of(80);
  CHECK(plan(target).on_tensor_cores);
  CHECK(plan(target).stages == 4);
  target.shared_bytes = 64 * 1024;
  CHECK(plan(target).stages == 2);
  target.matrix_instructions = false;
  CHECK_FALSE(plan(target).on_tensor_cores);
  CHECK(plan(target).stages > 1);
  target.asynchronous_copies = false;
  CHECK(plan(target).stages == 1);
  CHECK(plan(target).threads == target.block_threads);

  const auto rows = [&](const cpu::CpuTarget& core) {
    return std::get<cpu::ProductPlan>(cpu::choose(stage, buffers, core).plan).rows;
  };
  CHECK(rows({32, 16}) == 6);
  CHECK(rows({64, 32}) == 14);
  CHECK(std::holds_alternative<cpu::PointsPlan>(cpu::choose(stage, buffers, {0, 0}).plan));
}

TEST_CASE("policy: the table of schedules in docs/gpu.md has the thresholds of the code") {
  const std::string text = page("gpu.md");
  const auto says = [&](const std::string& sentence) {
    CHECK_MESSAGE(text.find(sentence) != std::string::npos, sentence);
  };
  const gpu::GpuTarget& target = gpu::target_of(80);
  says(fmt::format("A warp computes a row of up to {} elements, a block of {} threads a longer one",
                   gpu::short_row, target.block_threads));
  says(fmt::format("Up to {} constant elements stay in registers",
                   target.max_thread_points * target.block_threads));
  says(fmt::format("From {} constant points on a team reduces", gpu::cooperative_chain));
  says(fmt::format("With fewer than {} rows different blocks reduce them", target.multiprocessors));
  says(fmt::format("One more variant for up to {} rows ({} on tensor cores)", gpu::thread_small_m_rows,
                   gpu::tensor_core_small_m_rows));
  says(fmt::format("more than {} summed terms | Two grids: the first computes up to {} parts",
                   gpu::whole_chain, gpu::max_parts));
  says(fmt::format(
      "with at least {} summed terms and at most one of rows, columns and terms a constant up to {}",
      gpu::min_product_depth, gpu::small_extent));
  says(fmt::format("Where a thread of the team has at most {} points of the row", target.max_thread_points));
  says(fmt::format("hands to the next, up to {} registers", target.row_registers));
}

}  // namespace kernel_tests
