#include "codegen/object/tables.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>

#include "codegen/interface/arguments.h"
#include "codegen/object/constants.h"
#include "runtime/abi.h"

namespace codegen {
namespace {

using Kind = ArgumentMember::Kind;

/// Writes the tables of one module. The first thing that does not fit is kept in `error`.
class Tables {
 public:
  Tables(llvm::Module& module, const Interface& interface, const DeviceTables& devices)
      : module_(module),
        interface_(interface),
        devices_(devices),
        write_(module),
        builder_(module.getContext()) {}

  void write() {
    parameters_ = store("Parameters", interface_.parameters);
    constants_ = store("Constants", interface_.constants);
    for (const auto& entry : interface_.entries) add(entry);
    if (!interface_.parameters.tensors.empty()) add_initialize(), add_combine();
    if (!interface_.parameters.tensors.empty() || !interface_.constants.tensors.empty()) add_files();
  }

  std::string error;

 private:
  llvm::Constant* fail(std::string text) {
    if (error.empty()) error = std::move(text);
    return write_.null();
  }

  llvm::Constant* extent(const dlvm::Extent& extent) {
    llvm::Constant* made = write_.extent(extent, names_);
    return made ? made : (fail("extent " + extent.text()), write_.structure({write_.null(), write_.i64(0)}));
  }

  llvm::Constant* extents(const dlvm::Shape& shape) {
    Constants all;
    for (const auto& one : shape) all.push_back(extent(one));
    return write_.array(all);
  }

  llvm::Constant* tensor(const std::string& name, dlvm::ElementType type, const dlvm::Shape& shape) {
    return write_.structure({write_.text(name), write_.i32(static_cast<int>(type)),
                             write_.i32(static_cast<std::int64_t>(shape.size())), extents(shape)});
  }
  llvm::Constant* tensor(const Tensor& described) {
    return tensor(described.name, described.type, described.extents);
  }

  llvm::Constant* store(const char* name, const Store& store) {
    Constants tensors, offsets;
    for (const auto& stored : store.tensors) {
      tensors.push_back(tensor(stored.tensor));
      offsets.push_back(write_.i64(stored.offset));
    }
    return write_.global(
        write_.structure({write_.text(interface_.module + "::" + name), write_.i64(tensors.size()),
                          write_.array(tensors), write_.array(offsets), write_.i64(store.size)}));
  }

  /// Named as in C++: an output and its cotangent, an input and its derivative have one name in the source.
  llvm::Constant* field(const Arguments& arguments, const Tensor& described, const char* within, bool output,
                        std::size_t index) {
    const auto* member = arguments.find(output ? Kind::output : Kind::input, index);
    const auto* free = arguments.find(output ? Kind::output_extents : Kind::input_extents, index);
    return write_.structure({tensor(within + described.name, described.type, described.extents),
                             write_.i64(member->offset), write_.i64(free ? free->offset : -1),
                             write_.i32(described.extents.empty()), write_.i32(output)});
  }

  /// Inputs (dimensions left out), then outputs; `fields_` has the number of each input's field.
  Constants fields(const Entry& entry, const Arguments& arguments) {
    Constants all;
    fields_.clear();
    for (std::size_t i = 0; i < entry.inputs.size(); ++i) {
      const bool is_field = entry.inputs[i].role != Input::Role::dimension;
      fields_.push_back(is_field ? static_cast<std::int64_t>(all.size()) : -1);
      const bool cotangent = entry.inputs[i].role == Input::Role::cotangent;
      if (is_field)
        all.push_back(field(arguments, entry.inputs[i].tensor, cotangent ? "cotangent." : "", false, i));
    }
    first_output_ = static_cast<std::int64_t>(all.size());
    for (std::size_t i = 0; i < entry.outputs.size(); ++i)
      all.push_back(field(arguments, entry.outputs[i].tensor, entry.outputs[i].in_gradient ? "gradient." : "",
                          true, i));
    return all;
  }

