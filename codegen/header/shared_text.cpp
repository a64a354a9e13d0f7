#include "codegen/header/shared_text.h"

// TELC_SHARED is the path of the folder `shared`.
#define BEGIN(name) "telc_" name ":\n"
#define PIECE(name) ".incbin \"" TELC_SHARED "/" name "\"\n"
#define END(name) "telc_" name "_end:\n"
asm(".section .rodata\n"                                                                            //
    BEGIN("c_declarations") PIECE("declarations.h") END("c_declarations")                           //
    BEGIN("c_definitions") PIECE("c.h") END("c_definitions")                                        //
    BEGIN("cpp_declarations") PIECE("declarations.hpp") PIECE("views.hpp") END("cpp_declarations")  //
    BEGIN("cpp_definitions") PIECE("values.hpp") PIECE("fields.hpp") PIECE("execution.hpp")         //
    PIECE("tensors.hpp") PIECE("stores.hpp") PIECE("device_memory.hpp") PIECE("calls.hpp")          //
    END("cpp_definitions")                                                                          //
    BEGIN("floats") PIECE("floats.hpp") END("floats")                                               //
    ".text\n");

#define TEXT(name)                                                                   \
  extern "C" const char telc_##name[], telc_##name##_end[];                          \
  std::string_view codegen::header::shared_##name() {                                \
    return {telc_##name, static_cast<std::size_t>(telc_##name##_end - telc_##name)}; \
  }
TEXT(c_declarations)
TEXT(c_definitions)
TEXT(cpp_declarations)
TEXT(cpp_definitions)
TEXT(floats)
