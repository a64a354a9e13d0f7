#include "codegen/object/write_tables.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Module.h>

#include "codegen/interface/arguments.h"
#include "codegen/object/constants.h"
#include "codegen/object/write_placement.h"
#include "runtime/abi.h"

namespace codegen::object {
using interface::Arguments;
using interface::arguments_of;
using interface::Binding;
using interface::Check;
using interface::Entry;
using interface::Input;
using interface::Interface;
using interface::ProcessorCode;
using interface::Store;
using interface::Tensor;

namespace {

using Kind = interface::ArgumentMember::Kind;

/// Writes the tables of one module. The first thing that does not fit is kept in `error`.
class TableWriter {
 public:
  TableWriter(llvm::Module& module, std::span<const LevelCode> levels, const DeviceTables& devices)
      : module_(module),
        levels_(levels),
        base_(levels.back()),
        level_(&base_),
        devices_(devices),
        write_(module) {}

  Tables write() {
    const Interface& interface = *base_.interface;
    tables_.parameters = store("Parameters", interface.parameters);
    tables_.constants = store("Constants", interface.constants);
    tables_.state = store("State", interface.state);
    tables_.levels = levels();
    tables_.entries.resize(interface.entries.size());
    for (const LevelCode& level : levels_) add(level);
    level_ = &base_;
    if (!interface.parameters.tensors.empty())
      tables_.initial_parameters = initializers(interface.parameters, tables_.parameters);
    if (!interface.state.tensors.empty())
      tables_.initial_state = initializers(interface.state, tables_.state);
    return std::move(tables_);
  }

  std::string error;

 private:
  void fail(std::string text) {
    if (error.empty()) error = std::move(text);
  }

  Constant<const runtime::Levels*> levels() {
    std::vector<Constant<std::int32_t>> needs;
    for (const LevelCode& level : levels_) needs.push_back(write_.i32(level.needs));
    return write_.global(write_.structure<runtime::Levels>({write_.count(needs), write_.array(needs)}));
  }

  /// Adds the tables of a level: of its entry points, and of what its code reads of frozen parameters.
  void add(const LevelCode& level) {
    level_ = &level;
    auto frozen = write_.null<const runtime::Frozen*>();
    if (!level.interface->parameters.tensors.empty()) tables_.frozen.push_back(frozen = this->frozen());
    for (std::size_t i = 0; i < tables_.entries.size(); ++i)
      tables_.entries[i].push_back(table(level.interface->entries[i], frozen));
  }

  Constant<runtime::Extent> extent(const dlvm::Extent& extent) {
    const auto made = write_.extent(extent, names_);
    if (made.value) return made;
    fail("extent " + extent.text());
    return write_.extent(0, names_);
  }

  Constant<const runtime::Extent*> extents(const dlvm::Shape& shape) {
    std::vector<Constant<runtime::Extent>> all;
    for (const auto& one : shape) all.push_back(extent(one));
    return write_.array(all);
  }

  Constant<runtime::Tensor> tensor(const std::string& name, dlvm::ElementType type,
                                   const dlvm::Shape& shape) {
    return write_.structure<runtime::Tensor>({write_.text(name), write_.i32(static_cast<int>(type)),
                                              write_.i32(static_cast<std::int64_t>(shape.size())),
                                              extents(shape)});
  }
  Constant<runtime::Tensor> tensor(const Tensor& described) {
    return tensor(described.name, described.type, described.extents);
  }

  Constant<const runtime::Store*> store(const char* name, const Store& store) {
    std::vector<Constant<runtime::Tensor>> tensors;
    std::vector<Constant<std::int64_t>> offsets;
    std::vector<Constant<runtime::InFile>> in_file;
    bool plain = true;
    for (const auto& stored : store.tensors) {
      tensors.push_back(tensor(stored.tensor));
      offsets.push_back(write_.i64(stored.offset));
      plain = plain && stored.file_name.empty() && !stored.transposed_in_file;
      in_file.push_back(write_.structure<runtime::InFile>(
          {write_.text(stored.file_name.empty() ? stored.tensor.name : stored.file_name),
           write_.i32(stored.transposed_in_file)}));
    }
    if (plain) in_file.clear();
    return write_.global(write_.structure<runtime::Store>(
        {write_.text(base_.interface->module + "::" + name), write_.count(tensors), write_.array(tensors),
         write_.array(offsets), write_.i64(store.size), write_.array(in_file)}));
  }

