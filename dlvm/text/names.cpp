#include "dlvm/text/names.h"

#include <fmt/format.h>

namespace dlvm {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_plain(std::string_view name, bool numbers) {
  if (name.empty()) return false;
  if (numbers && name.find_first_not_of("0123456789") == std::string_view::npos) return true;
  if (!is_letter(name[0])) return false;
  for (std::size_t i = 1; i < name.size(); ++i) {
    const bool dot = name[i] == '.' && i + 1 < name.size() && name[i + 1] != '.';
    if (!is_letter(name[i]) && !is_digit(name[i]) && !dot) return false;
  }
  return true;
}

int hexadecimal(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += {'\\', c};
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char next = text[++i];
    const int high = i + 2 < text.size() ? hexadecimal(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hexadecimal(text[i + 2]) : -1;
    if (next == 'n') {
      out += '\n';
    } else if (next == 'x' && high >= 0 && low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += next;
    }
  }
  return out;
}

std::string written_name(char sigil, std::string_view name) {
  return sigil + (is_plain(name, sigil != '%') ? std::string(name) : quoted_text(name));
}

std::string UniqueNames::add(const std::string& name) {
  if (taken_.insert(name).second) return name;
  std::size_t& number = next_[name];
  std::string made;
  do made = fmt::format("{}.{}", name, ++number);
  while (!taken_.insert(made).second);
  return made;
}

bool is_anonymous_block(std::string_view name) {
  return name.find_first_not_of("0123456789") == std::string_view::npos;
}

BodyNames::BodyNames(const Function& function) {
  std::size_t block_number = 0;
  for (const auto& block : function.blocks()) {
    const bool anonymous = is_anonymous_block(block->name());
    block_names_.emplace(block.get(), anonymous ? fmt::format("'{}", block_number)
                                                : written_name('\'', blocks_.add(block->name())));
    for (const auto& argument : block->arguments())
      add(*argument, fmt::format("%{}^{}", block_number, argument->index()));
    std::size_t number = 0;
    for (const auto& instruction : block->instructions())
      add(*instruction, fmt::format("%{}.{}", block_number, number++));
    ++block_number;
  }
}

void BodyNames::add(const Value& value, std::string anonymous) {
  names_.emplace(&value,
                 value.name().empty() ? std::move(anonymous) : written_name('%', values_.add(value.name())));
}

std::string_view BodyNames::of(const Value& value) const {
  const auto found = names_.find(&value);
  return found == names_.end() ? std::string_view("%?") : std::string_view(found->second);
}

std::string_view BodyNames::of(const BasicBlock* block) const {
  const auto found = block_names_.find(block);
  return found == block_names_.end() ? std::string_view("'?") : std::string_view(found->second);
}

}  // namespace dlvm
