# precompile_headers(FAMILY TARGET…): the targets take the headers of FAMILY precompiled. They are headers of other
# libraries alone, so that no change of ours compiles everything again; a source file still includes what it uses.
#   standard  the C++ standard library and fmt: half of what the compiler reads for a file
#   llvm      these, and LLVM IR with its builder
#   test      these, and doctest
option(TELC_PRECOMPILED_HEADERS "compile the headers of other libraries once" ON)
set(standard_headers
  <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <cstring> <filesystem> <functional> <limits> <map> <memory>
  <numeric> <optional> <set> <span> <sstream> <string> <string_view> <unordered_map> <unordered_set> <utility> <variant>
  <vector> <fmt/format.h>)
set(llvm_headers ${standard_headers} <llvm/IR/IRBuilder.h> <llvm/IR/Module.h>)
set(test_headers ${standard_headers} <doctest/doctest.h>)

function(precompile_headers family)
  if(NOT TELC_PRECOMPILED_HEADERS)
    return()
  endif()
  set(owner telc_${family}_headers)
  if(NOT TARGET ${owner})
    set(source ${PROJECT_BINARY_DIR}/${owner}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${owner} OBJECT ${source})
    target_link_libraries(${owner} PRIVATE fmt::fmt)
    target_include_directories(${owner} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
    target_precompile_headers(${owner} PRIVATE ${${family}_headers})
    if(NOT family STREQUAL "test")
      harden(${owner})
    endif()
  endif()
  foreach(target ${ARGN})
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endforeach()
endfunction()
