#include "codegen/object/tables.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstddef>

#include "codegen/object/write_tables.h"
#include "runtime/abi.h"

namespace codegen::object {
using interface::Entry;
using interface::Interface;
using interface::SymbolNames;

namespace {

/// Writes the C functions of one module, which name its tables.
class FunctionWriter {
 public:
  FunctionWriter(llvm::Module& module, std::span<const LevelCode> levels, const Tables& tables,
                 llvm::Constant* devices)
      : module_(module),
        interface_(*levels.back().interface),
        symbols_(interface_),
        tables_(tables),
        devices_(devices),
        // Code for an unknown processor is for whichever one calls it.
        has_choice_(levels.size() > 1 || levels.front().needs > 1),
        builder_(module.getContext()) {}

  void write() {
    for (std::size_t i = 0; i < interface_.entries.size(); ++i)
      add(interface_.entries[i], tables_.entries[i]);
    if (tables_.initial_parameters.value) {
      forward("initialize", "tel_initialize", {tables_.initial_parameters.value}, initialize_arguments());
      add_combine();
      add_freeze();
    }
    if (tables_.initial_state.value)
      forward("initialize_state", "tel_initialize", {tables_.initial_state.value}, initialize_arguments());
    if (interface_.has_stores()) add_files();
  }

 private:
  llvm::Type* pointer() { return builder_.getPtrTy(); }
  std::vector<llvm::Type*> initialize_arguments() { return {pointer(), builder_.getInt64Ty(), pointer()}; }

  /// Declares the runtime's function of that name.
  llvm::FunctionCallee runtime_function(const char* name, llvm::Type* result,
                                        llvm::ArrayRef<llvm::Type*> arguments) {
    return module_.getOrInsertFunction(name, llvm::FunctionType::get(result, arguments, false));
  }

  /// Begins the C function of that symbol.
  llvm::Function* begin(const std::string& name, llvm::Type* result, llvm::ArrayRef<llvm::Type*> arguments) {
    auto* function = llvm::Function::Create(llvm::FunctionType::get(result, arguments, false),
                                            llvm::GlobalValue::ExternalLinkage, name, module_);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", function));
    return function;
  }

  /// Ends the C function: it passes `first` and then its own arguments to the runtime's function `target`.
  void end(llvm::Function& function, const char* target, llvm::ArrayRef<llvm::Value*> first) {
    std::vector<llvm::Type*> types;
    std::vector<llvm::Value*> values;
    for (llvm::Value* value : first) types.push_back(value->getType()), values.push_back(value);
    for (auto& argument : function.args()) types.push_back(argument.getType()), values.push_back(&argument);
    builder_.CreateRet(builder_.CreateCall(runtime_function(target, builder_.getInt32Ty(), types), values));
  }

  /// Adds the module's C function `name`, which passes `first` and then its own arguments to `target`.
  void forward(const char* name, const char* target, const std::vector<llvm::Value*>& first,
               llvm::ArrayRef<llvm::Type*> arguments) {
    auto* function = begin(symbols_.of(name), builder_.getInt32Ty(), arguments);
    end(*function, target, first);
  }

  /// Adds a C function that passes the table of the processor's level and then its own arguments to `target`.
  template <typename T>
  void forward_chosen(const std::string& symbol, const char* target, const std::vector<Constant<T>>& tables,
                      const std::string& who, llvm::ArrayRef<llvm::Type*> arguments) {
    auto* function = begin(symbol, builder_.getInt32Ty(), arguments);
    end(*function, target, {chosen(tables, who, function->getArg(function->arg_size() - 1))});
  }

  /// Emits the choice among tables of levels and returns the chosen one. Where the processor has none of the
  /// levels, the function writes that to `error`, which may be null, and returns the status, or `otherwise`.
  template <typename T>
  llvm::Value* chosen(const std::vector<Constant<T>>& tables, const std::string& who, llvm::Value* error,
                      llvm::Value* otherwise = nullptr) {
    if (!has_choice_) return tables.front().value;
    std::vector<llvm::Constant*> values;
    for (const Constant<T>& table : tables) values.push_back(table.value);
    auto* type = llvm::ArrayType::get(pointer(), values.size());
    auto* all = new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::InternalLinkage,
                                         llvm::ConstantArray::get(type, values), "table");
    all->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    llvm::Value* level = builder_.CreateAlloca(builder_.getInt64Ty());
    const auto choose = runtime_function("tel_choose_level", builder_.getInt32Ty(),
                                         {pointer(), pointer(), pointer(), pointer()});
    llvm::Value* name = builder_.CreateGlobalString(who, "table");
    llvm::Value* status = builder_.CreateCall(choose, {tables_.levels.value, name, level, error});
    llvm::Function* function = builder_.GetInsertBlock()->getParent();
    auto* failed = llvm::BasicBlock::Create(module_.getContext(), "failed", function);
    auto* next = llvm::BasicBlock::Create(module_.getContext(), "chosen", function);
    builder_.CreateCondBr(builder_.CreateIsNull(status), next, failed);
    builder_.SetInsertPoint(failed);
    builder_.CreateRet(otherwise ? otherwise : status);
    builder_.SetInsertPoint(next);
    llvm::Value* number = builder_.CreateLoad(builder_.getInt64Ty(), level);
    return builder_.CreateLoad(pointer(),
                               builder_.CreateInBoundsGEP(type, all, {builder_.getInt64(0), number}));
  }

