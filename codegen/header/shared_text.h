#pragma once

#include <string_view>

/// The parts of a header that do not depend on the network, in the order in which they stand in it.
namespace codegen::header {

/// The types of C that the network's declarations are written with.
std::string_view shared_c_declarations();
/// The types of C++ that they are written with: those that must be complete before them.
std::string_view shared_cpp_declarations();
/// The rest, for behind the network.
std::string_view shared_c_definitions();
std::string_view shared_cpp_definitions();
/// 16-bit floats: declarations where the network has scalars of these types, else definitions.
std::string_view shared_floats();

}  // namespace codegen::header
