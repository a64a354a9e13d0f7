// The driver itself: what is counted and fails, its devices, contexts, code and launches.
#include "tests/runtime/cuda/stand_in_machine.h"

namespace stand_in {
namespace {

thread_local std::vector<Context> stack;

}  // namespace

int stand_in_inside = 0;

Code enter(const char* function) {
  ++machine.counts[function];
  const bool fails_here = machine.fail_in == function;
  if (++machine.calls != machine.fail_at && !fails_here) return 0;
  machine.fail_in.clear();
  machine.failed = function;
  return machine.fail_code;
}

Context current() { return stack.empty() ? nullptr : stack.back(); }

Code make_grid(Function function, int64_t blocks, int64_t threads, int64_t shared, void** parameters,
               std::function<void()>& work) {
  if (!function || function->module->context != current()) return invalid_handle;
  if (blocks < 1 || blocks > INT32_MAX || threads < 1 || threads > 1024) return invalid_value;
  if (shared > function->shared_limit) return invalid_value;
  auto copies = std::make_shared<std::vector<std::vector<unsigned char>>>();
  for (size_t i = 0; i < function->kernel->parameter_sizes.size(); ++i) {
    const auto* from = static_cast<const unsigned char*>(parameters[i]);
    copies->emplace_back(from, from + function->kernel->parameter_sizes[i]);
  }
  const Kernel* kernel = function->kernel;
  work = [=] {
    std::vector<void*> pointers;
    for (auto& copy : *copies) pointers.push_back(copy.data());
    const size_t complaints = machine.complaints.size();
    kernel->run({blocks, threads, shared, pointers.data()});
    if (machine.complaints.size() != complaints) machine.sticky = launch_failed;
  };
  return 0;
}

Code cuGetErrorName(Code code, const char** name) {
  BEGIN(cuGetErrorName);
  *name = code == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == 200 ? "CUDA_ERROR_INVALID_IMAGE"
          : code == 222 ? "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
          : code == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
          : code == 999 ? "CUDA_ERROR_UNKNOWN"
                        : "CUDA_ERROR_OTHER";
  return 0;
}

Code cuGetErrorString(Code code, const char** text) {
  BEGIN(cuGetErrorString);
  *text = code == 2 ? "out of memory" : "unspecified";
  return 0;
}

Code cuInit(unsigned flags) {
  BEGIN(cuInit);
  if (flags != 0) return invalid_value;
  machine.started = true;
  return machine.devices.empty() ? no_device : 0;
}

Code cuDriverGetVersion(int32_t* version) {
  BEGIN(cuDriverGetVersion);
  *version = machine.version;
  return 0;
}

Code cuDeviceGet(DeviceHandle* device, int32_t ordinal) {
  BEGIN(cuDeviceGet);
  if (!machine.started) return 3;
  if (ordinal < 0 || ordinal >= static_cast<int32_t>(machine.devices.size())) return 101;
  *device = ordinal + 1000;
  return 0;
}

Code cuDeviceGetCount(int32_t* count) {
  BEGIN(cuDeviceGetCount);
  if (!machine.started) return 3;
  *count = static_cast<int32_t>(machine.devices.size());
  return 0;
}

Code cuDeviceGetName(char* name, int32_t size, DeviceHandle device) {
  BEGIN(cuDeviceGetName);
  snprintf(name, static_cast<size_t>(size), "Stand-in %d", device - 1000);
  return 0;
}

Code cuDeviceTotalMem(size_t* bytes, DeviceHandle device) {
  BEGIN(cuDeviceTotalMem);
  *bytes = static_cast<size_t>(machine.devices[static_cast<size_t>(device - 1000)].memory);
  return 0;
}

Code cuDeviceGetAttribute(int32_t* value, DeviceAttribute attribute, DeviceHandle device) {
  BEGIN(cuDeviceGetAttribute);
  const DeviceModel& model = machine.devices[static_cast<size_t>(device - 1000)];
  if (attribute == compute_capability_major) *value = model.architecture / 10;
  if (attribute == compute_capability_minor) *value = model.architecture % 10;
  if (attribute == shared_memory_limit) *value = model.shared_limit;
  return 0;
}

Code cuDevicePrimaryCtxRetain(Context* context, DeviceHandle device) {
  BEGIN(cuDevicePrimaryCtxRetain);
  *context = &machine.contexts[static_cast<size_t>(device - 1000)];
  ++(*context)->retained;
  return 0;
}

Code cuDevicePrimaryCtxRelease(DeviceHandle device) {
  const Lock lock(machine.lock);
  const Code code = enter("cuDevicePrimaryCtxRelease");
  if (--machine.contexts[static_cast<size_t>(device - 1000)].retained < 0) complain("released too often");
  return code;
}

Code cuCtxPushCurrent(Context context) {
  BEGIN(cuCtxPushCurrent);
  if (context->retained < 1) complain("a context that is not retained");
  stack.push_back(context);
  return 0;
}

Code cuCtxPopCurrent(Context* context) {
  const Lock lock(machine.lock);
  const Code code = enter("cuCtxPopCurrent");
  if (stack.empty()) return invalid_context;
  *context = stack.back();
  stack.pop_back();
  return code;
}

Code cuModuleLoadDataEx(Module* module, const void* image, unsigned count, const LoadOption* options,
                        void** values) {
  BEGIN(cuModuleLoadDataEx);
  if (!current()) return invalid_context;
  auto made = std::make_unique<ModuleHandle>(current());
  const auto& data = *static_cast<const ImageData*>(image);
  if (data.magic == ImageData::right && data.version > machine.version) return unsupported_version;
  if (data.magic == ImageData::right)
    made->kernels = data.kernels;
  else if (is_control(image))
    made->kernels = {control_kernel()};
  else if (machine.read_image)
    made->kernels = machine.read_image(image);
  if (made->kernels.empty()) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == error_log) std::strcpy(static_cast<char*>(values[i]), "line 7: what is this");
    return invalid_image;
  }
  for (const Kernel& kernel : made->kernels)
    made->functions.emplace_back(new FunctionHandle{&kernel, made.get(), default_shared});
  *module = made.release();
  machine.modules.insert(*module);
  return 0;
}

