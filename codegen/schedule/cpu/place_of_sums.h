#pragma once

#include "codegen/schedule/cpu/product_nest.h"

namespace codegen::schedule::cpu {

/// Returns where the results of a product of panels are stored, if that is where its sums are added: if
/// nothing else is computed from them and whole rows of each tile can be stored, and if all terms are one
/// block of k, or the rows are constant and the terms are not. Such a result is taken to be a parameter's
/// derivative, whose terms are those of a batch, which may be one block. Several blocks are added faster
/// where the rows of a tile follow each other in memory. Returns null if the sums have memory of their own.
const Access* find_place_of_sums(const ProductNest& nest);

}  // namespace codegen::schedule::cpu
