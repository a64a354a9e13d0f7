// Programs whose conditions the device decides, by conditional nodes of a graph.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "runtime/cuda/control.h"
#include "tests/runtime/cuda/fixture.h"
#include "tests/runtime/cuda/looping.h"

using namespace runtime;
using namespace runtime::cuda;

namespace {

struct LoopingCall : CudaCall {
  explicit LoopingCall(int outer = 3, int inner = 2) : CudaCall(0, 4096) {
    entry = &looping::entry;
    rounds(outer, inner);
  }
  void rounds(int outer, int inner) { label[0] = outer, label[1] = inner; }
  /// Runs the call and returns whether a graph was launched and no condition read.
  bool runs_as_graph() {
    const int64_t launched = stand_in::count("cuGraphLaunch"),
                  waited = stand_in::count("cuStreamSynchronize");
    const int32_t status = run();
    INFO(std::string(error.text));
    REQUIRE(status == TEL_OK);
    CHECK(gradients[0] == looping::expected(label[0], label[1]));
    CHECK(gradients[1] == -gradients[0]);
    CHECK(arguments.sum == 1032);
    const bool is_graph = stand_in::count("cuGraphLaunch") > launched;
    if (is_graph) CHECK(stand_in::count("cuStreamSynchronize") == waited + 1);
    return is_graph;
  }
};

struct Conditions {
  explicit Conditions(const char* who) { setenv("TEL_CONDITIONS", who, 1); }
  ~Conditions() { unsetenv("TEL_CONDITIONS"); }
};

}  // namespace

TEST_CASE_FIXTURE(WithDriver, "a call with conditions that comes again is a graph that reads none") {
  LoopingCall call;
  CHECK(!call.runs_as_graph());
  CHECK(call.runs_as_graph());
  CHECK(stand_in::count("cuGraphAddNode") == looping::conditional_nodes);
  CHECK(stand_in::count("cuGraphConditionalHandleCreate") == looping::handles);
  stand_in::fail_at(0);
  CHECK(call.runs_as_graph());
  CHECK(stand_in::count("cuGraphAddNode") == 0);
  CHECK(stand_in::count("cuLaunchKernel") == 0);
  CHECK(stand_in::count("cuModuleLoadDataEx") == 0);
}

TEST_CASE_FIXTURE(WithDriver, "loops of a graph have as many rounds as their conditions say") {
  LoopingCall call;
  CHECK(!call.runs_as_graph());
  for (const auto& [outer, inner] : {std::pair{0, 0}, {0, 5}, {1, 0}, {1, 1}, {2, 3}, {9, 9}, {4, 0}}) {
    CAPTURE(outer);
    CAPTURE(inner);
    call.rounds(outer, inner);
    CHECK(call.runs_as_graph());
  }
  CHECK(stand_in::count("cuGraphInstantiate") == 1);
}

TEST_CASE_FIXTURE(WithDriver, "the sides of a branch are the bodies of one node from CUDA 12.8 on") {
  stand_in::set_version(12080);
  LoopingCall call;
  CHECK(!call.runs_as_graph());
  for (const int outer : {0, 1, 2, 7}) {
    call.rounds(outer, 2);
    CHECK(call.runs_as_graph());
  }
  CHECK(stand_in::count("cuGraphAddNode") == looping::conditional_nodes - 1);
  CHECK(stand_in::count("cuGraphConditionalHandleCreate") == looping::handles - 1);
}

TEST_CASE_FIXTURE(WithDriver, "pointers change between launches of a graph with conditions") {
  LoopingCall call;
  for (int i = 0; i < 4; ++i) {
    std::vector<float> x(6, static_cast<float>(i)), y(6);
    std::vector<int32_t> label{i, 3, 0};
    call.arguments.x = x.data();
    call.arguments.y = y.data();
    call.arguments.label = label.data();
    REQUIRE(call.run() == TEL_OK);
    CHECK(y[0] == static_cast<float>(2 * i + 110));
    CHECK(call.gradients[0] == looping::expected(i, 3));
  }
  CHECK(stand_in::count("cuGraphLaunch") == 3);
}

