# cmake -DFOLDER=stdlib -DOUT=stdlib.cpp -P embed-stdlib.cmake: the library of the language as strings of the program.
# A string literal may be limited to 64 KiB, so the text is cut into pieces, which the compiler joins.
file(GLOB files ${FOLDER}/*.tel)
list(SORT files)
set(code [==[
#include "frontend/support/stdlib.h"

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

}  // namespace frontend
]==])
file(WRITE ${OUT} "${code}")
