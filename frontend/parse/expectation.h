// These functions say, in the words of the language's users, what was expected where a text does not fit the
// grammar.
#pragma once

#include <string>
#include <vector>

#include "frontend/parse/grammar.h"
#include "frontend/parse/likely_fix.h"
#include "frontend/parse/syntax_error.h"

namespace frontend::syntax {

/// A failure, the tokens and brackets around it, and what would have fitted there.
class Expectation {
 public:
  Expectation(const Failure& failure, const Resolved& resolved, const Chunk& chunk);

  /// Reports what was expected and what was found.
  dlvm::Diagnostic& report_expected(Diagnostics& diagnostics) const;

 protected:
  Place here() const { return {code_, chunk_, position_, open_, equals_}; }
  bool at_end() const { return position_ >= chunk_.last; }
  const Token& found() const { return code_[position_]; }
  const Token* previous() const { return position_ > chunk_.first ? &code_[position_ - 1] : nullptr; }
  bool wants(std::size_t kind) const { return failure_.expected.contains(kind); }
  bool wants_operand() const { return wants(Grammar::LEFT_PARENTHESIS) && wants(Grammar::NUMBER); }

  bool in_extents() const;
  /// Whether what stands before is a part of an extent: in a shape, an argument or a default of a net, a
  /// `dim`.
  bool in_extent() const;
  bool in_shape() const;

  const Failure& failure_;
  const std::vector<Token>& code_;
  const Chunk& chunk_;
  std::size_t position_;
  std::vector<std::size_t> open_;  ///< brackets around the failure
  bool equals_ = false;            ///< the failure stands behind the declaration's `=`

 private:
  void follow(std::size_t i);
  /// Returns what may follow a complete operand here.
  std::string after_operand() const;
  std::string wanted() const;
};

}  // namespace frontend::syntax
