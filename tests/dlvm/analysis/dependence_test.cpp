#include "dlvm/analysis/dependence.h"

#include "dlvm/analysis/control_flow.h"
#include "dlvm/differentiate/rules.h"
#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

TEST_CASE("the leaves that reach a call's result do so through its callee, which nobody has asked about") {
  const parsed::Text text(R"(
func @g: (f32, f32) -> f32 {
'entry(%a: f32, %b: f32):
    %s = sin %a: f32
    %t = floor %b: f32
    %u = add %s: f32, %t: f32
    return %u: f32
}
func @f: (f32, f32) -> f32 {
'entry(%x: f32, %y: f32):
    %z = apply @g(%x: f32, %y: f32) -> f32
    return %z: f32
}
)");
  const Function& function = text.function();
  const Value* x = function.entry().arguments()[0].get();
  const Value* y = function.entry().arguments()[1].get();
  const Value* z = function.entry().instructions().front().get();
  const ControlFlow flow(function);
  Dependence dependence(derivative_edge);
  Dependence::Leaves reaching{{z, {true}}};
  dependence.add_reaching(reaching, flow);
  CHECK(reaching[x] == std::vector{true});
  CHECK(reaching[y] == std::vector{false});
  Dependence fresh(derivative_edge);
  Dependence::Leaves reached{{x, {true}}};
  fresh.add_reached(reached, flow);
  CHECK(reached[z] == std::vector{true});
}
