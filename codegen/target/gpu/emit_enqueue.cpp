#include "codegen/target/gpu/emit_enqueue.h"

#include <algorithm>
#include <map>

#include "codegen/emit/launch_table.h"
#include "codegen/emit/statements.h"
#include "codegen/target/gpu/graph_steps.h"
#include "codegen/target/gpu/grid_queue.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {
namespace {

using kernel::ValueId;

/// Holds what the functions of a program are emitted from.
struct Source {
  const schedule::ScheduledProgram& scheduled;
  const ProgramGrids& grids;
  const std::vector<std::string>& names;
};

/// Adds a function of type `tel_enqueue`, or one that takes more pointers behind those, which `emit` fills.
template <typename Emit>
llvm::Function* add_function(llvm::Module& host, const std::string& name, const Source& source, Emit emit,
                             std::size_t more_pointers = 0) {
  llvm::LLVMContext& context = host.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0), *status = llvm::Type::getInt32Ty(context);
  const std::vector<llvm::Type*> parameters(2 + more_pointers, pointer);
  auto* function = llvm::Function::Create(llvm::FunctionType::get(status, parameters, false),
                                          llvm::GlobalValue::InternalLinkage, name, host);
  function->setDoesNotThrow();
  auto* body = llvm::BasicBlock::Create(context, "body", function);
  llvm::IRBuilder<> start(llvm::BasicBlock::Create(context, "entry", function, body)), builder(body);
  emit::Extents extents(start, function->getArg(0), source.names);
  emit(*function, builder, extents);
  start.CreateBr(body);
  return function;
}

/// Writes the function in which the host decides what runs next: a call of `queue->launch` for each grid that
/// has blocks, made by a function of the grid's kernel where launches are rows of a table, and one of
/// `queue->read` for each condition. The argument slots of values that are swapped are variables.
class HostControl : emit::StatementEmitter {
 public:
  HostControl(llvm::Function& function, llvm::IRBuilder<>& builder, emit::Extents& extents,
              const Source& source)
      : StatementEmitter(builder),
        function_(function),
        source_(source),
        program_(source.scheduled.program),
        queue_(function, builder, extents, source.scheduled, source.grids, source.names,
               [this](ValueId value) { return argument_slot(value); }) {}

  void emit() {
    for (const ValueId value : swapped_values(program_)) {
      variables_[value] = b_.CreateAlloca(b_.getInt32Ty());
      b_.CreateStore(b_.getInt32(queue_.word_of(value)), variables_[value]);
    }
    StatementEmitter::emit(program_.body);
    queue_.finish();
  }

 private:
  void launch(const kernel::Launch& launch) override { queue_.launch(launch); }

  bool fits_table(const kernel::Launch& launch) const override {
    return std::ranges::none_of(launch.values, [&](ValueId value) { return variables_.contains(value); });
  }

  void launch_all(std::span<const kernel::Launch* const> launches) override {
    constexpr unsigned word_bits = 32;  // as those of tel_queue
    std::vector<emit::LaunchStep> steps;
    for (const kernel::Launch* launch : launches)
      steps.push_back({by_words(launch->kernel), queue_.words_of(*launch)});
    emit::emit_launch_table(b_, steps, word_bits, {function_.getArg(0), function_.getArg(1)},
                            [this](llvm::Value* status) { queue_.check(status); });
  }

  /// Returns the function (dimensions, queue, words) that launches the kernel's grids.
  llvm::Function* by_words(std::uint32_t kernel) {
    llvm::Function*& function = by_words_[kernel];
    if (function != nullptr) return function;
    const auto emit = [&](llvm::Function& made, llvm::IRBuilder<>& builder, emit::Extents& extents) {
      GridQueue queue(made, builder, extents, source_.scheduled, source_.grids, source_.names, nullptr);
      queue.launch_by_words(kernel, made.getArg(2));
      queue.finish();
    };
    const std::string name = function_.getName().str() + "." + program_.kernels[kernel].name;
    return function = add_function(*function_.getParent(), name, source_, emit, 1);
  }

  bool run_fused(const kernel::Scope& scope) override {
    queue_.launch_fused(scope);
    return true;
  }

  void swap(const kernel::Swap& swap) override {
    llvm::Value *first = argument_slot(swap.first), *second = argument_slot(swap.second);
    b_.CreateStore(second, variables_.at(swap.first));
    b_.CreateStore(first, variables_.at(swap.second));
  }

  /// After an index outside its range, the queue says -1 and the program ends: what follows from the index
  /// need not ever end a loop. The runtime reports the index.
  llvm::Value* condition(ValueId value) override {
    llvm::Value* place = read_;
    if (place == nullptr) {
      llvm::BasicBlock& entry = function_.getEntryBlock();
      place = read_ = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(b_.getInt32Ty());
    }
    queue_.call(offsetof(tel_queue, read), {argument_slot(value), place});
    llvm::Value* read = b_.CreateLoad(b_.getInt32Ty(), place);
    auto *end = block("end"), *decided = block("decided");
    b_.CreateCondBr(b_.CreateICmpSLT(read, b_.getInt32(0)), end, decided);
    b_.SetInsertPoint(end);
    b_.CreateRet(b_.getInt32(0));
    b_.SetInsertPoint(decided);
    return b_.CreateICmpNE(read, b_.getInt32(0));
  }

