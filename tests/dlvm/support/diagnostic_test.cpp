// Messages as people and programs get them, and the edits that mend a text.
#include <doctest/doctest.h>

#include "dlvm/support/edits.h"

using namespace dlvm;

namespace {

constexpr DiagnosticKind bad{"T-E0001", Severity::error, "'{name}' is {what}, not {} as '{name}' is", ""};
constexpr DiagnosticKind odd{"T-W0001", Severity::warning, "odd", ""};

Location at(const Source& source, std::uint32_t line, std::uint32_t column, std::uint32_t length = 1) {
  return {&source, line, column, length};
}

std::string rendered(const Location& location) {
  Diagnostics diagnostics;
  diagnostics.report(odd, location);
  return render(diagnostics);
}

/// The same message in both lines of the text.
std::string rendered_twice(const std::string& text, std::uint32_t column, std::uint32_t length = 1) {
  const Source source("a", text);
  Diagnostics diagnostics;
  for (std::uint32_t line = 1; line <= 2; ++line) diagnostics.report(odd, at(source, line, column, length));
  return render(diagnostics);
}

}  // namespace

TEST_CASE("a headline has its arguments in the places of its words") {
  const std::string arguments[]{"x", "f32", "i32"};
  CHECK(headline(bad, arguments) == "'x' is f32, not i32 as 'x' is");
  CHECK(headline(bad) == "'<name>' is <what>, not <> as '<name>' is");
  CHECK(headline(bad, std::span(arguments).first(2)) == "'x' is f32, not <> as 'x' is");
  CHECK(headline(odd, arguments) == "odd");
}

TEST_CASE("a message shows its line with the span marked, its notes and its fixes") {
  const Source source("a.tel", "one\n\ttwo three\n");
  Diagnostics diagnostics;
  diagnostics.report(bad, at(source, 2, 6, 5), "x", "f32", 3)
      .note(at(source, 1, 1), "here")
      .note("nowhere")
      .fix("write 'four'");
  diagnostics.report(odd, Location{});
  CHECK(render(diagnostics) ==
        "a.tel:2:6: error T-E0001: 'x' is f32, not 3 as 'x' is\n"
        "  \ttwo three\n"
        "  \t    ^~~~~\n"
        "a.tel:1:1: note: here\n"
        "  one\n"
        "  ^\n"
        "note: nowhere\n"
        "  fix: write 'four'\n"
        "warning T-W0001: odd\n");
  CHECK(diagnostics.error_count() == 1);
  CHECK(diagnostics.has_errors());
}

TEST_CASE("what is said again of the same name in a file is shown once, with the further places") {
  const Source source("a", "abc b\nb abc\nabc\n"), other("b", "abc\n");
  Diagnostics diagnostics;
  diagnostics.report(bad, at(source, 1, 1, 3), "x").fix("write y", replacement(at(source, 1, 1, 3), "y"));
  diagnostics.report(bad, at(source, 1, 5), "x").fix("write y");
  diagnostics.report(bad, at(source, 2, 3, 3), "x").fix("write y", replacement(at(source, 2, 3, 3), "y"));
  diagnostics.report(bad, at(source, 3, 1, 3), "x").fix("write y", replacement(at(source, 3, 1, 3), "y"));
  diagnostics.report(bad, at(source, 3, 1, 3), "x").fix("write z");
  diagnostics.report(bad, at(source, 3, 1, 3), "x").note(at(source, 1, 1), "here").fix("write y");
  diagnostics.report(bad, at(other, 1, 1, 3), "x").fix("write y");
  diagnostics.report(bad, at(source, 3, 1, 3), "z").fix("write y");
  const std::string text = render(diagnostics);
  std::size_t errors = 0;
  for (std::size_t at = 0; (at = text.find(" error ", at)) != std::string::npos; ++at) ++errors;
  CHECK(errors == 6);
  CHECK(
      text.starts_with("a:1:1: error T-E0001: 'x' is <what>, not <> as 'x' is\n"
                       "  abc b\n"
                       "  ^~~\n"
                       "  fix: write y\n"
                       "  also: 2:3 and 3:1\n"
                       "a:1:5: error "));
  // Messages about brackets and operators are about no name, so they are not grouped.
  CHECK(rendered_twice("(a\n(a\n", 1).find("also") == std::string::npos);
  CHECK(rendered_twice("a +\na +\n", 3).find("also") == std::string::npos);
  CHECK(rendered_twice("a.b\na.b\n", 1, 3).ends_with("  also: 2:1\n"));
  // Programs get each of them, with its edit.
  const std::string json = render_json(diagnostics);
  errors = 0;
  for (std::size_t at = 0; (at = json.find("\"error\"", at)) != std::string::npos; ++at) ++errors;
  CHECK(errors == 8);
  CHECK(edited(*source.text(), {sure_edits(diagnostics, source)[0], sure_edits(diagnostics, source)[1]}) ==
        "y b\nb y\nabc\n");
}

