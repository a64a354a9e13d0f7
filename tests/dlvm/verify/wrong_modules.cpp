#include "tests/dlvm/verify/wrong_modules.h"

namespace wrong_modules {
namespace {

constexpr WrongModule all[]{
    // The module
    {"unknown stage 'cooked'; known are raw, canonical", "stage cooked"},
    {"@g is defined twice", "func @g: (f32) -> f32\nfunc @g: (f32) -> f32"},
    {"a function's type is written '(T, U) -> V'", "func @g: f32"},
    {"unknown element type 'float'", "func @g: (float) -> f32"},
    {"the extent overflows: 64-bit coefficients", "func @g: (<4611686018427387904*N*4 x f32>) -> f32"},
    {"'99999999999999999999' is not a value of type i64", "func @g: (<99999999999999999999 x f32>) -> f32"},
    {"what stands before here belongs to a function, and none follows",
     "!inline\nparameter \"W\": <3 x f32>"},
    {"only a function has a body", "parameter \"W\": <3 x f32> {\n'entry():\n    return\n}"},
    {"@g: an external function takes and returns no functions", "[extern]\nfunc @g: ((f32) -> f32) -> f32"},
    {"@h: an external function takes and returns no functions", "func @h: (i32) -> (i32, (f32) -> f32)"},
    {"\"f\" is no tensor: (f32) -> f32",
     "entry forward \"a\" @g(input \"f\") -> (output \"y\")\nfunc @g: ((f32) -> f32) -> (f32) {\n"
     "'entry(%f: (f32) -> f32):\n    %y = apply %f(1: f32) -> f32\n    return (%y: f32)\n}"},
    // Blocks
    {"unknown block 'b; the function has 'entry", "func @g: () -> () {\n'entry():\n    branch 'b\n}"},
    {"'b: is passed 0 values for its arguments (f32)",
     "func @g: (f32) -> f32 {\n'entry(%x: f32):\n    branch 'b\n'b(%y: f32):\n    return %y: f32\n}"},
    {"'b: argument 0 has type i32, not f32",
     "func @g: (f32) -> i32 {\n'entry(%x: f32):\n    branch 'b(%x: f32)\n'b(%y: i32):\n    return %y: "
     "i32\n}"},
    {"conditional: the condition is f32, not bool",
     "func @g: (f32) -> () {\n'entry(%x: f32):\n    conditional %x: f32 then 'a else 'a\n'a():\n    "
     "return\n}"},
    {"conditional: takes one block behind 'else'",
     "func @g: (bool) -> () {\n'entry(%c: bool):\n    conditional %c: bool then 'a\n'a():\n    return\n}"},
    {"block 'entry does not end in a terminator",
     "func @g: (f32) -> () {\n'entry(%x: f32):\n    %y = negate %x: f32\n}"},
    {"'negate' stands behind the end of block 'entry",
     "func @g: (f32) -> f32 {\n'entry(%x: f32):\n    return %x: f32\n    %y = negate %x: f32\n}"},
    {"trap: has no result to name", "func @g: () -> () {\n'entry():\n    %x = trap\n}"},
    {"'a is defined twice",
     "func @g: () -> () {\n'entry():\n    branch 'a\n'a():\n    return\n'a():\n    return\n}"},
    {"is defined in 'a, which is not on every way to its use",
     "func @g: (bool, f32) -> f32 {\n'entry(%c: bool, %x: f32):\n    conditional %c: bool then 'a else 'b\n"
     "'a():\n    %y = negate %x: f32\n    branch 'b\n'b():\n    return %y: f32\n}"},
    {"%y is not defined on every way to its use",
     "func @g: (f32) -> f32 {\n'entry(%x: f32):\n    %z = negate %y: f32\n    branch 'b\n"
     "'b():\n    %y = negate %x: f32\n    return %y: f32\n}"},
    {"returns f32, the function i32", "func @g: (f32) -> i32 {\n'entry(%x: f32):\n    return %x: f32\n}"},
    {"returns (), the function f32", "func @g: (f32) -> f32 {\n'entry(%x: f32):\n    return\n}"},
    {"%x has type f32, not <3 x f32>", "func @g: (f32) -> () {\n'entry(%x: <3 x f32>):\n    return\n}"},
    {"the entry block takes 1 arguments, the function 2",
     "func @g: (f32, f32) -> () {\n'entry(%x: f32):\n    return\n}"},
    // Gradient declarations
    {"unknown function @nowhere", "[gradient @nowhere]\nfunc @d: (f32) -> (f32)"},
    {"@d: gradient declaration: @g has no argument 1",
     "[extern]\nfunc @g: (f32) -> f32\n[gradient @g wrt 1]\nfunc @d: (f32) -> (f32)"},
    {"@d: gradient declaration: @g has no result 2",
     "[extern]\nfunc @g: (f32) -> f32\n[gradient @g from 2]\nfunc @d: (f32) -> (f32)"},
    {"the type is (f32, f32) -> (f32), not (f32) -> (f32)",
     "[extern]\nfunc @g: (f32) -> f32\n[gradient @g seedable]\nfunc @d: (f32) -> (f32)"},
    {"the type is (f32, f32) -> (f32, f32), not (f32) -> (f32)",
     "[extern]\nfunc @g: (f32) -> f32\n[jvp @g keeping 0]\nfunc @d: (f32) -> (f32)"},
    {"argument 0 of @g is i32",
     "[extern]\nfunc @g: (i32) -> f32\n[gradient @g wrt 0]\nfunc @d: (i32) -> (i32)"},
    {"argument 0 of @g is $S, which has no derivative as a whole, because #t, 1, #n is i32; put the",
     "struct $I { #x: f32 #n: i32 }\nstruct $S { #w: f32 #t: (f32, $I) }\n[extern]\nfunc @g: ($S) -> f32\n"
     "[gradient @g wrt 0]\nfunc @d: ($S) -> ($S)"},
    {"argument 1 of @g is [2 x (f32, i32)], which has no derivative as a whole, because 0, 1 is i32",
     "[extern]\nfunc @g: (i32, [2 x (f32, i32)]) -> f32\n[gradient @g]\nfunc @d: (i32, [2 x (f32, i32)]) -> "
     "()"},
    {"@d is, in the end, its own gradient", "[gradient @d]\nfunc @d: (f32) -> (f32)"},
    {"@d: a gradient declaration in a canonical module",
     "stage canonical\n[extern]\nfunc @g: (f32) -> f32\n[gradient @g]\nfunc @d: (f32) -> (f32)"},
    // Stored tensors and entry points
    {"parameter \"W\": a type without constant extents: <N x f32>", "parameter \"W\": <N x f32>"},
    {"constant \"W\": another stored tensor has the name", "parameter \"W\": f32\nconstant \"W\": f32"},
    {"constant \"V\": another stored tensor has the name 'W' in files",
     "parameter \"W\": f32\nconstant \"V\": f32 from \"W\""},
    {"parameter \"W\": <3 x f32> cannot be transposed in files", "parameter \"W\": <3 x f32> transposed"},
    {"parameter \"W\": no function @init", "parameter \"W\": f32 initialized @init"},
    {"parameter \"W\": @g has type (f32) -> f32, not (u64) -> f32",
     "parameter \"W\": f32 initialized @g\n[extern]\nfunc @g: (f32) -> f32"},
    {"entry \"e\": no function @g", "entry forward \"e\" @g() -> ()"},
    {"entry \"e\": 0 arguments, @g takes 1",
     "entry forward \"e\" @g() -> (output \"y\")\n[extern]\nfunc @g: (f32) -> (f32)"},
    {"entry \"e\": 0 results, @g returns (f32)",
     "entry forward \"e\" @g(input \"x\") -> ()\n[extern]\nfunc @g: (f32) -> (f32)"},
    {"entry \"e\": @g returns f32, not a tuple of results; that of one is written (f32)",
     "entry forward \"e\" @g(input \"x\") -> (output \"y\")\n[extern]\nfunc @g: (f32) -> f32"},
    {"entry \"e\": another entry point has the name",
     "entry forward \"e\" @g(input \"x\") -> (output \"y\")\nentry forward \"e\" @g(input \"x\") -> (output "
     "\"y\")\n"
     "[extern]\nfunc @g: (f32) -> (f32)"},
    {"entry \"e\": there is no constant \"W\"",
     "parameter \"W\": f32\nentry forward \"e\" @g(constant \"W\") -> (output \"y\")\n[extern]\nfunc @g: "
     "(f32) -> (f32)"},
    {"entry \"e\": parameter \"W\" has type <3 x f32>, not f32",
     "parameter \"W\": f32\nentry forward \"e\" @g(parameter \"W\") -> (output \"y\")\n"
     "[extern]\nfunc @g: (<3 x f32>) -> (f32)"},
    {"entry \"e\": seed \"s\" has type f32, not u64",
     "entry forward \"e\" @g(seed \"s\") -> (output \"y\")\n[extern]\nfunc @g: (f32) -> (f32)"},
    {"entry \"e\": \"x\" is no tensor: (f32)",
     "entry forward \"e\" @g(input \"x\") -> (output \"y\")\n[extern]\nfunc @g: ((f32)) -> (f32)"},
    {"entry \"e\": derivative \"x\" has type f32, not <3 x f32>",
     "entry gradient \"e\" @g(input \"x\") -> (derivative \"x\")\n[extern]\nfunc @g: (<3 x f32>) -> (f32)"},
};

}  // namespace

std::span<const WrongModule> modules() { return all; }

}  // namespace wrong_modules
