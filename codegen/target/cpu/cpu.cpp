#include "codegen/target/cpu/cpu.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/emit/emitter.h"
#include "codegen/emit/lines.h"
#include "codegen/math/operations.h"
#include "codegen/target/cpu/core_model.h"
#include "dlvm/support/internal_error.h"

namespace codegen::target::cpu {
namespace {

using schedule::Buffer;
using schedule::BufferId;
using schedule::Schedule;
using schedule::Space;

/// A panel up to this size lies on the stack.
constexpr std::int64_t stack_limit = 8192;

bool on_stack(const Buffer& buffer) {
  const auto bytes = bytes_of(buffer).constant();
  return bytes && *bytes <= stack_limit;
}

llvm::Value* stack_memory(llvm::IRBuilder<>& builder, const Buffer& buffer) {
  const auto count = static_cast<std::uint64_t>(*element_count(buffer).constant());
  auto* type = llvm::ArrayType::get(math::memory_type(builder.getContext(), buffer.element), count);
  auto* memory = builder.CreateAlloca(type, nullptr, buffer.name);
  if (count > 1) memory->setAlignment(llvm::Align(64));
  return memory;
}

/// Whether the guards hold, as i1; null where there are none.
llvm::Value* holds(llvm::IRBuilder<>& b, emit::Extents& extents, const schedule::Variant& variant) {
  llvm::Value* all = nullptr;
  const auto add = [&](llvm::Value* one) { all = all ? b.CreateAnd(all, one) : one; };
  for (const auto& guard : variant.guards) {
    llvm::Value* value = extents.value(guard.value);
    if (guard.first != 0) add(b.CreateICmpSGE(value, b.getInt64(static_cast<std::uint64_t>(guard.first))));
    if (guard.end) add(b.CreateICmpSLT(value, b.getInt64(static_cast<std::uint64_t>(*guard.end))));
  }
  return all;
}

}  // namespace

math::Features features_of(const llvm::TargetMachine& machine) {
  const auto* subtarget = machine.getMCSubtargetInfo();
  return {subtarget->checkFeatures("+fma"), subtarget->checkFeatures("+sse4.1")};
}

schedule::cpu::CpuTarget cpu_target_of(const llvm::TargetMachine& machine) {
  const auto* subtarget = machine.getMCSubtargetInfo();
  if (subtarget->checkFeatures("+avx512f,+avx512vl,+avx512bw,+avx512dq")) return {64, 32};
  return {subtarget->checkFeatures("+avx2") ? 32 : 16, 16};
}

schedule::Workspace workspace(const Schedule& schedule) {
  schedule::Workspace result;
  for (BufferId id = schedule.arguments; id < schedule.buffers.size(); ++id) {
    const Buffer& buffer = schedule.buffers[id];
    if (buffer.space == Space::registers || on_stack(buffer)) continue;
    result.buffers.push_back(id);
    result.bytes.push_back(bytes_of(buffer));
  }
  return result;
}

llvm::Function* emit(llvm::Module& module, const std::string& name, const Schedule& schedule,
                     std::span<const kernel::CheckSite> sites, const std::vector<std::string>& names,
                     math::Features features, bool lines) {
  llvm::LLVMContext& context = module.getContext();
  const schedule::Workspace work = workspace(schedule);
  const std::size_t count = schedule.arguments + work.buffers.size() + 2;
  const std::vector<llvm::Type*> parameters(count, llvm::PointerType::get(context, 0));
  auto* function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false),
                             llvm::GlobalValue::InternalLinkage, name, module);
  function->setDoesNotThrow();
  if (lines) emit::add_lines(*function, schedule.variants.front().body, llvm::DICompileUnit::LineTablesOnly);
  auto* entry = llvm::BasicBlock::Create(context, "entry", function);
  auto* body = llvm::BasicBlock::Create(context, "body", function);
  llvm::IRBuilder<> start(entry), builder(body);
  emit::Extents extents(start, function->getArg(static_cast<unsigned>(count - 2)), names);
  std::map<BufferId, emit::Memory> memory;
  for (BufferId id = 0; id < schedule.arguments; ++id) {
    function->getArg(id)->setName(schedule.buffers[id].name);
    memory[id] = {function->getArg(id), false, false};
  }
  for (std::size_t i = 0; i < work.buffers.size(); ++i)
    memory[work.buffers[i]] = {function->getArg(static_cast<unsigned>(schedule.arguments + i)), false, false};
  for (BufferId id = schedule.arguments; id < schedule.buffers.size(); ++id)
    if (memory.count(id) == 0 && schedule.buffers[id].space != Space::registers)
      memory[id] = {stack_memory(start, schedule.buffers[id]), false, false};
  for (const schedule::Variant& variant : schedule.variants) {
    llvm::BasicBlock* next = nullptr;
    if (llvm::Value* chosen = holds(builder, extents, variant)) {
      auto* here = llvm::BasicBlock::Create(context, "variant", function);
      next = llvm::BasicBlock::Create(context, "next", function);
      builder.CreateCondBr(chosen, here, next);
      builder.SetInsertPoint(here);
    }
    CoreModel model;
    emit::Emitter emitter(builder, schedule, sites, features, extents,
                          function->getArg(static_cast<unsigned>(count - 1)), model);
    for (const auto& [id, where] : memory) emitter.place(id, where);
    emitter.emit(variant.body);
    builder.CreateRetVoid();
    if (!next) break;
    builder.SetInsertPoint(next);
  }
  if (!builder.GetInsertBlock()->getTerminator()) builder.CreateUnreachable();
  start.CreateBr(body);
  return function;
}

}  // namespace codegen::target::cpu
