#pragma once

#include "codegen/interface/interface.h"

/// Interfaces as the compiler makes them, written by hand; their compute functions are in compute.c.
namespace networks {

/// The perceptron of the language's first page.
codegen::interface::Interface mlp();

/// Everything that mlp has not: 16-bit types, constants, a state, a cotangent, a dimension argument, a named
/// gradient, integers and bools, scalars, a `?`, a seed, checks, names that are keywords.
codegen::interface::Interface mixed();

}  // namespace networks
