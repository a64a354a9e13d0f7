#include "dlvm/support/source.h"

#include <utility>

namespace dlvm {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

Source::Source(std::string name, std::optional<std::string> text)
    : name_(std::move(name)), text_(std::move(text)) {
  if (!text_) return;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_->starts_with(byte_order_mark)) text_->erase(0, byte_order_mark.size());
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_->size(); ++i)
    if ((*text_)[i] == '\n') line_starts_.push_back(i + 1);
}

std::string_view Source::line(std::uint32_t line) const {
  if (line == 0 || line > line_starts_.size()) return {};
  const std::size_t begin = line_starts_[line - 1];
  std::size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_->size();
  if (end > begin && (*text_)[end - 1] == '\r') --end;
  return std::string_view(*text_).substr(begin, end - begin);
}

std::size_t Source::offset(std::uint32_t line, std::uint32_t column) const {
  if (line == 0 || line > line_starts_.size()) return text_ ? text_->size() : 0;
  const std::string_view all = this->line(line);
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (!is_continuation(all[i]) && ++before == column) return line_starts_[line - 1] + i;
  return line_starts_[line - 1] + all.size();
}

Position position_of(std::string_view text, std::size_t offset) {
  Position position;
  for (const char byte : text.substr(0, offset)) {
    if (byte == '\n')
      ++position.line, position.column = 1;
    else if (!is_continuation(byte))
      ++position.column;
  }
  return position;
}

const Source* Sources::add(std::string name, std::string text) {
  sources_.push_back(std::make_unique<Source>(std::move(name), std::move(text)));
  return sources_.back().get();
}

const Source* Sources::named(std::string_view name) {
  for (const auto& source : sources_)
    if (source->name() == name) return source.get();
  sources_.push_back(std::make_unique<Source>(std::string(name), std::nullopt));
  return sources_.back().get();
}

}  // namespace dlvm
