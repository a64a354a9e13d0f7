#include <cstdlib>

#include "codegen/describe_interface.h"
#include "codegen/entry_functions.h"
#include "codegen/kernel/build/build.h"
#include "tests/support/object.h"

namespace test {
namespace {

/// All that a caller needs; the sizes of the workspace are the object's own affair.
std::optional<codegen::interface::Interface> interface_of(const dlvm::Module& module,
                                                          const std::string& source, std::string& why) {
  dlvm::Diagnostics diagnostics;
  std::map<std::string, codegen::CompiledFunction> functions;
  for (const std::string& name : codegen::entry_functions(module)) {
    auto program = codegen::kernel::build(*module.function(name), diagnostics);
    if (!program) {
      why = dlvm::render(diagnostics);
      return std::nullopt;
    }
    functions.emplace(name, codegen::CompiledFunction{std::move(*program), {}});
  }
  return codegen::describe(module, source, functions);
}

}  // namespace

std::unique_ptr<codegen::jit::LoadedObject> load(const dlvm::Module& module, const std::string& source,
                                                 std::string& why, const Devices&) {
  const char* folder = std::getenv("TEL_TEST_OBJECTS");
  if (folder == nullptr) {
    why = "TEL_TEST_OBJECTS does not name the folder of the objects";
    return nullptr;
  }
  auto interface = interface_of(module, source, why);
  if (!interface) return nullptr;
  const std::string path = std::string(folder) + "/" + object_name(module) + ".so";
  return codegen::jit::LoadedObject::open(path, std::move(*interface), why);
}

bool record(const dlvm::Module&, const std::string&, std::string& why) {
  why = "this program opens objects and compiles none";
  return false;
}

}  // namespace test
