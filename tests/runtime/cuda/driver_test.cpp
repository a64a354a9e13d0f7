#include "tests/runtime/cuda/fixture.h"

#include "runtime/cuda/code.h"
#include "runtime/cuda/images.h"

using namespace runtime;
using stand_in::DeviceModel;
using namespace runtime::cuda;

namespace {

int32_t version;

/// Why a call on device 0 fails with this driver.
std::string failure(const Driver& driver, std::vector<DeviceModel> devices = {{90}}) {
  stand_in::reset(std::move(devices));
  process.driver = driver;
  CudaCall call;
  return call.fails(TEL_DEVICE);
}

}  // namespace

TEST_CASE("a machine without a driver") {
  stand_in::reset();
  CudaCall call;
  const std::string text = call.fails(TEL_DEVICE);
  CHECK(text.starts_with("m::f: no driver of an NVIDIA GPU: "));
  CHECK(text.find("libcuda.so.1") != std::string::npos);
  tel_options serial{sizeof serial, nullptr, 40, 0};
  alignas(64) char workspace[64];
  call.arguments.options = &serial;
  call.arguments.workspace = workspace;
  REQUIRE(call.run() == TEL_OK);
  call.check_results();
}

TEST_CASE("a driver that is too old, or has no device") {
  Driver driver = stand_in::table();
  driver.cuDriverGetVersion = [](int32_t* to) { return *to = version, 0; };
  version = 11020;
  CHECK(failure(driver) ==
        "m::f: the driver of the GPU is too old: it is for CUDA 11.2, CUDA 11.4 is needed");
  version = min_version;
  CHECK(failure(stand_in::table(), {}) == "m::f: this machine has no CUDA device");
  driver = stand_in::table();
  driver.cuInit = [](unsigned) { return Code{999}; };
  CHECK(failure(driver) == "m::f: cuInit failed: CUDA_ERROR_UNKNOWN (unspecified)");
  driver.cuGetErrorName = [](Code, const char**) { return Code{1}; };
  driver.cuGetErrorString = [](Code, const char**) { return Code{1}; };
  CHECK(failure(driver) == "m::f: cuInit failed: error 999");
  stand_in::reset();
}

TEST_CASE("devices that are not there") {
  const WithDriver driver(DeviceModel{90}, DeviceModel{80});
  CudaCall call;
  for (const int32_t ordinal : {2, -1, INT32_MAX}) {
    call.execution.device = ordinal;
    CHECK(call.fails(TEL_DEVICE) == "m::f: device " + std::to_string(ordinal) +
                                        ": there is no such device; this machine has 2 (0 to 1)");
  }
}

TEST_CASE("chips without code, and kernels that do not fit") {
  {
    const WithDriver driver(DeviceModel{70});
    CudaCall call;
    CHECK(call.fails(TEL_DEVICE) == "m::f: device 0: it is sm_70, there is code for sm_90, PTX for sm_75");
  }
  const WithDriver driver(DeviceModel{90, 60 << 10});
  CudaCall call;
  CHECK(call.fails(TEL_DEVICE) ==
        "m::f: device 0: add needs 65536 bytes of shared memory, but a block has 61440");
}

