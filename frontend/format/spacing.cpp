#include "frontend/format/spacing.h"

#include "frontend/parse/grammar.h"

namespace frontend::syntax {

std::string Spacing::next(std::size_t i) {
  std::string text(i > 0 && space_before(i) ? 1 : 0, ' ');
  return text.append(first(i));
}

std::string Spacing::first(std::size_t i) {
  enter(i);
  return code_[i].kind == Grammar::SEPARATOR ? "x" : std::string(code_[i].text);
}

void Spacing::enter(std::size_t i) {
  switch (code_[i].kind) {
    case Grammar::LEFT_BRACE:
      frames_.push_back(Frame::block);
      return;
    case Grammar::RESULTS_OPEN:
      frames_.push_back(Frame::parenthesis);
      return;
    case Grammar::LEFT_PARENTHESIS:
      if (i > 0 && code_[i - 1].kind == Grammar::ARROW) return frames_.push_back(Frame::types);
      // Grouping inside an extent or a subscript goes on as it was; a call's arguments start anew.
      frames_.push_back(tight() && !ends_operand(code_[i - 1]) ? Frame::shape : Frame::parenthesis);
      return;
    case Grammar::SHAPE_OPEN:
    case Grammar::LEFT_BRACKET:
      if (opens_shape(i))
        frames_.push_back(only_numbers(i) ? Frame::plain_shape : Frame::shape);
      else
        frames_.push_back(i > 0 && ends_operand(code_[i - 1]) ? Frame::index : Frame::literal);
      return;
    case Grammar::RIGHT_PARENTHESIS:
    case Grammar::RIGHT_BRACKET:
    case Grammar::RIGHT_BRACE:
      if (!frames_.empty()) frames_.pop_back();
      return;
    default:
      return;
  }
}

/// By what stands before it; a `[` behind the name of a role opens a shape, one behind another name an index.
bool Spacing::opens_shape(std::size_t i) const {
  if (code_[i].kind == Grammar::SHAPE_OPEN) return true;
  if (i == 0) return false;
  if (!frames_.empty() && frames_.back() == Frame::types) return true;
  if (code_.front().kind == Grammar::ENUM) return true;
  switch (code_[i - 1].kind) {
    case Grammar::ELEMENT_TYPE:
    case Grammar::AS:
    case Grammar::ARROW:
    case Grammar::IN:
      return true;
    case Grammar::COLON:
      return frames_.empty() || frames_.back() == Frame::parenthesis || frames_.back() == Frame::block;
    case Grammar::NAME:
      return i > 1 && frames_.size() < 2 && code_[i - 2].kind == Grammar::COLON;
    default:
      return false;
  }
}

/// All extents of the shape are numbers: `[28x28]` rather than `[N x 28]`.
bool Spacing::only_numbers(std::size_t i) const {
  for (++i; i < code_.size() && code_[i].kind != Grammar::RIGHT_BRACKET; ++i)
    if (code_[i].kind != Grammar::NUMBER && code_[i].kind != Grammar::SEPARATOR) return false;
  return true;
}

/// A sign rather than an operator between two operands.
bool Spacing::is_prefix(std::size_t i) const {
  return code_[i].kind == Grammar::MINUS && (i == 0 || !ends_operand(code_[i - 1]));
}

/// Inside extents and subscripts operators stand close: `[4*d x n]`, `x[1:n-1]`.
bool Spacing::tight() const {
  return !frames_.empty() && frames_.back() != Frame::parenthesis && frames_.back() != Frame::literal &&
         frames_.back() != Frame::block && frames_.back() != Frame::types;
}

bool Spacing::space_before(std::size_t i) const {
  const Token& before = code_[i - 1];
  const Token& token = code_[i];
  const bool in_index = !frames_.empty() && frames_.back() == Frame::index;
  const auto closes_up = [](std::size_t kind) {
    return kind == Grammar::LEFT_PARENTHESIS || kind == Grammar::RESULTS_OPEN ||
           kind == Grammar::LEFT_BRACKET || kind == Grammar::SHAPE_OPEN || kind == Grammar::DOT ||
           kind == Grammar::RANGE;
  };
  if (closes_up(before.kind) || is_prefix(i - 1)) return false;
  const bool closes = token.kind == Grammar::RIGHT_PARENTHESIS || token.kind == Grammar::RIGHT_BRACKET;
  if (before.kind == Grammar::COMMA || before.kind == Grammar::SEMICOLON) return !closes;
  if (before.kind == Grammar::CARET) return token.text == "T";
  if (before.kind == Grammar::COLON) return !in_index;
  switch (token.kind) {
    case Grammar::RIGHT_PARENTHESIS:
    case Grammar::RIGHT_BRACKET:
    case Grammar::COMMA:
    case Grammar::SEMICOLON:
    case Grammar::COLON:
    case Grammar::DOT:
    case Grammar::ELLIPSIS:
    case Grammar::RANGE:
    case Grammar::TRANSPOSE:
    case Grammar::NEXT:
      return false;
    case Grammar::CARET:
      return code_[i + 1].text == "T";
    case Grammar::LEFT_PARENTHESIS:
      return !ends_operand(before) && !(tight() && before.kind != Grammar::SEPARATOR);
    case Grammar::LEFT_BRACKET:
    case Grammar::SHAPE_OPEN:
      return !ends_operand(before) && before.kind != Grammar::IN;
    default:
      break;
  }
  const auto arithmetic = [](std::size_t kind) {
    return kind == Grammar::PLUS || kind == Grammar::MINUS || kind == Grammar::STAR || kind == Grammar::SLASH;
  };
  if (tight() && (arithmetic(token.kind) || arithmetic(before.kind))) {
    // `x -1` after a separator is a sign, which needs its space.
    return before.kind == Grammar::SEPARATOR || before.kind == Grammar::COMMA;
  }
  if (!frames_.empty() && frames_.back() == Frame::plain_shape) return false;
  return true;
}

}  // namespace frontend::syntax