Code cuModuleUnload(Module module) {
  const Lock lock(machine.lock);
  const Code code = enter("cuModuleUnload");
  if (machine.modules.erase(module) != 1 || module->context != current()) return invalid_handle;
  drain_all();
  delete module;
  return code;
}

Code cuModuleGetFunction(Function* function, Module module, const char* name) {
  BEGIN(cuModuleGetFunction);
  for (auto& one : module->functions)
    if (std::strcmp(one->kernel->name, name) == 0) {
      *function = one.get();
      return 0;
    }
  return not_found;
}

Code cuFuncSetAttribute(Function function, FunctionAttribute attribute, int32_t value) {
  BEGIN(cuFuncSetAttribute);
  const auto& model = machine.devices[static_cast<size_t>(current()->ordinal)];
  if (attribute != dynamic_shared_memory || value > model.shared_limit) return invalid_value;
  function->shared_limit = value;
  return 0;
}

Code cuLaunchKernel(Function function, unsigned x, unsigned y, unsigned z, unsigned threads, unsigned block_y,
                    unsigned block_z, unsigned shared, Stream stream, void** parameters, void** extra) {
  BEGIN(cuLaunchKernel);
  if (y != 1 || z != 1 || block_y != 1 || block_z != 1 || extra) return invalid_value;
  std::function<void()> work;
  if (const Code code = make_grid(function, x, threads, shared, parameters, work)) return code;
  return append(stream, std::move(work));
}

void start(std::vector<DeviceModel> devices) {
  const Lock lock(machine.lock);
  stack.clear();
  machine.memory.clear();
  machine.page_locked.clear();
  machine.streams.clear();
  machine.nodes.clear();
  machine.bodies.clear();
  machine.conditions.clear();
  machine.refuses_control = false;
  machine.complaints.clear();
  machine.contexts.clear();
  machine.devices = std::move(devices);
  machine.sticky = 0;
  machine.started = false;
  machine.version = 12040;
  machine.next = Address{1} << 48;  // no address of the processor
  for (int32_t i = 0; i < static_cast<int32_t>(machine.devices.size()); ++i)
    machine.contexts.push_back({i, 0});
  for (auto& context : machine.contexts)
    machine.streams.emplace_back(new StreamHandle{&context, {}, {}, false, false});
  fail_at(0);
}

Driver table() {
  return {
#define TEL_DRIVER(name, ...) name,
#include "runtime/cuda/driver.def"
#undef TEL_DRIVER
  };
}

void fail_at(int64_t call, Code code) {
  const Lock lock(machine.lock);
  machine.calls = 0;
  machine.fail_at = call;
  machine.fail_code = code;
  machine.fail_in.clear();
  machine.failed.clear();
  machine.counts.clear();
}

void fail_in(const std::string& function, Code code) {
  const Lock lock(machine.lock);
  fail_at(0, code);
  machine.fail_in = function;
}

int64_t calls_since() { return machine.calls; }
std::string failed_function() { return machine.failed; }
int64_t count(const std::string& function) { return machine.counts[function]; }

Live live() {
  const Lock lock(machine.lock);
  int64_t contexts = 0;
  for (const auto& context : machine.contexts) contexts += context.retained;
  int64_t pending = 0;
  for (const auto& stream : machine.streams) pending += static_cast<int64_t>(stream->work.size());
  const auto size = [](const auto& set) { return static_cast<int64_t>(set.size()); };
  return {size(machine.memory),
          size(machine.modules),
          size(machine.graphs),
          size(machine.executions),
          contexts,
          size(stack),
          pending};
}

void refuse_control() { machine.refuses_control = true; }
void set_version(int32_t version) { machine.version = version; }
void set_image_reader(ImageReader reader) { machine.read_image = reader; }

std::vector<std::string> complaints() {
  const Lock lock(machine.lock);
  return machine.complaints;
}

void complain(std::string text) {
  const Lock lock(machine.lock);
  machine.complaints.push_back(std::move(text));
}

}  // namespace stand_in