TEST_CASE("the images for a device, the best first") {
  const Image images[] = {{image_cubin, 80, 0, nullptr, 0},  {image_cubin, 86, 0, nullptr, 0},
                          {image_cubin, 90, 0, nullptr, 0},  {image_cubin, 90, 1, nullptr, 0},
                          {image_cubin, 100, 1, nullptr, 0}, {image_ptx, 75, 0, nullptr, 0},
                          {image_ptx, 90, 1, nullptr, 0},    {image_ptx, 90, 0, nullptr, 0}};
  const DeviceCode code{0, 8, nullptr, images, 0};
  const auto best = [&](int32_t architecture) {
    std::vector<int> order;
    const Image* image = nullptr;
    while ((image = next_image(code, architecture, image)) != nullptr)
      order.push_back(static_cast<int>(image - images));
    return order;
  };
  using Order = std::vector<int>;
  CHECK(best(70) == Order{});
  CHECK(best(75) == Order{5});
  CHECK(best(80) == Order{0, 5});
  CHECK(best(86) == Order{1, 0, 5});
  CHECK(best(89) == Order{1, 0, 5});
  CHECK(best(90) == Order{3, 2, 6, 7, 5});
  CHECK(best(100) == Order{4, 7, 5});
  CHECK(best(103) == Order{7, 5});
  CHECK(best(120) == Order{7, 5});

  const Image hopper[] = {{image_cubin, 90, 1, nullptr, 0}};
  const DeviceCode first{0, 1, nullptr, hopper, 0};
  const DeviceProgram programs[] = {{90, &first, nullptr, 0, 0, nullptr, nullptr},
                                    {80, &code, nullptr, 0, 0, nullptr, nullptr}};
  const Devices devices{2, programs, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  const auto program = [&](int32_t architecture) {
    Device device{};
    device.architecture = architecture;
    return best_program(devices, device);
  };
  CHECK(program(90) == &programs[0]);
  CHECK(program(100) == &programs[1]);  // nothing of the first runs there
  CHECK(program(86) == &programs[1]);
  CHECK(program(75) == nullptr);
}

namespace {

/// The network with other programs; its kernels are those of the network.
struct OtherCode {
  const DeviceProgram& program = network::entry.devices->programs[0];
  const stand_in::ImageData& good = *static_cast<const stand_in::ImageData*>(program.code->images[0].data);
  stand_in::ImageData newer{stand_in::ImageData::right, good.kernels, 13000};
  const stand_in::ImageData wrong{1, {}};
  std::vector<DeviceProgram> programs;
  Devices devices = *network::entry.devices;
  Entry entry = network::entry;
  CudaCall call;

  static Image image(ImageKind kind, int32_t architecture, const stand_in::ImageData& data) {
    return {kind, architecture, 0, &data, sizeof data};
  }
  DeviceCode code(const std::vector<Image>& images, int64_t toolkit = 13000) const {
    return {program.code->kernel_count, static_cast<int64_t>(images.size()), program.code->kernels,
            images.data(), toolkit};
  }
  void add(int32_t architecture, const DeviceCode& code) {
    DeviceProgram& added = programs.emplace_back(program);
    added.architecture = architecture;
    added.code = &code;
    devices.programs = programs.data();
    devices.program_count = static_cast<int64_t>(programs.size());
    entry.devices = &devices;
  }
  int32_t run() { return tel_call(&entry, &call.arguments, &call.error); }
};

}  // namespace

TEST_CASE_FIXTURE(WithDriver, "an image that the driver refuses is followed by the next one, once") {
  OtherCode other;
  const std::vector<Image> images{OtherCode::image(image_cubin, 90, other.newer),
                                  OtherCode::image(image_ptx, 80, other.wrong),
                                  OtherCode::image(image_ptx, 75, other.good)};
  const DeviceCode code = other.code(images);
  other.add(75, code);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(other.run() == TEL_OK);
    other.call.check_results();
  }
  CHECK(stand_in::count("cuModuleLoadDataEx") == 3);
}

namespace {

/// An image of two parts; the first has a kernel, number 2, that must not run.
struct TwoParts : OtherCode {
  stand_in::ImageData first{stand_in::ImageData::right, good.kernels}, second{stand_in::ImageData::right, {}};
  int32_t number = 2;
  Image part = image(image_cubin, 90, second), ptx = image(image_ptx, 75, good);
  std::vector<Image> images{image(image_cubin, 90, first), ptx};
  DeviceCode both = code(images);

  TwoParts() {
    for (stand_in::Kernel& kernel : first.kernels) {
      if (std::string(kernel.name) != program.code->kernels[number].name) continue;
      second.kernels.push_back(kernel);
      kernel.run = [](const stand_in::Grid&) { stand_in::complain("the first part's kernel runs"); };
    }
    images[0].beside = &part;
    images[0].beside_count = 1;
    images[0].beside_kernels = &number;
    add(75, both);
  }
};

}  // namespace

TEST_CASE_FIXTURE(WithDriver, "the parts of an image are loaded together, and the last one's kernels run") {
  TwoParts parts;
  for (int i = 0; i < 3; ++i) {
    REQUIRE(parts.run() == TEL_OK);
    parts.call.check_results();
  }
  CHECK(stand_in::count("cuModuleLoadDataEx") == 2);
  CHECK(stand_in::live().modules == 2);
}

