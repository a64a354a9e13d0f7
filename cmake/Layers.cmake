# The build fails where a folder includes another against the data flow.
add_custom_target(telc_layers ALL
  COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/check-layers.cmake)
