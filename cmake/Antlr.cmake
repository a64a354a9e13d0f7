# antlr_grammar(TARGET GRAMMAR [VISITOR]): an object library of the parser that ANTLR generates from
# grammar/GRAMMAR.g4, in namespace GRAMMAR (lower case). The generated sources compile as C++17: the
# runtime's headers take `char` literals where C++20 would make them `char8_t`.
find_program(ANTLR4 antlr4 REQUIRED)
find_path(ANTLR4_INCLUDE antlr4-runtime.h PATHS /usr/include/antlr4-runtime REQUIRED)
find_library(ANTLR4_RUNTIME NAMES libantlr4-runtime.a antlr4-runtime REQUIRED)

function(antlr_grammar target grammar)
  string(TOLOWER ${grammar} lower)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${lower})
  set(sources ${folder}/${grammar}Lexer.cpp ${folder}/${grammar}Parser.cpp)
  add_custom_command(
    OUTPUT ${sources} ${folder}/${grammar}Lexer.h ${folder}/${grammar}Parser.h
    COMMAND ${ANTLR4} -Dlanguage=Cpp -no-listener -no-visitor -Xexact-output-dir
            -package ${lower}_grammar -o ${folder} ${PROJECT_SOURCE_DIR}/grammar/${grammar}.g4
    DEPENDS ${PROJECT_SOURCE_DIR}/grammar/${grammar}.g4
    COMMENT "ANTLR ${grammar}.g4")
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES CXX_STANDARD 17)
  target_compile_options(${target} PRIVATE -w)
  target_include_directories(${target} SYSTEM PUBLIC ${ANTLR4_INCLUDE} ${folder})
  target_link_libraries(${target} PUBLIC ${ANTLR4_RUNTIME})
endfunction()
