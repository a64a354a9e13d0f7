#pragma once

#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {

/// The sums of a tile, at least, that keep two units busy whose results take four cycles.
inline constexpr std::int64_t busy_sums = 8;

/// Returns as many rows of two vectors as fill the registers beside the operands.
std::int64_t tile_rows(const CpuTarget& target);
/// Returns the rows of a tile, `most` at most, of which all rows together cost least: those that are left
/// over are a tile, too, which costs a little since it is code of its own.
std::int64_t even_rows(std::int64_t rows, std::int64_t most);
/// Returns `columns`, those of a tile that has few, if making them the rows of a product whose lanes are the
/// tile's rows costs less than a vector of columns for each row; else 0.
std::int64_t transposed_columns(std::int64_t columns, std::int64_t rows, std::int64_t width);
/// Returns the vectors of a tile, `most` at most, of which a line of that many vectors costs least: those
/// that are left over are a tile, too.
std::int64_t even_vectors(std::int64_t vectors, std::int64_t most);

}  // namespace codegen::schedule::cpu
