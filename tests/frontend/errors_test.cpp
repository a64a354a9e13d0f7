// Wrong programs with their exact messages: errors/NAME.tel and errors/NAME.expected, the whole of what telc
// prints. With TEL_UPDATE_EXPECTED=1 in the environment the expected texts are written anew; read them before
// committing.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <vector>

#include "dlvm/support/edits.h"
#include "frontend/diagnostic_examples.h"
#include "frontend/diagnostic_kinds.h"
#include "frontend/frontend.h"
#include "tests/frontend/support.h"

namespace {

const std::filesystem::path folder = std::filesystem::path(TEST_FOLDER) / "errors";

/// The options that a program's first line gives: `// -D width=3 -D height=0`. Imports are found in the
/// folder `imports`.
frontend::Options options_of(const std::string& text) {
  frontend::Options options;
  options.import_folders.push_back("imports");
  std::istringstream words(text.substr(0, text.find('\n')));
  for (std::string word; words >> word;) {
    if (word != "-D" || !(words >> word)) continue;
    const std::size_t equals = word.find('=');
    options.dimensions.emplace_back(word.substr(0, equals), std::stoll(word.substr(equals + 1)));
  }
  return options;
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

Outcome run(const std::string& name, const std::string& text) {
  dlvm::Sources sources;
  dlvm::Diagnostics diagnostics;
  frontend::compile(*sources.add(name, text), sources, options_of(text), diagnostics);
  Outcome outcome{dlvm::render(diagnostics), {}};
  for (const auto& each : diagnostics.all()) outcome.codes.insert(each.kind->code);
  return outcome;
}

Outcome run(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  std::filesystem::current_path(folder);
  return run(path.filename().string(), text);
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

TEST_CASE("every message is provoked by a wrong program") {
  std::set<std::string_view> seen;
  for (const auto& path : programs()) seen.merge(run(path).codes);
  // Too large to be kept as files.
  std::string elements = "v = [1";
  for (int i = 0; i < 500000; ++i) elements += ",1";
  CHECK(Parsed(elements + "]").codes() == "TEL-E0114");
  CHECK(Parsed(std::string(std::size_t{9} << 20, ' ')).messages() ==
        "test.tel: error TEL-E0100: the module is larger than 8 MiB\n");
  std::string nets = "net A0(n) {\n  W: param[n] = 0\n}\n";
  for (int i = 1; i <= 256; ++i) nets += fmt::format("net A{}(n) {{\n  a: A{}(n)\n}}\n", i, i - 1);
  seen.merge(run("nets.tel", nets + "y: out = 1\n").codes);
  // TEL-E0399 is the net under all other checks; no program is known that falls into it. TEL-E0404 is in
  // derivatives_test.cpp, TEL-E0353 in lower_test.cpp.
  seen.insert({"TEL-E0100", "TEL-E0114", "TEL-E0353", "TEL-E0399", "TEL-E0404"});
  for (const auto* kind : frontend::diagnostic_kinds()) CHECK_MESSAGE(seen.contains(kind->code), kind->code);
}

TEST_CASE("where more errors are found than are shown, the last line says so") {
  std::string names, syntax, functions = "x: in\n";
  for (int i = 0; i < 150; ++i) {
    names += fmt::format("y{}: out = z{}\n", i, i);
    syntax += fmt::format("y{} = 1 *\n", i);
    functions += fmt::format("func f{}(x: []) -> [] = x + z{}\n", i, i);
  }
  for (const std::string& text : {names, syntax, functions}) {
    const std::string messages = run("many.tel", text).messages;
    CHECK(messages.ends_with("\nthe first 100 errors are shown; there are more\n"));
    std::size_t errors = 0;
    for (std::size_t at = 0; (at = messages.find(": error TEL-", at)) != std::string::npos; ++at) ++errors;
    CHECK(errors == 100);
  }
}

TEST_CASE("one declaration with many errors leaves room for those of others") {
  std::string same = "x: in[4]\ny: out = 0", different = same;
  for (int i = 0; i < 120; ++i) {
    same += " + z";
    different += fmt::format(" + x[{}]", i + 7);
  }
  for (const std::string& text : {same, different}) {
    const std::string messages = run("many.tel", text + " + inside\nz0: out = other\n").messages;
    CHECK(messages.find("'other'") != std::string::npos);
    CHECK((text == different || messages.find("'inside'") != std::string::npos));
    CHECK(messages.ends_with("\nthe first 100 errors are shown; there are more\n"));
  }
  CHECK(run("many.tel", different).messages.ends_with("\nthe first 100 errors are shown; there are more\n"));
}

TEST_CASE("there are at least 200 wrong programs") { CHECK(programs().size() >= 200); }

TEST_CASE("the fixes of names and arguments of Python are right") {
  for (const char* name :
       {"python_names.tel", "python_arguments.tel", "python_parts.tel", "python_parts_of_syntax.tel",
        "python_more.tel", "python_elements.tel", "python_elements_of_syntax.tel", "python_choices.tel",
        "python_choices_of_syntax.tel"}) {
    std::string text = read_file(folder / name), messages;
    constexpr int rounds = 4;  // one error of an expression may hide another
    for (int round = 0; round < rounds; ++round) {
      dlvm::Sources sources;
      dlvm::Diagnostics diagnostics;
      const dlvm::Source& source = *sources.add(name, text);
      frontend::compile(source, sources, {}, diagnostics);
      messages = diagnostics.has_errors() ? dlvm::render(diagnostics) : "";
      text = dlvm::edited(text, dlvm::sure_edits(diagnostics, source));
    }
    CHECK_MESSAGE(messages.empty(), messages);
  }
}

TEST_CASE("codes are unique and explained") {
  std::set<std::string_view> seen;
  for (const auto* kind : frontend::diagnostic_kinds()) {
    CHECK_MESSAGE(seen.insert(kind->code).second, kind->code);
    CHECK_MESSAGE(kind->explanation.size() > 40, kind->code);
  }
}

TEST_CASE("the examples of explanations are right") {
  const bool update = std::getenv("TEL_UPDATE_EXPECTED") != nullptr;
  std::string without, messages;
  for (const auto* kind : frontend::diagnostic_kinds()) {
    CAPTURE(kind->code);
    const frontend::Example* example = frontend::example_of(kind->code);
    if (example == nullptr) {
      without += std::string(kind->code) + "\n";
      continue;
    }
    const Outcome wrong = run("wrong.tel", std::string(example->wrong));
    CHECK_MESSAGE(wrong.codes == std::set{kind->code},
                  wrong.messages);  // and no other, which follows from it
    messages += wrong.messages + "\n";
    const Outcome right = run("right.tel", std::string(example->right));
    CHECK_MESSAGE(right.messages.empty(), right.messages);
  }
  // What the wrong programs give, and the codes that no short program gives.
  for (const auto& [name, text] :
       {std::pair{"examples.expected", &messages}, {"codes_without_examples.txt", &without}}) {
    const auto path = folder.parent_path() / name;
    if (update) std::ofstream(path, std::ios::binary) << *text;
    CHECK(*text == read_file(path));
  }
}