  void add(const Entry& entry, const std::vector<Constant<const runtime::Entry*>>& tables) {
    const std::string who = interface_.module + "::" + entry.name;
    for (const auto& [part, target] :
         {std::pair("", "tel_call"), std::pair("prepare", "tel_prepare"), std::pair("wait", "tel_wait")})
      forward_chosen(symbols_.of(entry, part), target, tables, who, {pointer(), pointer()});
    add_workspace(entry, tables, who);
  }

  /// Adds `size_t …_workspace(int64_t N, …, const tel_options*)`.
  void add_workspace(const Entry& entry, const std::vector<Constant<const runtime::Entry*>>& tables,
                     const std::string& who) {
    std::vector<llvm::Type*> types(entry.dimensions.size(), builder_.getInt64Ty());
    types.push_back(pointer());
    auto* function = begin(symbols_.of(entry, "workspace"), builder_.getInt64Ty(), types);
    auto* array = llvm::ArrayType::get(builder_.getInt64Ty(), entry.dimensions.size() + 1);
    llvm::Value* dims = builder_.CreateAlloca(array);
    for (unsigned i = 0; i < entry.dimensions.size(); ++i)
      builder_.CreateStore(function->getArg(i), builder_.CreateConstInBoundsGEP2_64(array, dims, 0, i));
    llvm::Value* table = chosen(tables, who, null(), builder_.getInt64(SIZE_MAX));
    const auto target =
        runtime_function("tel_workspace", builder_.getInt64Ty(), {pointer(), pointer(), pointer()});
    llvm::Value* options = function->getArg(static_cast<unsigned>(entry.dimensions.size()));
    builder_.CreateRet(builder_.CreateCall(target, {table, dims, options}));
  }

  void add_combine() {
    llvm::Type *pointer = this->pointer(), *factor = builder_.getDoubleTy();
    forward("combine", "tel_combine", {tables_.parameters.value, devices_},
            {pointer, factor, pointer, factor, pointer, pointer});
  }

  /// Adds `freeze`, and `size_t frozen_size()`, which is 0 where the processor has none of the levels.
  void add_freeze() {
    const std::string who = interface_.module + "::freeze";
    forward_chosen(symbols_.of("freeze"), "tel_freeze", tables_.frozen, who,
                   {pointer(), pointer(), pointer()});
    begin(symbols_.of("frozen_size"), builder_.getInt64Ty(), {});
    llvm::Value* table = chosen(tables_.frozen, who, null(), builder_.getInt64(0));
    llvm::Value* size =
        builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), table, offsetof(runtime::Frozen, size));
    builder_.CreateRet(builder_.CreateLoad(builder_.getInt64Ty(), size));
  }

  void add_files() {
    const std::vector<llvm::Value*> stores{tables_.parameters.value, tables_.constants.value,
                                           tables_.state.value};
    forward("load", "tel_load", stores, {pointer(), pointer()});
    forward("save", "tel_save", stores, {pointer(), pointer()});
  }

  llvm::Constant* null() { return llvm::ConstantPointerNull::get(builder_.getPtrTy()); }

  llvm::Module& module_;
  const Interface& interface_;
  const SymbolNames symbols_;
  const Tables& tables_;
  llvm::Constant* devices_;
  const bool has_choice_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

std::string add_tables(llvm::Module& module, std::span<const LevelCode> levels, const DeviceTables& devices) {
  Tables tables;
  std::string error = write_tables(module, levels, devices, tables);
  llvm::Constant* first =
      devices.empty() ? llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(module.getContext()))
                      : devices.begin()->second.value;
  FunctionWriter(module, levels, tables, first).write();
  return error;
}

}  // namespace codegen::object
