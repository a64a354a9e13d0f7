// The functions of a kernel: one that runs the schedule, and one for each core loop, which runs a range of
// its iterations. What is known outside of a core loop is computed again in its function: extents, and the
// addresses of the buffers of the core that runs it.
#include "codegen/emit/emitter.h"
#include "codegen/emit/lines.h"
#include "codegen/math/operations.h"
#include "codegen/schedule/cpu/cores.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/target/cpu/core_model.h"
#include "codegen/target/cpu/core_ranges.h"
#include "codegen/target/cpu/cpu.h"
#include "runtime/abi.h"

namespace codegen::target::cpu {
namespace {

using schedule::Buffer;
using schedule::BufferId;
using schedule::Loop;
using schedule::Schedule;
using schedule::Space;

/// A function under construction. What it computes once is in its entry block, which `start` fills.
struct FunctionBuilder {
  FunctionBuilder(llvm::Function& function, unsigned dimensions, const KernelOptions& options)
      : function(function),
        start(llvm::BasicBlock::Create(function.getContext(), "entry", &function)),
        body(llvm::BasicBlock::Create(function.getContext(), "body", &function)),
        extents(start, function.getArg(dimensions), options.names) {
    if (llvm::DISubprogram* lines = function.getSubprogram())  // of what belongs to no stage
      body.SetCurrentDebugLocation(llvm::DILocation::get(function.getContext(), lines->getLine(), 0, lines));
  }

  /// Ends the entry block; the body has its own end.
  void finish(llvm::BasicBlock& first) { start.CreateBr(&first); }

  llvm::Function& function;
  llvm::IRBuilder<> start, body;
  emit::Extents extents;
  std::map<BufferId, emit::Memory> memory;
};

class KernelEmitter {
 public:
  KernelEmitter(llvm::Module& module, const std::string& name, const Schedule& schedule,
                const KernelOptions& options)
      : module_(module),
        name_(name),
        schedule_(schedule),
        options_(options),
        workspace_(workspace(schedule)),
        of_cores_(buffers_of_cores(schedule)) {
    for (BufferId id = 0; id < schedule.arguments; ++id) passed_.push_back(id);
    passed_.insert(passed_.end(), workspace_.buffers.begin(), workspace_.buffers.end());
    arguments_ = static_cast<unsigned>(passed_.size());
    for (BufferId id = schedule.arguments; id < schedule.buffers.size(); ++id)
      if (is_in_frame(id) && !of_cores_.contains(id)) passed_.push_back(id);
  }

  llvm::Function* emit() {
    llvm::Function* function = add_function(name_, std::vector<llvm::Type*>(arguments_ + 2, pointer()));
    if (options_.lines)
      emit::add_lines(*function, schedule_.variants.front().body, llvm::DICompileUnit::LineTablesOnly);
    FunctionBuilder f(*function, arguments_, options_);
    llvm::BasicBlock& first = *f.body.GetInsertBlock();
    place_arguments(f, arguments_);
    for (BufferId id = schedule_.arguments; id < schedule_.buffers.size(); ++id)
      if (is_in_frame(id) && !of_cores_.contains(id)) f.memory[id] = {stack_memory(f, id), false, false};
    for (const schedule::Variant& variant : schedule_.variants)
      if (!emit(f, variant)) break;
    if (!f.body.GetInsertBlock()->getTerminator()) f.body.CreateUnreachable();
    f.finish(first);
    return function;
  }

 private:
  llvm::Type* pointer() const { return llvm::PointerType::get(module_.getContext(), 0); }
  bool is_in_frame(BufferId id) const {
    return schedule_.buffers[id].space != Space::registers && is_on_stack(schedule_.buffers[id]);
  }

