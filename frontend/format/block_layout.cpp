#include "frontend/format/block_layout.h"

#include "frontend/parse/grammar.h"

namespace frontend::syntax {

std::string line_with_indent(std::size_t indent) {
  std::string text(1, '\n');
  text.append(indent, ' ');
  return text;
}

BlockLayout::BlockLayout(const std::vector<Token>& code, std::size_t indent)
    : code_(code), indent_(indent), on_one_line_(code.size(), false) {
  std::vector<std::size_t> open;
  std::vector<bool> is_on_one_line(code.size(), false);  // for each `{`
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (code[i].kind == Grammar::LEFT_BRACE) open.push_back(i);
    if (code[i].kind != Grammar::RIGHT_BRACE || open.empty()) continue;
    is_on_one_line[open.back()] = code[open.back()].location.line == code[i].location.line;
    open.pop_back();
  }
  for (std::size_t i = 0; i < code.size(); ++i) {
    on_one_line_[i] = !open.empty() && is_on_one_line[open.back()];
    if (code[i].kind == Grammar::LEFT_BRACE) open.push_back(i);
    if (code[i].kind == Grammar::RIGHT_BRACE && !open.empty()) open.pop_back();
  }
}

bool BlockLayout::is_boundary(std::size_t i) const {
  return code_[i].statement_first || code_[i].kind == Grammar::RIGHT_BRACE;
}

bool BlockLayout::joins(std::size_t i) const {
  return code_[i].kind == Grammar::LEFT_BRACE ||
         (i > 0 && code_[i].kind == Grammar::ELSE && code_[i - 1].kind == Grammar::RIGHT_BRACE);
}

std::string BlockLayout::before(std::size_t i, std::size_t depth, bool blank) const {
  const bool first = code_[i - 1].kind == Grammar::LEFT_BRACE, last = code_[i].kind == Grammar::RIGHT_BRACE;
  if (on_one_line_[i]) return std::string(first && last ? 0 : first || last ? 1 : 2, ' ');
  if (first && last) return "";
  return line_before(i, depth, blank && !first);
}

std::string BlockLayout::after_comment(std::size_t i, std::size_t depth, bool blank) const {
  return is_boundary(i) ? line_before(i, depth, blank) : line(2 + 2 * depth);
}

std::string BlockLayout::line_before(std::size_t i, std::size_t depth, bool blank) const {
  const bool last = code_[i].kind == Grammar::RIGHT_BRACE;
  const std::string start = line(2 * (last && depth > 0 ? depth - 1 : depth));
  return blank && !last ? "\n" + start : start;
}

std::string BlockLayout::before_comment(std::size_t i, std::size_t depth, bool blank) const {
  if (!is_boundary(i)) return line(2 + 2 * depth);
  const bool first = code_[i - 1].kind == Grammar::LEFT_BRACE;
  return (blank && !first ? "\n" : "") + line(2 * depth);
}

}  // namespace frontend::syntax
