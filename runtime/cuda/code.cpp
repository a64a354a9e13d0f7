#include "runtime/cuda/code.h"

#include <stdlib.h>

#include "runtime/cuda/images.h"

namespace runtime::cuda {
namespace {

constexpr int64_t shared_without_asking = 48 << 10;
constexpr int64_t literal_alignment = 256;

const Loaded* find_loaded(const Device& device, const DeviceCode& code) {
  const Loaded* loaded = first(device.loaded);
  while (loaded && loaded->code != &code) loaded = loaded->next;
  return loaded;
}

/// Whether there is an image of the program for the device.
bool suits(const DeviceProgram& program, const Device& device) {
  return program.architecture <= device.architecture &&
         next_image(*program.code, device.architecture, nullptr) != nullptr;
}

/// Calls `each` with the code of all programs.
template <typename Each>
void for_each_code(const Devices& devices, Each each) {
  for (int64_t i = 0; i < devices.program_count; ++i)
    if (i == 0 || devices.programs[i].code != devices.programs[i - 1].code) each(*devices.programs[i].code);
}

void write_refusals(Text& text, const Calls& calls, const Device& device, const Devices& devices) {
  int32_t version = 0;
  text << "the driver";
  if (calls.driver().cuDriverGetVersion(&version) == 0) write_version(text << " is for ", version);
  text << " and takes none of the code, ";
  const int64_t toolkit = devices.programs[0].code->toolkit;
  if (toolkit > 0) write_version(text << "made with ", toolkit);
  if (toolkit == 0) text << "made without a CUDA Toolkit";
  const char* before = " (";
  for_each_code(devices, [&](const DeviceCode& code) {
    const Loaded* loaded = find_loaded(device, code);
    if (loaded && !loaded->image) text << before << loaded->refusals, before = "; ";
  });
  text << "); a newer driver does";
}

int32_t no_code(const Calls& calls, const Device& device, const Devices& devices) {
  Failure failure = calls.fail(TEL_DEVICE);
  bool refused = false;
  for (int64_t i = 0; i < devices.program_count; ++i) refused |= suits(devices.programs[i], device);
  if (refused) {
    write_refusals(failure.text(), calls, device, devices);
    return failure;
  }
  Text& text = failure.text() << "it is sm_" << int64_t{device.architecture} << ", there is code for ";
  const char* before = "";
  for_each_code(devices, [&](const DeviceCode& code) {
    for (int64_t i = 0; i < code.image_count; ++i, before = ", ") write_image(text << before, code.images[i]);
  });
  return failure;
}

int32_t find_kernel(const Calls& calls, const Device& device, Module module, const Kernel& kernel,
                    Function& function) {
  if (const int32_t status =
          calls.about(kernel.name, &Driver::cuModuleGetFunction, &function, module, kernel.name))
    return status;
  if (kernel.shared > device.shared_limit) {
    Failure failure = calls.fail(TEL_DEVICE);
    failure.text() << kernel.name << " needs " << kernel.shared << " bytes of shared memory, but a block has "
                   << device.shared_limit;
    return failure;
  }
  if (kernel.shared <= shared_without_asking) return TEL_OK;
  return calls.about(kernel.name, &Driver::cuFuncSetAttribute, function, dynamic_shared_memory,
                     static_cast<int32_t>(kernel.shared));
}

int32_t find_kernels(const Calls& calls, const Device& device, Loaded& loaded) {
  const DeviceCode& code = *loaded.code;
  const auto find_in = [&](Module module, int64_t i) {
    return find_kernel(calls, device, module, code.kernels[i], loaded.kernels[i]);
  };
  for (int64_t i = 0; i < code.kernel_count; ++i)
    if (const int32_t status = find_in(loaded.modules[0], i)) return status;
  const Image* before = loaded.image;
  for (int64_t part = 1; part < loaded.module_count; ++part, before = before->beside)
    for (int64_t i = 0; i < before->beside_count; ++i)
      if (const int32_t status = find_in(loaded.modules[part], before->beside_kernels[i])) return status;
  const auto find = [&](const char* name, Function& function) {
    return calls.about(name, &Driver::cuModuleGetFunction, &function, loaded.modules[0], name);
  };
  if (const int32_t status = find(argument_kernel, loaded.copy_words)) return status;
  if (const int32_t status = find(update_kernel, loaded.update)) return status;
  for (const CombineKernel& kernel : combine_kernels)
    if (const int32_t status = find(kernel.name, loaded.combine[kernel.type])) return status;
  return TEL_OK;
}

/// With the process's lock. Code whose images were all refused is kept, without a module.
int32_t load_code(const Calls& calls, Device& device, const DeviceCode& code, const Loaded*& found) {
  found = find_loaded(device, code);
  if (found) return TEL_OK;
  const auto count = static_cast<size_t>(code.kernel_count), parts = static_cast<size_t>(max_parts(code));
  auto* made =
      static_cast<Loaded*>(calloc(1, sizeof(Loaded) + count * sizeof(Function) + parts * sizeof(Module)));
  if (!made) return calls.no_memory();
  made->code = &code;
  made->kernels = reinterpret_cast<Function*>(made + 1);
  made->modules = reinterpret_cast<Module*>(made->kernels + count);
  int32_t status = load_modules(calls, device, *made);
  if (status == TEL_OK && made->image) {
    status = find_kernels(calls, device, *made);
    if (status != TEL_OK) unload_modules(calls.driver(), *made);
  }
  if (status != TEL_OK) {
    free(made);
    return status;
  }
  push(device.loaded, made);
  found = made;
  return TEL_OK;
}

int64_t place_literals(const DeviceProgram& program, Address* literals) {
  int64_t size = 0;
  for (int64_t i = 0; i < program.literal_count; ++i) {
    literals[i] = static_cast<Address>(size);
    size += (program.literals[i].size + literal_alignment - 1) / literal_alignment * literal_alignment;
  }
  return size;
}

int32_t copy_literals(const Calls& calls, const Ready& ready, Stream stream) {
  const DeviceProgram& program = *ready.program;
  for (int64_t i = 0; i < program.literal_count; ++i) {
    const Literal& literal = program.literals[i];
    if (literal.size == 0) continue;
    if (const int32_t status = calls(&Driver::cuMemcpyHtoDAsync, ready.literals[i], literal.data,
                                     static_cast<size_t>(literal.size), stream))
      return status;
  }
  return calls(&Driver::cuStreamSynchronize, stream);
}

int32_t upload_literals(const Calls& calls, Ready& ready, Stream stream) {
  const int64_t size = place_literals(*ready.program, ready.literals);
  if (size == 0) return TEL_OK;
  if (const int32_t status = calls.allocate(ready.memory, size)) return status;
  for (int64_t i = 0; i < ready.program->literal_count; ++i) ready.literals[i] += ready.memory;
  const int32_t status = copy_literals(calls, ready, stream);
  if (status != TEL_OK) calls.driver().cuMemFree(ready.memory);
  return status;
}

/// With the process's lock. `ready` stays null, with TEL_OK, where the driver refuses the program's images.
int32_t make_program(const Calls& calls, Device& device, const DeviceProgram& program, Stream stream,
                     const Ready*& ready) {
  const Loaded* loaded = nullptr;
  if (const int32_t status = load_code(calls, device, *program.code, loaded)) return status;
  if (!loaded->image) return TEL_OK;
  const auto count = static_cast<size_t>(program.literal_count);
  auto* made = static_cast<Ready*>(calloc(1, sizeof(Ready) + count * sizeof(Address)));
  if (!made) return calls.no_memory();
  made->program = &program;
  made->loaded = loaded;
  made->literals = reinterpret_cast<Address*>(made + 1);
  if (const int32_t status = upload_literals(calls, *made, stream)) {
    free(made);
    return status;
  }
  push(device.ready, made);
  ready = made;
  return TEL_OK;
}

}  // namespace

const DeviceProgram* best_program(const Devices& devices, const Device& device) {
  for (int64_t i = 0; i < devices.program_count; ++i) {
    const DeviceProgram& program = devices.programs[i];
    if (!suits(program, device)) continue;
    const Loaded* loaded = find_loaded(device, *program.code);
    if (!loaded || loaded->image) return &program;
  }
  return nullptr;
}

const Ready* find_ready(const Device& device, const Devices& devices) {
  const DeviceProgram* program = best_program(devices, device);
  const Ready* ready = program ? first(device.ready) : nullptr;
  while (ready && ready->program != program) ready = ready->next;
  return ready;
}

int32_t make_ready(const Calls& calls, Device& device, const Devices& devices, Stream stream,
                   const Ready*& ready) {
  ready = find_ready(device, devices);
  if (ready) return TEL_OK;
  const Lock lock;
  while (const DeviceProgram* program = best_program(devices, device)) {
    ready = find_ready(device, devices);
    const int32_t status =
        ready ? static_cast<int32_t>(TEL_OK) : make_program(calls, device, *program, stream, ready);
    if (ready || status != TEL_OK) return status;
  }
  return no_code(calls, device, devices);
}

void unload_code(const Driver& driver, Device& device) {
  while (Ready* ready = device.ready) {
    device.ready = ready->next;
    if (ready->memory != 0) driver.cuMemFree(ready->memory);
    free(ready);
  }
  while (Loaded* loaded = device.loaded) {
    device.loaded = loaded->next;
    unload_modules(driver, *loaded);
    free(loaded);
  }
}

}  // namespace runtime::cuda
