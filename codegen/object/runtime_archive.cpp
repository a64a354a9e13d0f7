#include "codegen/object/runtime_archive.h"

// TELC_RUNTIME_ARCHIVE is the file that the build makes from runtime/.
asm(".section .rodata\n"
    ".balign 16\n"
    "telc_runtime_archive:\n"
    ".incbin \"" TELC_RUNTIME_ARCHIVE
    "\"\n"
    "telc_runtime_archive_end:\n"
    ".text\n");

extern "C" const char telc_runtime_archive[], telc_runtime_archive_end[];

namespace codegen::object {

std::string_view runtime_archive() {
  return {telc_runtime_archive, static_cast<std::size_t>(telc_runtime_archive_end - telc_runtime_archive)};
}

}  // namespace codegen::object