TEST_CASE("of many places the first ones are shown") {
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "abc\n";
  const Source source("a", lines);
  const auto shown = [&](std::uint32_t places) {
    Diagnostics diagnostics;
    for (std::uint32_t line = 1; line <= places; ++line) diagnostics.report(odd, at(source, line, 1, 3));
    return render(diagnostics);
  };
  CHECK(shown(2).ends_with("\n  also: 2:1\n"));
  CHECK(shown(7).ends_with("\n  also: 2:1, 3:1, 4:1, 5:1, 6:1 and 7:1\n"));
  CHECK(shown(8).ends_with("\n  also: 2:1, 3:1, 4:1, 5:1, 6:1 and 2 more places\n"));
}

TEST_CASE("marks count characters, and end with the line") {
  const Source source("a", "d\xC3\xBCne \x01.\n\nend");
  CHECK(rendered(at(source, 1, 1, 4)) == "a:1:1: warning T-W0001: odd\n  d\xC3\xBCne ?.\n  ^~~~\n");
  CHECK(rendered(at(source, 1, 3, 2)) == "a:1:3: warning T-W0001: odd\n  d\xC3\xBCne ?.\n    ^~\n");
  CHECK(rendered(at(source, 1, 7, 40)) == "a:1:7: warning T-W0001: odd\n  d\xC3\xBCne ?.\n        ^\n");
  CHECK(rendered(at(source, 1, 8, 0)) == "a:1:8: warning T-W0001: odd\n  d\xC3\xBCne ?.\n         ^\n");
  CHECK(rendered(at(source, 2, 1)) == "a:2:1: warning T-W0001: odd\n");
  CHECK(rendered(at(source, 3, 3)) == "a:3:3: warning T-W0001: odd\n  end\n    ^\n");
  CHECK(rendered(at(source, 3, 0)) == "a:3:0: warning T-W0001: odd\n  end\n  ^\n");
  CHECK(rendered(at(source, 0, 0)) == "a: warning T-W0001: odd\n");
}

TEST_CASE("of a long line 160 characters are shown, 60 of them before the span") {
  std::string line;
  for (int i = 0; i < 40; ++i) line += "123456789\xC3\xA9";
  const Source source("a", line);
  const auto shown = [&](std::uint32_t column, std::uint32_t length) {
    const std::string text = rendered(at(source, 1, column, length));
    const std::size_t begin = text.find('\n') + 3, end = text.find('\n', begin);
    std::size_t characters = 0;
    for (const char c : text.substr(begin, end - begin)) characters += (c & 0xC0) != 0x80;
    const std::string below = text.substr(end + 3);
    return std::tuple(text.substr(begin, 3), characters, below.find('^'), below.size() - below.find('^') - 1);
  };
  CHECK(shown(101, 3) == std::tuple("123", 160, 100, 3));
  CHECK(shown(102, 3) == std::tuple("234", 160, 60, 3));
  CHECK(shown(102, 300) == std::tuple("234", 160, 60, 100));
  CHECK(shown(400, 1) == std::tuple("\xC3\xA9"
                                    "1",
                                    61, 60, 1));
}

TEST_CASE("a hundred errors are kept, the others counted; warnings stay") {
  Diagnostics diagnostics;
  for (int i = 0; i < 100; ++i) diagnostics.report(bad, Location{}, "x", "y", "z").note("kept");
  CHECK(render(diagnostics).find("not shown") == std::string::npos);
  for (int i = 0; i < 3; ++i) diagnostics.report(bad, Location{}, "x", "y", "z").note("dropped");
  diagnostics.report(odd, Location{});
  CHECK(diagnostics.error_count() == 103);
  CHECK(diagnostics.all().size() == 101);
  const std::string text = render(diagnostics);
  CHECK(text.ends_with("warning T-W0001: odd\nthe first 100 errors are shown; there are more\n"));
  CHECK(text.find("dropped") == std::string::npos);
}