  /// The field is named as in C++, since an output and its cotangent have one name in the source, and so do
  /// an input and its derivative.
  Constant<runtime::Field> field(const Arguments& arguments, const Tensor& described, const char* within,
                                 bool output, std::size_t index) {
    const auto* member = arguments.find(output ? Kind::output : Kind::input, index);
    const auto* free = arguments.find(output ? Kind::output_extents : Kind::input_extents, index);
    return write_.structure<runtime::Field>(
        {tensor(within + described.name, described.type, described.extents), write_.i64(member->offset),
         write_.i64(free ? free->offset : -1), write_.i32(described.extents.empty()), write_.i32(output)});
  }

  /// Returns the inputs that are no dimensions, then the outputs. Sets the number of each input's field in
  /// `fields_`.
  std::vector<Constant<runtime::Field>> fields(const Entry& entry, const Arguments& arguments) {
    std::vector<Constant<runtime::Field>> all;
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

  std::vector<Constant<runtime::Dimension>> dimensions(const Entry& entry, const Arguments& arguments) {
    std::vector<Constant<runtime::Dimension>> all;
    for (const auto& dimension : entry.dimensions) {
      const auto* given = arguments.find(Kind::dimension, dimension.input);
      all.push_back(write_.structure<runtime::Dimension>(
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

  std::vector<Constant<runtime::Check>> checks(const Entry& entry) {
    std::vector<Constant<runtime::Check>> all;
    for (const auto& check : entry.checks)
      all.push_back(write_.structure<runtime::Check>({write_.i32(check.relation == Check::Relation::at_most),
                                                      extent(check.left), extent(check.right),
                                                      write_.text(check.text)}));
    return all;
  }

  std::vector<Constant<runtime::IndexSite>> sites(const Entry& entry) {
    std::vector<Constant<runtime::IndexSite>> all;
    for (const auto& site : entry.index_sites)
      all.push_back(write_.structure<runtime::IndexSite>(
          {tensor(site.name, dlvm::ElementType::i64, site.extents), extent(site.first), extent(site.bound),
           write_.i32(site.is_trap)}));
    return all;
  }

  Constant<runtime::Binding> binding(const Binding& binding) {
    const auto make = [&](runtime::BindingKind kind, std::int64_t index) {
      return write_.structure<runtime::Binding>({write_.i32(kind), write_.i32(index)});
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
      case Binding::Kind::state:
        return make(runtime::bind_state, index);
      case Binding::Kind::next:
        return make(runtime::bind_next, index);
      case Binding::Kind::updated:
        return make(runtime::bind_updated, index);
      case Binding::Kind::trained:
        return make(runtime::bind_trained, index);
      case Binding::Kind::updated_alone:
        return make(runtime::bind_updated_alone, index);
      case Binding::Kind::updated_parameter:
        return make(runtime::bind_updated_parameter, index);
      case Binding::Kind::gradient:
        return make(runtime::bind_gradient, index);
      case Binding::Kind::dimension:
        return make(runtime::bind_dimension, index);
      case Binding::Kind::seed:
        return make(runtime::bind_seed, 0);
      case Binding::Kind::frozen:
        return make(runtime::bind_frozen, index);
    }
    return {};
  }

  std::vector<Constant<runtime::Binding>> bindings(const std::vector<Binding>& bindings) {
    std::vector<Constant<runtime::Binding>> all;
    for (const auto& one : bindings) all.push_back(binding(one));
    return all;
  }

  /// The last `of_cores` slots exist once for each core.
  std::vector<Constant<runtime::Slot>> slots(const std::vector<std::vector<dlvm::Extent>>& slots,
                                             std::size_t of_cores) {
    std::vector<Constant<runtime::Slot>> all;
    for (const auto& slot : slots) {
      const bool of_core = all.size() + of_cores >= slots.size();
      all.push_back(
          write_.structure<runtime::Slot>({write_.count(slot), extents(slot), write_.i32(of_core)}));
    }
    return all;
  }

  /// The functions by which several cores compute; null if the code has no work for them.
  Constant<const runtime::Cores*> cores(const ProcessorCode& code) {
    if (!code.divides_work) return write_.null<const runtime::Cores*>();
    return {module_.getOrInsertGlobal("tel_cores", llvm::PointerType::getUnqual(module_.getContext()))};
  }

  Constant<tel_compute> compute(const std::string& name) {
    auto* function = module_.getFunction(name + level_->suffix);
    if (function && !function->isDeclaration()) return {function};
    fail("no function '" + name + level_->suffix + "'");
    return write_.null<tel_compute>();
  }

  Constant<runtime::ProcessorCode> code(const ProcessorCode& code) {
    const auto arguments = bindings(code.arguments);
    const auto slots = this->slots(code.slots, code.core_slots);
    return write_.structure<runtime::ProcessorCode>({compute(code.compute), write_.count(arguments),
                                                     write_.count(slots), write_.array(arguments),
                                                     write_.array(slots), cores(code)});
  }

  Constant<const runtime::Frozen*> frozen() {
    names_.clear();
    std::vector<Constant<runtime::FrozenOperand>> all;
    for (const interface::FrozenOperand& operand : level_->interface->frozen) {
      const auto slots = this->slots(operand.slots, 0);
      all.push_back(write_.structure<runtime::FrozenOperand>(
          {compute(operand.compute), write_.i64(static_cast<std::int64_t>(operand.parameter)),
           write_.i64(operand.offset), write_.count(slots), write_.array(slots)}));
    }
    return write_.global(
        write_.structure<runtime::Frozen>({tables_.parameters, write_.count(all), write_.array(all),
                                           write_.i64(level_->interface->frozen_size)}));
  }

  Constant<const runtime::Initializers*> initializers(const Store& store,
                                                      Constant<const runtime::Store*> written) {
    names_.clear();
    std::vector<Constant<runtime::Initializer>> all;
    for (const auto& stored : store.tensors) {
      const auto made = slots(stored.initializer_slots, 0);
      all.push_back(write_.structure<runtime::Initializer>(
          {compute(stored.initializer), write_.i64(stored.initializer_takes_seed),
           write_.u64(stored.initializer_stream), write_.count(made), write_.array(made)}));
    }
    return write_.global(write_.structure<runtime::Initializers>({written, write_.array(all)}));
  }

  /// Null where the tables alone say what a call is.
  Constant<int32_t (*)(void*, void**, int64_t*)> place(const Entry& entry) {
    const bool is_for_devices = devices_.contains(entry.code.compute);
    llvm::Function* function =
        write_placement(module_, *level_->interface, entry, is_for_devices, entry.code.compute + ".place");
    if (function != nullptr) return {function};
    return write_.null<int32_t (*)(void*, void**, int64_t*)>();
  }

  Constant<const runtime::Entry*> table(const Entry& entry, Constant<const runtime::Frozen*> frozen) {
    names_.clear();
    for (const auto& dimension : entry.dimensions) names_.push_back(dimension.name);
    const Arguments members = arguments_of(entry);
    const auto offset = [&](Kind kind) {
      const auto* member = members.find(kind);
      return write_.i64(member ? member->offset : -1);
    };
    const auto fields = this->fields(entry, members);
    const auto dimensions = this->dimensions(entry, members);
    const auto checks = this->checks(entry);
    const auto sites = this->sites(entry);
    const auto results = bindings(entry.results);
    const auto devices = devices_.find(entry.code.compute);
    const auto frozen_code =
        entry.frozen ? write_.global(code(*entry.frozen)) : write_.null<const runtime::ProcessorCode*>();
    return write_.global(write_.structure<runtime::Entry>(
        {write_.text(level_->interface->module + "::" + entry.name),
         code(entry.code),
         tables_.parameters,
         tables_.constants,
         tables_.state,
         write_.i64(members.size),
         offset(Kind::parameters),
         offset(Kind::constants),
         offset(Kind::state),
         offset(Kind::gradients),
         offset(Kind::frozen),
         offset(Kind::workspace),
         offset(Kind::workspace_size),
         offset(Kind::options),
         write_.i32(entry.updates_state()),
         write_.i32(entry.updates_parameters()),
         write_.count(fields),
         write_.count(dimensions),
         write_.count(checks),
         write_.count(sites),
         write_.count(results),
         write_.array(fields),
         write_.array(dimensions),
         write_.array(checks),
         write_.array(sites),
         write_.array(results),
         devices == devices_.end() ? write_.null<const runtime::Devices*>() : devices->second,
         frozen_code,
         frozen,
         place(entry)}));
  }

  llvm::Module& module_;
  const std::span<const LevelCode> levels_;
  const LevelCode& base_;
  const LevelCode* level_;  ///< whose tables are under way
  const DeviceTables& devices_;
  ConstantWriter write_;
  Tables tables_;
  std::vector<std::string> names_;    ///< dimensions of the entry under way
  std::vector<std::int64_t> fields_;  ///< field of each of its inputs
  std::int64_t first_output_ = 0;
};

}  // namespace

std::string write_tables(llvm::Module& module, std::span<const LevelCode> levels, const DeviceTables& devices,
                         Tables& tables) {
  TableWriter writer(module, levels, devices);
  tables = writer.write();
  return writer.error;
}

}  // namespace codegen::object
