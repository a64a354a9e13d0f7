#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codegen/kernel/text/text.h"
#include "compare.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"

/// Every program of tests/language, each of its entry points, as kernels.
namespace kernel_tests {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Entry points that take more steps than `most` for some size are compared for the other ones.
void compare_programs(double most) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TEST_FOLDER "/../language"))
    if (entry.path().extension() == ".tel") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  REQUIRE(paths.size() >= 60);
  const char* only = std::getenv("TELC_PROGRAM");
  std::size_t compiled = 0;
  for (const auto& path : paths) {
    if (only != nullptr && path.stem() != only) continue;
    INFO(path.string());
    dlvm::Sources sources;
    dlvm::Diagnostics diagnostics;
    const dlvm::Source* source = sources.add(path.string(), read(path));
    const auto module = frontend::compile(*source, sources, {}, diagnostics);
    // That programs compile is tested elsewhere.
    if (module == nullptr || !optimize(*module, diagnostics) || !lower_control_flow(*module, diagnostics))
      continue;
    ++compiled;
    for (const auto& entry : module->entries) {
      const dlvm::Function& function = *module->function(entry.function);
      INFO(entry.name);
      const auto fused = program(function);
      std::vector<std::int64_t> sizes{0, 1, 3};
      std::erase_if(sizes, [&](std::int64_t n) { return steps(fused, n) > most; });
      CHECK(differences(function, sizes, 2, false) == "");
      if (only != nullptr) MESSAGE(print(fused));
    }
  }
  CHECK((only != nullptr || compiled >= 60));
}

TEST_CASE("the programs of the language as kernels") { compare_programs(1 << 20); }

TEST_CASE("the programs of the language as kernels, the long sweep" * doctest::skip()) {
  compare_programs(1e30);
}

}  // namespace
}  // namespace kernel_tests
