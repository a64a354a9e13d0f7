#pragma once

#include <string_view>

/// The parts of a header that do not depend on the network, in the order in which the header contains them.
namespace codegen::header {

/// Returns the C types that the network's declarations use.
std::string_view shared_c_declarations();
/// Returns the C++ types that the network's declarations use and that must be complete before them.
std::string_view shared_cpp_declarations();
/// Return the definitions that follow the network, in C and C++.
std::string_view shared_c_definitions();
std::string_view shared_cpp_definitions();
/// Returns the definitions of 16-bit floats. They stand among the declarations if the network has scalars of
/// these types, else among the definitions.
std::string_view shared_floats();

}  // namespace codegen::header
