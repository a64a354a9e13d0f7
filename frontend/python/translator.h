// The reader of mixed expressions behind `translate`.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/python/call.h"
#include "frontend/python/names.h"
#include "frontend/python/translate.h"

namespace frontend::python {

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Returns the class of the name, or null.
inline const Layer* layer_of(std::string_view name) {
  const auto found = std::ranges::find(layers(), name, &Layer::name);
  return found == layers().end() ? nullptr : &*found;
}

/// Lets a pair of values and positions be one of the two.
void take_part(Value& value, bool positions);

/// Reads expressions, of TEL and of Python mixed, and writes them in TEL. What it does not know it copies, as
/// long as it stands in brackets that it understands; else it fails.
class Translator {
 public:
  Translator(std::string_view text, std::size_t at, const Surroundings& surroundings)
      : text_(text), at_(at), know_(surroundings) {}

  /// A chain: a primary and what follows it.
  std::optional<Value> chain();
  /// A sequence of operands and operators, or `a if c else b`, or `if c then a else b`.
  std::optional<Value> expression();
  std::size_t position() const { return at_; }
  std::string advice;
  bool advises_all = false;  ///< the advice is about all operands inside, too

 private:
  /// Holds what a chain is so far.
  struct Chain {
    Value value;
    std::string library;  ///< a library has been named, and not yet its function
    std::string pending;  ///< a name that is called next
    std::optional<Value> receiver;
    bool layer = false;  ///< an object of the class `pending`, made with `made`
    std::vector<Argument> made;
    bool member_of_self = false;  ///< `self.` stands before it
  };

  /// What stands between the brackets behind an operand.
  struct Subscript {
    std::vector<std::string> items;
    std::size_t news = 0;  ///< so many are new axes, which are "1" in `items`
    bool plain = true;     ///< all are new or whole axes
    bool changed = false;
  };

  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_space() {
    while (is_space(peek())) ++at_;
  }
  std::string_view word() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }

  std::optional<Value> sequence();
  std::optional<Value> choice(const Value& first);
  bool primary(Chain& chain);
  bool quotation(Chain& chain);
  bool name(Chain& chain);
  static bool take_infinite(Chain& chain);
  bool bracket(Chain& chain, char closer);
  bool member(Chain& chain);
  bool none();
  bool arguments(std::vector<Argument>& all);
  std::optional<Value> argument();
  bool skip_argument();
  bool called(Chain& chain);
  bool subscript(Chain& chain);
  bool subscript_items(Subscript& subscript);
  bool new_axis(std::string& item);
  static bool take_element(Value& value, const Subscript& subscript);
  static bool spread(Subscript& subscript, const std::optional<std::vector<std::string>>& extents);
  bool finish(Chain& chain);
  bool property(Chain& chain, const std::string& name);
  bool apply(Chain& chain, const std::string& function, std::vector<Argument> all);

  std::string_view text_;
  std::size_t at_;
  const Surroundings& know_;
  int depth_ = 0;

  /// More brackets and calls inside each other are not read.
  static constexpr int deepest = 60;
};

}  // namespace frontend::python
