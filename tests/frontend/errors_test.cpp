// Wrong programs with their exact messages: errors/NAME.tel and errors/NAME.expected, the whole of what telc
// prints. With TEL_UPDATE_EXPECTED=1 in the environment the expected texts are written anew; read them before
// committing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "frontend/diagnostics.h"
#include "tests/frontend/support.h"

namespace {

const std::filesystem::path folder = std::filesystem::path(TEST_FOLDER) / "errors";

/// Everything that the frontend says about a program.
void run_frontend(const dlvm::Source& source, dlvm::Diagnostics& diagnostics) {
  frontend::parse(source, diagnostics);
}

std::vector<std::filesystem::path> programs() {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".tel") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

struct Outcome {
  std::string messages;
  std::set<std::string_view> codes;
};

Outcome run(const std::filesystem::path& path) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  run_frontend(*sources.add(path.filename().string(), read_file(path)), diagnostics);
  Outcome outcome{dlvm::render(diagnostics), {}};
  for (const auto& each : diagnostics.all()) outcome.codes.insert(each.kind->code);
  return outcome;
}

}  // namespace

TEST_CASE("wrong programs have exactly these messages") {
  const bool update = std::getenv("TEL_UPDATE_EXPECTED") != nullptr;
  REQUIRE(!programs().empty());
  for (const auto& path : programs()) {
    CAPTURE(path.filename().string());
    const std::string messages = run(path).messages;
    const auto expected = std::filesystem::path(path).replace_extension(".expected");
    if (update) std::ofstream(expected, std::ios::binary) << messages;
    CHECK(messages == read_file(expected));
    CHECK(!messages.empty());
  }
}

TEST_CASE("every syntax error is provoked by a wrong program") {
  std::set<std::string_view> seen;
  for (const auto& path : programs()) seen.merge(run(path).codes);
  // Too large to be kept as files.
  std::string elements = "v = [1";
  for (int i = 0; i < 500000; ++i) elements += ",1";
  CHECK(Parsed(elements + "]").codes() == "TEL-E0114");
  CHECK(Parsed(std::string(std::size_t{9} << 20, ' ')).messages() ==
        "test.tel: error TEL-E0100: the module is larger than 8 MiB\n");
  seen.insert({"TEL-E0100", "TEL-E0114"});
  for (const auto* kind : frontend::diagnostic_kinds())
    if (kind->code.starts_with("TEL-E01")) CHECK_MESSAGE(seen.contains(kind->code), kind->code);
}

TEST_CASE("codes are unique and explained") {
  std::set<std::string_view> seen;
  for (const auto* kind : frontend::diagnostic_kinds()) {
    CHECK_MESSAGE(seen.insert(kind->code).second, kind->code);
    CHECK_MESSAGE(kind->explanation.size() > 40, kind->code);
  }
}
