# `cmake --install` installs the compiler, and a package that find_package(telc) finds, with the target telc::telc
# and the function tel_add_network.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# The shared libraries of LLVM need not be where the loader looks by itself.
set_target_properties(telc dlopt PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/telc)
install(TARGETS telc dlopt EXPORT telc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT telc)
install(EXPORT telc NAMESPACE telc:: FILE telcTargets.cmake DESTINATION ${package} COMPONENT telc)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/telcConfig.cmake ${PROJECT_SOURCE_DIR}/cmake/TelAddNetwork.cmake
  DESTINATION ${package} COMPONENT telc)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/telcConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/telcConfigVersion.cmake DESTINATION ${package} COMPONENT telc)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT telc)