TEST_CASE("what was not said before takes the place of what was said twice") {
  Diagnostics diagnostics;
  diagnostics.report(bad, Location{}, "a", "y", "z");
  for (int i = 0; i < 120; ++i) diagnostics.report(bad, Location{}, "x", "y", "z");
  diagnostics.report(bad, Location{}, "b", "y", "z").note("kept");
  diagnostics.report(bad, Location{}, "b", "y", "z").note("dropped");
  CHECK(diagnostics.error_count() == 123);
  CHECK(diagnostics.all().size() == 100);
  const std::string text = render(diagnostics);
  CHECK(text.find("'a'") != std::string::npos);
  CHECK(text.find("'x'") != std::string::npos);
  CHECK(text.find("kept") != std::string::npos);
  CHECK(text.find("dropped") == std::string::npos);
}

TEST_CASE("the JSON of more errors than are kept says so in its last object") {
  Diagnostics diagnostics;
  for (int i = 0; i < 100; ++i) diagnostics.report(bad, Location{}, "x", "y", "z");
  const std::string kept = render_json(diagnostics);
  CHECK(kept.find("note\"") == std::string::npos);
  diagnostics.report(bad, Location{}, "x", "y", "z");
  const std::string last = render_json(diagnostics).substr(kept.size() - std::string("\n]\n").size());
  CHECK(last ==
        ",\n  {\n    \"code\": null,\n    \"edits\": [],\n    \"fixes\": [],\n    \"location\": null,\n    "
        "\"notes\": [],\n    \"severity\": \"note\",\n    \"text\": \"the first 100 errors are shown; there "
        "are "
        "more\"\n  }\n]\n");
}

TEST_CASE("colours stand around what they colour alone") {
  Diagnostics diagnostics;
  diagnostics.report(odd, Location{});
  CHECK(render(diagnostics, true) == "\033[1m\033[0m\033[1;35mwarning T-W0001:\033[0m \033[1modd\033[0m\n");
}

TEST_CASE("sure edits are those of errors with one fix, in the order of the text, without overlaps") {
  const Source source("a", "abcdefgh"), other("b", "abc");
  Diagnostics diagnostics;
  const auto error = [&]() -> Diagnostic& { return diagnostics.report(bad, at(source, 1, 1)); };
  error().fix("", replacement(at(source, 1, 5, 2), "56"));
  error().fix("", replacement(at(source, 1, 2, 2), "23"));
  error().fix("", replacement(at(source, 1, 3, 2), "overlaps"));
  error().fix("", replacement(at(source, 1, 4, 1), "4"));
  error().fix("", replacement(at(other, 1, 1), "other"));
  error().fix("", replacement(at(source, 1, 7), "one of two")).fix("the other");
  error().fix("not an edit");
  error().fix("", {&source, 7, 9, "behind the end"});
  error().fix("", {&source, 7, 6, "backwards"});
  error().fix("", {&source, 8, 8, "!"});
  error().fix("", {&source, 8, 8, "twice"});
  diagnostics.report(odd, at(source, 1, 1)).fix("", replacement(at(source, 1, 8), "a warning"));
  CHECK(edited(*source.text(), sure_edits(diagnostics, source)) == "a23456gh!");
  CHECK(edited("abc", {}) == "abc");
}

TEST_CASE("messages for programs name places and edits by lines and columns") {
  const Source source("a", "x\n\xC3\xBCyz");
  Diagnostics diagnostics;
  diagnostics.report(odd, at(source, 2, 2)).fix("drop it").fix("write z", replacement(at(source, 2, 2), "z"));
  std::string json = render_json(diagnostics);
  std::erase_if(json, [](char c) { return c == ' ' || c == '\n'; });
  CHECK(
      json ==
      R"([{"code":"T-W0001","edits":[null,{"begin":{"column":2,"line":2},"end":{"column":3,"line":2},)"
      R"("file":"a","text":"z"}],"fixes":["dropit","writez"],)"
      R"("location":{"column":2,"file":"a","length":1,"line":2},"notes":[],"severity":"warning","text":"odd"}])");
}
