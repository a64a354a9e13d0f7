#include "codegen/target/gpu/emit_kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/emit/emitter.h"
#include "codegen/emit/lines.h"
#include "codegen/intrinsics/operations.h"
#include "codegen/math/operations.h"
#include "codegen/schedule/ir/threads.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/target/gpu/grid.h"
#include "codegen/target/gpu/simt.h"
#include "dlvm/support/internal_error.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {
namespace {

using kernel::Value;
using schedule::Body;
using schedule::BufferId;
using schedule::Loop;
using schedule::LoopKind;
using schedule::Schedule;
using schedule::Space;

constexpr std::uint64_t shared_alignment = 128;
/// Of what the words point to; see runtime/abi.h.
constexpr std::uint64_t word_alignment = 16;

/// A name that PTX allows.
std::string identifier(const std::string& text) {
  std::string name;
  for (const char c : text)
    name += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return name;
}

/// The grid's blocks: the points of its block loops.
dlvm::Extent blocks_of(const Loop& grid) {
  dlvm::Extent blocks = 1;
  for (const Loop* loop : schedule::perfect_nest(grid)) blocks = blocks * loop->extent;
  return blocks;
}

/// Makes the function of a grid, which is a schedule of its own (grid.h).
class GridCode {
 public:
  GridCode(llvm::Module& code, const Schedule& schedule, std::span<const kernel::CheckSite> sites,
           const std::vector<std::string>& names, bool lines)
      : code_(code), schedule_(schedule), sites_(sites), names_(names), lines_(lines) {}

  Kernel emit(const std::string& name) {
    const Body& body_of_grid = schedule_.variants.front().body;
    const Loop& grid = std::get<Loop>(body_of_grid.front().node);
    Kernel kernel{name, schedule_.arguments, 0, 0, blocks_of(grid).is(1)};
    kernel.threads = static_cast<unsigned>(schedule::block_threads(grid));
    llvm::LLVMContext& context = code_.getContext();
    std::vector<llvm::Type*> parameters{llvm::PointerType::get(context, 0)};
    parameters.resize(1 + kernel.arguments, llvm::Type::getInt32Ty(context));
    auto* function =
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false),
                               llvm::GlobalValue::ExternalLinkage, name, code_);
    function->setDoesNotThrow();
    llvm::IRBuilder<> start(llvm::BasicBlock::Create(context, "entry", function));
    auto* body = llvm::BasicBlock::Create(context, "body", function);
    llvm::IRBuilder<> builder(body);
    emit::add_lines(*function, grid.body,  // the emulator always reads them
                    lines_ ? llvm::DICompileUnit::DebugDirectivesOnly : llvm::DICompileUnit::NoDebug);
    llvm::Value* argument_buffer = function->getArg(0);
    llvm::Value* record = global(start, word(start, argument_buffer, start.getInt64(0)));
    emit::Extents extents(start, start.CreateConstInBoundsGEP1_64(start.getInt64Ty(), argument_buffer, 1),
                          names_);
    static_assert(schedule::warp_threads == ::runtime::warp_threads);
    SimtModel model({kernel.threads, static_cast<unsigned>(schedule::warp_threads)});
    emit::Emitter emitter(builder, schedule_, sites_, {}, extents, record, model);
    for (BufferId id = 0; id < schedule_.arguments; ++id) {
      llvm::Value* argument_slot = start.CreateZExt(function->getArg(id + 1), start.getInt64Ty());
      llvm::Value* place = global(start, word(start, argument_buffer, argument_slot));
      place->setName(identifier(schedule_.buffers[id].name));
      emitter.place(id, {place, false, false, word_alignment});
    }
    kernel.shared = place_shared(start, grid, emitter);
    emitter.emit(body_of_grid);
    builder.CreateRetVoid();
    start.CreateBr(body);
    return kernel;
  }

 private:
  llvm::Value* word(llvm::IRBuilder<>& b, llvm::Value* argument_buffer, llvm::Value* index) {
    auto* load = b.CreateLoad(b.getInt64Ty(), b.CreateInBoundsGEP(b.getInt64Ty(), argument_buffer, index));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
    return load;
  }
  /// The pointer, known to be one to global memory.
  static llvm::Value* global(llvm::IRBuilder<>& b, llvm::Value* address) {
    constexpr unsigned global_space = 1;
    return b.CreateAddrSpaceCast(b.CreateIntToPtr(address, b.getPtrTy(global_space)), b.getPtrTy());
  }

  std::int64_t place_shared(llvm::IRBuilder<>& b, const Loop& grid, emit::Emitter& emitter) {
    std::vector<BufferId> buffers;
    schedule::walk<schedule::Allocate>(grid.body, [&](const schedule::Allocate& allocate) {
      if (schedule_.buffers[allocate.buffer].space == Space::shared) buffers.push_back(allocate.buffer);
    });
    if (buffers.empty()) return 0;
    llvm::Value* base = intrinsics::call(b, intrinsics::Operation::shared, {});
    std::int64_t end = 0;
    for (const BufferId id : buffers) {
      const auto bytes = bytes_of(schedule_.buffers[id]).constant();
      if (!bytes) dlvm::internal_error("shared memory without a constant size");
      emitter.place(id, {b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, static_cast<std::uint64_t>(end)),
                         false, true, shared_alignment});
      end += (*bytes + shared_alignment - 1) / shared_alignment * shared_alignment;
    }
    return end;
  }

  llvm::Module& code_;
  const Schedule& schedule_;
  std::span<const kernel::CheckSite> sites_;
  const std::vector<std::string>& names_;
  bool lines_;
};

