// Examples of the mistakes with the names of tensors in files.
#include "frontend/examples/examples.h"

namespace frontend::examples {
namespace {

constexpr std::string_view scale_of_layer =
    "net Scale(n, layer = 0) {\n"
    "  w: param[n] from \"{path}.weight_l{layer}\" = 1\n"
    "  func apply(x: [s... x n]) -> [s... x n] = x * w\n"
    "}\n"
    "a: Scale(3, layer: 1)\n"
    "x: in[N x 3]\n"
    "y: out = a(x)\n";

constexpr Example file_names_examples[]{
    {"E0550",
     "x: in[N] from \"x\"\n"
     "y: out = x\n",
     "x: in[N]\n"
     "y: out = x\n"},
    {"E0551",
     "net Scale(n) {\n"
     "  w: param[n] from \"weight\" = 1\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x * w\n"
     "}\n"
     "a: Scale(3)\n"
     "x: in[N x 3]\n"
     "y: out = a(x)\n",
     "net Scale(n) {\n"
     "  w: param[n] from \"{path}.weight\" = 1\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x * w\n"
     "}\n"
     "a: Scale(3)\n"
     "x: in[N x 3]\n"
     "y: out = a(x)\n"},
    {"E0552",
     "x: in[N x 3]\n"
     "w: param[3] from \"{path}.weight\" = 1\n"
     "y: out = x * w\n",
     "x: in[N x 3]\n"
     "w: param[3] from \"scale.weight\" = 1\n"
     "y: out = x * w\n"},
    {"E0553",
     "x: in[N x 3]\n"
     "v: param[3] from \"w\" = 1\n"
     "w: param[3] = 0\n"
     "y: out = x * v + w\n",
     "x: in[N x 3]\n"
     "v: param[3] from \"v.weight\" = 1\n"
     "w: param[3] = 0\n"
     "y: out = x * v + w\n"},
    {"E0554",
     "x: in[N x 3]\n"
     "b: param[3] from \"fc.bias\"^T = 0\n"
     "y: out = x + b\n",
     "x: in[N x 3]\n"
     "b: param[3] from \"fc.bias\" = 0\n"
     "y: out = x + b\n"},
    {"E0555",
     "x: in[N x 3]\n"
     "b: param[3] from \"\" = 0\n"
     "y: out = x + b\n",
     "x: in[N x 3]\n"
     "b: param[3] from \"0.bias\" = 0\n"
     "y: out = x + b\n"},
    {"E0556",
     "b: param[3] = \"zeros\"\n"
     "x: in[N x 3]\n"
     "y: out = x + b\n",
     "b: param[3] from \"zeros\" = 0\n"
     "x: in[N x 3]\n"
     "y: out = x + b\n"},
    {"E0557",
     "net Scale(n, layer = 0) {\n"
     "  w: param[n] from \"{path}.weight_l{layr}\" = 1\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x * w\n"
     "}\n"
     "a: Scale(3, layer: 1)\n"
     "x: in[N x 3]\n"
     "y: out = a(x)\n",
     scale_of_layer},
    {"E0558",
     "net Scale(n, layer = 0) {\n"
     "  w: param[n] from \"{path}.weight_l{layer}\" = 1\n"
     "  func apply(x: [s... x n]) -> [s... x n] = x * w\n"
     "}\n"
     "a: Scale(3, layer: N)\n"
     "x: in[N x 3]\n"
     "y: out = a(x)\n",
     scale_of_layer},
};

}  // namespace

std::span<const Example> file_names() { return file_names_examples; }

}  // namespace frontend::examples
