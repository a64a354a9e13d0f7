// Calls of a real network on a device, as an application makes them: again and again, from several threads
// and streams, with memory of the device and of the processor, with wrong labels. TEL_TEST_DEVICE says which
// device: `emulator` or `cuda`. Built by scripts/gpu-bundle and, for the emulator, by tests/gpu/run-bundle.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "digits.hpp"
#include "tests/gpu/device.h"

namespace {

using namespace gpu_test;

constexpr std::size_t pixels = 784, classes = 10;

struct Batch {
  std::vector<float> x;
  std::vector<std::int32_t> label;
  std::size_t size() const { return label.size(); }
};

Batch batch(std::size_t n, std::uint64_t seed) {
  Batch made{std::vector<float>(n * pixels), std::vector<std::int32_t>(n)};
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  const auto next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 40;
  };
  for (float& value : made.x) value = float(next() % 1024) / 1024 - 0.25f;
  for (std::int32_t& label : made.label) label = std::int32_t(next() % classes);
  return made;
}

/// What a gradient gives: the derivatives, the loss, the probabilities, the digits.
struct Results {
  std::vector<float> values;
  bool operator==(const Results& other) const {
    return values.size() == other.values.size() &&
           std::memcmp(values.data(), other.values.data(), values.size() * sizeof(float)) == 0;
  }
};

Results results(const std::vector<float>& gradients, float loss, const std::vector<float>& y,
                const std::vector<std::int32_t>& digit) {
  Results all{gradients};
  all.values.push_back(loss);
  all.values.insert(all.values.end(), y.begin(), y.end());
  for (const std::int32_t d : digit) all.values.push_back(float(d));
  return all;
}

/// `gradient` with everything in the processor's memory; `error` is set.
Results on_host_memory(const Batch& batch, const digits::Parameters& parameters, const tel_execution& where,
                       tel_error& error) {
  const tel_options options{sizeof(tel_options), &where, 0, 0};
  const auto n = static_cast<std::int64_t>(batch.size());
  digits::Gradients gradients;
  std::vector<float> y(batch.size() * classes);
  std::vector<std::int32_t> digit(batch.size());
  tel::Workspace workspace(digits_gradient_workspace(n, &options));
  digits_gradient_arguments a{};
  a.size = sizeof a;
  a.x = batch.x.data(), a.x_extents[0] = n, a.x_extents[1] = pixels;
  a.label = batch.label.data(), a.label_extents[0] = n;
  a.parameters = parameters.data(), a.gradients = gradients.data();
  a.y = y.data(), a.y_extents[0] = n, a.y_extents[1] = classes;
  a.digit = digit.data(), a.digit_extents[0] = n;
  a.workspace = workspace.data(), a.workspace_size = workspace.size(), a.options = &options;
  digits_gradient(&a, &error);
  const auto* begin = reinterpret_cast<const float*>(gradients.data());
  return results({begin, begin + sizeof(digits_gradients) / sizeof(float)}, a.L, y, digit);
}

Results on_host_memory(const Batch& batch, const digits::Parameters& parameters) {
  tel_error error{};
  Results made = on_host_memory(batch, parameters, execution(), error);
  REQUIRE_MESSAGE(error.code == TEL_OK, error.text);
  return made;
}

/// Everything that a gradient of at most `most` images needs, in the device's memory; called again and again.
class DeviceCall {
 public:
  DeviceCall(std::size_t most, const digits::Parameters& parameters, void* stream = nullptr)
      : execution_(execution(stream)),
        x_(most * pixels * sizeof(float)),
        label_(most * sizeof(std::int32_t)),
        parameters_(sizeof(digits_parameters)),
        gradients_(sizeof(digits_gradients)),
        y_(most * classes * sizeof(float)),
        digit_(most * sizeof(std::int32_t)),
        workspace_size_(digits_gradient_workspace(static_cast<std::int64_t>(most), &options_)),
        workspace_(workspace_size_) {
    set(parameters);
    const digits::Gradients zeros;  // calls leave alone what lies between tensors
    gradients_.set(zeros.data());
  }
  void set(const digits::Parameters& parameters) { parameters_.set(parameters.data()); }

  /// The status; its text in `error`.
  std::int32_t run(const Batch& batch, tel_error& error, bool accumulate = false) {
    copy(x_, batch.x.data(), batch.x.size() * sizeof(float));
    copy(label_, batch.label.data(), batch.label.size() * sizeof(std::int32_t));
    const auto n = static_cast<std::int64_t>(batch.size());
    options_.accumulate = accumulate;
    arguments_ = {};
    arguments_.size = sizeof arguments_;
    arguments_.x = x_.as<float>(), arguments_.x_extents[0] = n, arguments_.x_extents[1] = pixels;
    arguments_.label = label_.as<std::int32_t>(), arguments_.label_extents[0] = n;
    arguments_.parameters = parameters_.as<digits_parameters>();
    arguments_.gradients = gradients_.as<digits_gradients>();
    arguments_.y = y_.as<float>(), arguments_.y_extents[0] = n, arguments_.y_extents[1] = classes;
    arguments_.digit = digit_.as<std::int32_t>(), arguments_.digit_extents[0] = n;
    arguments_.workspace = workspace_.as<void>(), arguments_.workspace_size = workspace_size_;
    arguments_.options = &options_;
    return digits_gradient(&arguments_, &error);
  }
  Results results_of(std::size_t n) const {
    std::vector<float> y = y_.get<float>();
    std::vector<std::int32_t> digit = digit_.get<std::int32_t>();
    y.resize(n * classes);
    digit.resize(n);
    return results(gradients_.get<float>(), arguments_.L, y, digit);
  }
  Results operator()(const Batch& batch) {
    tel_error error{};
    const std::int32_t status = run(batch, error);
    REQUIRE_MESSAGE(status == TEL_OK, error.text);
    return results_of(batch.size());
  }

