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

std::vector<const dlvm::Tensor*> literals(const kernel::Program& program) {
  std::vector<const dlvm::Tensor*> result;
  for (const Value& value : program.values)
    if (value.place == Value::Place::literal) result.push_back(&value.data);
  return result;
}

}  // namespace codegen::target::gpu
