// Texts with a few changes, as no writer makes them, and sweeps over many of them.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace test {

/// The text that a change may write: numbers in the place of numbers, words in the place of words.
struct Vocabulary {
  std::span<const std::string_view> numbers, words;
};

/// Random changes of texts; the seed decides all of them.
class Mutation {
 public:
  Mutation(std::uint64_t seed, Vocabulary vocabulary) : random_(seed), vocabulary_(vocabulary) {}

  /// Returns the text with one to three tokens or lines removed, repeated, exchanged or replaced.
  std::string of(const std::string& text);
  /// Returns the text with some lines of `other` inserted, or in the place of its end.
  std::string spliced(const std::string& text, const std::string& other);
  /// Returns the text with one to three bytes removed, added or replaced.
  std::string with_noise(std::string text);

  template <typename List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }
  /// Returns a number below `n`, which is not 0.
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

 private:
  void change(std::vector<std::string>& tokens);
  void replace_by_alike(const std::vector<std::string>& tokens, std::string& token);
  void copy_line(std::vector<std::string>& tokens, std::size_t at);

  std::mt19937_64 random_;
  Vocabulary vocabulary_;
};

struct Sweep {
  struct Failure {
    std::uint64_t seed;
    std::string said;  ///< what the process printed, and the signal that ended it
  };
  std::uint64_t accepted = 0;
  std::vector<Failure> failures;
};

/// Calls `accepts` for the seeds [first, first + count) in other processes, which it may end: by a signal, by
/// taking 10 seconds of processor time for one seed, or by taking more than 4 GiB of memory. Counts those
/// that it accepts.
Sweep sweep(std::uint64_t first, std::uint64_t count, const std::function<bool(std::uint64_t seed)>& accepts);

}  // namespace test
