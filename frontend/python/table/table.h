// The parts of the table of names.
#pragma once

#include "frontend/python/names.h"

namespace frontend::python::table {

std::span<const Row> elementwise();
std::span<const Row> reductions();
std::span<const Row> shapes();
std::span<const Row> networks();
std::span<const Row> training();
/// See python::advice_on_method.
std::string_view advice_on_method(std::string_view method);

}  // namespace frontend::python::table
