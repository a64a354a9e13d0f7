#pragma once

#include <string>

#include "codegen/header/structs.h"

/// Prints what callers make trees of: enums of the source that hold themselves. Inputs of such an enum are
/// structs of tables of nodes, which a class fills.
namespace codegen::header {

/// Returns the struct of tables.
std::string print_tables(const Structs& structs, const Struct& shown);
/// Returns declarations of the classes that fill tables, with what they have in comments.
std::string declare_node_classes(const Structs& structs);
/// Returns the definitions of these classes.
std::string define_node_classes(const Structs& structs);

}  // namespace codegen::header
