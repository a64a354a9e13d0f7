#include "codegen/interface/names.h"

#include <algorithm>
#include <cctype>

// TELC_RESERVED is the path of the folder interface/reserved, whose tables are words between white space.
// scripts/reserved-names writes `macros` and `globals`; `keywords` has those of C11 to C23 and C++20, and
// macros of compilers that are ordinary words.
#define TABLE(name) "telc_" name ":\n.incbin \"" TELC_RESERVED "/" name "\"\ntelc_" name "_end:\n"
asm(".section .rodata\n" TABLE("keywords") TABLE("macros") TABLE("globals") ".text\n");

extern "C" const char telc_keywords[], telc_keywords_end[], telc_macros[], telc_macros_end[], telc_globals[],
    telc_globals_end[];

namespace codegen::interface {
namespace {

using Table = std::set<std::string_view>;

void add_words(Table& table, const char* begin, const char* end) {
  const auto space = [](unsigned char c) { return std::isspace(c) != 0; };
  for (const char* at = begin; at != end;) {
    const char* word = std::find_if_not(at, end, space);
    at = std::find_if(word, end, space);
    if (word != at) table.emplace(word, static_cast<std::size_t>(at - word));
  }
}

Table make_reserved() {
  Table table{"int8_t",   "int16_t",  "int32_t",  "int64_t", "uint8_t",
              "uint16_t", "uint32_t", "uint64_t", "size_t"};
  add_words(table, telc_keywords, telc_keywords_end);
  add_words(table, telc_macros, telc_macros_end);
  return table;
}

Table make_globals() {
  Table table;
  add_words(table, telc_globals, telc_globals_end);
  return table;
}

/// `tel_x`, `TEL_x`; the shared text has none that ends in `_`.
bool is_of_the_header(std::string_view name) {
  return (name.starts_with("tel_") || name.starts_with("TEL_")) && !name.ends_with('_');
}

/// `__x`, `_X`. Compilers have names like `__x__` and `_X_H___` too, but none that ends in four underscores.
bool is_of_the_compiler(std::string_view name) {
  return name.size() > 1 && name[0] == '_' &&
         (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1]))) && !name.ends_with("____");
}

}  // namespace

bool is_reserved(std::string_view name) {
  static const Table table = make_reserved();
  return is_of_the_header(name) || is_of_the_compiler(name) || table.contains(name);
}

bool is_global(std::string_view name) {
  static const Table table = make_globals();
  return table.contains(name);
}

std::string Names::add(std::string name) {
  return add(std::move(name), [](const std::string&) { return std::vector<std::string>(); });
}

std::string Names::add(std::string name, std::vector<std::string> (*derive)(const std::string&)) {
  std::replace(name.begin(), name.end(), '.', '_');
  const auto is_free = [&] {
    const auto derived = derive(name);
    return !is_reserved(name) && !taken_.contains(name) &&
           std::none_of(derived.begin(), derived.end(),
                        [&](const auto& one) { return taken_.contains(one); });
  };
  while (!is_free()) name += '_';
  for (auto& one : derive(name)) take(std::move(one));
  take(name);
  return name;
}

}  // namespace codegen::interface
