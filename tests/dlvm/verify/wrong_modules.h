#pragma once

#include <span>
#include <string_view>

/// Modules with one mistake each, and a part of the message in which it alone is named. The parser finds some
/// mistakes, and the verifier the others.
namespace wrong_modules {

struct WrongModule {
  std::string_view message;
  std::string_view text;
};

/// An instruction of the function `frame` with one mistake.
std::span<const WrongModule> instructions();
/// Whole modules.
std::span<const WrongModule> modules();

/// The function in which the instructions stand, in the place of the `$`.
inline constexpr std::string_view frame = R"(
[extern]
func @two: (f32, f32) -> f32
[extern]
func @row: (<3 x f32>) -> f32
func @f: (<2 x 3 x f32>, <3 x 2 x f32>, <3 x f32>, <N x f32>, f32, i32, <4 x i32>, <2 x 3 x bool>, (f32, i32), <1 x 4 x 8 x f32>, <6 x 2 x 3 x f32>) -> () {
'entry(%a: <2 x 3 x f32>, %b: <3 x 2 x f32>, %v: <3 x f32>, %n: <N x f32>, %s: f32, %i: i32, %p: <4 x i32>, %m: <2 x 3 x bool>, %t: (f32, i32), %g: <1 x 4 x 8 x f32>, %k: <6 x 2 x 3 x f32>):
    $
    return
}
)";

}  // namespace wrong_modules
