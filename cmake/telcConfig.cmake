# What find_package(telc) reads: the target telc::telc and the function tel_add_network.
include(${CMAKE_CURRENT_LIST_DIR}/telcTargets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/TelAddNetwork.cmake)
