#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "codegen/kernel/ir/program.h"

/// Kernels and programs as text, which `--emit=kernels` prints. Print → parse → print is the identity.
/// Readers ignore the part of a line after `//`.
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
/// `$i0` is axis 0, named `i`; `%0` is a scalar of its stage. A stage names the axes of the block around it
/// that it accumulates after its own: `stage dot over $k2 in T, accumulated $i0`. Indices are written `2*$i0
/// + 1`, `floor(($k1)/4)`, `mod(($k1)/4)`, and `%3` for a loaded one. Bounds follow their access: `within
/// ($i0 - 1 of 10), … else %2`.
///
/// The text of a program is followed by that of its kernels. Inputs and outputs stand in the order of the
/// function's parameters and results; a literal that has more than 64 elements cannot be read back.
///
///     program @f
///       input x: <N x 4 x f32>
///       arena t: <N x 4 x f32>
///       arena u: <N x 4 x f32>
///       arena again: bool
///       output y: <N x 4 x f32>
///       launch @copy(x, t)
///       loop repeat {
///         launch @step(t, u, again)
///         swap t, u
///         if again {
///           jump repeat
///         }
///       }
///       launch @copy(t, y)
namespace codegen::kernel {

/// Return a kernel, a program, or an index of `kernel` as text.
std::string print(const Kernel& kernel);
std::string print(const Program& program);
std::string text(const Index& index, const Kernel& kernel);

/// Returns the kernel, or nothing and in `error` where and why the text is no kernel ("line 3: …"). Functions
/// that combine (`by @f`) cannot be read back. The names of dimensions in the text are added to `dimensions`.
std::optional<Kernel> parse_kernel(std::string_view text, std::string& error,
                                   std::set<std::string>* dimensions = nullptr);

/// Returns the program with these kernels and the statements of `head`, the text before them, or nothing and
/// in `error` where and why the text is none. Check sites are not in the text.
std::optional<Program> parse_program(std::string_view head, std::vector<Kernel> kernels, std::string& error);

}  // namespace codegen::kernel
