#include "tests/header/networks.h"

using namespace codegen;
using namespace codegen::interface;
using dlvm::ElementType;
using dlvm::Extent;
using Kind = Binding::Kind;
using Role = Input::Role;

namespace networks {
namespace {

const Extent N = Extent::dimension("N");
const Extent M = Extent::dimension("M");

StoredTensor stored(Tensor tensor, std::string initializer, bool seed = false) {
  StoredTensor result;
  result.tensor = std::move(tensor);
  result.initializer = std::move(initializer);
  result.initializer_takes_seed = seed;
  return result;
}

}  // namespace

Interface mlp() {
  Interface mlp;
  mlp.module = "mlp";
  mlp.doc = "A two-layer perceptron for 28x28 digits.";
  mlp.source = "mlp.tel";
  mlp.parameters.tensors = {stored({"W1", ElementType::f32, {784, 256}, ""}, "init_W1", true),
                            stored({"b1", ElementType::f32, {256}, ""}, "init_b1"),
                            stored({"W2", ElementType::f32, {256, 10}, ""}, "init_W2", true),
                            stored({"b2", ElementType::f32, {10}, ""}, "init_b2")};
  lay_out(mlp.parameters);
  const Input x{{"x", ElementType::f32, {N, 784}, ""}, Role::input};
  const Input label{{"label", ElementType::i32, {N}, ""}, Role::input};
  const Output y{{"y", ElementType::f32, {N, 10}, ""}, false};
  const Output loss{{"L", ElementType::f32, {}, ""}, false};
  const std::vector<Binding> parameters = {
      {Kind::parameter, 0}, {Kind::parameter, 1}, {Kind::parameter, 2}, {Kind::parameter, 3}};

  Entry forward;
  forward.name = "forward";
  forward.doc = "Computes y.";
  forward.inputs = {x};
  forward.outputs = {y};
  forward.code.compute = "mlp_forward_compute";
  forward.code.arguments = {{Kind::input, 0}};
  forward.code.arguments.insert(forward.code.arguments.end(), parameters.begin(), parameters.end());
  forward.results = {{Kind::output, 0}};
  forward.code.slots = {{N * 256 * 4}};

  Entry gradient = forward;
  gradient.name = "gradient";
  gradient.kind = EntryKind::gradient;
  gradient.doc = "Computes the derivatives of L by the parameters, L and y.";
  gradient.inputs = {x, label};
  gradient.outputs = {loss, y};
  gradient.code.compute = "mlp_gradient_compute";
  gradient.code.arguments.insert(gradient.code.arguments.begin() + 1, {Kind::input, 1});
  gradient.results = {{Kind::gradient, 0}, {Kind::gradient, 1}, {Kind::gradient, 2},
                      {Kind::gradient, 3}, {Kind::output, 0},   {Kind::output, 1}};
  gradient.index_sites = {{"label", {N}, 0, 10}};
  gradient.code.slots = {{N * 256 * 4}, {N * 256 * 4, N * 10 * 4}};
  mlp.entries = {forward, gradient};
  for (auto& entry : mlp.entries) bind_dimensions(entry);
  return mlp;
}

Interface mixed() {
  Interface mixed;
  mixed.module = "mixed";
  mixed.source = "-";
  mixed.parameters.tensors = {
      stored({"w", ElementType::bf16, {3}, "Weights,\nin two lines: */ /* \\"}, "init_w"),
      stored({"scale", ElementType::f64, {}, ""}, "init_scale"),
      stored({"class", ElementType::bf16, {2}, ""}, "init_class")};
  lay_out(mixed.parameters);
  mixed.constants.tensors = {stored({"mask", ElementType::boolean, {3}, ""}, ""),
                             stored({"flat", ElementType::f16, {3}, ""}, "")};
  lay_out(mixed.constants);

  Entry forward;
  forward.name = "forward";
  forward.inputs = {{{"x", ElementType::f16, {Extent(2) * N + 1, 3}, "An odd number of rows."}, Role::input},
                    {{"bias", ElementType::f16, {}, ""}, Role::input},
                    {{"on", ElementType::boolean, {}, ""}, Role::input},
                    {{"size", ElementType::i64, {Extent::erased()}, ""}, Role::input}};
  forward.outputs = {{{"y", ElementType::f16, {Extent(2) * N + 1, 3}, ""}, false},
                     {{"rows", ElementType::i32, {M}, ""}, false},
                     {{"total", ElementType::bf16, {}, ""}, false}};
  forward.checks = {
      {Check::Relation::at_most, M, N + 10, "x[M:] begins at {left}, axis 0 of x ends at {right}"}};
  forward.code.compute = "mixed_forward_compute";
  forward.code.arguments = {{Kind::input, 0},    {Kind::input, 1},     {Kind::input, 2},
                            {Kind::input, 3},    {Kind::parameter, 0}, {Kind::constant, 0},
                            {Kind::constant, 1}, {Kind::dimension, 2}, {Kind::seed, 0}};
  forward.results = {{Kind::output, 0}, {Kind::output, 1}, {Kind::output, 2}};

  Entry gradient;
  gradient.name = "gradient";
  gradient.kind = EntryKind::gradient;
  gradient.inputs = {{{"x", ElementType::f32, {N}, ""}, Role::input},
                     {{"y", ElementType::f32, {N}, ""}, Role::cotangent}};
  gradient.outputs = {{{"y", ElementType::f32, {N}, ""}, false}};
  gradient.code.compute = "mixed_gradient_compute";
  gradient.code.arguments = {{Kind::input, 0}, {Kind::input, 1}, {Kind::parameter, 1}};
  gradient.results = {{Kind::gradient, 0}, {Kind::gradient, 1}, {Kind::gradient, 2}, {Kind::output, 0}};

  Entry saliency;
  saliency.name = "new";
  saliency.kind = EntryKind::named_gradient;
  saliency.inputs = {{{"x", ElementType::f64, {4}, ""}, Role::input}};
  saliency.outputs = {{{"x", ElementType::f64, {4}, ""}, true}, {{"L", ElementType::f64, {}, ""}, false}};
  saliency.code.compute = "mixed_new_compute";
  saliency.code.arguments = {{Kind::input, 0}};
  saliency.results = {{Kind::output, 0}, {Kind::output, 1}};

  mixed.state.tensors = {stored({"average", ElementType::f32, {2}, "What has been seen."}, "init_average"),
                         stored({"copy", ElementType::i64, {}, ""}, "init_copy")};
  lay_out(mixed.state);
  Entry count;
  count.name = "count";
  count.inputs = {{{"x", ElementType::f32, {2}, ""}, Role::input}};
  count.outputs = {{{"before", ElementType::f32, {2}, ""}, false}};
  count.code.compute = "mixed_count_compute";
  count.code.arguments = {{Kind::input, 0}, {Kind::state, 0}, {Kind::state, 1}};
  count.results = {{Kind::output, 0}, {Kind::next, 0}, {Kind::next, 1}};

  Entry counted;
  counted.name = "counted";
  counted.outputs = {{{"times", ElementType::i64, {}, ""}, false}};
  counted.code.compute = "mixed_counted_compute";
  counted.code.arguments = {{Kind::state, 1}};
  counted.results = {{Kind::output, 0}};

  mixed.entries = {forward, gradient, saliency, count, counted};
  for (auto& entry : mixed.entries) bind_dimensions(entry);
  return mixed;
}

}  // namespace networks
