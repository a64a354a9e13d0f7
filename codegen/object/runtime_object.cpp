#include "codegen/object/runtime_object.h"

// TELC_RUNTIME_OBJECT is the file that the build made of runtime/.
asm(".section .rodata\n"
    ".balign 16\n"
    "telc_runtime_object:\n"
    ".incbin \"" TELC_RUNTIME_OBJECT
    "\"\n"
    "telc_runtime_object_end:\n"
    ".text\n");

extern "C" const char telc_runtime_object[], telc_runtime_object_end[];

namespace codegen {

std::string_view runtime_object() {
  return {telc_runtime_object, static_cast<std::size_t>(telc_runtime_object_end - telc_runtime_object)};
}

}  // namespace codegen
