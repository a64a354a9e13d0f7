// The driver of code generation: which steps are run for which target, that what each of them gives is
// verified, and that kernels are built once.
#include "codegen/pipeline.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "codegen/read_unit.h"
#include "codegen/targets.h"
#include "dlvm/pipeline.h"
#include "tests/codegen/kernel/compare.h"
#include "tests/codegen/scheduled.h"

namespace {

using codegen::Level;
using codegen::Unit;

constexpr const char* kernel = R"(kernel @twice(x: <N x f32>, y: <N x f32> written) {
  stage double over $i0 in N {
    %0: f32 = load x[$i0]
    %1: f32 = add %0, %0
    store %1 to y[$i0]
  }
})";

Unit unit_for(const char* target) {
  std::string error;
  auto unit = codegen::read_unit(kernel, error);
  REQUIRE_MESSAGE(unit.has_value(), error);
  unit->backend = codegen::target_named(target)->backend;
  if (unit->backend->form == codegen::ProgramForm::grids)
    unit->machine.description = codegen::schedule::gpu::target_of(80);
  return std::move(*unit);
}

std::vector<std::string> steps_of(const char* target) {
  Unit unit = unit_for(target);
  std::vector<std::string> names;
  codegen::PipelineOptions options;
  options.after = [&](const codegen::Step& step, const Unit&, double) { names.emplace_back(step.name); };
  dlvm::Diagnostics diagnostics;
  CHECK(run_pipeline(unit, Level::planned, diagnostics, options));
  return names;
}

struct Ended {
  int status = 0;
  std::string message;
};
/// Runs this in a process of its own, which must end itself: with its exit status and standard error.
template <typename Body>
Ended in_child(Body body) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    body();
    _exit(0);
  }
  close(ends[1]);
  Ended ended;
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = read(ends[0], part.data(), part.size())) > 0;)
    ended.message.append(part.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  waitpid(child, &ended.status, 0);
  ended.status = WEXITSTATUS(ended.status);
  return ended;
}

/// Takes away what the first loop is around of.
bool lose_loop(Unit& unit, dlvm::Diagnostics&) {
  auto& body = unit.functions.begin()->second.scheduled.schedules[0].variants[0].body;
  for (auto& statement : body)
    if (auto* loop = std::get_if<codegen::schedule::Loop>(&statement.node)) {
      auto inner = std::move(loop->body);
      body = std::move(inner);
      break;
    }
  return true;
}

}  // namespace

TEST_CASE("each target has its steps, in the table's order") {
  const std::vector<std::string> core{"update-inputs", "coalesce", "freeze-operands", "pack-operands",
                                      "schedule",      "simplify", "plan-memory"};
  const std::vector<std::string> grids{"update-inputs",     "coalesce",        "join-launches",    "schedule",
                                       "simplify",          "insert-barriers", "expand-pipelines", "simplify",
                                       "fuse-control-flow", "plan-memory"};
  CHECK(steps_of("cpu") == core);
  CHECK(steps_of("cuda") == grids);
  CHECK(steps_of("emulator") == grids);
}

TEST_CASE("the environment says whether each pass and each step is verified") {
  const char* before = std::getenv("TELC_VERIFY_EACH");
  const std::string kept = before != nullptr ? before : "";
  ::setenv("TELC_VERIFY_EACH", "1", 1);
  CHECK(dlvm::verifies_each());
  CHECK(codegen::PipelineOptions().verify_each);
  CHECK(dlvm::PipelineOptions().verify_each);
#ifdef NDEBUG
  for (const bool is_empty : {true, false}) {
    if (is_empty)
      ::setenv("TELC_VERIFY_EACH", "", 1);
    else
      ::unsetenv("TELC_VERIFY_EACH");
    CHECK(!codegen::PipelineOptions().verify_each);
    CHECK(!dlvm::PipelineOptions().verify_each);
  }
#endif
  ::setenv("TELC_VERIFY_EACH", kept.c_str(), 1);
}

TEST_CASE("a step that breaks a schedule is an internal error, which names the step and the invariant") {
  const codegen::Step broken{"lose-loop", "", "", Level::schedules, Level::schedules, nullptr, lose_loop};
  for (const bool verify_each : {true, false}) {
    const Ended ended = in_child([&] {
      Unit unit = unit_for("cpu");
      dlvm::Diagnostics diagnostics;
      run_pipeline(unit, Level::schedules, diagnostics, {});
      run_step(broken, unit, diagnostics, {.verify_each = verify_each});
    });
    CHECK(ended.status == (verify_each ? 70 : 0));
    const bool is_named =
        ended.message.find("after lose-loop, @twice does not verify: schedule @twice: L5") !=
        std::string::npos;
    CHECK_MESSAGE(is_named == verify_each, ended.message);
  }
}

TEST_CASE("a program of kernels is built once for all machines that recompute alike") {
  using kernel_tests::f32;
  using kernel_tests::N;
  kernel_tests::Scene scene({f32({N})});
  const dlvm::Function& function = scene.results({scene.b.unary(dlvm::Opcode::exp, scene[0])});
  codegen::KernelPrograms programs;
  dlvm::Diagnostics diagnostics;
  const auto* first = programs.get(function, {32, 0}, {}, diagnostics);
  REQUIRE(first != nullptr);
  CHECK(programs.get(function, {32, 0}, {}, diagnostics) == first);
  CHECK(programs.get(function, {8, 6}, {}, diagnostics) != first);
  // A program that writes a next value in place is another one, whose text says which input it writes.
  const std::vector<codegen::kernel::NextValue> in_place{{.parameter = 0, .result = 0}};
  const auto* changed = programs.get(function, {32, 0}, in_place, diagnostics);
  REQUIRE(changed != nullptr);
  CHECK(changed != first);
  CHECK(programs.get(function, {32, 0}, in_place, diagnostics) == changed);
  CHECK(programs.get(function, {32, 0}, {}, diagnostics) == first);
}
