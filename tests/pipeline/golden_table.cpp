#include "tests/pipeline/golden_table.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>

namespace fs = std::filesystem;

namespace pipeline {
namespace {

/// Calls `use` with each number below `count`, on all processors.
void for_each_number(std::size_t count, const std::function<void(std::size_t)>& use) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads(std::max(1U, std::thread::hardware_concurrency()));
  for (std::jthread& thread : threads)
    thread = std::jthread([&] {
      for (std::size_t i = next++; i < count; i = next++) use(i);
    });
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The lines of a table, each behind the one to which it belongs.
std::multiset<std::string> lines_by_entry(const std::string& table) {
  std::multiset<std::string> all;
  std::string entry;
  for (const std::string& line : lines_of(table)) {
    if (!line.starts_with(' ')) entry = line;
    all.insert(entry + ":" + line);
  }
  return all;
}

}  // namespace

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> files_below(const std::vector<std::string>& folders,
                                     const std::vector<std::string>& extensions) {
  fs::current_path(fs::path(TEST_FOLDER) / "../..");
  std::vector<std::string> paths;
  for (const std::string& folder : folders)
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (std::ranges::count(extensions, entry.path().extension().string()) > 0)
        paths.push_back(entry.path());
  std::ranges::sort(paths);
  return paths;
}

void check_table(const std::string& name, const std::string& head, const std::vector<std::string>& paths,
                 const std::function<std::string(const std::string&)>& entry) {
  std::vector<std::string> entries(paths.size());
  for_each_number(paths.size(), [&](std::size_t i) { entries[i] = entry(paths[i]); });
  std::string table = head;
  for (const std::string& each : entries) table += each;
  const fs::path path = fs::path(TEST_FOLDER) / name;
  if (std::getenv("TEL_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << table;
  const auto now = lines_by_entry(table), expected = lines_by_entry(text_of_file(path));
  std::vector<std::string> gone, come;
  std::ranges::set_difference(expected, now, std::back_inserter(gone));
  std::ranges::set_difference(now, expected, std::back_inserter(come));
  std::string difference;
  for (const auto& [sign, lines] : {std::pair{'-', &gone}, std::pair{'+', &come}})
    for (std::size_t i = 0; i < std::min<std::size_t>(lines->size(), 20); ++i)
      difference += fmt::format("{} {}\n", sign, (*lines)[i]);
  CHECK_MESSAGE(difference.empty(), gone.size(), " lines are gone and ", come.size(),
                " have come; with TEL_UPDATE_GOLDEN=1 the test writes the table anew:\n", difference);
}

}  // namespace pipeline
