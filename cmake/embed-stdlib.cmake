# cmake -DFOLDER=stdlib -DOUT=stdlib.cpp -P embed-stdlib.cmake: the library of the language as strings of the program.
# A string literal may be limited to 64 KiB, so the text is cut into pieces, which the compiler joins.
file(GLOB files ${FOLDER}/*.tel)
list(SORT files)
set(code [==[
#include "frontend/support/stdlib.h"

#include <algorithm>
#include <string>

namespace frontend {
namespace {

struct File {
  std::string_view name, text;
};

constexpr File files[] = {
]==])
foreach(path ${files})
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} text)
  string(LENGTH "${text}" size)
  string(APPEND code "    {\"${name}\",\n     \"\"")
  set(at 0)
  while(at LESS size)
    string(SUBSTRING "${text}" ${at} 15000 piece)
    string(APPEND code "\nR\"TEL-SOURCE(${piece})TEL-SOURCE\"")
    math(EXPR at "${at} + 15000")
  endwhile()
  string(APPEND code "},\n")
endforeach()
string(APPEND code [==[
};

}  // namespace

std::optional<std::string_view> standard_library(std::string_view module_name) {
  for (const File& file : files)
    if (file.name == module_name) return file.text;
  return std::nullopt;
}

std::string_view library_module_with(std::string_view word, std::string_view name) {
  const std::string start = "\n" + std::string(word) + " " + std::string(name);
  for (const File& file : files) {
    const std::size_t at = file.text.find(start);
    if (at == std::string_view::npos) continue;
    const char next = file.text[std::min(at + start.size(), file.text.size() - 1)];
    if (next == '(' || next == ' ') return file.name;
  }
  return "";
}

}  // namespace frontend
]==])
file(WRITE ${OUT} "${code}")
