// Text as the numbers that networks read, how much its pairs of characters tell, and what networks write.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

using Symbol = std::int32_t;

/// The end of a line, and the 95 printable characters of ASCII.
constexpr std::size_t symbols = 96;

inline Symbol symbol_of(char c) {
  if (c == '\n') return 0;
  if (c == '\t') c = ' ';
  return c >= ' ' && c <= '~' ? c - ' ' + 1 : '?' - ' ' + 1;
}

inline char character_of(Symbol symbol) { return symbol == 0 ? '\n' : static_cast<char>(symbol + ' ' - 1); }

/// Reads a file of text. What is not ASCII is read as question marks.
inline std::vector<Symbol> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  if (text.empty()) throw std::runtime_error("there is no text in '" + path + "'");
  std::vector<Symbol> read;
  for (const char c : text)
    if (c != '\r') read.push_back(symbol_of(c));
  return read;
}

/// A text of which nine tenths are to train, and the rest is held out.
struct SplitText {
  std::span<const Symbol> training, held_out;
};

/// Splits the text. The part that is held out has at least `least` characters.
inline SplitText split(std::span<const Symbol> text, std::size_t least) {
  const std::size_t first = text.size() / 10 * 9;
  if (text.size() - first < least)
    throw std::runtime_error("the text has " + std::to_string(text.size()) + " characters, and needs " +
                             std::to_string(10 * least));
  return {text.first(first), text.subspan(first)};
}

/// The entropy of a character whose predecessor is known, in bits. This is what a table of all pairs of the
/// text needs for each of its characters.
inline double entropy_of_pairs(std::span<const Symbol> text) {
  std::vector<std::array<double, symbols>> pairs(symbols);
  std::array<double, symbols> firsts{};
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const auto first = static_cast<std::size_t>(text[i]), second = static_cast<std::size_t>(text[i + 1]);
    pairs[first][second] += 1;
    firsts[first] += 1;
  }
  double bits = 0;
  for (std::size_t first = 0; first < symbols; ++first)
    for (const double count : pairs[first])
      if (count > 0) bits -= count * std::log2(count / firsts[first]);
  return bits / static_cast<double>(text.size() - 1);
}

/// A text cut into `lanes` parts of one length, which are read side by side: each window has some characters
/// of every part, and the next window goes on where it ended. The text has at least lanes * length + 1
/// characters.
class Windows {
 public:
  Windows(std::span<const Symbol> text, std::size_t lanes, std::size_t length)
      : text_(text),
        lanes_(lanes),
        length_(length),
        part_((text.size() - 1) / lanes),
        symbols_(lanes * length),
        next_(lanes * length) {}

  std::size_t count() const { return part_ / length_; }

  /// Makes `symbols()` and `next()` those of a window, [length x lanes].
  void show(std::size_t window) {
    for (std::size_t t = 0; t < length_; ++t)
      for (std::size_t lane = 0; lane < lanes_; ++lane) {
        const std::size_t at = lane * part_ + window * length_ + t;
        symbols_[t * lanes_ + lane] = text_[at];
        next_[t * lanes_ + lane] = text_[at + 1];
      }
  }

  const std::vector<Symbol>& symbols() const { return symbols_; }
  const std::vector<Symbol>& next() const { return next_; }

 private:
  std::span<const Symbol> text_;
  std::size_t lanes_, length_, part_;
  std::vector<Symbol> symbols_, next_;
};

/// Draws a character, of which `probability` takes the number. A temperature below 1 prefers likely ones.
template <typename Probability>
Symbol draw(Probability probability, std::mt19937& random) {
  constexpr double temperature = 0.8;
  std::array<double, symbols> weights{};
  double sum = 0;
  for (std::size_t i = 0; i < symbols; ++i)
    sum += weights[i] = std::pow(double(probability(i)), 1 / temperature);
  double left = sum * double(random()) / 4294967296.0;
  std::size_t drawn = 0;
  while (drawn + 1 < symbols && (left -= weights[drawn]) >= 0) ++drawn;
  return static_cast<Symbol>(drawn);
}

/// Returns the prompt and `count` more characters. `read` reads a character and draws the one that follows.
template <typename Read>
std::string go_on(const std::string& prompt, std::size_t count, Read read) {
  std::string text = prompt;
  Symbol next = symbol_of('\n');
  for (const char c : prompt) next = read(symbol_of(c));
  for (std::size_t i = 0; i < count; ++i) {
    text += character_of(next);
    next = read(next);
  }
  return text;
}

/// Holds what a command line says: the text to learn, for how long, and what to write then.
struct Settings {
  std::string text = {}, prompt = "ROMEO:\n";
  std::size_t duration = 0, write = 0;
};

/// Reads `PROGRAM TEXT [DURATION N] [--write N] [--prompt WORDS]`; `settings` has what is not given. Prints
/// how the program is called and returns nothing if the command line is another one.
inline std::optional<Settings> read_settings(int argc, char** argv, const char* duration, Settings settings) {
  bool is_valid = true;
  for (int i = 1; i < argc && is_valid; ++i) {
    const std::string_view option = argv[i];
    const bool has_value = i + 1 < argc, has_count = has_value && std::atoi(argv[i + 1]) > 0;
    if (option == duration && has_count)
      settings.duration = static_cast<std::size_t>(std::atoi(argv[++i]));
    else if (option == "--write" && has_count)
      settings.write = static_cast<std::size_t>(std::atoi(argv[++i]));
    else if (option == "--prompt" && has_value)
      settings.prompt = argv[++i];
    else if (settings.text.empty() && !option.starts_with("--"))
      settings.text = option;
    else
      is_valid = false;
  }
  if (is_valid && !settings.text.empty() && !settings.prompt.empty()) return settings;
  std::fprintf(stderr,
               "usage: %s TEXT [%s N] [--write CHARACTERS] [--prompt WORDS]\n"
               "TEXT is a file of ASCII, such as the works of Shakespeare\n",
               argv[0], duration);
  return std::nullopt;
}
