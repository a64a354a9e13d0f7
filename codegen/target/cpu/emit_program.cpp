#include "codegen/target/cpu/emit_program.h"

#include <algorithm>
#include <set>

#include "codegen/emit/execution_model.h"
#include "codegen/emit/launch_table.h"
#include "codegen/emit/statements.h"
#include "codegen/math/operations.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/target/cpu/small_parts.h"
#include "dlvm/support/overloaded.h"
#include "runtime/abi.h"

namespace codegen::target::cpu {
namespace {

using kernel::Launch;
using kernel::Program;
using kernel::Value;
using kernel::ValueId;

/// Makes an empty compute function (runtime/abi.h).
llvm::Function* make_compute(llvm::Module& module, const std::string& name) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, pointer}, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  function->setDoesNotThrow();
  return function;
}

bool has_checks(const schedule::ScheduledProgram& scheduled) {
  bool found = false;
  for (const schedule::Schedule& schedule : scheduled.schedules)
    for (const schedule::Variant& variant : schedule.variants)
      schedule::walk<schedule::Let>(variant.body, [&](const schedule::Let& let) {
        found = found || std::holds_alternative<schedule::Scalar::Check>(let.scalar.definition);
      });
  return found;
}

/// The bits of a word of a table of launches, and the bit that tells literals from buffers.
constexpr unsigned word_bits = 16;
constexpr std::uint32_t literal_bit = 1u << (word_bits - 1);

/// Makes the function that calls `kernel` with the buffers that its words name (Kernels::by_words).
llvm::Function* make_by_words(llvm::Function& kernel) {
  llvm::LLVMContext& context = kernel.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  const std::vector<llvm::Type*> parameters(5, pointer);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage,
                                          kernel.getName() + ".by_words", *kernel.getParent());
  function->setDoesNotThrow();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", function));
  llvm::Value *buffers = function->getArg(2), *literals = function->getArg(3), *words = function->getArg(4);
  llvm::Type* word = b.getIntNTy(word_bits);
  std::vector<llvm::Value*> arguments;
  for (std::size_t i = 0; i + 2 < kernel.arg_size(); ++i) {
    llvm::Value* each = b.CreateLoad(word, b.CreateConstInBoundsGEP1_64(word, words, i));
    llvm::Value* number = b.CreateZExt(b.CreateAnd(each, literal_bit - 1), b.getInt64Ty());
    llvm::Value* is_literal = b.CreateICmpSLT(each, llvm::ConstantInt::get(word, 0));
    llvm::Value* pointers = b.CreateSelect(is_literal, literals, buffers);
    arguments.push_back(b.CreateLoad(pointer, b.CreateInBoundsGEP(pointer, pointers, number)));
  }
  arguments.push_back(function->getArg(0));
  arguments.push_back(function->getArg(1));
  b.CreateCall(&kernel, arguments);
  b.CreateRetVoid();
  return function;
}

/// Writes the compute function: pointers from `buffers`, a call or a row of a table for each launch. The
/// pointers of values that are swapped are variables.
class Compute : emit::StatementEmitter {
 public:
  Compute(llvm::Function& function, llvm::IRBuilder<>& builder, const schedule::ScheduledProgram& scheduled,
          const std::vector<llvm::Function*>& functions, Kernels& kernels)
      : StatementEmitter(builder),
        function_(function),
        scheduled_(scheduled),
        functions_(functions),
        kernels_(kernels),
        small_(scheduled),
        may_fail_(has_checks(scheduled)) {
    for (const schedule::Schedule& each : scheduled.schedules) slots_.push_back(slots_of(each));
  }

  void emit() {
    for (const ValueId value : small_.variables) variables_[value] = make_variable(value);
    for (const kernel::Swap* swap : kernel::collect<kernel::Swap>(scheduled_.program.body))
      for (const ValueId value : {swap->first, swap->second})
        if (!pointers_.contains(value) && !variables_.contains(value)) {
          llvm::Value* place = pointer_to(value);
          pointers_[value] = b_.CreateAlloca(b_.getPtrTy());
          b_.CreateStore(place, pointers_[value]);
        }
    if (StatementEmitter::emit(scheduled_.program.body)) b_.CreateRetVoid();
  }

 private:
  void launch(const Launch& launch) override {
    if (updates_input(scheduled_.program, launch)) return_after_error("update");
    std::vector<llvm::Value*> arguments;
    for (const ValueId value : launch.values) arguments.push_back(pointer_to(value));
    for (const std::size_t slot : slots_[launch.kernel]) arguments.push_back(buffer(number_of_slot(slot)));
    arguments.push_back(function_.getArg(1));
    arguments.push_back(record());
    llvm::CallInst* call = b_.CreateCall(functions_[launch.kernel], arguments);
    if (small_.inlined.contains(&launch)) call->addFnAttr(llvm::Attribute::AlwaysInline);
  }

