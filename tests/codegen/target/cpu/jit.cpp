#include "jit.h"

#include <doctest/doctest.h>
#include <llvm/ExecutionEngine/Orc/CompileUtils.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <cstring>

#include "codegen/object/passes.h"
#include "codegen/object/target.h"
#include "codegen/target/cpu/cpu.h"
#include "tests/codegen/scheduled.h"

namespace test {

std::unique_ptr<llvm::TargetMachine> machine(const std::string& cpu, int level) {
  dlvm::Diagnostics diagnostics;
  auto result = codegen::object::make_target_machine({"", cpu, level}, diagnostics);
  REQUIRE(result != nullptr);
  return result;
}

Jit::Jit(std::unique_ptr<llvm::LLVMContext> context, std::unique_ptr<llvm::Module> module,
         llvm::TargetMachine& machine, const std::vector<std::pair<std::string, void*>>& given) {
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  for (llvm::Function& function : *module) {
    if (function.isIntrinsic()) continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    if (!machine.getTargetFeatureString().empty())
      function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  REQUIRE_MESSAGE(!llvm::verifyModule(*module, &stream), problem);
  if (machine.getOptLevel() != llvm::CodeGenOptLevel::None) codegen::object::optimise(*module, machine);
  auto made = llvm::orc::LLJITBuilder()
                  .setCompileFunctionCreator(
                      [&](const llvm::orc::JITTargetMachineBuilder&)
                          -> llvm::Expected<std::unique_ptr<llvm::orc::IRCompileLayer::IRCompiler>> {
                        return std::make_unique<llvm::orc::SimpleCompiler>(machine);
                      })
                  .create();
  REQUIRE(static_cast<bool>(made));
  jit_ = std::move(*made);
  // Of libc, memset and its like alone.
  auto& library = jit_->getMainJITDylib();
  llvm::orc::SymbolMap symbols;
  const auto allow = [&](const std::string& name, auto* function) {
    symbols[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                            llvm::JITSymbolFlags::Exported};
  };
  for (const auto& [name, address] : given) allow(name, address);
  allow("memset", &std::memset);
  allow("memcpy", &std::memcpy);
  allow("memmove", &std::memmove);
  REQUIRE(!library.define(llvm::orc::absoluteSymbols(symbols)));
  REQUIRE(!jit_->addIRModule(llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  find("entry");  // now, while the machine is there
}

Jit::~Jit() = default;

void* Jit::find(const std::string& name) const {
  auto symbol = jit_->lookup(name);
  if (!symbol) FAIL(llvm::toString(symbol.takeError()));
  return symbol->toPtr<void*>();
}

CompiledKernel::CompiledKernel(const codegen::kernel::Kernel& kernel, std::vector<std::string> dimensions,
                               std::vector<codegen::kernel::CheckSite> sites, const std::string& cpu)
    : names_(std::move(dimensions)) {
  auto target = machine(cpu);
  schedule_ = test::schedule_for_cpu(kernel, codegen::target::cpu::cpu_target_of(*target));
  workspace_ = codegen::target::cpu::workspace(schedule_).bytes;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>("test", *context);
  llvm::Function* function = codegen::target::cpu::emit(
      *module, "kernel", schedule_, {sites, names_, codegen::target::cpu::features_of(*target)});
  // One signature for all: void (ptr pointers, ptr dimensions, ptr context).
  llvm::Type* pointer = llvm::PointerType::get(*context, 0);
  auto* entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(*context), {pointer, pointer, pointer}, false),
      llvm::GlobalValue::ExternalLinkage, "entry", *module);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(*context, "entry", entry));
  std::vector<llvm::Value*> arguments;
  for (unsigned i = 0; i + 2 < function->arg_size(); ++i)
    arguments.push_back(b.CreateLoad(pointer, b.CreateConstGEP1_64(pointer, entry->getArg(0), i)));
  arguments.push_back(entry->getArg(1));
  arguments.push_back(entry->getArg(2));
  b.CreateCall(function, arguments);
  b.CreateRetVoid();
  llvm::raw_string_ostream stream(text_);
  module->print(stream, nullptr);
  jit_ = std::make_unique<Jit>(std::move(context), std::move(module), *target);
}

tel_context CompiledKernel::run(std::vector<void*> arguments,
                                const std::vector<std::int64_t>& dimensions) const {
  dlvm::Extent::Bindings bindings;
  for (std::size_t i = 0; i < names_.size(); ++i) bindings[names_[i]] = dimensions[i];
  std::vector<std::vector<std::byte>> memory;
  for (const auto& bytes : workspace_) {
    memory.emplace_back(static_cast<std::size_t>(*bytes.evaluate(bindings)) + 64, std::byte{0xff});
    void* start = memory.back().data();
    std::size_t space = memory.back().size();
    arguments.push_back(std::align(64, 1, start, space));
  }
  tel_execution execution{};
  execution.size = sizeof(tel_execution);
  tel_context context{0, 0, 0, &execution};
  reinterpret_cast<void (*)(void**, const std::int64_t*, tel_context*)>(jit_->find("entry"))(
      arguments.data(), dimensions.data(), &context);
  return context;
}

CompiledProgram::CompiledProgram(codegen::kernel::Program program, const std::string& cpu, int level) {
  auto target = machine(cpu, level);
  scheduled_ = scheduled_for_cpu(std::move(program), codegen::target::cpu::cpu_target_of(*target));
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>("test", *context);
  codegen::target::cpu::Kernels kernels;
  codegen::target::cpu::emit_program(*module, "entry", scheduled_, scheduled_.program.dimensions,
                                     codegen::target::cpu::features_of(*target), kernels);
  module->getFunction("entry")->setLinkage(llvm::GlobalValue::ExternalLinkage);
  llvm::raw_string_ostream stream(text_);
  module->print(stream, nullptr);
  jit_ = std::make_unique<Jit>(std::move(context), std::move(module), *target);
}

namespace {

/// Cores that run one after the other, the last one first, however little there is to do. Each has two
/// pieces, of which it computes the second one first.
void divide(tel_context* context, tel_part part, void* const* frame, std::int64_t iterations, std::int64_t,
            std::int64_t unit) {
  const std::int64_t cores = context->cores;
  std::vector<tel_context> records(2 * static_cast<std::size_t>(cores), *context);
  for (std::int64_t i = cores; i-- > 0;) {
    const std::int64_t begin = iterations * i / cores, end = iterations * (i + 1) / cores;
    const std::int64_t cut = std::max(begin, (begin + end) / 2 / unit * unit);
    const auto record = records.begin() + 2 * i;
    part(frame, &record[1], cut, end, i);
    part(frame, &record[0], begin, cut, i);
  }
  const auto place = [](const tel_context& record) {  // 0 is no site, and comes last
    return std::pair(static_cast<std::uint64_t>(record.site) - 1, record.position);
  };
  for (const tel_context& record : records)
    if (place(record) < place(*context)) *context = record;
}

}  // namespace

CompiledProgram::Execution CompiledProgram::run(const std::vector<dlvm::Tensor>& inputs,
                                                const dlvm::Extent::Bindings& dimensions) const {
  Execution execution = run(inputs, dimensions, 1);
  for (const std::int64_t cores : {2, 3, 8}) {
    const Execution divided = run(inputs, dimensions, cores);
    INFO(cores, " cores");
    for (std::size_t i = 0; i < execution.outputs.size(); ++i)
      CHECK_MESSAGE((execution.outputs[i] == divided.outputs[i]), "output ", i, " depends on the cores");
    CHECK(execution.context.site == divided.context.site);
    CHECK(execution.context.value == divided.context.value);
    CHECK(execution.context.position == divided.context.position);
  }
  return execution;
}

CompiledProgram::Execution CompiledProgram::run(const std::vector<dlvm::Tensor>& inputs,
                                                const dlvm::Extent::Bindings& dimensions,
                                                std::int64_t of_cores) const {
  Execution execution;
  std::vector<void*> buffers;
  for (const dlvm::Tensor& input : inputs) buffers.push_back(const_cast<std::byte*>(input.data()));
  for (const codegen::kernel::Value& value : scheduled_.program.values) {
    if (value.place != codegen::kernel::Value::Place::output) continue;
    std::vector<std::int64_t> extents;
    for (const auto& extent : value.shape) extents.push_back(*extent.evaluate(dimensions));
    execution.outputs.emplace_back(value.element, extents);
    std::memset(execution.outputs.back().data(), 0xff, execution.outputs.back().byte_count());
  }
  for (dlvm::Tensor& output : execution.outputs) buffers.push_back(output.data());
  std::vector<std::vector<std::byte>> memory;
  for (const auto& slot : scheduled_.slots) {
    std::int64_t bytes = 0;
    for (const auto& size : slot) bytes = std::max(bytes, *size.evaluate(dimensions));
    if (memory.size() + scheduled_.core_slots >= scheduled_.slots.size())
      bytes = (bytes + 63) / 64 * 64 * of_cores;
    memory.emplace_back(static_cast<std::size_t>(bytes) + 64, std::byte{0xff});
    void* start = memory.back().data();
    std::size_t space = memory.back().size();
    buffers.push_back(std::align(64, 1, start, space));
  }
  std::vector<std::int64_t> values;
  for (const auto& name : scheduled_.program.dimensions) values.push_back(dimensions.at(name));
  tel_execution serial{};
  serial.size = sizeof(tel_execution);
  execution.context = {0, 0, 0, &serial, of_cores, divide};
  reinterpret_cast<void (*)(void**, const std::int64_t*, tel_context*)>(jit_->find("entry"))(
      buffers.data(), values.data(), &execution.context);
  return execution;
}

}  // namespace test
