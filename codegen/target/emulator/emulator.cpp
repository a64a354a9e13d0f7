#include "codegen/target/emulator/emulator.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "codegen/intrinsics/operations.h"
#include "codegen/target/emulator/instrument.h"
#include "dlvm/support/internal_error.h"

namespace codegen::target::emulator {
namespace {

using intrinsics::Definition;

/// Whether the intrinsic's result is the same for a thread whenever it asks.
bool is_constant(const Definition& definition) {
  return definition.scope == intrinsics::Scope::thread && definition.results[0] != 0;
}

bool has_several(const Definition& definition) {
  return definition.results[0] != 0 && definition.results[1] != 0;
}

/// `tel_device_NAME(operand…, results where there are several, site where there is one to say)`.
llvm::FunctionCallee runtime_function(llvm::Module& module, const Definition& definition,
                                      const llvm::FunctionType& operation) {
  std::vector<llvm::Type*> parameters(operation.param_begin(), operation.param_end());
  llvm::Type* pointer = llvm::PointerType::get(module.getContext(), 0);
  llvm::Type* result = operation.getReturnType();
  if (has_several(definition)) {
    parameters.push_back(pointer);
    result = llvm::Type::getVoidTy(module.getContext());
  }
  if (!is_constant(definition)) parameters.push_back(pointer);
  auto callee = module.getOrInsertFunction(std::string("tel_device_") + definition.name,
                                           llvm::FunctionType::get(result, parameters, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  // A bool is a whole byte.
  if (result->isIntegerTy(1)) function->addRetAttr(llvm::Attribute::ZExt);
  for (unsigned i = 0; i < parameters.size(); ++i)
    if (parameters[i]->isIntegerTy(1)) function->addParamAttr(i, llvm::Attribute::ZExt);
  if (is_constant(definition)) {
    function->setDoesNotAccessMemory();
    function->setWillReturn();
  }
  return callee;
}

/// Memory for several results, in the entry block.
llvm::AllocaInst* results_of(llvm::CallInst& call) {
  llvm::BasicBlock& entry = call.getFunction()->getEntryBlock();
  llvm::IRBuilder<> b(&entry, entry.getFirstInsertionPt());
  return b.CreateAlloca(call.getType());
}

void replace(llvm::CallInst& call, const Definition& definition, Sites& sites) {
  llvm::IRBuilder<> b(&call);
  std::vector<llvm::Value*> operands(call.arg_begin(), call.arg_end());
  llvm::AllocaInst* results = has_several(definition) ? results_of(call) : nullptr;
  if (results) operands.push_back(results);
  if (!is_constant(definition)) operands.push_back(sites.add(call, runtime::access_read, 0, llvm::Align(1)));
  auto callee = runtime_function(*call.getModule(), definition, *call.getFunctionType());
  llvm::CallInst* made = b.CreateCall(callee, operands);
  made->setAttributes(llvm::cast<llvm::Function>(callee.getCallee())->getAttributes());
  llvm::Value* value = results ? static_cast<llvm::Value*>(b.CreateLoad(call.getType(), results)) : made;
  if (!call.getType()->isVoidTy()) {
    value->takeName(&call);
    call.replaceAllUsesWith(value);
  }
  call.eraseFromParent();
}

void replace_operations(llvm::Module& module, Sites& sites) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const Definition* definition = intrinsics::operation_of(function);
    if (!definition) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users()))
      replace(*llvm::cast<llvm::CallInst>(user), *definition, sites);
    function.eraseFromParent();
  }
}

/// Turns the module's functions into functions of the host: without debug info, device calling conventions or
/// attributes that no longer hold.
void make_host_code(llvm::Module& module) {
  llvm::StripDebugInfo(module);
  for (llvm::Function& function : module) {
    function.setCallingConv(llvm::CallingConv::C);
    for (const char* attribute : {"target-cpu", "target-features"}) function.removeFnAttr(attribute);
    // What may have been found before there were calls that may not return.
    for (const auto attribute :
         {llvm::Attribute::Memory, llvm::Attribute::NoSync, llvm::Attribute::WillReturn})
      if (!function.isDeclaration()) function.removeFnAttr(attribute);
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        call->setCallingConv(llvm::CallingConv::C);
  }
}

/// `void NAME.emulated(ptr argument_buffer, ptr argument_slots)` for
/// `void NAME(ptr argument_buffer, i32 argument_slot…)`.
void add_entry(llvm::Module& module, const std::string& name) {
  llvm::Function* kernel = module.getFunction(name);
  if (!kernel) dlvm::internal_error("no kernel '" + name + "'");
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  auto* entry = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false),
      llvm::GlobalValue::ExternalLinkage, name + ".emulated", module);
  entry->setDoesNotThrow();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", entry));
  std::vector<llvm::Value*> arguments{b.CreateAddrSpaceCast(entry->getArg(0), kernel->getArg(0)->getType())};
  for (unsigned i = 1; i < kernel->arg_size(); ++i) {
    llvm::Value* at = b.CreateConstInBoundsGEP1_64(b.getInt32Ty(), entry->getArg(1), i - 1);
    arguments.push_back(b.CreateLoad(b.getInt32Ty(), at));
  }
  b.CreateCall(kernel, arguments);
  b.CreateRetVoid();
}

}  // namespace

void lower_for_emulator(llvm::Module& kernels, std::span<const std::string> names) {
  Sites sites(kernels);
  for (llvm::Function& function : kernels)
    if (!function.isDeclaration()) instrument(function, sites);
  replace_operations(kernels, sites);
  sites.finish();
  make_host_code(kernels);
  for (llvm::Function& function : kernels)
    if (!function.isDeclaration()) function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (const std::string& name : names) add_entry(kernels, name);
}

}  // namespace codegen::target::emulator
