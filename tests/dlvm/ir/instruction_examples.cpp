#include "tests/dlvm/ir/instruction_examples.h"

namespace {

using enum dlvm::Opcode;

constexpr std::string_view same = "the input's",
                           broadcast_type = "the operands' shapes, broadcast; their elements",
                           condition_type = "the operands' shapes, broadcast, of bools", none = "none",
                           without_axis = "the input's without the axis, of i32";

constexpr InstructionExample all[]{
    {branch, none, "'entry():\n    branch 'next(1: f32)\n'next(%x: f32):\n    return %x: f32"},
    {conditional, "none; the condition is a scalar bool",
     "'entry():\n    conditional true: bool then 'a else 'b(2: f32)\n'a():\n    return 1: f32\n'b(%x: f32):\n"
     "    return %x: f32"},
    {branchEnum, "none; the value is an enum, and each case stands once",
     "enum $Shape { ?point ?circle(f32) }\nfunc @example: () -> f32 {\n'entry():\n"
     "    %s = literal ?circle(2: f32): $Shape\n"
     "    branchEnum %s: $Shape case ?point 'none case ?circle 'some\n'none():\n    return 0: f32\n"
     "'some(%radius: f32):\n    return %radius: f32\n}"},
    {return_, "none; the value has the function's result type", "'entry():\n    return 1: f32"},
    {trap, none, "'entry():\n    trap"},
    {literal, "the type written, or the tuple of the values' types", "literal (1: f32, true: bool)"},
    {extract, "the element's",
     "'entry():\n    %t = literal (1: f32, true: bool)\n    %r = extract 1 from %t: (f32, bool)\n    return "
     "%r: bool"},
    {insert, "the aggregate's; the element has the type of the one that it replaces",
     "'entry():\n    %t = literal (1: f32, true: bool)\n    %r = insert 2: f32 to %t: (f32, bool) at 0\n"
     "    return %r: (f32, bool)"},
    {apply, "the callee's result, its dimensions replaced by those of the arguments",
     "func @twice: (<N x f32>) -> <N x f32> {\n'entry(%x: <N x f32>):\n    %y = add %x: <N x f32>, %x: <N x "
     "f32>\n"
     "    return %y: <N x f32>\n}\nfunc @example: () -> <2 x f32> {\n'entry():\n"
     "    %r = apply @twice(<1: f32, 2: f32>: <2 x f32>) -> <2 x f32>\n    return %r: <2 x f32>\n}"},
    {sinh, same, "sinh 1: f32"},
    {cosh, same, "cosh 1: f32"},
    {tanh, same, "tanh 1: f32"},
    {asinh, same, "asinh 1: f32"},
    {acosh, same, "acosh 2: f32"},
    {atanh, same, "atanh 0.5: f32"},
    {log, same, "log 2: f32"},
    {log1p, same, "log1p 1: f32"},
    {exp, same, "exp 1: f32"},
    {expm1, same, "expm1 1: f32"},
    {negate, same, "negate <1: i32, -2: i32>: <2 x i32>"},
    {abs, same, "abs -3: f32"},
    {sign, same, "sign <-2: f32, 0: f32, 5: f32>: <3 x f32>"},
    {square, same, "square 3: f32"},
    {sqrt, same, "sqrt 2: f32"},
    {rsqrt, same, "rsqrt 4: f32"},
    {round, same, "round <-2.5: f32, 0.4: f32, 2.5: f32>: <3 x f32>"},
    {rint, same, "rint <-2.5: f32, 0.4: f32, 2.5: f32>: <3 x f32>"},
    {ceil, same, "ceil 1.2: f32"},
    {floor, same, "floor -1.2: f32"},
    {tan, same, "tan 1: f32"},
    {cos, same, "cos 1: f32"},
    {sin, same, "sin 1: f32"},
    {acos, same, "acos 0.5: f32"},
    {asin, same, "asin 0.5: f32"},
    {atan, same, "atan 1: f32"},
    {lgamma, same, "lgamma 5: f32"},
    {digamma, same, "digamma 1: f32"},
    {erf, same, "erf 1: f32"},
    {erfc, same, "erfc 1: f32"},
    {normalCdf, same, "normalCdf 1: f32"},
    {geluTanhOdds, same, "geluTanhOdds 1: f32"},
    {not_, same, "not true: bool"},
    {detach, same, "detach 1: f32"},
    {isFinite, "the input's shape, of bools", "isFinite <1: f32, inf: f32>: <2 x f32>"},
    {isNaN, "the input's shape, of bools", "isNaN <1: f32, nan: f32>: <2 x f32>"},
    {add, broadcast_type, "add <1: f32, 2: f32>: <2 x f32>, 10: f32"},
    {subtract, broadcast_type, "subtract 3: f32, 5: f32"},
    {multiply, broadcast_type,
     "multiply <<1: f32>: <1 x f32>, <2: f32>: <1 x f32>>: <2 x 1 x f32>, <3: f32, 4: f32>: <2 x f32>"},
    {divide, broadcast_type, "divide 1: f32, 4: f32"},
    {min, broadcast_type, "min 3: i32, -5: i32"},
    {max, broadcast_type, "max 3: i32, -5: i32"},
    {truncateDivide, broadcast_type, "truncateDivide -7: i32, 2: i32"},
    {floorDivide, broadcast_type, "floorDivide -7: i32, 2: i32"},
    {modulo, broadcast_type, "modulo -7: i32, 3: i32"},
    {power, broadcast_type, "power -2: f32, 3: f32"},
    {and_, broadcast_type, "and true: bool, false: bool"},
    {or_, broadcast_type, "or true: bool, false: bool"},
    {lessThan, condition_type, "lessThan 1: f32, 2: f32"},
    {lessThanOrEqual, condition_type, "lessThanOrEqual 2: f32, 2: f32"},
    {greaterThan, condition_type, "greaterThan 1: f32, 2: f32"},
    {greaterThanOrEqual, condition_type, "greaterThanOrEqual 2: f32, 2: f32"},
    {equal, condition_type, "equal <1: i32, 2: i32>: <2 x i32>, 2: i32"},
    {notEqual, condition_type, "notEqual nan: f32, nan: f32"},
    {atan2, broadcast_type, "atan2 1: f32, -1: f32"},
    {absorbingMultiply, broadcast_type, "absorbingMultiply 0: f32, inf: f32"},
    {select, "the three shapes, broadcast; the elements of the sides",
     "select 1: f32, <5: f32, 6: f32>: <2 x f32> by <true: bool, false: bool>: <2 x bool>",
     "the cotangent where the side is taken, 0 where it is not"},
    {dataTypeCast, "the input's shape, of the type", "dataTypeCast <-1.7: f32, 300: f32>: <2 x f32> to u8",
     "the cotangent, converted back"},
    {bitCast, "the input's shape, of the type, whose elements have as many bytes", "bitCast 1: f32 to i32"},
    {padShape, "the input's, with 1 inserted at the axis", "padShape <1: f32, 2: f32>: <2 x f32> at 0",
     "the cotangent in the shape of the input"},
    {squeezeShape, "the input's without the axis, which has extent 1",
     "squeezeShape <<1: f32, 2: f32>: <2 x f32>>: <1 x 2 x f32> at 0",
     "the cotangent in the shape of the input"},
    {shapeCast, "the shape, which has as many elements",
     "shapeCast <1: f32, 2: f32, 3: f32, 4: f32>: <4 x f32> to 2 x 2",
     "the cotangent in the shape of the input"},
    {transpose, "the input's, permuted",
     "transpose <<1: f32, 2: f32>: <2 x f32>, <3: f32, 4: f32>: <2 x f32>>: <2 x 2 x f32>",
     "the cotangent, permuted back"},
    {reverse, same, "reverse <1: f32, 2: f32, 3: f32>: <3 x f32> along 0", "the cotangent, reversed"},
    {slice, "for each axis (end - first + step - 1) / step, rounded down; 0 ≤ first ≤ end ≤ extent",
     "slice <1: f32, 2: f32, 3: f32, 4: f32>: <4 x f32> from 0 upto 3 by 2",
     "the cotangent, padded with zeros"},
    {concatenate, "the inputs', which agree but for the axis; there the sum",
     "concatenate <1: f32>: <1 x f32>, <2: f32, 3: f32>: <2 x f32> along 0", "slices of the cotangent"},
    {pad, "the input's extents and the amounts, added; the fill is a scalar",
     "pad <1: f32, 2: f32>: <2 x f32> by (1, 0) with 9: f32",
     "a slice of the cotangent; of the fill, the sum outside of it"},
    {broadcast, "the shape, to which the input's broadcasts",
     "broadcast <1: f32, 2: f32>: <2 x f32> to 2 x 2",
     "the cotangent, summed over the axes that are stretched"},
    {gather, "the input's, with the shape of the indices in the place of the axes",
     "gather <5: f32, 6: f32, 7: f32>: <3 x f32> at <2: i32, 0: i32>: <2 x i32> along 0",
     "a scatter by add into zeros"},
    {scatter, "the input's; the updates have the type that a gather of it would",
     "scatter <1: f32, 2: f32>: <2 x f32> to <5: f32, 6: f32>: <2 x f32> at <1: i32, 1: i32>: <2 x i32> by "
     "add along 0",
     "by add: the cotangent, and a gather of it; by multiply: times the product of the other factors; by max "
     "and min equal shares; by a function that gives its second argument: zeros in the cotangent, and a "
     "gather "
     "of it for the last update of each element"},
    {iota, "the shape, of the type", "iota 2 x 3 along 1: i32"},
    {extent, "a scalar of the type", "extent 2*3 + 1: i64"},
    {checkIndex, same, "checkIndex <0: i32, 2: i32>: <2 x i32> from 0 upto 3"},
    {reduce, "the input's without the axes; the initial value is a scalar",
     "reduce <<1: f32, 2: f32>: <2 x f32>, <3: f32, 4: f32>: <2 x f32>>: <2 x 2 x f32> by add init 0: f32 "
     "along 1",
     "see reductions and scans below"},
    {reduceWindow, "for each axis (spread extent + padding - window) / stride + 1, rounded down",
     "reduceWindow <1: f32, 2: f32, 3: f32>: <3 x f32> by max init 0: f32 dims 2 padding half",
     "see windows below"},
    {scan, same, "scan <1: f32, 2: f32, 3: f32>: <3 x f32> by multiply along 0",
     "see reductions and scans below"},
    {recurrence, "that of both operands",
     "recurrence <9: f32, 2: f32, 2: f32>: <3 x f32>, <1: f32, 1: f32, 1: f32>: <3 x f32> along 0",
     "a recurrence from the end"},
    {argmax, without_axis, "argmax <1: f32, 3: f32, 3: f32>: <3 x f32> along 0"},
    {argmin, without_axis, "argmin <1: f32, 3: f32, 3: f32>: <3 x f32> along 0"},
    {argsort, "the input's shape, of i32", "argsort <3: f32, 1: f32, 2: f32>: <3 x f32> along 0"},
    {sort, same, "sort <3: f32, 1: f32, 2: f32>: <3 x f32> by greaterThan along 0",
     "a scatter at the positions that argsort gives"},
    {topk, "a pair: the input's with the count at the axis, and of i32",
     "topk <3: f32, 1: f32, 2: f32>: <3 x f32> count 2 along 0", "a scatter at the positions"},
    {dot,
     "the axes of the batch, the left operand's others, the right one's others; paired axes have equal "
     "extents",
     "dot <<1: f32, 2: f32>: <2 x f32>, <3: f32, 4: f32>: <2 x f32>>: <2 x 2 x f32>, <1: f32, 10: f32>: <2 x "
     "f32>",
     "of each operand: a dot of the cotangent and the other one"},
    {convolve,
     "batch, filters, and for each spatial axis (spread extent + padding - spread taps) / stride + 1, "
     "rounded down",
     "convolve <<<1: f32, 2: f32, 3: f32>: <3 x f32>>: <1 x 3 x f32>>: <1 x 1 x 3 x f32> kernel "
     "<<<1: f32, 10: f32>: <2 x f32>>: <1 x 2 x f32>>: <1 x 1 x 2 x f32> padding (1, 0)",
     "of each operand: a convolution; see windows below"},
    {random, "the shape, of the bounds' type, which are scalars",
     "random 2 from 0: f32 upto 1: f32 key 7: u64"},
    {allocateStack, "a pointer to the type written",
     "'entry():\n    %p = allocateStack f32 count 2\n    %r = load %p: *f32\n    return %r: f32"},
    {allocateHeap, "a pointer to the type written",
     "'entry():\n    %p = allocateHeap f32 count 2: i32\n    store 3: f32 to %p: *f32\n    %r = load %p: "
     "*f32\n    deallocate %p: *f32\n    return %r: f32"},
    {allocateBox, "a box of the type written",
     "'entry():\n    %b = allocateBox f32\n    %p = projectBox %b: box{f32}\n    %r = load %p: *f32\n    "
     "release %b: box{f32}\n    return %r: f32"},
    {projectBox, "a pointer to what the box holds",
     "'entry():\n    %b = allocateBox f32\n    %p = projectBox %b: box{f32}\n    store 4: f32 to %p: *f32\n  "
     "  %r = load %p: *f32\n    release %b: box{f32}\n    return %r: f32"},
    {retain, "none",
     "'entry():\n    %b = allocateBox f32\n    retain %b: box{f32}\n    release %b: box{f32}\n    %p = "
     "projectBox %b: box{f32}\n    %r = load %p: *f32\n    release %b: box{f32}\n    return %r: f32"},
    {release, "none",
     "'entry():\n    %b = allocateBox f32\n    release %b: box{f32}\n    %p = projectBox %b: box{f32}\n    "
     "%r = load %p: *f32\n    return %r: f32"},
    {deallocate, "none",
     "'entry():\n    %p = allocateHeap f32 count 1: i32\n    deallocate %p: *f32\n    %r = load %p: *f32\n   "
     " return %r: f32"},
    {load, "what the pointer points to",
     "'entry():\n    %p = allocateStack f32 count 1\n    store 5: f32 to %p: *f32\n    %r = load %p: *f32\n  "
     "  return %r: f32"},
    {store, "none; the value has the type that the pointer points to",
     "'entry():\n    %p = allocateStack f32 count 1\n    store 5: f32 to %p: *f32\n    store 6: f32 to %p: "
     "*f32\n    %r = load %p: *f32\n    return %r: f32"},
    {elementPointer, "a pointer to the component",
     "'entry():\n    %p = allocateStack (f32, i32) count 3\n    %q = elementPointer %p: *(f32, i32) at 1 "
     "from 2: "
     "i32\n    store 7: i32 to %q: *i32\n    %r = load %q: *i32\n    return %r: i32"},
    {copy, "none; both point to values of one type",
     "'entry():\n    %p = allocateStack f32 count 2\n    store 8: f32 to %p: *f32\n    %q = allocateStack "
     "f32 count 2\n    copy from %p: *f32 to %q: *f32 count 2: i32\n    %r = load %q: *f32\n    return %r: "
     "f32"},
    {rank, "a scalar i64", "rank of 1: <2 x 3 x f32>"},
    {shape, "a vector of i64, of as many elements as there are axes", "shape of 1: <2 x 3 x f32>"},
    {unitCount, "a scalar i64", "unitCount of 1: <2 x 3 x f32>"},
    {createStack, "a stack",
     "'entry():\n    %s = createStack count 1\n    push 1: f32 to %s: stack\n    push 2: f32 to %s: stack\n  "
     "  %r = pop f32 from %s: stack\n    return %r: f32"},
    {destroyStack, "none",
     "'entry():\n    %s = createStack\n    push 1: f32 to %s: stack\n    %r = pop f32 from %s: stack\n    "
     "destroyStack %s: stack\n    return %r: f32"},
    {push, "none",
     "'entry():\n    %s = createStack\n    push 1: f32 to %s: stack\n    push 2: f32 to %s: stack\n    %r = "
     "pop f32 from %s: stack\n    return %r: f32"},
    {peek, "the type written, which the value on top has",
     "'entry():\n    %s = createStack\n    push 3: f32 to %s: stack\n    %a = peek f32 from %s: stack\n    "
     "%b = pop f32 from %s: stack\n    %r = add %a: f32, %b: f32\n    return %r: f32"},
    {pop, "the type written, which the value on top has",
     "'entry():\n    %s = createStack\n    push 1: f32 to %s: stack\n    push 2: f32 to %s: stack\n    %a = "
     "pop f32 from %s: stack\n    %r = pop f32 from %s: stack\n    return %r: f32"},
};

}  // namespace

std::span<const InstructionExample> instruction_examples() { return all; }