TEST_CASE_FIXTURE(WithDriver, "where the driver refuses a part, the next image is taken as a whole") {
  TwoParts parts;
  parts.second.version = 13000;
  REQUIRE(parts.run() == TEL_OK);
  parts.call.check_results();
  CHECK(stand_in::count("cuModuleLoadDataEx") == 3);
  CHECK(stand_in::live().modules == 1);
}

TEST_CASE("a failure on the way leaves all parts loaded, or none of them") {
  for (int64_t number = 1;; ++number) {
    const WithDriver driver;
    TwoParts parts;
    stand_in::fail_at(number);
    parts.run();
    const bool is_over = stand_in::failed_function().empty();
    stand_in::fail_at(0);
    CHECK(stand_in::live().modules % 2 == 0);
    if (is_over) break;
    REQUIRE(parts.run() == TEL_OK);
    parts.call.check_results();
    CHECK(stand_in::live().modules == 2);
  }
}

TEST_CASE_FIXTURE(WithDriver, "images that are all refused are followed by those of the next program") {
  OtherCode other;
  const std::vector<Image> newer{OtherCode::image(image_cubin, 90, other.newer)},
      older{OtherCode::image(image_ptx, 75, other.good)};
  const DeviceCode first = other.code(newer), second = other.code(older);
  other.add(90, first);
  other.add(75, second);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(other.run() == TEL_OK);
    other.call.check_results();
  }
  CHECK(stand_in::count("cuModuleLoadDataEx") == 2);
}

TEST_CASE_FIXTURE(WithDriver,
                  "where the driver takes no image, the text has both versions and every reason") {
  OtherCode other;
  const std::vector<Image> newer{OtherCode::image(image_cubin, 90, other.newer),
                                 OtherCode::image(image_ptx, 80, other.wrong)},
      older{OtherCode::image(image_ptx, 75, other.newer)};
  const DeviceCode first = other.code(newer), second = other.code(older);
  other.add(90, first);
  other.add(75, second);
  for (int i = 0; i < 2; ++i) {
    CHECK(other.run() == TEL_DEVICE);
    CHECK(
        std::string(other.call.error.text) ==
        "m::f: device 0: the driver is for CUDA 12.4 and takes none of the code, made with CUDA 13.0 (sm_90: "
        "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (unspecified); PTX for sm_80: CUDA_ERROR_INVALID_IMAGE "
        "(unspecified): line 7: what is this; PTX for sm_75: CUDA_ERROR_UNSUPPORTED_PTX_VERSION "
        "(unspecified)); a newer driver does");
    CHECK(stand_in::count("cuModuleLoadDataEx") == 3);
  }
  stand_in::reset({{90}});
  stand_in::install();
  stand_in::set_version(13000);
  OtherCode later;
  const std::vector<Image> none{OtherCode::image(image_ptx, 75, later.wrong)};
  const DeviceCode code = later.code(none, 0);
  later.add(75, code);
  CHECK(later.run() == TEL_DEVICE);
  CHECK(std::string(later.call.error.text)
            .starts_with("m::f: device 0: the driver is for CUDA 13.0 and takes none of the code, made "
                         "without a CUDA Toolkit (PTX "));
}

TEST_CASE_FIXTURE(WithDriver, "a failure that is no refusal ends the call, and the next one tries again") {
  CudaCall call;
  int64_t number = 1;
  while (stand_in::failed_function() != "cuModuleLoadDataEx") {
    stand_in::reset({{90}});
    stand_in::install();
    CudaCall tried;
    stand_in::fail_at(number++);
    CHECK(tried.run() == TEL_DEVICE);
    REQUIRE(number < 100);
  }
  stand_in::fail_at(0);
  CudaCall again;
  REQUIRE(again.run() == TEL_OK);
  again.check_results();
}

TEST_CASE("no memory says how much was asked for") {
  const WithDriver driver(DeviceModel{90, 100 << 10, 100});
  CudaCall call;
  CHECK(call.fails(TEL_MEMORY) ==
        "m::f: device 0: cuMemAlloc of 256 bytes failed: CUDA_ERROR_OUT_OF_MEMORY (out of memory)");
}