TEST_CASE_FIXTURE(WithDriver, "an index outside its range ends the loops of a graph") {
  LoopingCall call;
  REQUIRE(!call.runs_as_graph());
  for (int i = 0; i < 2; ++i) {
    call.rounds(-1, -1);  // no counter ever comes there
    CHECK(call.fails(TEL_INDEX).find("label[0] is -1") != std::string::npos);
    call.rounds(2, 2);
    CHECK(call.runs_as_graph());
  }
  CHECK(stand_in::count("cuGraphLaunch") == 4);
}

TEST_CASE_FIXTURE(WithDriver, "a graph with conditions returns at once") {
  LoopingCall call;
  call.execution.stream = stand_in::make_stream(0);
  call.execution.later = 1;
  stand_in::lock_pages(call.gradients, sizeof call.gradients);
  for (int i = 0; i < 3; ++i) {
    stand_in::fail_at(0);
    call.gradients[0] = -1;
    REQUIRE(call.run() == TEL_OK);
    CHECK((stand_in::count("cuStreamSynchronize") == 0) == (i > 0));
    REQUIRE(tel_wait(&looping::entry, &call.arguments, &call.error) == TEL_OK);
    CHECK(call.gradients[0] == looping::expected(3, 2));
  }
}

TEST_CASE_FIXTURE(WithDriver, "the host decides where the driver has no conditional nodes") {
  const auto stays_with_host = [] {
    LoopingCall call;
    for (int i = 0; i < 3; ++i) CHECK(!call.runs_as_graph());
    CHECK(stand_in::count("cuGraphLaunch") == 0);
    CHECK(stand_in::live().graphs == 0);
    CHECK(stand_in::live().modules == 1);
  };
  SUBCASE("because it is too old") {
    for (const int32_t version : {11040, 12020, 12030}) {
      stand_in::reset();
      stand_in::install();
      stand_in::set_version(version);
      stays_with_host();
      CHECK(stand_in::count("cuGraphCreate") == 0);
    }
  }
  SUBCASE("because it lacks the functions") {
    process.driver.cuGraphAddNode = nullptr;
    process.driver.cuGraphConditionalHandleCreate = nullptr;
    stays_with_host();
  }
  SUBCASE("because it refuses the kernel that decides") {
    stand_in::refuse_control();
    stays_with_host();
    CHECK(stand_in::count("cuModuleLoadDataEx") == 2);
  }
  SUBCASE("because the environment says so") {
    const Conditions conditions("host");
    stays_with_host();
    CHECK(stand_in::count("cuModuleLoadDataEx") == 1);
  }
}

TEST_CASE_FIXTURE(WithDriver, "the host decides where the driver refuses the graph") {
  for (const Code code : {1, 801})
    for (const char* function :
         {"cuGraphConditionalHandleCreate", "cuGraphAddNode", "cuGraphAddKernelNode", "cuGraphInstantiate"}) {
      CAPTURE(function);
      LoopingCall call;
      CHECK(!call.runs_as_graph());
      stand_in::fail_in(function, code);
      CHECK(!call.runs_as_graph());
      CHECK(stand_in::failed_function() == function);
      CHECK(stand_in::live().graphs == 0);
      stand_in::fail_at(0);
      CHECK(!call.runs_as_graph());
      CHECK(stand_in::count("cuGraphCreate") == 0);
    }
}

