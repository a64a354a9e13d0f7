#include <thread>

#include "tests/runtime/cuda/fixture.h"

using namespace runtime;
using stand_in::DeviceModel;

TEST_CASE("threads, streams and devices at once") {
  const WithDriver driver(DeviceModel{90}, DeviceModel{75});
  std::vector<stand_in::Stream> streams;
  for (int32_t i = 0; i < 8; ++i) streams.push_back(stand_in::make_stream(i % 2));
  std::vector<std::string> failures(8);
  std::vector<std::thread> threads;
  for (int32_t i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) {
        CudaCall call(i % 2);
        call.execution.stream = round % 3 ? streams[static_cast<size_t>(i)] : nullptr;
        call.arguments.scale = static_cast<float>(i + round);
        const bool right = call.run() == TEL_OK && call.y[0] == 110 + call.arguments.scale &&
                           call.arguments.token == 43 && call.gradients[1] == 3;
        if (!right) failures[static_cast<size_t>(i)] = call.error.text + std::string("wrong results");
      }
    });
  for (auto& thread : threads) thread.join();
  for (const auto& failure : failures) CHECK(failure == "");
  CHECK(stand_in::count("cuModuleLoadDataEx") == 2);
  CHECK(stand_in::count("cuDevicePrimaryCtxRetain") == 2);
}
