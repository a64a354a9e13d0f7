#include <llvm/ExecutionEngine/Orc/ExecutionUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/Support/TargetSelect.h>

#include "codegen/jit/load.h"

namespace codegen::jit {
namespace {

std::string text_of(llvm::Error error) { return llvm::toString(std::move(error)); }

class LinkedSymbols final : public Symbols {
 public:
  explicit LinkedSymbols(std::unique_ptr<llvm::orc::LLJIT> jit) : jit_(std::move(jit)) {}
  LinkedSymbols(const LinkedSymbols&) = delete;
  LinkedSymbols& operator=(const LinkedSymbols&) = delete;

  /// LLJIT runs no destructors of objects, and the threads of the runtime's pool are in the object's code.
  ~LinkedSymbols() override {
    constexpr auto all = llvm::orc::JITDylibLookupFlags::MatchAllSymbols;
    auto end = jit_->getExecutionSession().lookup({{&jit_->getMainJITDylib(), all}},
                                                  jit_->mangleAndIntern("tel.cores.end.3"));
    if (end)
      end->toPtr<void (*)()>()();
    else
      llvm::consumeError(end.takeError());  // the network does not divide its work
  }

  void* find(const std::string& name, std::string& why) override {
    auto address = jit_->lookup(name);
    if (address) return address->toPtr<void*>();
    why = text_of(address.takeError());
    return nullptr;
  }

 private:
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> link(const std::string& object, const std::string& name) {
  auto jit = llvm::orc::LLJITBuilder().create();
  if (!jit) return jit.takeError();
  auto libc = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!libc) return libc.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*libc));
  if (auto error = (*jit)->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(object, name))) return error;
  return jit;
}

}  // namespace

std::unique_ptr<LoadedObject> LoadedObject::load(const std::string& object, interface::Interface interface,
                                                 std::string& why) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = link(object, interface.module);
  if (jit)
    return std::unique_ptr<LoadedObject>(
        new LoadedObject(std::make_unique<LinkedSymbols>(std::move(*jit)), std::move(interface)));
  why = text_of(jit.takeError());
  return nullptr;
}

}  // namespace codegen::jit