 private:
  static void copy(Bytes& to, const void* from, std::size_t bytes) {
    REQUIRE(memory().upload(to.as<std::byte>(), static_cast<const std::byte*>(from), bytes));
  }

  tel_execution execution_;
  tel_options options_{sizeof(tel_options), &execution_, 0, 1};  // adding takes the larger workspace
  Bytes x_, label_, parameters_, gradients_, y_, digit_;
  std::size_t workspace_size_;
  Bytes workspace_;
  digits_gradient_arguments arguments_{};
};

std::size_t large() { return is_cuda() ? 1000 : 9; }

}  // namespace

TEST_CASE("a call gives the same bits from the first time on, and follows what changes in its memory") {
  const digits::Parameters parameters(1), others(2);
  const Batch a = batch(large(), 1), b = batch(large(), 2), few = batch(3, 3);
  const Results of_a = on_host_memory(a, parameters), of_b = on_host_memory(b, parameters),
                of_few = on_host_memory(few, parameters), of_others = on_host_memory(a, others);
  DeviceCall call(large(), parameters);
  for (int repeat = 0; repeat < 4; ++repeat) CHECK(call(a) == of_a);
  CHECK(call(b) == of_b);
  for (int repeat = 0; repeat < 3; ++repeat) CHECK(call(few) == of_few);
  CHECK(call(a) == of_a);
  call.set(others);
  CHECK(call(a) == of_others);
  CHECK_FALSE(of_a == of_b);
  CHECK_FALSE(of_a == of_others);
}

TEST_CASE("results agree with the processor's") {
  const digits::Parameters parameters(3);
  const Batch a = batch(large(), 4);
  tel_error error{};
  const tel_execution serial{sizeof(tel_execution), TEL_SERIAL, 0, nullptr, 0};
  const Results here = on_host_memory(a, parameters, serial, error), there = on_host_memory(a, parameters);
  REQUIRE(error.code == TEL_OK);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < here.values.size(); ++i) {
    largest = std::fmax(largest, std::fabs(double(here.values[i])));
    difference = std::fmax(difference, std::fabs(double(here.values[i]) - double(there.values[i])));
    REQUIRE(std::isfinite(there.values[i]));
  }
  CHECK(difference <= 1e-5 * largest);
}

TEST_CASE("row 0 has the same bits in every batch") {
  const digits::Parameters parameters(4);
  const Batch a = batch(large(), 5);
  Batch first{{a.x.begin(), a.x.begin() + pixels}, {a.label[0]}};
  const auto row = [](const Results& r, std::size_t n) {
    const auto end = r.values.end() - std::ptrdiff_t(n * (classes + 1));  // y and digit stand last
    return std::vector<float>(end, end + classes);
  };
  CHECK(row(on_host_memory(a, parameters), a.size()) == row(on_host_memory(first, parameters), 1));
}

TEST_CASE("several threads, each with a stream and memory of its own, compute what one does") {
  constexpr std::size_t threads = 4;
  const int calls = is_cuda() ? 50 : 2;
  const digits::Parameters parameters(5);
  std::vector<Batch> batches;
  std::vector<Results> expected;
  for (std::size_t i = 0; i < threads; ++i) {
    batches.push_back(batch(large() - i, 10 + i));
    expected.push_back(on_host_memory(batches[i], parameters));
  }
  std::vector<int> right(threads);
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::unique_ptr<DeviceCall>> made;
  for (std::size_t i = 0; i < threads; ++i) {
    streams.push_back(std::make_unique<Stream>());
    made.push_back(std::make_unique<DeviceCall>(large(), parameters, streams[i]->get()));
  }
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      tel_error error{};
      for (int k = 0; k < calls; ++k)
        right[i] += made[i]->run(batches[i], error) == TEL_OK &&
                    made[i]->results_of(batches[i].size()) == expected[i];
    });
  for (auto& thread : running) thread.join();
  for (std::size_t i = 0; i < threads; ++i) CHECK(right[i] == calls);
}

TEST_CASE("a label outside of its range is named, and the next call is right") {
  const digits::Parameters parameters(6);
  const Batch good = batch(large(), 20);
  Batch bad = good;
  bad.label[7] = 10;
  bad.label[large() - 1] = -1;
  tel_error error{};
  on_host_memory(bad, parameters, execution(), error);
  CHECK(error.code == TEL_INDEX);
  const std::string text = error.text;
  CHECK_MESSAGE(text.find("label") != std::string::npos, text);
  CHECK_MESSAGE(text.find("[7]") != std::string::npos, text);
  CHECK_MESSAGE(text.find("10") != std::string::npos, text);

  const Results right = on_host_memory(good, parameters);
  DeviceCall call(large(), parameters);
  for (int repeat = 0; repeat < 3; ++repeat) {
    CHECK(call.run(bad, error) == TEL_INDEX);
    CHECK(error.text == text);
    CHECK(call(good) == right);
  }
}

TEST_CASE("gradients can be added to the caller's") {
  const digits::Parameters parameters(7);
  const Batch a = batch(large(), 30);
  DeviceCall call(large(), parameters);
  const Results once = call(a);
  tel_error error{};
  REQUIRE(call.run(a, error, true) == TEL_OK);
  const Results twice = call.results_of(a.size());
  constexpr std::size_t count = sizeof(digits_gradients) / sizeof(float);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) wrong += twice.values[i] != 2 * once.values[i];
  CHECK(wrong == 0);
}
