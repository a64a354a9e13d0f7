#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../kernel/compare.h"
#include "dlvm/call/random_inputs.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"

/// Every program of tests/language, each of its entry points, as schedules for processors and for devices.
namespace kernel_tests {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Of an entry point; sizes for which nothing can be drawn are left out.
std::vector<Call> calls(const dlvm::Module& module, const dlvm::EntryPoint& entry,
                        const std::vector<std::int64_t>& sizes) {
  std::vector<Call> result;
  dlvm::Draw draw(1);
  std::string why;
  for (const std::int64_t size : sizes) {
    const auto drawn = dlvm::random_call(module, entry, {}, size, {-2, 2}, draw, why);
    if (!drawn) continue;
    result.push_back({{}, drawn->dimensions});
    for (const auto& argument : drawn->arguments) result.back().inputs.push_back(argument.tensor());
  }
  return result;
}

/// How many calls were compared, of every `step`-th program; of the program of that name alone where the
/// environment says so.
std::size_t compare_programs(const std::vector<std::int64_t>& sizes, const Sweep& sweep, std::size_t step) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TEST_FOLDER "/../language"))
    if (entry.path().extension() == ".tel") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  const char* only = std::getenv("TELC_PROGRAM");
  std::size_t compared = 0;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto& path = paths[i];
    if (only != nullptr ? path.stem() != only : i % step != 0) continue;
    INFO(path.string());
    dlvm::Sources sources;
    dlvm::Diagnostics diagnostics;
    const dlvm::Source* source = sources.add(path.string(), read(path));
    const auto module = frontend::compile(*source, sources, {}, diagnostics);
    if (module == nullptr || !optimize(*module, diagnostics) || !lower_control_flow(*module, diagnostics))
      continue;
    for (const auto& entry : module->entries) {
      INFO(entry.name);
      const auto drawn = calls(*module, entry, sizes);
      compared += drawn.size();
      CHECK(schedule_differences(*module->function(entry.function), drawn, sweep) == "");
    }
  }
  return only != nullptr ? SIZE_MAX : compared;
}

TEST_CASE("the programs of the language as schedules") {
  CHECK(compare_programs({3}, {{true}, {0, 2}}, 3) >= 120);
}

TEST_CASE("the programs of the language as schedules, the long sweep" * doctest::skip()) {
  CHECK(compare_programs({0, 1, 2, 3, 40}, {}, 1) >= 2000);
}

}  // namespace
}  // namespace kernel_tests
