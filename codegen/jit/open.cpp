#include <dlfcn.h>

#include "codegen/jit/load.h"

namespace codegen::jit {
namespace {

class OpenedSymbols final : public Symbols {
 public:
  explicit OpenedSymbols(void* library) : library_(library) {}

  void* find(const std::string& name, std::string& why) override {
    void* address = dlsym(library_, name.c_str());
    if (address == nullptr) why = dlerror();
    return address;
  }

 private:
  void* library_;
};

}  // namespace

std::unique_ptr<LoadedObject> LoadedObject::open(const std::string& path, interface::Interface interface,
                                                 std::string& why) {
  if (void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL))
    return std::unique_ptr<LoadedObject>(
        new LoadedObject(std::make_unique<OpenedSymbols>(library), std::move(interface)));
  why = dlerror();
  return nullptr;
}

}  // namespace codegen::jit
