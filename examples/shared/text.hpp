// Text as the numbers that the network reads, and how much its pairs of characters tell.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
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
