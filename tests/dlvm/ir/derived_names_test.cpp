#include "dlvm/ir/derived_names.h"

#include <doctest/doctest.h>

using namespace dlvm;

namespace {

const Type of_rows =
    Type::function({Type::tensor(ElementType::f32,
                                 {Extent::dimension("K"), Extent::dimension("M"), Extent::dimension("_1")})},
                   Type::scalar(ElementType::f32));

}  // namespace

TEST_CASE("messages name the function that another one does nothing but call") {
  CHECK(name_of_caller("f") == "f.called");
  for (const std::string_view name : {"f.called", "f.called.1", "f.called.23"})
    CHECK(name_in_messages(name) == "f");
  CHECK(name_in_messages("f.called.called") == "f.called");
  for (const std::string_view name :
       {"f", "called", ".called", "f.recalled", "f.called.x", "f.called2", "f.1", "7", ""})
    CHECK(name_in_messages(name) == name);
}

TEST_CASE("dimensions are named after functions") {
  const auto named = [](std::string name) { return name_after(Function(std::move(name), of_rows), "steps"); };
  CHECK(named("f") == "f_steps");
  CHECK(named("f.g") == "f_g_steps");
  CHECK(named("2f") == "f2f_steps");
  for (const std::string_view derived :
       {".adjoint", ".tangent.1", ".numbered.1", ".called", ".with_state.adjoint"})
    CHECK(named("f" + std::string(derived)) == "f_steps");
}

TEST_CASE("bounds that lowering makes are known by their whole name") {
  Module module("m");
  module.add_function("build", of_rows);
  module.add_function("f.g", of_rows);
  for (const std::string name :
       {"build_depth", "build_steps", "build_nodes", "f_g_depth", "build_K4_depth", "build_K4M7_depth",
        "build_M7_depth", "build_K4M75_depth", "build_5_depth", "build_1_depth", "build_segment_steps",
        "build_segmented_steps", "build_segmented_segment_1_steps", "build_K4_segment_steps"}) {
    CAPTURE(name);
    CHECK(is_bound_of_lowering(name, module));
  }
  for (const std::string name :
       {"build", "depth", "_depth", "build_dept", "builder_depth", "build__depth", "build_x_depth",
        "build_K_depth", "build_M7K4_depth", "build_L4_depth", "build_segments_steps", "f_depth", "g_depth",
        "f_h_depth", "xbuild_depth", "build_depth_", "build_steps_steps"}) {
    CAPTURE(name);
    CHECK(!is_bound_of_lowering(name, module));
  }
}
