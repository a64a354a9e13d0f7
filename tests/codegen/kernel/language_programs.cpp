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

}  // namespace

std::size_t for_each_program(std::size_t step, const std::function<void(const dlvm::Module&)>& of) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(TEST_FOLDER "/../language"))
    if (entry.path().extension() == ".tel") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::size_t compiled = 0;
  for (const auto& path : paths) {
    if (!is_chosen(path.stem(), step)) continue;
    INFO(path.string());
    dlvm::Sources sources;
    dlvm::Diagnostics diagnostics;
    const dlvm::Source* source = sources.add(path.string(), read(path));
    const auto module = frontend::compile(*source, sources, {}, diagnostics);
    // That programs compile is tested elsewhere.
    if (module == nullptr || !optimize(*module, diagnostics) || !lower_control_flow(*module, diagnostics))
      continue;
    ++compiled;
    of(*module);
  }
  return compiled;
}

bool is_single_program() { return std::getenv("TELC_PROGRAM") != nullptr; }

}  // namespace kernel_tests
