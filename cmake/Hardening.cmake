# harden(TARGET…): telc reads files that others wrote. So its code checks the stack's canaries, and the lengths of what the
# C library copies where these are known, and the position of every element that it reads from a container; and nothing
# can write to the table of imported functions. Sanitizers check more, and need the C library's own functions.
set(TELC_HARDENED OFF)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_BUILD_TYPE MATCHES "^(Release|RelWithDebInfo|MinSizeRel)$" AND NOT TELC_SANITIZE)
  set(TELC_HARDENED ON)
endif()
function(harden)
  if(NOT TELC_HARDENED)
    return()
  endif()
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
      -D_GLIBCXX_ASSERTIONS)
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      target_link_options(${target} PRIVATE -Wl,-z,relro -Wl,-z,now)
    endif()
  endforeach()
endfunction()
