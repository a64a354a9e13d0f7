#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cctype>
#include <random>

#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "tests/pipeline/golden_table.h"
#include "tests/pipeline/measures.h"

using namespace dlvm;

namespace {

/// How often a text is misspelt.
constexpr std::size_t versions = 64;

/// A word, a quoted string or a sign of a text, with the white space behind it.
using Words = std::vector<std::string>;

/// Returns the words of the text without its comments.
Words words_of(const std::string& text) {
  const auto is_space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  };
  Words words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    const bool is_comment = text.compare(i, 2, "//") == 0, is_string = text[i] == '"';
    if (is_comment || is_string) {
      end = std::min(text.find(is_comment ? '\n' : '"', end), text.size() - 1) + 1;
    } else if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    }
    while (end < text.size() && is_space(text[end])) ++end;
    if (!is_comment) words.push_back(text.substr(i, end - i));
    i = end;
  }
  return words;
}

/// Returns the text with one mistake: a word that is missing, there twice, in the wrong place, replaced by
/// another one of the text, or the last one.
std::string misspelt(Words words, std::mt19937& random) {
  const std::size_t at = random() % words.size(), other = random() % words.size();
  const auto place = words.begin() + static_cast<std::ptrdiff_t>(at);
  switch (random() % 8) {
    case 0:
    case 1:
      words.erase(place);
      break;
    case 2:
      words.insert(place, words[at]);
      break;
    case 3:
      std::swap(words[at], words[std::min(at + 1, words.size() - 1)]);
      break;
    case 4:
      words.resize(at);
      break;
    default:
      words[at] = words[other];
  }
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

/// Returns the line of a module: how many of its misspelt versions are modules, and a fingerprint of these
/// and of the messages for the others.
std::string line_of(const std::string& path) {
  const Words words = words_of(pipeline::text_of_file(path));
  if (words.empty()) return "";
  std::mt19937 random(static_cast<std::mt19937::result_type>(words.size()));
  std::string all;
  int modules = 0;
  for (std::size_t i = 0; i < versions; ++i) {
    Sources sources;
    Diagnostics diagnostics;
    const auto module = parse(*sources.add(path, misspelt(words, random)), sources, diagnostics);
    const bool good = module != nullptr && verify(*module, diagnostics);
    modules += good ? 1 : 0;
    all += render(diagnostics) + (good ? print(*module) : "");
  }
  return fmt::format("{} {} {}\n", path, modules, pipeline::fingerprint(all));
}

}  // namespace

TEST_CASE("misspelt modules are refused with the messages that the table stands for, or are other modules") {
  pipeline::check_table("misspelt.txt", "", pipeline::files_below({"tests/dlvm"}, {".dl"}), line_of);
}
