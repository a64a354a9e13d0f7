#include "codegen/target/cpu/emit_program.h"

#include <llvm/IR/IRBuilder.h>

namespace codegen::target::cpu {
namespace {

using kernel::Launch;
using kernel::Program;
using kernel::Value;

/// Makes the compute function: pointers from `buffers`, a call a launch.
class Compute {
 public:
  Compute(llvm::Module& module, const schedule::ScheduledProgram& scheduled)
      : module_(module), scheduled_(scheduled) {}

  void emit(const std::string& name, const std::vector<llvm::Function*>& kernels) {
    llvm::LLVMContext& context = module_.getContext();
    llvm::Type* pointer = llvm::PointerType::get(context, 0);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, pointer}, false);
    auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module_);
    function->setDoesNotThrow();
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", function));
    builder_ = &builder;
    buffers_ = function->getArg(0);
    for (const Launch& launch : scheduled_.program.launches) {
      std::vector<llvm::Value*> arguments;
      for (const std::uint32_t value : launch.values) arguments.push_back(pointer_to(value));
      const std::size_t shared = workspace(scheduled_.schedules[launch.kernel]).bytes.size();
      for (std::size_t i = 0; i < shared; ++i) arguments.push_back(slot(scheduled_.plan.slots.size() + i));
      arguments.push_back(function->getArg(1));
      arguments.push_back(function->getArg(2));
      builder.CreateCall(kernels[launch.kernel], arguments);
    }
    builder.CreateRetVoid();
  }

 private:
  llvm::Value* buffer(std::size_t i) {
    llvm::Type* pointer = builder_->getPtrTy();
    return builder_->CreateLoad(pointer, builder_->CreateConstInBoundsGEP1_64(pointer, buffers_, i));
  }
  llvm::Value* slot(std::size_t i) { return buffer(scheduled_.inputs + scheduled_.outputs + i); }

  llvm::Value* pointer_to(std::uint32_t id) {
    const Value& value = scheduled_.program.values[id];
    switch (value.place) {
      case Value::Place::input:
        return buffer(value.index);
      case Value::Place::output:
        return buffer(scheduled_.inputs + value.index);
      case Value::Place::arena:
        return slot(*scheduled_.plan.slot_of[id]);
      case Value::Place::literal:
        return literal(value);
    }
    return nullptr;
  }

  llvm::Value* literal(const Value& value) {
    const char* bytes = reinterpret_cast<const char*>(value.data.data());
    auto* data = llvm::ConstantDataArray::getString(module_.getContext(),
                                                    llvm::StringRef(bytes, value.data.byte_count()), false);
    auto* global = new llvm::GlobalVariable(module_, data->getType(), true,
                                            llvm::GlobalValue::InternalLinkage, data, "literal");
    global->setAlignment(llvm::Align(64));
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return global;
  }

  llvm::Module& module_;
  const schedule::ScheduledProgram& scheduled_;
  llvm::IRBuilder<>* builder_ = nullptr;
  llvm::Value* buffers_ = nullptr;
};

/// Whether memory that the kernel writes is that of no other argument, in any launch.
bool writes_apart(const schedule::ScheduledProgram& scheduled, std::uint32_t kernel) {
  const auto place = [&](std::uint32_t id) {
    const Value& value = scheduled.program.values[id];
    const std::uint32_t where =
        value.place == Value::Place::arena ? *scheduled.plan.slot_of[id] : value.index;
    return std::pair(value.place, where);
  };
  const auto& buffers = scheduled.program.kernels[kernel].buffers;
  for (const Launch& launch : scheduled.program.launches) {
    if (launch.kernel != kernel) continue;
    for (std::size_t i = 0; i < launch.values.size(); ++i)
      for (std::size_t j = 0; buffers[i].written && j < launch.values.size(); ++j)
        if (i != j && place(launch.values[i]) == place(launch.values[j])) return false;
  }
  return true;
}

}  // namespace

void emit_program(llvm::Module& module, const std::string& name, const schedule::ScheduledProgram& scheduled,
                  const std::vector<std::string>& names, math::Features features, Kernels& kernels,
                  bool lines) {
  const Program& program = scheduled.program;
  std::vector<llvm::Function*> functions;
  for (std::uint32_t i = 0; i < program.kernels.size(); ++i) {
    const bool apart = writes_apart(scheduled, i);
    auto& emitted = apart ? kernels.distinct : kernels.overlapping;
    llvm::Function*& known = emitted[canonical_key(scheduled.schedules[i], program.check_sites, names)];
    if (!known) {
      known = emit(module, name + "." + program.kernels[i].name, scheduled.schedules[i], program.check_sites,
                   names, features, lines);
      known->addFnAttr(llvm::Attribute::NoInline);
      for (unsigned k = 0; apart && k < known->arg_size(); ++k)
        known->addParamAttr(k, llvm::Attribute::NoAlias);
    }
    functions.push_back(known);
  }
  Compute(module, scheduled).emit(name, functions);
}

}  // namespace codegen::target::cpu
