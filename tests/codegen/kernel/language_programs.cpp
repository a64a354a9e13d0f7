#include "language_programs.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "dlvm/call/random_inputs.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"

namespace kernel_tests {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

bool is_chosen(const std::string& name, std::size_t step) {
  if (const char* only = std::getenv("TELC_PROGRAM")) return name == only;
  const auto sum = [](std::size_t before, char c) { return before * 31 + static_cast<unsigned char>(c); };
  return std::accumulate(name.begin(), name.end(), std::size_t{0}, sum) % step == 0;
}

using Change = std::function<void(dlvm::Module&)>;

/// Returns the program's module after the passes; null where the program does not compile, which is tested
/// elsewhere. The module's locations are places in `sources`.
std::unique_ptr<dlvm::Module> compiled(const std::filesystem::path& path, dlvm::Sources& sources,
                                       const Change& change) {
  dlvm::Diagnostics diagnostics;
  const dlvm::Source* source = sources.add(path.string(), read(path));
  auto module = frontend::compile(*source, sources, {}, diagnostics);
  if (module == nullptr) return nullptr;
  if (change) change(*module);
  if (!optimize(*module, diagnostics) || !lower_control_flow(*module, diagnostics)) return nullptr;
  return module;
}

std::vector<std::filesystem::path> chosen(std::size_t step) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TEST_FOLDER "/../language"))
    if (entry.path().extension() == ".tel" && is_chosen(entry.path().stem(), step))
      paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

std::size_t for_each_program(std::size_t step, const std::function<void(const dlvm::Module&)>& of) {
  std::size_t count = 0;
  for (const auto& path : chosen(step)) {
    INFO(path.string());
    dlvm::Sources sources;
    const auto module = compiled(path, sources, {});
    if (module == nullptr) continue;
    ++count;
    of(*module);
  }
  return count;
}

std::size_t for_each_changed_program(
    std::size_t step, const Change& change,
    const std::function<void(const dlvm::Module& plain, const dlvm::Module& changed)>& of) {
  std::size_t count = 0;
  for (const auto& path : chosen(step)) {
    INFO(path.string());
    dlvm::Sources sources;
    const auto plain = compiled(path, sources, {});
    if (plain == nullptr) continue;
    ++count;
    const auto changed = compiled(path, sources, change);
    REQUIRE(changed != nullptr);
    of(*plain, *changed);
  }
  return count;
}

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

bool is_single_program() { return std::getenv("TELC_PROGRAM") != nullptr; }

}  // namespace kernel_tests
