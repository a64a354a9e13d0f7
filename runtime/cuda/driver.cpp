#include "runtime/cuda/driver.h"

#include <dlfcn.h>
#include <string.h>

namespace runtime::cuda {
namespace {

constexpr const char* symbols[] = {
#define TEL_DRIVER(name, symbol, ...) symbol,
#include "runtime/cuda/driver.def"
#undef TEL_DRIVER
};
constexpr const char* names[] = {
#define TEL_DRIVER(name, symbol, ...) #name,
#include "runtime/cuda/driver.def"
#undef TEL_DRIVER
};
/// Whether a driver may lack the function.
constexpr bool is_optional[] = {
#define TEL_DRIVER(name, symbol, ...) false,
#define TEL_DRIVER_OPTIONAL(name, symbol, ...) true,
#include "runtime/cuda/driver.def"
#undef TEL_DRIVER
};
constexpr int64_t symbol_count = sizeof symbols / sizeof *symbols;
static_assert(sizeof(Driver) == symbol_count * sizeof(void*));

/// `missing`: a function that the driver does not have, or null.
int32_t too_old(const Driver& driver, tel_error* error, const char* where, const char* missing) {
  Failure failure(error, TEL_DEVICE, where);
  Text& text = failure.text() << "the driver of the GPU is too old: ";
  int32_t version = 0;
  if (driver.cuDriverGetVersion && driver.cuDriverGetVersion(&version) == 0) {
    text << "it is for ";
    write_version(text, version);
    text << ", ";
  }
  write_version(text, min_version);
  text << " is needed";
  if (missing) text << " (" << missing << " is missing)";
  return failure;
}

/// The first symbol that the library lacks and that is not optional, or null.
const char* find_functions(void* library, Driver& driver) {
  const char* missing = nullptr;
  auto** members = reinterpret_cast<void**>(&driver);
  for (int64_t i = 0; i < symbol_count; ++i) {
    members[i] = dlsym(library, symbols[i]);
    if (!members[i] && !is_optional[i] && !missing) missing = symbols[i];
  }
  return missing;
}

}  // namespace

void write_version(Text& text, int64_t version) {
  text << "CUDA " << version / 1000 << '.' << version % 1000 / 10;
}

int32_t start_driver(const Driver& driver, tel_error* error, const char* where) {
  const Calls calls(driver, error, where);
  const Code code = driver.cuInit(0);
  if (code == no_device) {
    Failure failure = calls.fail(TEL_DEVICE);
    failure.text() << "this machine has no CUDA device";
    return failure;
  }
  if (const int32_t status = calls.result(code, &Driver::cuInit)) return status;
  int32_t version = 0;
  if (const int32_t status = calls(&Driver::cuDriverGetVersion, &version)) return status;
  return version < min_version ? too_old(driver, error, where, nullptr) : static_cast<int32_t>(TEL_OK);
}

int32_t open_driver(Driver& driver, void*& library, tel_error* error, const char* where) {
  library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    Failure failure(error, TEL_DEVICE, where);
    const char* reason = dlerror();
    failure.text() << "no driver of an NVIDIA GPU: ";
    reason = reason ? reason : "libcuda.so.1";
    failure.text().quoted(reason, strlen(reason));
    return failure;
  }
  const char* missing = find_functions(library, driver);
  const int32_t status =
      missing ? too_old(driver, error, where, missing) : start_driver(driver, error, where);
  if (status != TEL_OK) dlclose(library);
  return status;
}

Failure Calls::fail(tel_status status) const {
  Failure failure(error_, status, where_);
  if (ordinal_ != no_ordinal) failure.text() << "device " << int64_t{ordinal_} << ": ";
  return failure;
}

int32_t Calls::no_memory() const {
  Failure failure = fail(TEL_MEMORY);
  failure.text() << "no memory";
  return failure;
}

int32_t Calls::allocate(Address& memory, int64_t bytes) const {
  char what[32];
  Text(what, sizeof what) << bytes << " bytes";
  return about(what, &Driver::cuMemAlloc, &memory, static_cast<size_t>(bytes));
}

int32_t Calls::failed(Code code, const void* member, const char* what, const char* note) const {
  Failure failure = fail(code == out_of_memory ? TEL_MEMORY : TEL_DEVICE);
  const auto index = static_cast<void* const*>(member) - reinterpret_cast<void* const*>(&driver_);
  Text& text = failure.text() << names[index];
  if (what) text << " of " << what;
  text << " failed: ";
  write_code(text, code);
  if (note) text << "; " << note;
  return failure;
}

void Calls::write_code(Text& text, Code code) const {
  const char* name = nullptr;
  if (driver_.cuGetErrorName(code, &name) == 0 && name) {
    text << name;
  } else {
    text << "error " << int64_t{code};
  }
  const char* meaning = nullptr;
  if (driver_.cuGetErrorString(code, &meaning) == 0 && meaning) text << " (" << meaning << ")";
}

}  // namespace runtime::cuda
