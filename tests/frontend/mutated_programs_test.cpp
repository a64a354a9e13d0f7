// Programs with a few changes: each is refused with a message, or becomes a module that verifies, whose
// gradients can be made. No program leads to a crash, to the error that no program is to see (TEL-E0399), or
// to a compilation without an end.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include "dlvm/pipeline.h"
#include "dlvm/verify/verify.h"
#include "frontend/frontend.h"
#include "tests/frontend/support.h"
#include "tests/support/mutation.h"

namespace {

constexpr std::array<std::string_view, 14> numbers{
    "0",
    "1",
    "2",
    "-1",
    "3",
    "7",
    "0.5",
    "1e-4",
    "1e9999",
    "65536",
    "9223372036854775807",
    "4611686018427387904",
    "2.",
    "1_0",
};
constexpr std::array<std::string_view, 66> words{
    "in",      "param",     "const",   "hidden",  "out",       "loss",     "metric",   "state",    "func",
    "net",     "struct",    "enum",    "match",   "recurrent", "gradient", "optimize", "import",   "dim",
    "type",    "if",        "then",    "else",    "for",       "while",    "let",      "var",      "return",
    "as",      "and",       "not",     "along",   "wrt",       "keeping",  "seedable", "backward", "over",
    "float16", "float64",   "int32",   "bool",    "N",         "T",        "x",        "s",        "sum",
    "mean",    "max",       "softmax", "dropout", "stack",     "pad",      "convolve", "iota",     "one_hot",
    "reverse", "transpose", "cumsum",  "norm",    "argmax",    "sequence", "auto",     "training", "with",
    "adam",    "custom",    "random",
};

/// The programs that other tests compile, the library, and the wrong programs.
std::vector<std::string> programs() {
  const auto tests = std::filesystem::path(TEST_FOLDER).parent_path();
  std::vector<std::filesystem::path> paths;
  for (const auto& folder :
       {tests / "language", tests.parent_path() / "stdlib", tests / "frontend" / "errors"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".tel") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> result;
  for (const auto& path : paths)
    if (std::filesystem::file_size(path) < 4000) result.push_back(read_file(path));
  return result;
}

std::string mutated(std::uint64_t seed, const std::vector<std::string>& all) {
  test::Mutation mutation(seed, {numbers, words});
  const std::string& text = mutation.pick(all);
  switch (mutation.below(5)) {
    case 0:
      return mutation.spliced(text, mutation.pick(all));
    case 1:
      return mutation.of(mutation.spliced(text, mutation.pick(all)));
    case 2:
      return mutation.with_noise(text);
    default:
      return mutation.of(text);
  }
}

[[noreturn]] void fail(const std::string& what) {
  std::fputs(what.c_str(), stderr);
  std::abort();
}

/// Returns whether the program was compiled; else it was refused with a message.
bool compile(const std::string& text) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  const auto module = frontend::compile(*sources.add("mutated.tel", text), sources, {}, diagnostics);
  const std::string messages = dlvm::render(diagnostics);
  if (messages.find("TEL-E0399") != std::string::npos) fail(messages);
  if (module == nullptr && !diagnostics.has_errors()) fail("refused without a message");
  if (module == nullptr) return false;
  if (!dlvm::verify(*module, diagnostics)) fail(dlvm::render(diagnostics));
  return dlvm::expand_gradients(*module, diagnostics);
}

void sweep(std::uint64_t first, std::uint64_t count, std::uint64_t least) {
  const auto all = programs();
  const auto result =
      test::sweep(first, count, [&](std::uint64_t seed) { return compile(mutated(seed, all)); });
  for (const auto& [seed, said] : result.failures)
    FAIL_CHECK("seed " << seed << ": " << said << "\n" << mutated(seed, all));
  CHECK(result.accepted >= least);
}

}  // namespace

TEST_CASE("mutated programs are refused, or become modules") { sweep(0, 1000, 50); }

TEST_CASE("mutated programs, the long sweep" * doctest::skip()) {
  const char* given = std::getenv("TEL_TEST_SEED");  // to go on where a sweep was ended
  const std::uint64_t begin = given != nullptr ? std::strtoull(given, nullptr, 10) : 1000;
  for (std::uint64_t first = begin; first < begin + 100000; first += 5000) sweep(first, 5000, 100);
}