/// Makes the host's function: a call of `queue->launch` for each grid that has blocks.
class Enqueue {
 public:
  Enqueue(llvm::Module& host, const schedule::ScheduledProgram& scheduled,
          const std::vector<std::vector<Grid>>& grids, const std::vector<std::string>& names)
      : host_(host), scheduled_(scheduled), grids_(grids), names_(names) {}

  llvm::Function* emit(const std::string& name) {
    llvm::LLVMContext& context = host_.getContext();
    llvm::Type *pointer = llvm::PointerType::get(context, 0), *status = llvm::Type::getInt32Ty(context);
    function_ = llvm::Function::Create(llvm::FunctionType::get(status, {pointer, pointer}, false),
                                       llvm::GlobalValue::InternalLinkage, name, host_);
    function_->setDoesNotThrow();
    llvm::IRBuilder<> start(block("entry")), b(block("body"));
    emit::Extents extents(start, function_->getArg(0), names_);
    failed_ = block("failed");
    llvm::IRBuilder<> at_failed(failed_);
    status_ = at_failed.CreatePHI(status, 1);
    at_failed.CreateRet(status_);
    for (const kernel::Launch& launch : scheduled_.program.launches) emit(b, extents, launch);
    b.CreateRet(b.getInt32(0));
    start.CreateBr(llvm::cast<llvm::BasicBlock>(start.GetInsertBlock()->getNextNode()));
    if (status_->getNumIncomingValues() == 0) failed_->eraseFromParent();
    return function_;
  }