  void repeat() override {}  // a loop that ends reads a condition

  /// Returns the argument slot where the value is now.
  llvm::Value* argument_slot(ValueId value) {
    const auto variable = variables_.find(value);
    if (variable != variables_.end()) return b_.CreateLoad(b_.getInt32Ty(), variable->second);
    return b_.getInt32(queue_.word_of(value));
  }

  llvm::Function& function_;
  const Source& source_;
  const kernel::Program& program_;
  GridQueue queue_;
  std::map<std::uint32_t, llvm::Function*> by_words_;  ///< by the number of the kernel
  llvm::Value* read_ = nullptr;                        ///< where the queue writes a condition
  std::map<ValueId, llvm::Value*> variables_;          ///< the argument slots of values that are swapped
};

/// Writes the function that makes a graph whose conditions the device decides. The argument slots of values
/// that are swapped are words of their own, whose contents the device exchanges.
class DeviceControl {
 public:
  DeviceControl(llvm::Function& function, llvm::IRBuilder<>& builder, emit::Extents& extents,
                const Source& source)
      : function_(function),
        b_(builder),
        program_(source.scheduled.program),
        queue_(function, builder, extents, source.scheduled, source.grids, source.names,
               [this](ValueId value) { return b_.getInt32(argument_slot(value)); }) {
    std::size_t word = 1 + source.names.size() + source.scheduled.inputs + source.scheduled.outputs +
                       source.scheduled.slots.size() + literals(program_).size();
    for (const ValueId value : swapped_values(program_)) {
      aliases.push_back(queue_.word_of(value));
      alias_of_[value] = static_cast<std::uint32_t>(word++);
    }
  }

  void emit(const GraphProgram& graph) {
    for (const GraphStep& step : graph.steps) std::visit([this](const auto& node) { emit(node); }, step);
    queue_.finish();
  }

  std::vector<std::uint32_t> aliases;  ///< the words of the swapped values' memory at the start

 private:
  void emit(const RunLaunch& run) { queue_.launch(*run.launch); }
  void emit(const RunFused& run) { queue_.launch_fused(*run.scope); }
  void emit(const Exchange& exchange) {
    queue_.call(offsetof(tel_queue, exchange),
                {b_.getInt32(argument_slot(exchange.first)), b_.getInt32(argument_slot(exchange.second))});
  }
  void emit(const Decide& decide) {
    const auto slot = decide.condition ? argument_slot(*decide.condition) : 0;
    std::vector<llvm::Constant*> fields;
    for (const std::uint32_t field :
         {decide.handle, slot, std::uint32_t{decide.when_false}, std::uint32_t{decide.when_true},
          std::uint32_t{decide.after_error}, decide.opposite_of.value_or(~std::uint32_t{0})})
      fields.push_back(b_.getInt32(field));
    auto* type = llvm::ArrayType::get(b_.getInt32Ty(), fields.size());
    static_assert(sizeof(tel_decision) == 6 * sizeof(std::int32_t));
    auto* global =
        new llvm::GlobalVariable(*function_.getParent(), type, true, llvm::GlobalValue::InternalLinkage,
                                 llvm::ConstantArray::get(type, fields), "decision");
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    queue_.call(offsetof(tel_queue, decide), {global});
  }
  void emit(const Open& open) {
    queue_.call(offsetof(tel_queue, open),
                {b_.getInt32(open.is_loop ? TEL_WHILE : TEL_IF), b_.getInt32(open.handle)});
  }
  void emit(const Close&) { queue_.call(offsetof(tel_queue, close), {}); }

  std::uint32_t argument_slot(ValueId value) const {
    const auto alias = alias_of_.find(value);
    return alias != alias_of_.end() ? alias->second : queue_.word_of(value);
  }

  llvm::Function& function_;
  llvm::IRBuilder<>& b_;
  const kernel::Program& program_;
  GridQueue queue_;
  std::map<ValueId, std::uint32_t> alias_of_;
};

}  // namespace

llvm::Function* emit_enqueue(llvm::Module& host, const std::string& name,
                             const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
                             const std::vector<std::string>& names) {
  const Source source{scheduled, grids, names};
  return add_function(host, name, source, [&](auto& function, auto& builder, auto& extents) {
    HostControl(function, builder, extents, source).emit();
  });
}

GraphFunction emit_enqueue_graph(llvm::Module& host, const std::string& name,
                                 const schedule::ScheduledProgram& scheduled, const ProgramGrids& grids,
                                 const std::vector<std::string>& names) {
  GraphFunction result;
  if (!reads_conditions(scheduled.program)) return result;
  const Source source{scheduled, grids, names};
  const GraphProgram graph = graph_steps(scheduled.program);
  result.handle_count = graph.handle_count;
  result.function = add_function(host, name, source, [&](auto& function, auto& builder, auto& extents) {
    DeviceControl control(function, builder, extents, source);
    control.emit(graph);
    result.aliases = control.aliases;
  });
  return result;
}

bool reads_conditions(const kernel::Program& program) {
  std::size_t count = kernel::collect<kernel::Branch>(program.body).size();
  for (const kernel::Scope* scope : kernel::collect<kernel::Scope>(program.body))
    if (scope->is_fused) count -= kernel::collect<kernel::Branch>(scope->body).size();
  return count > 0;
}

}  // namespace codegen::target::gpu
