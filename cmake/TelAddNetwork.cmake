# tel_add_network(TARGET FILE.tel [NAME NAME] [OPTIONS OPTION …])
#
# Compiles a network and makes it a part of TARGET: the object is linked into TARGET, the header can be included as
# "NAME.hpp" (by default NAME is the name of the file), TARGET is compiled as C++20, and the network is compiled again
# when the file, a file that it imports, or telc itself changes. OPTIONS are further options of telc, for example
# `OPTIONS --target=cpu -DN=64 -Ifolder`. Whatever links to TARGET can include the header too.
#
# The function must be called in the folder that creates TARGET, because CMake builds generated sources there alone.
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

function(tel_add_network target file)
  cmake_parse_arguments(PARSE_ARGV 2 network "" "NAME" "OPTIONS")
  if(network_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tel_add_network: unknown argument '${network_UNPARSED_ARGUMENTS}'; "
      "the form is tel_add_network(TARGET FILE.tel [NAME NAME] [OPTIONS OPTION …])")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tel_add_network: there is no target '${target}'; call add_executable or add_library first")
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "tel_add_network: '${target}' is created in ${folder}; call tel_add_network there")
  endif()
  get_filename_component(source ${file} ABSOLUTE)
  get_source_file_property(generated ${source} GENERATED)
  if(NOT generated AND NOT EXISTS ${source})
    message(FATAL_ERROR "tel_add_network: there is no file ${source}")
  endif()
  if(NOT network_NAME)
    get_filename_component(network_NAME ${file} NAME_WLE)
  endif()

  # CMake runs telc in the folder of the build.
  list(TRANSFORM network_OPTIONS REPLACE "^-I([^/].*)$" "-I${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  list(FIND network_OPTIONS -I at)
  if(at GREATER_EQUAL 0)
    message(FATAL_ERROR "tel_add_network: write -IFOLDER in one word")
  endif()

  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}-networks)
  file(MAKE_DIRECTORY ${output})
  set(network ${output}/${network_NAME})
  get_source_file_property(generated ${network}.o GENERATED)
  if(generated)
    message(FATAL_ERROR "tel_add_network: '${target}' has a network '${network_NAME}' already; "
      "give this one another name: tel_add_network(${target} ${file} NAME NAME)")
  endif()
  add_custom_command(
    OUTPUT ${network}.o ${network}.hpp
    COMMAND telc::telc ${source} -o ${network}.o --header ${network}.hpp --depfile ${network}.d ${network_OPTIONS}
    DEPENDS ${source} $<TARGET_FILE:telc::telc>
    DEPFILE ${network}.d
    COMMENT "Compiling network ${network_NAME}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${network}.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
  target_sources(${target} PRIVATE ${network}.o ${network}.hpp)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${output}>)
  target_compile_features(${target} PUBLIC cxx_std_20)
endfunction()

cmake_policy(POP)
