// Programs as newcomers write them, with one mistake each, and what telc says: newcomers/NAME.txt has the
// programs, each behind a line `=== what it is`, and NAME.expected the messages. With TEL_UPDATE_EXPECTED=1
// in the environment these are written anew; read them before committing.
#include <doctest/doctest.h>

#include <cstdlib>
#include <sstream>

#include "frontend/frontend.h"
#include "tests/frontend/support.h"

namespace {

std::string messages_of(const std::string& text) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  frontend::compile(*sources.add("new.tel", text), sources, {}, diagnostics);
  return dlvm::render(diagnostics);
}

/// The titles of the programs, each with what telc says of it.
std::string messages_of_all(const std::string& programs) {
  std::istringstream lines(programs);
  std::string title, program, all;
  const auto end_program = [&] {
    if (title.empty()) return;
    const std::string messages = messages_of(program);
    CHECK_MESSAGE(!messages.empty(), title);
    all += title + "\n" + messages;
    program.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("=== ")) {
      end_program();
      title = line;
    } else {
      program += line + "\n";
    }
  }
  end_program();
  return all;
}

}  // namespace

TEST_CASE("what newcomers write has exactly these messages") {
  const bool update = std::getenv("TEL_UPDATE_EXPECTED") != nullptr;
  for (const char* name : {"cpp", "numpy", "pytorch", "typos"}) {
    CAPTURE(name);
    const auto path = std::filesystem::path(TEST_FOLDER) / "newcomers" / name;
    const std::string messages = messages_of_all(read_file(path.string() + ".txt"));
    if (update) std::ofstream(path.string() + ".expected", std::ios::binary) << messages;
    CHECK(messages == read_file(path.string() + ".expected"));
  }
}
