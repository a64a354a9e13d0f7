// Texts of kernels and schedules with a few tokens changed: each is refused with a message, or becomes LLVM
// IR that verifies. No text leads to an internal error, a crash, or a compilation without an end.
#include <doctest/doctest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "codegen/object/target.h"
#include "codegen/read_unit.h"
#include "codegen/targets.h"
#include "tests/support/mutation.h"

namespace {

using codegen::Level;
using codegen::Unit;

constexpr std::array targets{"cpu", "cuda", "emulator"};

std::unique_ptr<llvm::TargetMachine> host() {
  dlvm::Diagnostics diagnostics;
  auto machine = codegen::object::make_target_machine({}, diagnostics);
  REQUIRE(machine != nullptr);
  return machine;
}

void take_target(Unit& unit, const char* target, const llvm::TargetMachine& host) {
  codegen::target::gpu::DeviceOptions devices;
  devices.architectures = {{80, false}};
  unit.backend = codegen::target_named(target)->backend;
  unit.machine = unit.backend->machines(host, devices).front();
  unit.host = &host;
}

// ----------------------------------------------------------------------------------------------- the texts

constexpr std::array<std::string_view, 12> numbers{
    "0", "1", "2", "3", "7", "16", "32", "33", "4097", "65536", "2147483648", "4611686018427387904"};
constexpr std::array<std::string_view, 27> words{
    "for",    "vector",    "thread", "block", "warp",    "role", "unrolled", "shared",  "panel",
    "arena",  "registers", "f16",    "f64",   "i32",     "bool", "u64",      "add",     "exp",
    "select", "and",       "commit", "wait",  "barrier", "N",    "Q",        "reduced", "ordered"};

test::Mutation mutation_of(std::uint64_t seed) { return {seed, {numbers, words}}; }

std::string without_comments(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string text;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("//")) text += line + "\n";
  return text;
}

/// The schedules of the text's kernels, before barriers are inserted.
std::string schedules_of(const std::string& kernels, const char* target, const llvm::TargetMachine& host) {
  std::string error;
  auto unit = codegen::read_unit(kernels, error);
  REQUIRE_MESSAGE(unit.has_value(), error);
  take_target(*unit, target, host);
  dlvm::Diagnostics diagnostics;
  for (const char* step : {"schedule", "simplify"})
    REQUIRE(run_step(*codegen::step_named(step), *unit, diagnostics, {}));
  return print(*unit, Level::schedules);
}

/// The texts of the tests of schedules, and the schedules of their kernels.
std::vector<std::string> texts(const llvm::TargetMachine& host) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TEST_FOLDER "/schedule"))
    if (codegen::is_code_text(entry.path().string(), "")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> result;
  for (const auto& path : paths) {
    const std::string text = without_comments(path);
    result.push_back(text);
    std::string ignored;
    if (path.extension() == ".kernel" && codegen::read_unit(text, ignored))  // some are templates
      for (const char* target : {"cpu", "cuda"}) result.push_back(schedules_of(text, target, host));
  }
  return result;
}

// --------------------------------------------------------------------------------------------- compilation

bool has_barriers(const std::string& text) { return text.find("barrier") != std::string::npos; }

/// Returns whether the text was compiled; else it was refused with a message.
bool compile(const std::string& text, const char* target, const llvm::TargetMachine& host) {
  std::string error;
  auto unit = codegen::read_unit(text, error);
  if (!unit) {
    if (error.empty()) std::abort();
    return false;
  }
  take_target(*unit, target, host);
  if (unit->level == Level::schedules && codegen::verify(*unit)) return false;
  llvm::LLVMContext context;
  unit->context = &context;
  dlvm::Diagnostics diagnostics;
  const codegen::PipelineOptions options{.verify_each = true};
  bool good = true;
  if (unit->level == Level::schedules && has_barriers(text))
    for (const char* step : {"plan-memory", "emit"})
      good = good && run_step(*codegen::step_named(step), *unit, diagnostics, options);
  else
    good = run_pipeline(*unit, Level::code, diagnostics, options);
  unit->code.reset();  // before its context
  return good;
}

/// Returns how many of the mutated texts compiled.
std::uint64_t sweep(std::uint64_t first, std::uint64_t count) {
  const auto machine = host();
  const std::vector<std::string> all = texts(*machine);
  const test::Sweep result = test::sweep(first, count, [&](std::uint64_t seed) {
    test::Mutation mutation = mutation_of(seed);
    const std::string text = mutation.of(mutation.pick(all));
    return compile(text, mutation.pick(targets), *machine);
  });
  for (const auto& [seed, said] : result.failures) {
    test::Mutation mutation = mutation_of(seed);
    const std::string text = mutation.of(mutation.pick(all));
    FAIL_CHECK("seed " << seed << " for " << std::string(mutation.pick(targets)) << ": " << said << text);
  }
  return result.accepted;
}

}  // namespace

TEST_CASE("mutated texts of kernels and schedules are refused, or become code") {
  CHECK(sweep(0, 400) >= 20);
}

TEST_CASE("mutated texts of kernels and schedules, the long sweep" * doctest::skip()) { sweep(1000, 100000); }
