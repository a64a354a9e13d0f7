#include <doctest/doctest.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugFrame.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Target/TargetMachine.h>

#include <map>
#include <set>

#include "codegen/object/object.h"

namespace {

using codegen::object::Emission;
using llvm::object::SymbolRef;
using Names = std::set<std::string>;

/// An object whose only function, `entry`, calls these.
std::optional<std::string> object_that_calls(const Names& names, std::string& messages) {
  llvm::LLVMContext context;
  llvm::Module module("network", context);
  dlvm::Diagnostics diagnostics;
  const auto machine = codegen::object::make_target_machine({"", "x86-64", 2}, diagnostics);
  REQUIRE(machine);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto* entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "entry", module);
  entry->setUWTableKind(llvm::UWTableKind::Default);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", entry));
  for (const std::string& name : names) builder.CreateCall(module.getOrInsertFunction(name, type));
  builder.CreateRetVoid();
  auto object = codegen::object::emit(module, *machine, Emission::object, diagnostics);
  messages = dlvm::render(diagnostics);
  return object;
}

std::string object_that_calls(const Names& names) {
  std::string messages;
  const auto object = object_that_calls(names, messages);
  INFO(messages);
  REQUIRE(object);
  return *object;
}

struct Symbols {
  Names undefined, global, local;
};

Symbols symbols_of(const std::string& bytes) {
  const auto object =
      llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object")));
  Symbols symbols;
  for (const auto& symbol : object->symbols()) {
    const auto flags = llvm::cantFail(symbol.getFlags());
    const std::string name = llvm::cantFail(symbol.getName()).str();
    if (name.empty() || (flags & SymbolRef::SF_FormatSpecific)) continue;
    ((flags & SymbolRef::SF_Undefined) ? symbols.undefined
     : (flags & SymbolRef::SF_Global)  ? symbols.global
                                       : symbols.local)
        .insert(name);
  }
  return symbols;
}

bool mentions(const Names& names, const std::string& part) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

/// The functions of libc that every object may need, and those that objects with an emulator or with code for
/// GPUs may need besides.
const Names libc{"__errno_location",
                 "aligned_alloc",
                 "clock_gettime",
                 "close",
                 "fchmod",
                 "free",
                 "fstat",
                 "fsync",
                 "getpid",
                 "malloc",
                 "memchr",
                 "memcmp",
                 "memcpy",
                 "memmove",
                 "memset",
                 "open",
                 "pread",
                 "qsort",
                 "realloc",
                 "realpath",
                 "rename",
                 "stat",
                 "strcmp",
                 "strdup",
                 "strlen",
                 "strncmp",
                 "strrchr",
                 "unlink",
                 "write"};
const Names of_emulator{"getenv",
                        "madvise",
                        "mmap",
                        "mprotect",
                        "munmap",
                        "pthread_create",
                        "pthread_join",
                        "pthread_mutex_destroy",
                        "pthread_mutex_init",
                        "pthread_mutex_lock",
                        "pthread_mutex_unlock",
                        "sched_yield",
                        "sysconf"};
const Names of_gpus{"calloc",
                    "dlclose",
                    "dlerror",
                    "dlopen",
                    "dlsym",
                    "getenv",
                    "pthread_mutex_lock",
                    "pthread_mutex_unlock"};

void check_needs(const std::string& object, const Names& besides) {
  for (const std::string& name : symbols_of(object).undefined) {
    CAPTURE(name);
    CHECK((libc.contains(name) || besides.contains(name)));
  }
}

const Names entries{"tel_call", "tel_prepare", "tel_wait",    "tel_workspace",
                    "tel_load", "tel_save",    "tel_combine", "tel_initialize"};

Names with(Names names, const Names& more) {
  names.insert(more.begin(), more.end());
  return names;
}

}  // namespace

TEST_CASE("an object holds what it uses of the runtime, and what that uses") {
  const Symbols none = symbols_of(object_that_calls({}));
  CHECK(none.global == Names{"entry"});
  CHECK(none.local.empty());
  CHECK(none.undefined.empty());
  const Symbols call = symbols_of(object_that_calls({"tel_call"}));
  CHECK(call.local.contains("tel_call"));
  CHECK(!call.local.contains("tel_save"));
  CHECK(!mentions(call.local, "emulator"));
  CHECK(!mentions(call.local, "cuda"));
  CHECK(symbols_of(object_that_calls({"tel_call", "tel_save"})).local.contains("tel_save"));
}

TEST_CASE("functions of libm come from the runtime, under their own names") {
  const Symbols symbols = symbols_of(object_that_calls({"floor", "fmaf", "__truncdfhf2"}));
  for (const char* name : {"floor", "fmaf", "__truncdfhf2"}) CHECK(symbols.local.contains(name));
  CHECK(symbols.undefined.empty());
  CHECK(!symbols.local.contains("tel_call"));
}

TEST_CASE("an object that needs more than libc is a mistake of the compiler") {
  for (const char* name : {"sin", "dlopen", "malloc"}) {
    std::string messages;
    CHECK(!object_that_calls({name}, messages));
    CHECK(messages.find("it needs '" + std::string(name) + "', which is not in libc") != std::string::npos);
  }
}

TEST_CASE("the runtime needs libc alone") {
  check_needs(object_that_calls(with(entries, {"fma", "__truncdfhf2"})), {});
  const Names emulator{"tel_emulator_call", "tel_emulator_access", "tel_device_multiply_bf16"};
  check_needs(object_that_calls(with(entries, emulator)), of_emulator);
}

TEST_CASE("the driver is opened where there is code for GPUs, by state that programs share") {
  const std::string object =
      object_that_calls(with(entries, {"tel_cuda_call", "tel_cuda_workspace", "tel_choose_device",
                                       "tel_cuda_wait", "tel_cuda_combine"}));
  check_needs(object, of_gpus);
  CHECK(symbols_of(object).global == Names{"entry", "tel.cuda.5", "tel.cuda.functions.1"});
}

TEST_CASE("every function of an object can be unwound") {
  const std::string bytes = object_that_calls(entries);
  const auto object =
      llvm::cantFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "object")));
  std::set<std::pair<std::uint64_t, std::uint64_t>> functions;  // sections and offsets: some have two names
  std::size_t unwound = 0;
  for (const llvm::object::ELFSymbolRef symbol : object->symbols())
    if (symbol.getELFType() == llvm::ELF::STT_FUNC && symbol.getSize() > 0)
      functions.emplace(llvm::cantFail(symbol.getSection())->getIndex(), llvm::cantFail(symbol.getValue()));
  const auto debug = llvm::DWARFContext::create(*object);
  for (const llvm::dwarf::FrameEntry& entry : llvm::cantFail(debug->getEHFrame())->entries())
    unwound += entry.getKind() == llvm::dwarf::FrameEntry::FK_FDE;
  CHECK(functions.size() > 40);
  CHECK(unwound == functions.size());
}

TEST_CASE("the same module gives the same object") {
  CHECK(object_that_calls(entries) == object_that_calls(entries));
}