TEST_CASE_FIXTURE(WithDriver, "a graph that the environment asks for, and that there is not, is a failure") {
  const Conditions conditions("graph");
  LoopingCall call;
  CHECK(!call.runs_as_graph());
  stand_in::fail_in("cuGraphAddNode", 801);
  CHECK(call.fails(TEL_DEVICE).find("cuGraphAddNode failed") != std::string::npos);
  stand_in::fail_at(0);
  CHECK(call.runs_as_graph());
  stand_in::reset();
  stand_in::install();
  stand_in::refuse_control();
  LoopingCall other;
  CHECK(!other.runs_as_graph());
  for (int i = 0; i < 2; ++i)
    CHECK(other.fails(TEL_DEVICE) ==
          "m::f: device 0: the driver takes no graph with conditions, and TEL_CONDITIONS is graph: PTX for "
          "sm_75: "
          "CUDA_ERROR_INVALID_IMAGE (unspecified): line 7: what is this");
}

TEST_CASE("where the driver has no conditional nodes, the failure says what it lacks") {
  const Conditions conditions("graph");
  const auto failure = [](int32_t version, bool has_functions) {
    const WithDriver driver;
    stand_in::set_version(version);
    if (!has_functions) process.driver.cuGraphAddNode = nullptr;
    LoopingCall call;
    CHECK(!call.runs_as_graph());
    return call.fails(TEL_DEVICE);
  };
  const std::string start =
      "m::f: device 0: the driver takes no graph with conditions, and TEL_CONDITIONS is graph: ";
  CHECK(failure(12030, true) == start + "it is for CUDA 12.3, and conditions need 12.4");
  CHECK(failure(12040, false) == start + "it lacks their functions");
}

TEST_CASE_FIXTURE(WithDriver, "another word than host and graph is a failure of every call with conditions") {
  for (const char* word : {"hosts", "Graph", "1", "graph "}) {
    const Conditions conditions(word);
    LoopingCall call;
    for (int i = 0; i < 2; ++i)
      CHECK(call.fails(TEL_INVALID_ARGUMENT) == "m::f: device 0: the environment's TEL_CONDITIONS is '" +
                                                    std::string(word) + "', expected host or graph");
    CudaCall without;
    CHECK(without.run() == TEL_OK);
  }
  const Conditions nothing("");
  LoopingCall call;
  CHECK(!call.runs_as_graph());
  CHECK(call.runs_as_graph());
}

TEST_CASE("every call of the driver fails once, while a graph with conditions is made") {
  for (int64_t call = 1;; ++call) {
    const WithDriver driver;
    LoopingCall state;
    REQUIRE(!state.runs_as_graph());
    stand_in::fail_at(call);
    const int32_t status = state.run();
    const std::string function = stand_in::failed_function();
    stand_in::fail_at(0);
    CAPTURE(function);
    if (function.empty()) {
      CHECK(status == TEL_OK);
      CHECK(call > 40);
      return;
    }
    CHECK(status == TEL_DEVICE);
    CHECK(std::string(state.error.text).find(function) != std::string::npos);
    CHECK(stand_in::live().graphs == stand_in::live().executions);
    CHECK(stand_in::live().pending == 0);
    CHECK(state.runs_as_graph());
    close_process();
    CHECK(stand_in::live() == stand_in::Live{1, 0, 0, 0, 0, 0, 0});
  }
}

