#include "codegen/object/runtime_bitcode.h"

// TELC_RUNTIME_BITCODE is the file that the build made of runtime/.
asm(".section .rodata\n"
    ".balign 16\n"
    "telc_runtime_bitcode:\n"
    ".incbin \"" TELC_RUNTIME_BITCODE
    "\"\n"
    "telc_runtime_bitcode_end:\n"
    ".text\n");

extern "C" const char telc_runtime_bitcode[], telc_runtime_bitcode_end[];

namespace codegen {

std::string_view runtime_bitcode() {
  return {telc_runtime_bitcode, static_cast<std::size_t>(telc_runtime_bitcode_end - telc_runtime_bitcode)};
}

}  // namespace codegen
