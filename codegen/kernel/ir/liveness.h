#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// A set of numbers below `size`: of values, or of candidates among them. The operations on whole sets take a
/// step for 64 numbers.
class ValueSet {
 public:
  explicit ValueSet(std::size_t size = 0) : size_(size), words_((size + 63) / 64) {}

  std::size_t size() const { return size_; }
  bool contains(std::size_t number) const { return (words_[number / 64] >> number % 64 & 1) != 0; }
  void insert(std::size_t number) { words_[number / 64] |= bit(number); }
  void erase(std::size_t number) { words_[number / 64] &= ~bit(number); }
  void put(std::size_t number, bool is_in) { is_in ? insert(number) : erase(number); }
  void clear() { words_.assign(words_.size(), 0); }
  /// Adds the numbers of a set of the same size, and returns whether there were new ones among them.
  bool insert(const ValueSet& from);

 private:
  static std::uint64_t bit(std::size_t number) { return std::uint64_t{1} << number % 64; }

  std::size_t size_;
  std::vector<std::uint64_t> words_;
};

/// Which values of a program live at its statements: a path reads such a value before it writes it. Nothing
/// lives where a trap ends the call, whose outputs have no meaning then.
class Liveness {
 public:
  /// Analyses the program, which must outlive the result. Nothing lives where it ends.
  explicit Liveness(const Program& program);
  /// The same where the values `at_end`, a set of the program's values, live where it ends.
  Liveness(const Program& program, ValueSet at_end);

  const ValueSet& on_entry() const { return on_entry_; }
  /// Returns the values that live where a jump to that scope, which the program has, goes.
  const ValueSet& at(const std::string& scope) const { return at_scope_.at(scope); }
  /// Returns the values that live behind that scope, which the program has.
  const ValueSet& behind(const std::string& scope) const { return behind_.at(scope); }

  /// Calls `visit` with each launch and each swap, and the values that live behind it.
  using Visit = std::function<void(const Statement&, const ValueSet& behind)>;
  void for_each(const Visit& visit);

 private:
  void pass(const Sequence& sequence, ValueSet& live);
  void pass(const Launch& launch, ValueSet& live);
  void pass(const Swap& swap, ValueSet& live);
  void pass(const Branch& branch, ValueSet& live);
  void pass(const Scope& scope, ValueSet& live);
  void pass(const Jump& jump, ValueSet& live);

  const Program& program_;
  ValueSet at_end_, on_entry_;
  std::map<std::string, ValueSet> at_scope_, behind_;
  const Visit* visit_ = nullptr;
};

}  // namespace codegen::kernel
