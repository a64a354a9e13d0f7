// Examples of the mistakes with structs and enums.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr Example declared_types_examples[]{
    {"E0500",
     "struct Line { slope: []  offset: [] }\n"
     "func value(l: Lin, x: []) -> [] = l.slope * x + l.offset\n"
     "x: in\n"
     "y: out = value(Line(slope: 2, offset: 1), x)\n",
     "struct Line { slope: []  offset: [] }\n"
     "func value(l: Line, x: []) -> [] = l.slope * x + l.offset\n"
     "x: in\n"
     "y: out = value(Line(slope: 2, offset: 1), x)\n"},
    {"E0501",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line\n"
     "y: out = l.slope * x\n",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line(slope: 2, offset: 1)\n"
     "y: out = l.slope * x\n"},
    {"E0502",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line(slope: 2, offset: 1)\n"
     "y: out = l * x\n",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line(slope: 2, offset: 1)\n"
     "y: out = l.slope * x + l.offset\n"},
    {"E0503",
     "struct Line { slope: []  offset: [] }\n"
     "func value(l: Line, x: []) -> [] = l.slope * x + l.offset\n"
     "x: in\n"
     "y: out = value(2, x)\n",
     "struct Line { slope: []  offset: [] }\n"
     "func value(l: Line, x: []) -> [] = l.slope * x + l.offset\n"
     "x: in\n"
     "y: out = value(Line(slope: 2, offset: 1), x)\n"},
    {"E0504",
     "enum Shape { none  points([N x 2]) }\n"
     "func size(s: Shape) -> [] = match s { none => 0  points(p) => sum(p) }\n"
     "x: in[N x 2]\n"
     "y: out = size(Shape.points(x))\n",
     "dim N = 4\n"
     "enum Shape { none  points([N x 2]) }\n"
     "func size(s: Shape) -> [] = match s { none => 0  points(p) => sum(p) }\n"
     "x: in[N x 2]\n"
     "y: out = size(Shape.points(x))\n"},
    {"E0505",
     "enum List { item([], List) }\n"
     "func total(l: List) -> [] {\n"
     "  match l { item(x, rest) { return x + total(rest) } }\n"
     "}\n"
     "x: in\n"
     "y: out = x\n",
     "enum List { end  item([], List) }\n"
     "func total(l: List) -> [] {\n"
     "  match l {\n"
     "    end { return 0 }\n"
     "    item(x, rest) { return x + total(rest) }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = total(List.item(x, List.end))\n"},
    {"E0506",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line(slope: 2, offset: 1)\n"
     "y: out = l.gradient * x\n",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line(slope: 2, offset: 1)\n"
     "y: out = l.slope * x\n"},
    {"E0507",
     "enum Shape { circle([])  square([]) }\n"
     "func area(s: Shape) -> [] {\n"
     "  match s {\n"
     "    circle(r) { return 3.14159 * r^2 }\n"
     "    square(a) { return a^2 }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = area(Shape.sphere(x))\n",
     "enum Shape { circle([])  square([]) }\n"
     "func area(s: Shape) -> [] {\n"
     "  match s {\n"
     "    circle(r) { return 3.14159 * r^2 }\n"
     "    square(a) { return a^2 }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = area(Shape.circle(x))\n"},
    {"E0508",
     "enum Shape { circle([])  square([]) }\n"
     "func area(s: Shape) -> [] {\n"
     "  match s { circle(r) { return 3.14159 * r^2 } }\n"
     "}\n"
     "x: in\n"
     "y: out = area(Shape.circle(x))\n",
     "enum Shape { circle([])  square([]) }\n"
     "func area(s: Shape) -> [] {\n"
     "  match s {\n"
     "    circle(r) { return 3.14159 * r^2 }\n"
     "    square(a) { return a^2 }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = area(Shape.circle(x))\n"},
    {"E0509",
     "enum Shape { circle([])  square([]) }\n"
     "func area(s: Shape) -> [] {\n"
     "  match s {\n"
     "    circle(r) { return 3.14159 * r^2 }\n"
     "    square(a) { return a^2 }\n"
     "    square(b) { return b * b }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = area(Shape.circle(x))\n",
     "enum Shape { circle([])  square([]) }\n"
     "func area(s: Shape) -> [] {\n"
     "  match s {\n"
     "    circle(r) { return 3.14159 * r^2 }\n"
     "    square(a) { return a^2 }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = area(Shape.circle(x))\n"},
    {"E0510",
     "enum Shape { circle([])  rectangle([], []) }\n"
     "func area(s: Shape) -> [] {\n"
     "  match s {\n"
     "    circle(r) { return 3.14159 * r^2 }\n"
     "    rectangle(a) { return a^2 }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = area(Shape.circle(x))\n",
     "enum Shape { circle([])  rectangle([], []) }\n"
     "func area(s: Shape) -> [] {\n"
     "  match s {\n"
     "    circle(r) { return 3.14159 * r^2 }\n"
     "    rectangle(a, b) { return a * b }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = area(Shape.circle(x))\n"},
    {"E0511",
     "func sign_of(x: []) -> [] {\n"
     "  match x { positive { return 1 } }\n"
     "}\n"
     "x: in\n"
     "y: out = sign_of(x)\n",
     "func sign_of(x: []) -> [] {\n"
     "  if x > 0 { return 1 }\n"
     "  return -1\n"
     "}\n"
     "x: in\n"
     "y: out = sign_of(x)\n"},
    {"E0512",
     "enum Size { small  large([]) }\n"
     "s: param Size = Size.large(2)\n"
     "x: in\n"
     "y: out = match s { small => x  large(by) => by * x }\n",
     "enum Size { small  large([]) }\n"
     "s: in Size\n"
     "x: in\n"
     "y: out = match s { small => x  large(by) => by * x }\n"},
    {"E0513",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line(2, 1)\n"
     "y: out = l.slope * x + l.offset\n",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line(slope: 2, offset: 1)\n"
     "y: out = l.slope * x + l.offset\n"},
    {"E0514",
     "enum Shape { circle([])  square([]) }\n"
     "func radius(s: Shape) -> [] = s.circle\n"
     "x: in\n"
     "y: out = radius(Shape.circle(x))\n",
     "enum Shape { circle([])  square([]) }\n"
     "func radius(s: Shape) -> [] {\n"
     "  match s {\n"
     "    circle(r) { return r }\n"
     "    square(a) { return a / 2 }\n"
     "  }\n"
     "}\n"
     "x: in\n"
     "y: out = radius(Shape.circle(x))\n"},
    {"E0515",
     "struct Nothing {}\n"
     "x: in\n"
     "y: out = x\n",
     "struct Something { value: [] }\n"
     "x: in\n"
     "s = Something(value: x)\n"
     "y: out = s.value\n"},
    {"E0516",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = [x, 1] as Line\n"
     "y: out = l.slope\n",
     "struct Line { slope: []  offset: [] }\n"
     "x: in\n"
     "l = Line(slope: x, offset: 1)\n"
     "y: out = l.slope\n"},
    {"E0517",
     "struct Batch { x: [? x 4]  label: int32[?] }\n"
     "batch: in Batch\n"
     "y: out = sum(batch.x, along: 1) + (batch.label as float32)\n",
     "struct Batch { x: [N x 4]  label: int32[N] }\n"
     "batch: in Batch\n"
     "y: out = sum(batch.x, along: 1) + (batch.label as float32)\n"},
    {"E0530",
     "enum Shape { circle([])  rectangle([], []) }\n"
     "x: in\n"
     "y: out[2] = match Shape.circle(x) { circle(r) => r  rectangle(a, b) => [a, b] }\n",
     "enum Shape { circle([])  rectangle([], []) }\n"
     "x: in\n"
     "y: out[2] = match Shape.circle(x) { circle(r) => [r, r]  rectangle(a, b) => [a, b] }\n"},
    {"E0531",
     "enum Part { whole([4])  nothing }\n"
     "x: in[4]\n"
     "y[i]: out = x[i] * match Part.whole(x) { whole(v) => v[i]  nothing => 0 }\n",
     "enum Part { whole([4])  nothing }\n"
     "x: in[4]\n"
     "m = match Part.whole(x) { whole(v) => v  nothing => broadcast(0, to: [4]) }\n"
     "y[i]: out = x[i] * m[i]\n"},
    {"E0560",
     "enum Size { small  large }\n"
     "recurrent t {\n"
     "  x: in\n"
     "  size: out Size = if x > 1 then Size.large else Size.small\n"
     "}\n",
     "enum Size { small  large }\n"
     "recurrent t {\n"
     "  x: in\n"
     "  size = if x > 1 then Size.large else Size.small\n"
     "  large: out bool = match size { small => false  large => true }\n"
     "}\n"},
    {"E0561",
     "struct Line { slope: []  offset: [] }\n"
     "x: in[N]\n"
     "line: param Line from \"line\" = Line(slope: 1, offset: 0)\n"
     "y: out = line.slope * x + line.offset\n",
     "struct Line { slope: []  offset: [] }\n"
     "x: in[N]\n"
     "line: param Line = Line(slope: 1, offset: 0)\n"
     "y: out = line.slope * x + line.offset\n"},
    {"E0562",
     "enum Size { small  large }\n"
     "struct Box { width: []  size: Size }\n"
     "b: param Box = Box(width: 1, size: Size.small)\n"
     "y: out = match b.size { small => b.width  large => 2 * b.width }\n",
     "enum Size { small  large }\n"
     "size:  const Size\n"
     "width: param = 1\n"
     "y: out = match size { small => width  large => 2 * width }\n"},
    {"E0620",
     "enum List { end  item([], List) }\n"
     "x: in\n"
     "l: out = List.item(x, List.end)\n",
     "enum List { end  item([], List) }\n"
     "func total(l: List) -> [] = match l { end => 0  item(x, rest) => x + total(rest) }\n"
     "x: in\n"
     "l = List.item(x, List.end)\n"
     "y: out = total(l)\n"},
    {"E0621",
     "enum Name { end  letter(int32, Name) }\n"
     "enum Tree { leaf(Name)  node(Tree, Tree) }\n"
     "t: in Tree\n"
     "y: out = match t { leaf(_) => 0  node(_, _) => 1 }\n",
     "enum Tree { leaf(int32[8])  node(Tree, Tree) }\n"
     "t: in Tree\n"
     "y: out = match t { leaf(_) => 0  node(_, _) => 1 }\n"},
};

}  // namespace

std::span<const Example> declared_types() { return declared_types_examples; }

}  // namespace frontend::examples