  bool fits_table(const Launch& launch) const override {
    const std::size_t most =
        std::max(number_of_slot(scheduled_.slots.size()), scheduled_.program.values.size());
    return most <= literal_bit && !small_.inlined.contains(&launch) &&
           std::ranges::none_of(launch.values, [&](ValueId value) {
             return variables_.contains(value) || pointers_.contains(value);
           });
  }

  void launch_all(std::span<const Launch* const> launches) override {
    std::vector<emit::LaunchStep> steps;
    std::vector<llvm::Constant*> literals;
    std::map<ValueId, std::size_t> places;
    const auto word_of = [&](ValueId id) {
      const Value& value = scheduled_.program.values[id];
      if (value.place != Value::Place::literal) return static_cast<std::uint32_t>(number_of(id));
      const auto [at, is_new] = places.try_emplace(id, literals.size());
      if (is_new) literals.push_back(literal(value));
      return literal_bit | static_cast<std::uint32_t>(at->second);
    };
    for (const Launch* launch : launches) {
      emit::LaunchStep& step = steps.emplace_back();
      step.function = by_words(*functions_[launch->kernel]);
      for (const ValueId value : launch->values) step.words.push_back(word_of(value));
      for (const std::size_t slot : slots_[launch->kernel])
        step.words.push_back(static_cast<std::uint32_t>(number_of_slot(slot)));
    }
    llvm::Value* pointers = llvm::ConstantPointerNull::get(b_.getPtrTy());
    if (!literals.empty())
      pointers = emit::add_array(*function_.getParent(), b_.getPtrTy(), literals, "launch_literals");
    const bool updates = std::ranges::any_of(
        launches, [&](const Launch* launch) { return updates_input(scheduled_.program, *launch); });
    if (updates) return_after_error("update");
    emit::emit_launch_table(b_, steps, word_bits,
                            {function_.getArg(1), record(), function_.getArg(0), pointers},
                            [&](llvm::Value*) {
                              if (updates) return_after_error("update");
                            });
  }

  llvm::Function* by_words(llvm::Function& kernel) {
    llvm::Function*& function = kernels_.by_words[&kernel];
    if (function == nullptr) function = make_by_words(kernel);
    return function;
  }

  void swap(const kernel::Swap& swap) override {
    if (variables_.contains(swap.first)) {
      llvm::AllocaInst *first = variables_.at(swap.first), *second = variables_.at(swap.second);
      llvm::Value* value = b_.CreateLoad(first->getAllocatedType(), first);
      b_.CreateStore(b_.CreateLoad(second->getAllocatedType(), second), first);
      b_.CreateStore(value, second);
      return;
    }
    llvm::Value *first = pointer_to(swap.first), *second = pointer_to(swap.second);
    b_.CreateStore(second, pointers_.at(swap.first));
    b_.CreateStore(first, pointers_.at(swap.second));
  }

  llvm::Value* condition(ValueId value) override {
    return b_.CreateICmpNE(b_.CreateLoad(b_.getInt8Ty(), pointer_to(value)), b_.getInt8(0));
  }

  /// A failed check ends the program, since the condition of the loop may depend on
  /// the wrong value, and never end it.
  void repeat() override { return_after_error("repeat"); }

  /// Ends the program if a check has failed, and else goes on in a block of that name.
  void return_after_error(const char* name) {
    if (!may_fail_) return;
    constexpr unsigned site_word = emit::word_of(offsetof(tel_context, site));
    llvm::Value* place = b_.CreateConstInBoundsGEP1_64(b_.getInt64Ty(), record(), site_word);
    llvm::Value* site = b_.CreateLoad(b_.getInt64Ty(), place);
    auto *failed = block("failed"), *next = block(name);
    b_.CreateCondBr(b_.CreateICmpNE(site, b_.getInt64(0)), failed, next);
    b_.SetInsertPoint(failed);
    b_.CreateRetVoid();
    b_.SetInsertPoint(next);
  }

  /// Returns memory for a value of the arena, all of which one register may hold.
  llvm::AllocaInst* make_variable(ValueId id) {
    const Value& value = scheduled_.program.values[id];
    const auto count = static_cast<unsigned>(*dlvm::unit_count(value.shape).constant());
    llvm::Type* type = math::memory_type(b_.getContext(), value.element);
    if (count > 1) type = llvm::FixedVectorType::get(type, count);
    llvm::AllocaInst* memory = b_.CreateAlloca(type, nullptr, value.name);
    memory->setAlignment(llvm::Align(64));
    return memory;
  }