  Constants dimensions(const Entry& entry, const Arguments& arguments) {
    Constants all;
    for (const auto& dimension : entry.dimensions) {
      const auto* given = arguments.find(Kind::dimension, dimension.input);
      all.push_back(write_.structure(
          {write_.text(shown(dimension.name)), write_.i32(fields_[dimension.input]),
           write_.i32(static_cast<std::int64_t>(dimension.axis)), write_.i64(dimension.scale),
           extent(dimension.offset), write_.i64(given ? given->offset : -1)}));
    }
    return all;
  }

  /// A dimension written `?` has a name of the compiler's own, `_` and a number.
  static std::string shown(const std::string& name) {
    const bool made_up = name.size() > 1 && name[0] == '_' && name[1] >= '0' && name[1] <= '9';
    return made_up ? "?" : name;
  }

  Constants checks(const Entry& entry) {
    Constants all;
    for (const auto& check : entry.checks)
      all.push_back(write_.structure({write_.i32(check.relation == Check::Relation::at_most),
                                      extent(check.left), extent(check.right), write_.text(check.text)}));
    return all;
  }

  Constants sites(const Entry& entry) {
    Constants all;
    for (const auto& site : entry.index_sites)
      all.push_back(write_.structure({tensor(site.name, dlvm::ElementType::i64, site.extents),
                                      extent(site.bound), write_.i32(site.negative)}));
    return all;
  }

  llvm::Constant* binding(const Binding& binding) {
    const auto make = [&](runtime::BindingKind kind, std::int64_t index) {
      return write_.structure({write_.i32(kind), write_.i32(index)});
    };
    const auto index = static_cast<std::int64_t>(binding.index);
    switch (binding.kind) {
      case Binding::Kind::input:
        return make(runtime::bind_field, fields_[binding.index]);
      case Binding::Kind::output:
        return make(runtime::bind_field, first_output_ + index);
      case Binding::Kind::parameter:
        return make(runtime::bind_parameter, index);
      case Binding::Kind::constant:
        return make(runtime::bind_constant, index);
      case Binding::Kind::gradient:
        return make(runtime::bind_gradient, index);
      case Binding::Kind::dimension:
        return make(runtime::bind_dimension, index);
      case Binding::Kind::seed:
        return make(runtime::bind_seed, 0);
    }
    return nullptr;
  }

  Constants bindings(const std::vector<Binding>& bindings) {
    Constants all;
    for (const auto& one : bindings) all.push_back(binding(one));
    return all;
  }

  Constants slots(const std::vector<std::vector<dlvm::Extent>>& slots) {
    Constants all;
    for (const auto& slot : slots)
      all.push_back(write_.structure({write_.i64(static_cast<std::int64_t>(slot.size())), extents(slot)}));
    return all;
  }

  llvm::Constant* compute(const std::string& name) {
    llvm::Constant* function = write_.function(name);
    return function ? function : fail("no function '" + name + "'");
  }

  /// runtime::Entry, member by member.
  llvm::Constant* table(const Entry& entry) {
    names_.clear();
    for (const auto& dimension : entry.dimensions) names_.push_back(dimension.name);
    const Arguments arguments = arguments_of(entry);
    const auto offset = [&](Kind kind) {
      const auto* member = arguments.find(kind);
      return write_.i64(member ? member->offset : -1);
    };
    const Constants lists[] = {
        fields(entry, arguments),  dimensions(entry, arguments), checks(entry),     sites(entry),
        bindings(entry.arguments), bindings(entry.results),      slots(entry.slots)};
    Constants members = {write_.text(interface_.module + "::" + entry.name),
                         compute(entry.compute),
                         parameters_,
                         constants_,
                         write_.i64(arguments.size),
                         offset(Kind::parameters),
                         offset(Kind::constants),
                         offset(Kind::gradients),
                         offset(Kind::workspace),
                         offset(Kind::workspace_size),
                         offset(Kind::options)};
    for (const auto& list : lists) members.push_back(write_.i64(static_cast<std::int64_t>(list.size())));
    for (const auto& list : lists) members.push_back(write_.array(list));
    const auto devices = devices_.find(entry.compute);
    members.push_back(devices == devices_.end() ? write_.null() : devices->second);
    return write_.global(write_.structure(members));
  }

  llvm::Type* pointer() { return builder_.getPtrTy(); }