TEST_CASE_FIXTURE(WithDriver, "the stand-in keeps the rules of conditional nodes") {
  CudaCall call;
  REQUIRE(call.run() == TEL_OK);  // which opens the device
  const Driver& driver = process.driver;
  const Context context = process.devices->context;
  REQUIRE(driver.cuCtxPushCurrent(context) == 0);
  Graph graph, other;
  REQUIRE(driver.cuGraphCreate(&graph, 0) == 0);
  REQUIRE(driver.cuGraphCreate(&other, 0) == 0);
  ConditionalHandle handle, foreign;
  REQUIRE(driver.cuGraphConditionalHandleCreate(&handle, graph, context, 0, 0) == 0);
  REQUIRE(driver.cuGraphConditionalHandleCreate(&foreign, other, context, 0, 0) == 0);
  CHECK(driver.cuGraphConditionalHandleCreate(&foreign, other, nullptr, 0, 0) == 1);
  GraphNode node;
  const auto add = [&](Graph to, const GraphNode* after, auto... change) {
    ConditionalNode parameters{};
    parameters.type = conditional_node;
    parameters.handle = handle;
    parameters.size = 1;
    parameters.context = context;
    (change(parameters), ...);
    const Code code = driver.cuGraphAddNode(&node, to, after, nullptr, after ? 1 : 0, &parameters);
    return std::pair(code, code == 0 ? parameters.bodies[0] : nullptr);
  };
  CHECK(add(graph, nullptr, [&](auto& wrong) { wrong.type = 0; }).first == 1);
  CHECK(add(graph, nullptr, [&](auto& wrong) { wrong.handle = foreign; }).first == 1);
  CHECK(add(graph, nullptr, [&](auto& wrong) { wrong.size = 0; }).first == 1);
  CHECK(add(graph, nullptr, [&](auto& wrong) { wrong.size = 2, wrong.kind = TEL_WHILE; }).first == 1);
  CHECK(add(graph, nullptr, [&](auto& wrong) { wrong.reserved1[3] = 1; }).first == 1);
  CHECK(add(graph, nullptr, [&](auto& wrong) { wrong.context = nullptr; }).first == 1);
  GraphExecution execution;
  CHECK(driver.cuGraphInstantiate(&execution, graph, 0) == 1);  // the handle has no node
  const auto [code, body] = add(graph, nullptr);
  REQUIRE(code == 0);
  CHECK(add(body, nullptr).first == 1);  // the handle has a node
  CHECK(driver.cuGraphInstantiate(&execution, body, 0) == 1);
  REQUIRE(driver.cuGraphInstantiate(&execution, graph, 0) == 0);
  GraphExecution second;
  CHECK(driver.cuGraphInstantiate(&second, graph, 0) == 1);  // one at a time
  ConditionalHandle inner;
  REQUIRE(driver.cuGraphConditionalHandleCreate(&inner, body, context, 0, 0) == 0);
  const auto nested = [&] { return add(body, nullptr, [&](auto& own) { own.handle = inner; }).first; };
  stand_in::set_version(12030);
  CHECK(nested() == 801);
  stand_in::set_version(12040);
  CHECK(nested() == 0);
  CHECK(driver.cuGraphExecDestroy(execution) == 0);
  CHECK(driver.cuGraphDestroy(graph) == 0);
  CHECK(driver.cuGraphDestroy(other) == 0);
  Context popped;
  CHECK(driver.cuCtxPopCurrent(&popped) == 0);
}

TEST_CASE("the assembler takes the kernel that decides, if it is installed") {
  const std::string path = "/tmp/tel_control." + std::to_string(getpid()) + ".ptx";
  std::FILE* file = std::fopen(path.c_str(), "w");
  REQUIRE(file != nullptr);
  std::fputs(control_ptx, file);
  std::fclose(file);
  const std::string path_of_assembler = "PATH=$PATH:/usr/local/cuda/bin; ";
  if (std::system((path_of_assembler + "command -v ptxas >/dev/null").c_str()) == 0)
    for (const std::string architecture : {"sm_75", "sm_90"})
      CHECK(std::system(
                (path_of_assembler + "ptxas -arch=" + architecture + " -o /dev/null " + path).c_str()) == 0);
  std::remove(path.c_str());
}

TEST_CASE_FIXTURE(WithDriver, "two devices have a kernel that decides each") {
  stand_in::reset({{90}, {90}});
  stand_in::install();
  for (const int32_t device : {0, 1}) {
    LoopingCall call;
    OnDevice<char> workspace(device, std::vector<char>(4096));
    call.execution.device = device;
    call.arguments.workspace = workspace.pointer();
    CHECK(!call.runs_as_graph());
    CHECK(call.runs_as_graph());
  }
  CHECK(stand_in::live().modules == 4);
}