  llvm::Function* add_function(const std::string& name, const std::vector<llvm::Type*>& parameters) {
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()), parameters, false);
    auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module_);
    function->setDoesNotThrow();
    for (unsigned i = 0; options_.apart && i < parameters.size(); ++i)
      if (parameters[i]->isPointerTy()) function->addParamAttr(i, llvm::Attribute::NoAlias);
    return function;
  }

  llvm::Value* stack_memory(FunctionBuilder& f, BufferId id) {
    const Buffer& buffer = schedule_.buffers[id];
    const auto count = static_cast<std::uint64_t>(*element_count(buffer).constant());
    auto* type = llvm::ArrayType::get(math::memory_type(module_.getContext(), buffer.element), count);
    auto* memory = f.start.CreateAlloca(type, nullptr, buffer.name);
    if (count > 1) memory->setAlignment(llvm::Align(64));
    return memory;
  }

  /// The first `count` parameters are the memory of the buffers that are passed.
  void place_arguments(FunctionBuilder& f, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      f.function.getArg(i)->setName(schedule_.buffers[passed_[i]].name);
      f.memory[passed_[i]] = {f.function.getArg(i), false, false};
    }
  }

  /// Emits the variant under its guards. Returns whether another one may follow.
  bool emit(FunctionBuilder& f, const schedule::Variant& variant) {
    llvm::BasicBlock* next = nullptr;
    if (llvm::Value* chosen = holds(f, variant)) {
      auto* here = llvm::BasicBlock::Create(module_.getContext(), "variant", &f.function);
      next = llvm::BasicBlock::Create(module_.getContext(), "next", &f.function);
      f.body.CreateCondBr(chosen, here, next);
      f.body.SetInsertPoint(here);
    }
    CoreModel model([&](emit::Emitter&, const Loop& loop) { emit_division(f, loop); });
    llvm::Value* context = f.function.getArg(arguments_ + 1);
    emit::Emitter emitter(f.body, schedule_, options_.sites, options_.features, f.extents, context, model);
    for (const auto& [id, where] : f.memory) emitter.place(id, where);
    emitter.emit(variant.body);
    f.body.CreateRetVoid();
    if (next != nullptr) f.body.SetInsertPoint(next);
    return next != nullptr;
  }

  /// Whether the guards hold, as i1; null where there are none.
  static llvm::Value* holds(FunctionBuilder& f, const schedule::Variant& variant) {
    llvm::IRBuilder<>& b = f.body;
    llvm::Value* all = nullptr;
    const auto add = [&](llvm::Value* one) { all = all ? b.CreateAnd(all, one) : one; };
    for (const auto& guard : variant.guards) {
      llvm::Value* value = f.extents.value(guard.value);
      if (guard.first != 0) add(b.CreateICmpSGE(value, b.getInt64(static_cast<std::uint64_t>(guard.first))));
      if (guard.end) add(b.CreateICmpSLT(value, b.getInt64(static_cast<std::uint64_t>(*guard.end))));
    }
    return all;
  }

  // ------------------------------------------------------------------------------------------ core loops

  /// Computes a core loop, here or divided.
  void emit_division(FunctionBuilder& f, const Loop& loop) {
    llvm::IRBuilder<>& b = f.body;
    llvm::Function* part = emit_part(loop, b.getCurrentDebugLocation());
    const auto block = [&](const char* name) {
      return llvm::BasicBlock::Create(module_.getContext(), name, &f.function);
    };
    llvm::BasicBlock *some = block("some"), *alone = block("alone"), *divided = block("divided"),
                     *done = block("done");
    llvm::Value *dimensions = f.function.getArg(arguments_), *context = f.function.getArg(arguments_ + 1);
    const auto member = [&](std::size_t offset, llvm::Type* type) {
      return b.CreateLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), context, offset));
    };
    llvm::Value* iterations = f.extents.value(core_iterations(loop));
    b.CreateCondBr(b.CreateICmpSGT(iterations, b.getInt64(0)), some, done);

    b.SetInsertPoint(some);
    llvm::Value* cores = member(offsetof(tel_context, cores), b.getInt64Ty());
    b.CreateCondBr(b.CreateICmpSGT(cores, b.getInt64(1)), divided, alone);

    b.SetInsertPoint(divided);
    emit::Extents extents(b, dimensions, options_.names);
    llvm::Value* work = extents.value(work_of(loop));
    llvm::Value* least =
        b.CreateAdd(b.CreateUDiv(b.getInt64(schedule::cpu::instructions_of_core), work), b.getInt64(1));
    llvm::Type* frame_type = llvm::ArrayType::get(pointer(), passed_.size() + 1);
    llvm::Value* frame = f.start.CreateAlloca(frame_type, nullptr, "frame");
    std::vector<llvm::Value*> arguments;
    for (const BufferId id : passed_) arguments.push_back(f.memory.at(id).pointer);
    arguments.push_back(dimensions);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      b.CreateStore(arguments[i], b.CreateConstInBoundsGEP1_64(pointer(), frame, i));
    llvm::Type* number = b.getInt64Ty();
    auto* type = llvm::FunctionType::get(b.getVoidTy(),
                                         {pointer(), pointer(), pointer(), number, number, number}, false);
    b.CreateCall(type, member(offsetof(tel_context, divide), pointer()),
                 {context, emit_thunk(*part), frame, iterations, least, emit_unit(b, extents, loop)});
    b.CreateBr(done);

    b.SetInsertPoint(alone);
    arguments.insert(arguments.end(), {context, b.getInt64(0), iterations, b.getInt64(0)});
    b.CreateCall(part, arguments);
    b.CreateBr(done);
    b.SetInsertPoint(done);
  }

  static dlvm::Extent work_of(const Loop& loop) {
    const Loop* inner = inner_core_loop(loop);
    return inner != nullptr ? work_of(*inner) : loop.work + dlvm::Extent(1);
  }

  /// Emits the number of iterations between two places where a range is cut without much cost: a piece
  /// repeats what is computed once for all of its iterations, and each step of a loop over a range does
  /// several.
  static llvm::Value* emit_unit(llvm::IRBuilder<>& b, emit::Extents& extents, const Loop& loop) {
    constexpr std::int64_t most_repeated = 64;  // the part of a piece that it may repeat: 1 in so many
    const Loop* inner = inner_core_loop(loop);
    llvm::Value* step = inner != nullptr
                            ? emit_unit(b, extents, *inner)
                            : b.getInt64(static_cast<std::uint64_t>(schedule::cpu::iterations_of_step(loop)));
    const dlvm::Extent least = dlvm::Extent::floor_divide(
        schedule::cpu::repeated_instructions(loop) * dlvm::Extent(most_repeated), work_of(loop));
    llvm::Value* steps = b.CreateUDiv(
        b.CreateAdd(extents.value(least + dlvm::Extent(1)), b.CreateSub(step, b.getInt64(1))), step);
    llvm::Value* unit = b.CreateMul(steps, step);
    if (inner == nullptr) return unit;
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, unit, extents.value(core_iterations(*inner)));
  }

  /// Returns the function of (memory…, dimensions, context, begin, end, core) that computes a range. `line`
  /// is that of the stage around the loop, if there is one.
  llvm::Function* emit_part(const Loop& loop, const llvm::DILocation* line) {
    const auto count = static_cast<unsigned>(passed_.size());
    std::vector<llvm::Type*> parameters(count + 2, pointer());
    parameters.insert(parameters.end(), 3, llvm::Type::getInt64Ty(module_.getContext()));
    llvm::Function* function = add_function(name_ + ".part", parameters);
    function->addFnAttr(llvm::Attribute::NoInline);
    if (options_.lines) emit::add_lines(*function, loop.body, llvm::DICompileUnit::LineTablesOnly);
    if (line != nullptr && function->getSubprogram() == nullptr) emit::continue_lines(*function, *line);
    FunctionBuilder f(*function, count, options_);
    llvm::BasicBlock& first = *f.body.GetInsertBlock();
    place_arguments(f, count);
    for (const BufferId id : of_cores_) place_of_core(f, id, function->getArg(count + 4));
    CoreRanges ranges(function->getArg(count + 2), function->getArg(count + 3));
    CoreModel model([&](emit::Emitter& e, const Loop& inner) { ranges.emit(e, inner); });
    emit::Emitter emitter(f.body, schedule_, options_.sites, options_.features, f.extents,
                          function->getArg(count + 1), model);
    for (const auto& [id, where] : f.memory) emitter.place(id, where);
    ranges.emit(emitter, loop);
    f.body.CreateRetVoid();
    f.finish(first);
    return function;
  }

  /// Sets the memory of a buffer of cores: its own in the workspace of all, or on its stack.
  void place_of_core(FunctionBuilder& f, BufferId id, llvm::Value* core) {
    if (schedule_.buffers[id].space == Space::registers) return;
    if (is_in_frame(id)) {
      f.memory[id] = {stack_memory(f, id), false, false};
      return;
    }
    const dlvm::Extent bytes = bytes_of(schedule_.buffers[id]) + dlvm::Extent(runtime::buffer_alignment - 1);
    llvm::Value* size = f.extents.value(dlvm::Extent::floor_divide(bytes, runtime::buffer_alignment) *
                                        dlvm::Extent(runtime::buffer_alignment));
    f.memory[id].pointer = f.start.CreateInBoundsGEP(f.start.getInt8Ty(), f.memory.at(id).pointer,
                                                     f.start.CreateMul(size, core));
  }

  /// Returns the `tel_part` that calls the part with the pointers of the frame.
  llvm::Function* emit_thunk(llvm::Function& part) {
    llvm::Type* number = llvm::Type::getInt64Ty(module_.getContext());
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module_.getContext()),
                                         {pointer(), pointer(), number, number, number}, false);
    auto* thunk = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name_ + ".range", module_);
    thunk->setDoesNotThrow();
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(module_.getContext(), "entry", thunk));
    std::vector<llvm::Value*> arguments;
    for (std::size_t i = 0; i <= passed_.size(); ++i)
      arguments.push_back(
          b.CreateLoad(pointer(), b.CreateConstInBoundsGEP1_64(pointer(), thunk->getArg(0), i)));
    for (unsigned i = 1; i < 5; ++i) arguments.push_back(thunk->getArg(i));
    b.CreateCall(&part, arguments);
    b.CreateRetVoid();
    return thunk;
  }

  llvm::Module& module_;
  const std::string& name_;
  const Schedule& schedule_;
  const KernelOptions& options_;
  const schedule::Workspace workspace_;
  const std::set<BufferId> of_cores_;
  std::vector<BufferId> passed_;  ///< the buffers whose memory the functions of core loops take
  unsigned arguments_ = 0;        ///< the number of those that the kernel's function takes, too
};

}  // namespace

llvm::Function* emit(llvm::Module& module, const std::string& name, const Schedule& schedule,
                     const KernelOptions& options) {
  return KernelEmitter(module, name, schedule, options).emit();
}

}  // namespace codegen::target::cpu