  /// The runtime's function of that name.
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

  /// `name(…)` is `target(first…, …)`.
  void forward(const std::string& name, const char* target, const Constants& first,
               llvm::ArrayRef<llvm::Type*> arguments) {
    auto* function = begin(name, builder_.getInt32Ty(), arguments);
    std::vector<llvm::Type*> types;
    std::vector<llvm::Value*> values;
    for (auto* value : first) types.push_back(value->getType()), values.push_back(value);
    for (auto& argument : function->args()) types.push_back(argument.getType()), values.push_back(&argument);
    builder_.CreateRet(builder_.CreateCall(runtime_function(target, builder_.getInt32Ty(), types), values));
  }

  void add(const Entry& entry) {
    llvm::Constant* made = table(entry);
    forward(entry_symbol(interface_, entry), "tel_call", {made}, {pointer(), pointer()});
    forward(entry_symbol(interface_, entry, "prepare"), "tel_prepare", {made}, {pointer(), pointer()});
    forward(entry_symbol(interface_, entry, "wait"), "tel_wait", {made}, {pointer(), pointer()});
    add_workspace(entry, made);
  }

  /// `size_t …_workspace(int64_t N, …, const tel_options*)`.
  void add_workspace(const Entry& entry, llvm::Constant* made) {
    std::vector<llvm::Type*> types(entry.dimensions.size(), builder_.getInt64Ty());
    types.push_back(pointer());
    auto* function = begin(entry_symbol(interface_, entry, "workspace"), builder_.getInt64Ty(), types);
    auto* array = llvm::ArrayType::get(builder_.getInt64Ty(), entry.dimensions.size() + 1);
    llvm::Value* dims = builder_.CreateAlloca(array);
    for (unsigned i = 0; i < entry.dimensions.size(); ++i)
      builder_.CreateStore(function->getArg(i), builder_.CreateConstInBoundsGEP2_64(array, dims, 0, i));
    const auto target =
        runtime_function("tel_workspace", builder_.getInt64Ty(), {pointer(), pointer(), pointer()});
    llvm::Value* options = function->getArg(static_cast<unsigned>(entry.dimensions.size()));
    builder_.CreateRet(builder_.CreateCall(target, {made, dims, options}));
  }

  void add_initialize() {
    names_.clear();
    Constants all;
    for (const auto& stored : interface_.parameters.tensors) {
      const Constants made = slots(stored.initializer_slots);
      all.push_back(
          write_.structure({compute(stored.initializer), write_.i64(stored.initializer_takes_seed),
                            write_.i64(static_cast<std::int64_t>(made.size())), write_.array(made)}));
    }
    llvm::Constant* table = write_.global(write_.structure({parameters_, write_.array(all)}));
    forward(module_symbol(interface_, "initialize"), "tel_initialize", {table},
            {pointer(), builder_.getInt64Ty(), pointer()});
  }

  void add_combine() {
    llvm::Type *pointer = this->pointer(), *factor = builder_.getDoubleTy();
    forward(module_symbol(interface_, "combine"), "tel_combine",
            {parameters_, devices_.empty() ? write_.null() : devices_.begin()->second},
            {pointer, factor, pointer, factor, pointer, pointer});
  }

  void add_files() {
    forward(module_symbol(interface_, "load"), "tel_load", {parameters_, constants_}, {pointer(), pointer()});
    forward(module_symbol(interface_, "save"), "tel_save", {parameters_, constants_}, {pointer(), pointer()});
  }

  llvm::Module& module_;
  const Interface& interface_;
  const DeviceTables& devices_;
  ConstantWriter write_;
  llvm::IRBuilder<> builder_;
  std::vector<std::string> names_;    ///< dimensions of the entry under way
  std::vector<std::int64_t> fields_;  ///< field of each of its inputs
  std::int64_t first_output_ = 0;
  llvm::Constant* parameters_ = nullptr;
  llvm::Constant* constants_ = nullptr;
};

}  // namespace

std::string add_tables(llvm::Module& module, const Interface& interface, const DeviceTables& devices) {
  Tables tables(module, interface, devices);
  tables.write();
  return tables.error;
}

}  // namespace codegen
