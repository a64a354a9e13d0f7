#include "codegen/header/shared_text.h"

// TELC_SHARED_C and TELC_SHARED_CPP are the paths of tel_c.h and tel.hpp.
asm(".section .rodata\n"
    "telc_shared_c:\n"
    ".incbin \"" TELC_SHARED_C
    "\"\n"
    "telc_shared_c_end:\n"
    "telc_shared_cpp:\n"
    ".incbin \"" TELC_SHARED_CPP
    "\"\n"
    "telc_shared_cpp_end:\n"
    ".text\n");

extern "C" const char telc_shared_c[], telc_shared_c_end[], telc_shared_cpp[], telc_shared_cpp_end[];

namespace codegen::header {

std::string_view shared_c_text() {
  return {telc_shared_c, static_cast<std::size_t>(telc_shared_c_end - telc_shared_c)};
}

std::string_view shared_cpp_text() {
  return {telc_shared_cpp, static_cast<std::size_t>(telc_shared_cpp_end - telc_shared_cpp)};
}

}  // namespace codegen::header
