#include "codegen/target/cpu/cpu.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include "codegen/schedule/ir/walk.h"

namespace codegen::target::cpu {
namespace {

using schedule::Buffer;
using schedule::BufferId;
using schedule::Schedule;
using schedule::Space;

/// A panel up to this size lies on the stack.
constexpr std::int64_t stack_limit = 8192;

}  // namespace

math::Features features_of(const llvm::TargetMachine& machine) {
  const auto* subtarget = machine.getMCSubtargetInfo();
  return {subtarget->checkFeatures("+fma"), subtarget->checkFeatures("+sse4.1"),
          subtarget->checkFeatures("+avx512dq,+avx512vl"), subtarget->checkFeatures("+avx512vl,+avx512bw"),
          static_cast<unsigned>(cpu_target_of(machine).vector_bytes)};
}

schedule::cpu::CpuTarget cpu_target_of(const llvm::TargetMachine& machine) {
  const auto* subtarget = machine.getMCSubtargetInfo();
  if (subtarget->checkFeatures("+avx512f,+avx512vl,+avx512bw,+avx512dq")) return {64, 32};
  return {subtarget->checkFeatures("+avx2") ? 32 : 16, 16};
}

bool has_masked_accesses(const llvm::TargetMachine& machine) {
  return machine.getMCSubtargetInfo()->checkFeatures("+avx");
}

bool is_on_stack(const Buffer& buffer) {
  const auto bytes = bytes_of(buffer).constant();
  return buffer.space != Space::argument && bytes && *bytes <= stack_limit;
}

std::set<BufferId> buffers_of_cores(const Schedule& schedule) {
  std::set<BufferId> result;
  const auto add = [&](const schedule::Allocate& allocate) { result.insert(allocate.buffer); };
  for (const schedule::Variant& variant : schedule.variants)
    for (const schedule::Statement& statement : variant.body)
      if (const auto* loop = std::get_if<schedule::Loop>(&statement.node))
        if (loop->kind == schedule::LoopKind::core) schedule::walk<schedule::Allocate>(loop->body, add);
  return result;
}

schedule::Workspace workspace(const Schedule& schedule) {
  schedule::Workspace result;
  const std::set<BufferId> of_cores = buffers_of_cores(schedule);
  for (const bool of_core : {false, true})
    for (BufferId id = schedule.arguments; id < schedule.buffers.size(); ++id) {
      const Buffer& buffer = schedule.buffers[id];
      if (buffer.space == Space::registers || is_on_stack(buffer) || of_cores.contains(id) != of_core)
        continue;
      result.buffers.push_back(id);
      result.bytes.push_back(bytes_of(buffer));
      result.of_cores += of_core ? 1 : 0;
    }
  return result;
}

}  // namespace codegen::target::cpu