 private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(host_.getContext(), name, function_);
  }

  void emit(llvm::IRBuilder<>& b, emit::Extents& extents, const kernel::Launch& launch) {
    const Schedule& schedule = scheduled_.schedules[launch.kernel];
    llvm::BasicBlock* done = block("launched");
    for (std::size_t v = 0; v < schedule.variants.size(); ++v) {
      llvm::BasicBlock* next = done;
      if (!schedule.variants[v].guards.empty()) {
        auto* here = block("variant");
        next = block("next");
        b.CreateCondBr(holds(b, extents, schedule.variants[v]), here, next);
        b.SetInsertPoint(here);
      }
      for (const Grid& grid : grids_[launch.kernel])
        if (grid.variant == v) emit(b, extents, grid, argument_slots_of(launch, grid));
      b.CreateBr(done);
      b.SetInsertPoint(next);
    }
  }

  static llvm::Value* holds(llvm::IRBuilder<>& b, emit::Extents& extents, const schedule::Variant& variant) {
    llvm::Value* all = b.getTrue();
    for (const auto& guard : variant.guards) {
      llvm::Value* value = extents.value(guard.value);
      all = b.CreateAnd(all, b.CreateICmpSGE(value, b.getInt64(static_cast<std::uint64_t>(guard.first))));
      if (guard.end)
        all = b.CreateAnd(all, b.CreateICmpSLT(value, b.getInt64(static_cast<std::uint64_t>(*guard.end))));
    }
    return all;
  }

  void emit(llvm::IRBuilder<>& b, emit::Extents& extents, const Grid& grid, llvm::Value* argument_slots) {
    llvm::Value* blocks = extents.value(grid.blocks);
    auto *launch = block("grid"), *done = block("next");
    b.CreateCondBr(b.CreateICmpSGT(blocks, b.getInt64(0)), launch, done);
    b.SetInsertPoint(launch);
    llvm::Value* queue = function_->getArg(1);
    auto* type = llvm::FunctionType::get(b.getInt32Ty(),
                                         {b.getPtrTy(), b.getInt64Ty(), b.getInt64Ty(), b.getPtrTy()}, false);
    llvm::Value* status = b.CreateCall(type, b.CreateLoad(b.getPtrTy(), queue),
                                       {queue, b.getInt64(grid.kernel), blocks, argument_slots});
    status_->addIncoming(status, launch);
    b.CreateCondBr(b.CreateICmpNE(status, b.getInt32(0)), failed_, done);
    b.SetInsertPoint(done);
  }

  /// Returns the argument slots of the grid's buffers, which are the launch's or workspace that its kernel
  /// shares.
  llvm::Constant* argument_slots_of(const kernel::Launch& launch, const Grid& grid) {
    const std::size_t first = 1 + names_.size();
    const auto shared = workspace(scheduled_.schedules[launch.kernel]).buffers;
    std::vector<std::uint32_t> argument_slots;
    for (const BufferId id : grid.arguments) {
      const auto place =
          static_cast<std::size_t>(std::find(shared.begin(), shared.end(), id) - shared.begin());
      const bool is_shared = place < shared.size();
      argument_slots.push_back(static_cast<std::uint32_t>(
          first + (is_shared ? slot(scheduled_.plan.slots.size() + place) : number(launch.values[id]))));
    }
    auto* data = llvm::ConstantDataArray::get(host_.getContext(), argument_slots);
    auto* global = new llvm::GlobalVariable(host_, data->getType(), true, llvm::GlobalValue::InternalLinkage,
                                            data, "positions");
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return global;
  }
  std::size_t slot(std::size_t i) const { return scheduled_.inputs + scheduled_.outputs + i; }
  std::size_t number(std::uint32_t id) const {
    const Value& value = scheduled_.program.values[id];
    switch (value.place) {
      case Value::Place::input:
        return value.index;
      case Value::Place::output:
        return scheduled_.inputs + value.index;
      case Value::Place::arena:
        return slot(*scheduled_.plan.slot_of[id]);
      case Value::Place::literal:
        return slot(scheduled_.slots.size()) + literal(id);
    }
    return 0;
  }
  /// Its place among the literals.
  std::size_t literal(std::uint32_t id) const {
    const auto& values = scheduled_.program.values;
    return static_cast<std::size_t>(
        std::count_if(values.begin(), values.begin() + id,
                      [](const Value& value) { return value.place == Value::Place::literal; }));
  }

  llvm::Module& host_;
  const schedule::ScheduledProgram& scheduled_;
  const std::vector<std::vector<Grid>>& grids_;
  const std::vector<std::string>& names_;
  llvm::Function* function_ = nullptr;
  llvm::BasicBlock* failed_ = nullptr;
  llvm::PHINode* status_ = nullptr;
};

}  // namespace

schedule::Workspace workspace(const Schedule& schedule) {
  schedule::Workspace result;
  for (BufferId id = schedule.arguments; id < schedule.buffers.size(); ++id) {
    if (schedule.buffers[id].space != Space::arena) continue;
    result.buffers.push_back(id);
    result.bytes.push_back(bytes_of(schedule.buffers[id]));
  }
  return result;
}

std::vector<std::vector<Grid>> emit_kernels(llvm::Module& code, Kernels& kernels,
                                            const schedule::ScheduledProgram& scheduled,
                                            const std::vector<std::string>& names) {
  std::vector<std::vector<Grid>> result;
  for (const Schedule& schedule : scheduled.schedules) {
    result.emplace_back();
    for (std::size_t v = 0; v < schedule.variants.size(); ++v)
      for (const schedule::Statement& statement : schedule.variants[v].body) {
        const auto* loop = std::get_if<Loop>(&statement.node);
        if (loop == nullptr) continue;
        GridSchedule grid = extract_grid(schedule, *loop);
        const auto& sites = scheduled.program.check_sites;
        const auto [known, added] =
            kernels.known.emplace(canonical_key(grid.schedule, sites, names), kernels.all.size());
        if (added) {
          const std::string name =
              identifier(fmt::format("{}_{}_k{}_{}", code.getName().str(), scheduled.program.name,
                                     kernels.all.size(), schedule.name));
          kernels.all.push_back(GridCode(code, grid.schedule, sites, names, kernels.lines).emit(name));
        }
        result.back().push_back({v, known->second, blocks_of(*loop), std::move(grid.arguments)});
      }
  }
  return result;
}

llvm::Function* emit_enqueue(llvm::Module& host, const std::string& name,
                             const schedule::ScheduledProgram& scheduled,
                             const std::vector<std::vector<Grid>>& grids,
                             const std::vector<std::string>& names) {
  return Enqueue(host, scheduled, grids, names).emit(name);
}

std::vector<const dlvm::Tensor*> literals(const kernel::Program& program) {
  std::vector<const dlvm::Tensor*> result;
  for (const Value& value : program.values)
    if (value.place == Value::Place::literal) result.push_back(&value.data);
  return result;
}

}  // namespace codegen::target::gpu
