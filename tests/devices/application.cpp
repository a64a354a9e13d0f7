// A program that uses GPUs by the header alone, against the stand-in driver (libcuda.cpp), whose copies,
// zeros and sums are real, while the kernels of the network are launched and do nothing. Argument: what is to
// be tried.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "net.hpp"

#define CHECK(condition)                                                   \
  do {                                                                     \
    if (!(condition)) {                                                    \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (false)

namespace {

/// Functions of the stand-in, as the library has them.
template <class Function>
Function* stand_in(const char* name) {
  static void* library = dlopen("libcuda.so.1", RTLD_NOW);
  void* found = library ? dlsym(library, name) : nullptr;
  if (!found) std::printf("no %s\n", name), std::exit(1);
  return reinterpret_cast<Function*>(found);
}
void start(std::int32_t devices, std::int32_t architecture, std::int64_t memory = 1 << 24,
           std::int32_t version = 12040) {
  stand_in<void(std::int32_t, std::int32_t, std::int64_t, std::int32_t)>("stand_in_start")(
      devices, architecture, memory, version);
}
std::int64_t count(const char* function) {
  return stand_in<std::int64_t(const char*)>("stand_in_count")(function);
}
void count_again(std::int64_t fail_at = 0) { stand_in<void(std::int64_t)>("stand_in_fail_at")(fail_at); }
void* stream(std::int32_t device) { return stand_in<void*(std::int32_t)>("stand_in_stream")(device); }
bool is_clean() { return stand_in<std::int32_t()>("stand_in_complaints")() == 0; }

constexpr std::size_t n = 6;
const std::vector<float> x(4 * n, 0.5f);
const std::vector<std::int32_t> labels(n, 2);
const tel::View<const float, tel::dynamic, 4> rows(x.data(), n);

std::string message(auto call) {
  try {
    call();
  } catch (const tel::Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Whether the processor serves, after whatever has failed.
void check_processor() {
  const auto result = net::gradient({.x = rows, .label = labels}, net::Parameters(1),
                                    net::Constants(tel::zeros), {.execution = tel::serial});
  CHECK(result.L > 0.5f && result.L < 3);
  CHECK(std::fabs(result.y(0, 0) + result.y(0, 1) + result.y(0, 2) - 1) < 1e-5f);
}

/// What a call on a GPU says, from the processor's memory and with nothing else.
std::string call_fails() {
  const auto tried = net::try_forward({.x = rows}, net::Parameters(1), net::Constants(tel::zeros),
                                      {.execution = tel::cuda()});
  CHECK(!tried);
  return tried.error().text;
}

/// Everything that a training step needs, on a device.
struct Training {
  tel::OnDevice<net::Parameters> parameters;
  tel::OnDevice<net::Constants> constants;
  tel::OnDevice<net::Gradients> gradients;
  tel::DeviceTensor<float, tel::dynamic, 4> x;
  tel::DeviceTensor<std::int32_t, tel::dynamic> label;
  tel::DeviceTensor<float, tel::dynamic, 3> y;
  tel::Workspace workspace;

  explicit Training(tel::Execution where)
      : parameters(net::Parameters(1).to(where)),
        constants(net::Constants(tel::zeros).to(where)),
        gradients(net::Gradients().to(where)),
        x(rows, where),
        label(labels, where),
        y(tel::Tensor<float, tel::dynamic, 3>(n).view(), where),
        workspace(net::gradient_workspace(n, {.execution = where}), where) {}

  net::GradientOutputs step() {
    const auto outputs = net::gradient({.x = x.view(), .label = label.view()}, parameters, constants,
                                       gradients, {.y = y.view()}, workspace);
    tel::scale(gradients, 0.5);
    tel::add(parameters, gradients, -0.25);
    return outputs;
  }
  net::GradientPending start() {
    return net::start_gradient({.x = x.view(), .label = label.view()}, parameters, constants, gradients,
                               {.y = y.view()}, workspace);
  }
};

// Without the library.
void none() {
  CHECK(tel::devices().empty());
  const std::string why = "no driver of an NVIDIA GPU: ";
  CHECK(std::string(tel::try_devices().error().text).starts_with("tel::cuda: " + why));
  CHECK(tel::try_devices().status() == tel::Status::device);
  CHECK(call_fails().starts_with("net::forward: " + why));
  CHECK(message([] { net::Parameters(1).to(tel::cuda()); }).starts_with("tel::cuda: " + why));
  CHECK(message([] { tel::Workspace(64, tel::cuda()); }).starts_with("tel::cuda: " + why));
  check_processor();
}

void old() {
  start(1, 100, 1 << 24, 11020);
  const std::string why = "the driver of the GPU is too old: it is for CUDA 11.2, CUDA 11.4 is needed";
  CHECK(call_fails() == "net::forward: " + why);
  CHECK(tel::devices().empty());
  CHECK(tel::try_devices().error().text == "tel::cuda: " + why);
  check_processor();
}

// A chip that is older than all code.
void chip() {
  start(1, 70);
  CHECK(tel::devices().size() == 1 && tel::devices()[0].architecture == 70);
  const std::string text = call_fails();
  CHECK(text.starts_with("net::forward: device 0: it is sm_70, there is code for "));
  CHECK(text.find("PTX for sm_80") != std::string::npos);
  check_processor();
}

// A driver as old as may be: it refuses all machine code, once, and takes the PTX.
void refused() {
  start(1, 90, 1 << 24, 11040);
  Training training(tel::cuda());
  training.step();
  const std::int64_t loads = count("cuModuleLoadDataEx");
  CHECK(loads >= 1 && loads <= 2);
  training.step();
  CHECK(count("cuModuleLoadDataEx") == loads);
  CHECK(net::try_forward({.x = rows}, net::Parameters(1), net::Constants(tel::zeros),
                         {.execution = tel::cuda()}));
  CHECK(count("cuModuleLoadDataEx") == loads);
  CHECK(is_clean());
}

// One that takes nothing.
void none_taken() {
  start(1, 90);
  stand_in<void()>("stand_in_refuse_images")();
  for (int i = 0; i < 2; ++i) {
    const std::string text = call_fails();
    CHECK(text.starts_with(
        "net::forward: device 0: the driver is for CUDA 12.4 and takes none of the code, made with"));
    CHECK(text.find("PTX for sm_80: CUDA_ERROR_INVALID_IMAGE") != std::string::npos);
    CHECK(text.ends_with("; a newer driver does"));
  }
  check_processor();
  CHECK(is_clean());
}

void memory() {
  start(1, 100, 300000);
  CHECK(message([] { tel::Workspace(400000, tel::cuda()); })
            .starts_with("tel::cuda: device 0: cuMemAlloc of 400000 bytes failed: "
                         "CUDA_ERROR_OUT_OF_MEMORY"));
  const auto small = net::Parameters(1).to(tel::cuda());
  CHECK(small.read().W(3, 2) == net::Parameters(1).W(3, 2));
  std::vector<float> many(4 * 1000, 0.5f);
  const auto tried = net::try_forward({.x = {many.data(), 1000}}, small, net::Constants(tel::zeros));
  CHECK(tried.status() == tel::Status::memory);
  CHECK(std::string(tried.error().text).find("out of memory") != std::string::npos);
  check_processor();
  CHECK(is_clean());
}

// Sums and copies have the processor's bits; nothing is allocated in the steady state, nothing copied but
// scalars.
void train() {
  const auto devices = tel::devices();
  CHECK(devices.size() == 2 && devices[1].number == 1 && devices[1].architecture == 100);
  CHECK(devices[0].name == "Stand-in 0" && devices[0].memory == 1 << 24);

  Training training(tel::cuda(1));
  net::Gradients gradients;
  for (std::size_t i = 0; i < 12; ++i) gradients.flat<float>()[i] = 0.1f * float(i);
  for (std::size_t i = 0; i < 3; ++i) gradients.b(i) = 0.1 * double(i);
  net::Parameters expected(1);
  training.gradients.write(gradients);
  for (int i = 0; i < 3; ++i) {
    training.step();
    tel::scale(gradients, 0.5);
    tel::add(expected, gradients, -0.25);
  }
  count_again();
  training.step();
  CHECK(count("cuGraphLaunch") == 1 && count("cuLaunchKernel") == 4);  // sums of two types, twice
  CHECK(count("cuMemcpyHtoDAsync") == 0 && count("cuMemcpyDtoHAsync") == 1 &&
        count("cuStreamSynchronize") == 1);
  tel::scale(gradients, 0.5);
  tel::add(expected, gradients, -0.25);
  const net::Parameters trained = training.parameters.read();
  CHECK(std::memcmp(trained.data(), expected.data(), net::Parameters::bytes()) == 0);
  CHECK(training.gradients.read().b(2) == gradients.b(2));

  const auto twin = training.parameters.copy();
  training.parameters.clear();
  CHECK(training.parameters.read().b(1) == 0 && twin.read().b(1) == expected.b(1));
  CHECK(training.x.read()(5, 3) == 0.5f);
  std::vector<float> row(4);
  tel::copy(training.x.rows(2, 1), row, tel::cuda(1));
  CHECK(row[3] == 0.5f);
  CHECK(is_clean());
}

// What a program lets go of is given back: the code's own constants stay.
void lifetime() {
  const auto allocations = stand_in<std::int64_t()>("stand_in_allocations");
  CHECK(Training(tel::cuda()).step().L == 0);
  const std::int64_t before = allocations();
  {
    Training first(tel::cuda());
    Training second(std::move(first));
    second.step();
    second.parameters = net::Parameters(2).to(tel::cuda());
    second.workspace = tel::Workspace(64, tel::cuda());
    const auto copy = second.gradients.copy();
    CHECK(allocations() == before + 8);
  }
  CHECK(allocations() == before);
  CHECK(is_clean());
}

// What a call cannot reach is an error.
void mistakes() {
  Training first(tel::cuda(0)), second(tel::cuda(1));
  CHECK(message([&] {
          net::gradient({.x = first.x.view(), .label = first.label.view()}, first.parameters,
                        second.constants, first.gradients, first.workspace);
        }) == "net::gradient: device 0: 'constants' is in the memory of device 1");
  CHECK(message([&] {
          net::forward({.x = rows}, first.parameters, first.constants, {.execution = tel::serial});
        }) ==
        "parameters, gradients, constants, the state or the workspace are in the memory of a GPU, but the "
        "call computes "
        "elsewhere");
  CHECK(message([&] {
          tel::Workspace here(1 << 16);
          net::start_gradient({.x = rows, .label = labels}, first.parameters, first.constants,
                              first.gradients, {}, here)
              .wait();
        }).find("the workspace of a call that returns at once must be in the device's memory") !=
        std::string::npos);
  CHECK(is_clean());
}

// Several threads, streams and devices at once.
void threads() {
  start(2, 100, 1 << 26);  // room for four workspaces on each
  std::vector<std::thread> all;
  std::vector<std::string> failures(8);
  std::vector<void*> streams;
  for (int i = 0; i < 8; ++i) streams.push_back(i < 6 ? stream(i % 2) : nullptr);
  for (std::size_t i = 0; i < 8; ++i)
    all.emplace_back([&, i] {
      failures[i] = message([&] {
        Training training(tel::cuda(static_cast<std::int32_t>(i % 2), streams[i]));
        net::Gradients gradients;
        gradients.W(0, 0) = 1;
        training.gradients.write(gradients);
        for (int step = 0; step < 20; ++step) training.step();
        const float moved = training.parameters.read().W(0, 0) - net::Parameters(1).W(0, 0);
        CHECK(std::fabs(moved + 0.25f) < 1e-5f);  // 0.25 * (1/2 + 1/4 + …)
      });
    });
  for (auto& thread : all) thread.join();
  for (const auto& failure : failures) CHECK(failure == "nothing was thrown");
  CHECK(count("cuModuleLoadDataEx") == 2 && count("cuDevicePrimaryCtxRetain") == 2);
  CHECK(is_clean());
}

// Calls that return at once, and a captured one, which is launched grid by grid.
void later() {
  void* const queue = stream(0);
  Training training(tel::cuda(0, queue));
  for (int i = 0; i < 3; ++i) CHECK(training.start().wait().L == 0);
  count_again();
  auto pending = training.start();
  CHECK(count("cuStreamSynchronize") == 0 && count("cuGraphLaunch") == 1);
  CHECK(pending.wait().y.data() == training.y.data());
  CHECK(count("cuStreamSynchronize") == 1);

  count_again();
  stand_in<void(void*)>("stand_in_begin_capture")(queue);
  pending = training.start();
  tel::add(training.parameters, training.gradients, -1);
  CHECK(stand_in<std::int32_t(void*)>("stand_in_end_capture")(queue) == 1);
  CHECK(count("cuGraphLaunch") == 0 && count("cuLaunchKernel") > 5 && count("cuMemAlloc") == 0);
  tel::wait(tel::cuda(0, queue));
  CHECK(pending.wait().L == 0);
  CHECK(is_clean());
}

// The n-th call of the driver fails, for every n: a status and a text, and the next call works.
void failures() {
  Training training(tel::cuda());
  for (std::int64_t number = 1;; ++number) {
    count_again(number);
    const auto begun = message([&] {
      training.step();
      training.parameters.read();
      training.start().wait();
      tel::Workspace(64, tel::cuda());
    });
    const bool failed = begun != "nothing was thrown";
    if (failed) CHECK(begun.find("failed: CUDA_ERROR_LAUNCH_FAILED") != std::string::npos);
    count_again();
    CHECK(training.step().L == 0);
    if (number > 100) break;
  }
  CHECK(is_clean());
}

// Programs that know of no device compute where TEL_DEVICE says.
void environment() {
  setenv("TEL_DEVICE", "cuda:1", 1);
  net::Gradients gradients;
  tel::Workspace workspace(net::gradient_workspace(n));
  count_again();
  const auto outputs = net::gradient({.x = rows, .label = labels}, net::Parameters(1),
                                     net::Constants(tel::zeros), gradients, workspace);
  CHECK(outputs.y.extent(0) == n && count("cuLaunchKernel") > 3);
  CHECK(outputs.y.data() >= workspace.data());
  setenv("TEL_DEVICE", "cpu", 1);
  check_processor();
  CHECK(is_clean());
}

constexpr struct {
  const char* name;
  void (*run)();
} all[] = {{"none", none},
           {"old", old},
           {"chip", chip},
           {"refused", refused},
           {"none_taken", none_taken},
           {"memory", memory},
           {"train", train},
           {"lifetime", lifetime},
           {"mistakes", mistakes},
           {"threads", threads},
           {"later", later},
           {"failures", failures},
           {"environment", environment}};

}  // namespace

int main(int count, char** arguments) {
  for (const auto& [name, run] : all)
    if (count == 2 && std::strcmp(arguments[1], name) == 0) {
      run();
      std::printf("ok %s\n", name);
      return 0;
    }
  for (const auto& [name, run] : all) std::printf("%s\n", name);
  return 2;
}