  llvm::Value* record() { return function_.getArg(2); }
  llvm::Value* buffer(std::size_t i) {
    return b_.CreateLoad(b_.getPtrTy(), b_.CreateConstInBoundsGEP1_64(b_.getPtrTy(), function_.getArg(0), i));
  }
  std::size_t number_of_slot(std::size_t i) const { return scheduled_.inputs + scheduled_.outputs + i; }
  /// Returns the slots that the kernel takes behind its arguments.
  std::vector<std::size_t> slots_of(const schedule::Schedule& kernel) const {
    const schedule::Workspace taken = workspace(kernel);
    const std::size_t shared = taken.bytes.size() - taken.of_cores;
    const std::size_t of_cores = scheduled_.slots.size() - scheduled_.core_slots;
    std::vector<std::size_t> slots;
    for (std::size_t i = 0; i < shared; ++i) slots.push_back(scheduled_.plan.slots.size() + i);
    for (std::size_t i = 0; i < taken.of_cores; ++i) slots.push_back(of_cores + i);
    return slots;
  }

  /// Returns the number of the buffer of a value that is no literal.
  std::size_t number_of(ValueId id) const {
    const Value& value = scheduled_.program.values[id];
    if (value.place == Value::Place::input) return value.index;
    if (value.place == Value::Place::output) return scheduled_.inputs + value.index;
    return number_of_slot(*scheduled_.plan.slot_of[id]);
  }

  llvm::Value* pointer_to(ValueId id) {
    if (const auto variable = variables_.find(id); variable != variables_.end()) return variable->second;
    if (const auto variable = pointers_.find(id); variable != pointers_.end())
      return b_.CreateLoad(b_.getPtrTy(), variable->second);
    const Value& value = scheduled_.program.values[id];
    return value.place == Value::Place::literal ? literal(value) : buffer(number_of(id));
  }

  llvm::Constant* literal(const Value& value) {
    const char* bytes = reinterpret_cast<const char*>(value.data.data());
    auto* data = llvm::ConstantDataArray::getString(b_.getContext(),
                                                    llvm::StringRef(bytes, value.data.byte_count()), false);
    auto* global = new llvm::GlobalVariable(*function_.getParent(), data->getType(), true,
                                            llvm::GlobalValue::InternalLinkage, data, "literal");
    global->setAlignment(llvm::Align(64));
    global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return global;
  }

  llvm::Function& function_;
  const schedule::ScheduledProgram& scheduled_;
  const std::vector<llvm::Function*>& functions_;  ///< by the number of the kernel
  Kernels& kernels_;
  const SmallParts small_;
  const bool may_fail_;
  std::vector<std::vector<std::size_t>> slots_;     ///< by the number of the kernel
  std::map<ValueId, llvm::Value*> pointers_;        ///< the variables of values that are swapped
  std::map<ValueId, llvm::AllocaInst*> variables_;  ///< the values that are variables themselves
};

/// Returns for each kernel whether the memory that it writes is that of no other argument, in any launch.
std::vector<bool> write_apart(const schedule::ScheduledProgram& scheduled) {
  const auto place = [&](std::uint32_t id) {
    const Value& value = scheduled.program.values[id];
    const std::uint32_t where =
        value.place == Value::Place::arena ? *scheduled.plan.slot_of[id] : value.index;
    return std::pair(value.place, where);
  };
  std::vector<bool> apart(scheduled.program.kernels.size(), true);
  for (const Launch* launch : kernel::collect<Launch>(scheduled.program.body)) {
    const auto& buffers = scheduled.program.kernels[launch->kernel].buffers;
    const auto& values = launch->values;
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = 0; buffers[i].written && j < values.size(); ++j)
        if (i != j && place(values[i]) == place(values[j])) apart[launch->kernel] = false;
  }
  return apart;
}

}  // namespace

void emit_program(llvm::Module& module, const std::string& name, const schedule::ScheduledProgram& scheduled,
                  const std::vector<std::string>& names, math::Features features, Kernels& kernels,
                  bool lines) {
  const Program& program = scheduled.program;
  std::vector<llvm::Function*> functions;
  const std::vector<bool> apart_of = write_apart(scheduled);
  for (std::uint32_t i = 0; i < program.kernels.size(); ++i) {
    const bool apart = apart_of[i];
    auto& emitted = apart ? kernels.distinct : kernels.overlapping;
    llvm::Function*& known = emitted[canonical_key(scheduled.schedules[i], program.check_sites, names)];
    if (!known) {
      known = emit(module, name + "." + program.kernels[i].name, scheduled.schedules[i],
                   {program.check_sites, names, features, apart, lines});
      known->addFnAttr(llvm::Attribute::NoInline);
    }
    functions.push_back(known);
  }
  llvm::Function* compute = make_compute(module, name);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "entry", compute));
  Compute(*compute, builder, scheduled, functions, kernels).emit();
}

}  // namespace codegen::target::cpu
