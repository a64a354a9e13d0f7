#include "codegen/header/shared_text.h"

// TELC_SHARED is the path of the folder `shared`.
#define PIECE(name) ".incbin \"" TELC_SHARED "/" name "\"\n"
asm(".section .rodata\n"
    "telc_shared_c:\n" PIECE("c.h") "telc_shared_c_end:\n"
    "telc_shared_cpp:\n" PIECE("values.hpp") PIECE("views.hpp") PIECE("execution.hpp") PIECE("tensors.hpp")
        PIECE("stores.hpp") PIECE("device_memory.hpp") PIECE("calls.hpp") "telc_shared_cpp_end:\n"
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
