// Calls that update a state, or parameters, on devices and on the processor.
#include "tests/runtime/cuda/fixture.h"

using namespace runtime;

namespace {

constexpr size_t state_bytes = 128;
constexpr std::pair<int32_t, const Entry*> every_update[] = {{TEL_CUDA, &network::updating},
                                                             {TEL_CUDA, &network::training},
                                                             {TEL_SERIAL, &network::updating},
                                                             {TEL_SERIAL, &network::training}};

/// The state (float32[2], float64[2]) that the bytes are.
struct State {
  float w[2];
  double v[2];

  explicit State(const char* bytes) {
    std::memcpy(w, bytes, sizeof w);
    std::memcpy(v, bytes + 64, sizeof v);
  }
  bool operator==(const State&) const = default;
};

/// A call whose state, or whose parameters, are in the processor's memory: `parameters`.
struct Updating : CudaCall {
  explicit Updating(const Entry& which = network::updating) { entry = &which; }
  State state() const { return State(reinterpret_cast<const char*>(parameters)); }
  void check(const State& now, float w, double v) {
    INFO(std::string(error.text));
    CHECK(now.w[0] == w);
    CHECK(now.w[1] == w);
    CHECK(now.v[0] == v);
    CHECK(now.v[1] == v);
  }
};

}  // namespace

TEST_CASE_FIXTURE(WithDriver, "a state in the processor's memory is read as it was, then updated") {
  for (const auto& [kind, updated] : every_update) {
    CAPTURE(kind);
    Updating call(*updated);
    alignas(64) char workspace[1024];
    call.execution.kind = kind;
    if (kind == TEL_SERIAL)
      call.arguments.workspace = workspace, call.arguments.workspace_size = sizeof workspace;
    REQUIRE(call.run() == TEL_OK);
    CHECK(call.y == std::vector<float>{112, 224, 116, 228, 120, 232});
    call.check(call.state(), 3, 6);
    CHECK(call.parameters[2] == 0);  // what is between the tensors
    REQUIRE(call.run() == TEL_OK);
    CHECK(call.y == std::vector<float>{105, 207, 109, 211, 113, 215});
  }
}

TEST_CASE_FIXTURE(WithDriver, "after an error the state is as it was") {
  for (const auto& [kind, updated] : every_update) {
    CAPTURE(kind);
    Updating call(*updated);
    alignas(64) char workspace[1024];
    call.execution.kind = kind;
    if (kind == TEL_SERIAL)
      call.arguments.workspace = workspace, call.arguments.workspace_size = sizeof workspace;
    const State before = call.state();
    call.label[1] = 10;
    CHECK(call.fails(TEL_INDEX) == "m::f: label[1] is 10, expected 0 to 9");
    CHECK(call.state() == before);
    call.arguments.workspace_size = 8;
    call.fails(TEL_WORKSPACE);
    CHECK(call.state() == before);
  }
}

TEST_CASE_FIXTURE(WithDriver, "a state in the device's memory is updated there") {
  for (const Entry* updated : {&network::updating, &network::training}) {
    Updating call(*updated);
    const auto* bytes = reinterpret_cast<const char*>(call.parameters);
    const OnDevice<char> device(0, {bytes, bytes + state_bytes});
    call.arguments.parameters = reinterpret_cast<const float*>(device.pointer());
    const auto state = [&] { return State(device.values().data()); };
    const State before = state();
    call.label[2] = -1;
    call.fails(TEL_INDEX);
    CHECK(state() == before);
    call.label[2] = 1;
    REQUIRE(call.run() == TEL_OK);
    CHECK(call.y[0] == 112);
    call.check(state(), 3, 6);
    CHECK(call.state() == before);
  }
}

TEST_CASE_FIXTURE(WithDriver, "calls that return at once follow each other's state in the stream") {
  Updating first, second;
  const auto* bytes = reinterpret_cast<const char*>(first.parameters);
  const OnDevice<char> device(0, {bytes, bytes + state_bytes});
  const auto stream = stand_in::make_stream(0);
  for (Updating* call : {&first, &second}) {
    call->execution.stream = stream;
    call->execution.later = 1;
    call->arguments.parameters = reinterpret_cast<const float*>(device.pointer());
    REQUIRE(call->run() == TEL_OK);
  }
  for (Updating* call : {&first, &second})
    REQUIRE(tel_wait(call->entry, &call->arguments, &call->error) == TEL_OK);
  CHECK(first.y[0] == 112);
  CHECK(second.y[0] == 105);
  first.check(State(device.values().data()), 3, 6);
}

TEST_CASE_FIXTURE(WithDriver, "a state must be given, and be aligned") {
  Updating call;
  call.arguments.parameters = nullptr;
  CHECK(call.fails(TEL_INVALID_ARGUMENT).find("state") != std::string::npos);
  call.arguments.parameters = call.parameters + 1;
  CHECK(call.fails(TEL_INVALID_ARGUMENT).find("state") != std::string::npos);
}
