#include "codegen/object/runtime_archive.h"

// TELC_RUNTIME_ARCHIVE and TELC_RUNTIME_ARCHIVE_THREAD are the files that the build makes from runtime/.
#define TELC_INCLUDE_BYTES(symbol, file) \
  asm(".section .rodata\n"               \
      ".balign 16\n" symbol              \
      ":\n"                              \
      ".incbin \"" file "\"\n" symbol    \
      "_end:\n"                          \
      ".text\n")

TELC_INCLUDE_BYTES("telc_runtime_archive", TELC_RUNTIME_ARCHIVE);
TELC_INCLUDE_BYTES("telc_runtime_archive_thread", TELC_RUNTIME_ARCHIVE_THREAD);

extern "C" const char telc_runtime_archive[], telc_runtime_archive_end[];
extern "C" const char telc_runtime_archive_thread[], telc_runtime_archive_thread_end[];

namespace codegen::object {

std::string_view runtime_archive(Sanitizer sanitizer) {
  switch (sanitizer) {
    case Sanitizer::none:
      return {telc_runtime_archive, telc_runtime_archive_end};
    case Sanitizer::thread:
      return {telc_runtime_archive_thread, telc_runtime_archive_thread_end};
  }
  __builtin_unreachable();
}

}  // namespace codegen::object
