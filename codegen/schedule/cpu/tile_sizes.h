#pragma once

#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

/// Returns as many rows of two vectors as fill the registers beside the operands.
std::int64_t tile_rows(const CpuTarget& target);
/// Returns the rows of a tile, `most` at most, of which all rows together cost least: those that are left
/// over are a tile, too, which costs a little since it is code of its own.
std::int64_t even_rows(std::int64_t rows, std::int64_t most);
/// Returns the vectors of a tile, `most` at most, of which a line of that many vectors costs least: those
/// that are left over are a tile, too.
std::int64_t even_vectors(std::int64_t vectors, std::int64_t most);

}  // namespace codegen::schedule::cpu
