#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codegen/kernel/ir/program.h"

/// Kernels and programs as text, what `--emit=kernels` shows; print → parse → print is the identity. Readers
/// leave out what stands behind `//` on a line.
///
///     kernel @row_sum(x: <N x 10 x f32>, y: <N x f32> written) {
///       local s: <10 x f32> depth 0
///       for $i0 in N {
///         stage sum over reduced $k1 in 10 {
///           %0: f32 = load x[$i0, $k1]
///           reduce add (f32 from 0) of %0
///           %1: f32 = state 0
///           store %1 to y[$i0]
///         }
///       }
///     }
///
/// `$i0` is axis 0, named `i`; `%0` a scalar of its stage. Indices: `2*$i0 + 1`, `floor(($k1)/4)`,
/// `mod(($k1)/4)`, `%3` for a loaded one. Bounds stand behind: `within ($i0 - 1 of 10), … else %2`.
namespace codegen::kernel {

std::string print(const Kernel& kernel);
std::string print(const Program& program);
std::string text(const Index& index, const Kernel& kernel);

/// The kernel, or nothing and where and why in `error` ("line 3: …"). Functions that combine (`by @f`) are
/// not read back.
std::optional<Kernel> parse_kernel(std::string_view text, std::string& error);

}  // namespace codegen::kernel
