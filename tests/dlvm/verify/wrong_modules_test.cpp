#include "tests/dlvm/verify/wrong_modules.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "dlvm/text/parse.h"
#include "dlvm/verify/verify.h"

namespace {

/// Returns the messages of the parser, or of the verifier where the text can be parsed.
dlvm::Diagnostics messages(const std::string& text, dlvm::Sources& sources) {
  dlvm::Diagnostics diagnostics;
  const auto module = dlvm::parse(*sources.add("wrong.dl", text), sources, diagnostics);
  if (module != nullptr) verify(*module, diagnostics);
  return diagnostics;
}

std::string in_frame(std::string_view instruction) {
  std::string text(wrong_modules::frame);
  return text.replace(text.find('$'), 1, instruction);
}

void check_all(std::span<const wrong_modules::WrongModule> all, bool framed) {
  for (const auto& wrong : all) {
    dlvm::Sources sources;
    const auto diagnostics = messages(framed ? in_frame(wrong.text) : std::string(wrong.text), sources);
    const std::string rendered = render(diagnostics);
    CAPTURE(wrong.text);
    CHECK_MESSAGE(diagnostics.error_count() == 1, rendered);
    CHECK_MESSAGE(rendered.find(wrong.message) != std::string::npos, "not \"" << std::string(wrong.message)
                                                                              << "\" but\n"
                                                                              << rendered);
  }
}

}  // namespace

TEST_CASE("wrong instructions are rejected, each with its own message") {
  dlvm::Sources sources;
  const auto none = messages(in_frame("%r = negate %s: f32"), sources);
  CHECK_MESSAGE(none.error_count() == 0, render(none));
  check_all(wrong_modules::instructions(), true);
}

TEST_CASE("wrong modules are rejected, each with its own message") {
  check_all(wrong_modules::modules(), false);
}

TEST_CASE("there are at least a hundred wrong modules, and no message twice") {
  std::set<std::string_view> distinct;
  for (const auto& list : {wrong_modules::instructions(), wrong_modules::modules()})
    for (const auto& wrong : list) CHECK_MESSAGE(distinct.insert(wrong.message).second, wrong.message);
  CHECK(distinct.size() >= 100);
}

TEST_CASE("types of functions that return functions nest, as brackets do") {
  const auto declared = [](int arrows) {
    std::string type = "f32";
    for (int i = 0; i < arrows; ++i) type = "(f32, f32) -> " + type;
    return "type $F = " + type + "\n";
  };
  dlvm::Sources sources;
  CHECK(messages(declared(60), sources).error_count() == 0);
  const std::string rendered = render(messages(declared(5000), sources));
  CHECK_MESSAGE(rendered.find("brackets and pointers nest deeper than 64") != std::string::npos, rendered);
}

TEST_CASE("a tensor without elements has no size that overflows") {
  dlvm::Sources sources;
  const auto diagnostics =
      messages("[extern]\nfunc @g: (<99999999999 x 0 x 99999999999 x f32>) -> f32\n", sources);
  CHECK_MESSAGE(diagnostics.error_count() == 0, render(diagnostics));
}

TEST_CASE("statements behind one that nests too deep are still read") {
  dlvm::Sources sources;
  const std::string deep = std::string(100, '(') + std::string(100, ')');
  const auto diagnostics = messages("func @g: (f32) -> f32 {\n'entry(%x: f32):\n    %a = literal " + deep +
                                        "\n    %b = ad %x: f32\n    return %x: f32\n}",
                                    sources);
  const std::string rendered = render(diagnostics);
  CHECK_MESSAGE(rendered.find("brackets and pointers nest deeper than 64") != std::string::npos, rendered);
  CHECK_MESSAGE(rendered.find("unknown instruction 'ad'") != std::string::npos, rendered);
}
