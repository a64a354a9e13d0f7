#include "codegen/describe_interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "codegen/entry_functions.h"
#include "dlvm/ir/derived_names.h"

namespace codegen {
using interface::bind_dimensions;
using interface::Binding;
using interface::Check;
using interface::Entry;
using interface::EntryKind;
using interface::Input;
using interface::Interface;
using interface::lay_out;
using interface::ProcessorCode;
using interface::Store;
using interface::StoredTensor;
using interface::Tensor;

namespace {

using dlvm::ArgumentRole;
using dlvm::EntryPoint;
using dlvm::ResultRole;

Tensor tensor(const std::string& name, const dlvm::Type& type, const std::string& doc,
              std::vector<std::string> structs = {}) {
  Tensor made{name, type.element(), type.shape(), doc, std::move(structs)};
  // Behind the struct for each part of the name before the last stand the enum and its cases.
  const auto dots = static_cast<std::size_t>(std::ranges::count(name, '.'));
  if (made.structs.size() <= dots) return made;
  const auto enumeration = made.structs.begin() + static_cast<std::ptrdiff_t>(dots);
  made.enumeration = *enumeration;
  made.cases.assign(enumeration + 1, made.structs.end());
  made.structs.resize(dots);
  return made;
}

/// Whether callers give the dimension as a bound. The function that it is named after may be inlined and
/// gone: what is left then is that no tensor of a caller has such an extent.
bool is_bound(const std::string& dimension, const dlvm::Module& module) {
  if (dlvm::is_bound_of_lowering(dimension, module)) return true;
  std::set<std::string> of_tensors;
  for (const auto& function : module.functions()) function->type().collect_names(of_tensors);
  return !dlvm::meaning_of_bound(dimension).empty() && !of_tensors.contains(dimension);
}

/// The name of what is checked. Where callers give a bound it says what the bound counts, and its name.
std::string site_name(const kernel::CheckSite& site, const dlvm::Module& module) {
  std::set<std::string> dimensions;
  site.end.collect_names(dimensions);
  for (const std::string& dimension : dimensions) {
    if (!site.shape.empty() || !is_bound(dimension, module)) continue;
    const std::string_view counted = dimension.ends_with("_depth")   ? "the depth of calls"
                                     : dimension.ends_with("_steps") ? "the number of steps"
                                     : dimension.ends_with("_nodes") ? "the number of nodes"
                                                                     : "the number of values";
    return fmt::format("{}, which {} bounds,", counted, dimension);
  }
  return site.name.empty() ? "index" : site.name;
}

interface::IndexSite index_site(const kernel::CheckSite& site, const dlvm::Module& module) {
  if (!site.is_trap) return {site_name(site, module), site.shape, site.first, site.end};
  const dlvm::Location& at = site.location;
  const std::string place =
      at.valid() ? fmt::format(" at {}:{}:{}", at.source->name(), at.line, at.column) : "";
  return {site.name + place, {}, 0, 0, true};
}

/// The structs and enums of stored tensors, by their names: those that entry points name where they take
/// them.
std::map<std::string_view, const std::vector<std::string>*> structs_of_stored(const dlvm::Module& module) {
  std::map<std::string_view, const std::vector<std::string>*> found;
  for (const EntryPoint& point : module.entries)
    for (const EntryPoint::Argument& each : point.arguments)
      if ((each.role == ArgumentRole::constant || each.role == ArgumentRole::state) && !each.structs.empty())
        found.emplace(each.name, &each.structs);
  return found;
}

Store store(const dlvm::Module& module, dlvm::StoredTensor::Role role,
            const std::map<std::string, CompiledFunction>& functions) {
  Store result;
  const auto structs = structs_of_stored(module);
  for (const dlvm::StoredTensor& stored : module.tensors) {
    if (stored.role != role) continue;
    StoredTensor& to = result.tensors.emplace_back();
    to.tensor = tensor(stored.name, stored.type, stored.doc);
    if (const auto known = structs.find(stored.name); known != structs.end())
      to.tensor = tensor(stored.name, stored.type, stored.doc, *known->second);
    to.file_name = stored.file_name;
    to.transposed_in_file = stored.transposed_in_file;
    if (stored.initializer.empty()) continue;
    to.initializer = compute_symbol(stored.initializer);
    to.initializer_takes_seed = !module.function(stored.initializer)->type().parameters().empty();
    to.initializer_stream = stored.stream;
    if (const auto known = functions.find(stored.initializer); known != functions.end())
      to.initializer_slots = known->second.slots;
  }
  return result;
}

/// The positions of a store's tensors by their names.
class Positions {
 public:
  explicit Positions(const Store& store) : count_(store.tensors.size()) {
    for (std::size_t i = 0; i < count_; ++i) known_.emplace(store.tensors[i].tensor.name, i);
  }
  bool contains(const std::string& name) const { return known_.contains(name); }
  /// Returns the position of the tensor, or the number of tensors if there is none of that name.
  std::size_t of(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? count_ : found->second;
  }

 private:
  std::size_t count_;
  std::unordered_map<std::string, std::size_t> known_;
};

/// The positions of the stored tensors of an interface.
struct StoredPositions {
  Positions parameters, constants, state;
  explicit StoredPositions(const Interface& interface)
      : parameters(interface.parameters), constants(interface.constants), state(interface.state) {}
};

EntryKind kind(dlvm::EntryKind kind) {
  switch (kind) {
    case dlvm::EntryKind::forward:
      return EntryKind::forward;
    case dlvm::EntryKind::evaluate:
      return EntryKind::evaluate;
    case dlvm::EntryKind::gradient:
      return EntryKind::gradient;
    case dlvm::EntryKind::named_gradient:
      return EntryKind::named_gradient;
    case dlvm::EntryKind::step:
      return EntryKind::step;
  }
  return EntryKind::forward;
}

void add_argument(Entry& entry, const EntryPoint::Argument& argument, const dlvm::Type& type,
                  const StoredPositions& stored) {
  using Kind = Binding::Kind;
  switch (argument.role) {
    case ArgumentRole::input:
    case ArgumentRole::cotangent:
      entry.code.arguments.push_back({Kind::input, entry.inputs.size()});
      entry.inputs.push_back(
          {tensor(argument.name, type, argument.doc, argument.structs),
           argument.role == ArgumentRole::input ? Input::Role::input : Input::Role::cotangent});
      return;
    case ArgumentRole::parameter:
      entry.code.arguments.push_back({Kind::parameter, stored.parameters.of(argument.name)});
      return;
    case ArgumentRole::constant:
      entry.code.arguments.push_back({Kind::constant, stored.constants.of(argument.name)});
      return;
    case ArgumentRole::state:
      entry.code.arguments.push_back({Kind::state, stored.state.of(argument.name)});
      return;
    case ArgumentRole::seed:
      entry.code.arguments.push_back({Kind::seed, 0});
      return;
  }
}

/// Returns the results that the function has written to the memory of an argument, the state of that name.
std::set<std::size_t> updated_results(const kernel::Program& program) {
  std::set<std::size_t> updated;
  for (const kernel::Value& value : program.values)
    if (value.place == kernel::Value::Place::output && value.updated_input) updated.insert(value.index);
  return updated;
}

/// Whether the result is written to `Gradients`.
bool is_of_parameter(const EntryPoint& point, const EntryPoint::Result& result,
                     const StoredPositions& stored) {
  return result.role == ResultRole::derivative && point.kind == dlvm::EntryKind::gradient &&
         stored.parameters.contains(result.name);
}

/// Where `Gradients` are the result's member `gradient`, derivatives by inputs stand beside them.
void add_result(Entry& entry, const EntryPoint& point, const EntryPoint::Result& result,
                const dlvm::Type& type, bool is_updated, const StoredPositions& stored) {
  if (result.role == ResultRole::next) {
    if (stored.parameters.contains(result.name))
      entry.results.push_back({is_updated ? Binding::Kind::updated_parameter : Binding::Kind::trained,
                               stored.parameters.of(result.name)});
    else
      entry.results.push_back({!is_updated                    ? Binding::Kind::next
                               : is_of_optimizer(result.name) ? Binding::Kind::updated_alone
                                                              : Binding::Kind::updated,
                               stored.state.of(result.name)});
    return;
  }
  if (is_of_parameter(point, result, stored)) {
    entry.results.push_back({Binding::Kind::gradient, stored.parameters.of(result.name)});
    return;
  }
  const bool derivative = result.role == ResultRole::derivative;
  const bool beside = derivative && std::ranges::any_of(point.results, [&](const EntryPoint::Result& other) {
                        return is_of_parameter(point, other, stored);
                      });
  entry.results.push_back({Binding::Kind::output, entry.outputs.size()});
  entry.outputs.push_back(
      {tensor((beside ? "gradient_" : "") + result.name, type, result.doc, result.structs),
       derivative && !beside});
}

Check check(const dlvm::Requirement& requirement) {
  const bool equal = requirement.relation == dlvm::Requirement::Relation::equal;
  std::string text = requirement.text;
  // A text without places for the values (of a .dl file) says what must hold; the values are added.
  if (text.find("{left}") == std::string::npos && text.find("{right}") == std::string::npos)
    text += ": " + requirement.left.text() + " is {left}, " + requirement.right.text() + " is {right}";
  return {equal ? Check::Relation::equal : Check::Relation::at_most, requirement.left, requirement.right,
          text};
}

/// Returns the function without its arguments.
ProcessorCode code(const std::string& function, const CompiledFunction& compiled) {
  return {compute_symbol(function), {}, compiled.slots, compiled.core_slots, compiled.divides_work};
}

/// Returns the frozen form of a function: it takes the arguments of the function, and then frozen operands.
ProcessorCode frozen_code(const std::string& name, const CompiledFunction& compiled,
                          const ProcessorCode& function) {
  ProcessorCode result = code(name, compiled);
  result.arguments = function.arguments;
  for (const std::size_t operand : compiled.frozen)
    result.arguments.push_back({Binding::Kind::frozen, operand});
  return result;
}

/// Appends an operand to what the module freezes.
void add_frozen(Interface& interface, const FrozenOperandOf& operand, const CompiledFunction& compiled,
                const StoredPositions& stored) {
  interface.frozen.push_back({stored.parameters.of(operand.parameter), compute_symbol(operand.function),
                              compiled.slots, interface.frozen_size});
  for (const kernel::Value& value : compiled.program.values)
    if (value.place == kernel::Value::Place::output)
      interface.frozen_size +=
          dlvm::unit_count(value.shape).constant().value() * dlvm::info(value.element).bytes;
  interface.frozen_size = (interface.frozen_size + 63) / 64 * 64;
}

Entry entry(const EntryPoint& point, const dlvm::Module& module,
            const std::map<std::string, CompiledFunction>& functions, const StoredPositions& stored) {
  const CompiledFunction& compiled = functions.at(point.function);
  Entry result;
  const dlvm::Function& function = *module.function(point.function);
  result.name = point.name;
  result.kind = kind(point.kind);
  result.doc = point.doc;
  result.code = code(point.function, compiled);
  for (std::size_t i = 0; i < point.arguments.size(); ++i)
    add_argument(result, point.arguments[i], function.type().parameters()[i], stored);
  const std::set<std::size_t> updated = updated_results(compiled.program);
  for (std::size_t i = 0; i < point.results.size(); ++i)
    add_result(result, point, point.results[i], function.type().result().elements()[i], updated.contains(i),
               stored);
  if (!compiled.frozen_form.empty())
    result.frozen = frozen_code(compiled.frozen_form, functions.at(compiled.frozen_form), result.code);
  for (const dlvm::Requirement& requirement : function.requirements)
    result.checks.push_back(check(requirement));
  for (const kernel::CheckSite& site : compiled.program.check_sites)
    result.index_sites.push_back(index_site(site, module));
  bind_dimensions(result, compiled.program.dimensions);
  for (Input& input : result.inputs)
    if (input.role == Input::Role::dimension && dlvm::is_bound_of_lowering(input.tensor.name, module))
      input.tensor.doc = dlvm::meaning_of_bound(input.tensor.name);
  return result;
}

}  // namespace

std::string compute_symbol(const std::string& function) { return "compute." + function; }

Interface describe(const dlvm::Module& module, const std::string& source,
                   const std::map<std::string, CompiledFunction>& functions,
                   const std::vector<FrozenOperandOf>& frozen) {
  Interface interface;
  interface.module = module.name();
  interface.doc = module.doc;
  interface.source = source;
  interface.parameters = store(module, dlvm::StoredTensor::Role::parameter, functions);
  interface.constants = store(module, dlvm::StoredTensor::Role::constant, functions);
  interface.state = store(module, dlvm::StoredTensor::Role::state, functions);
  lay_out(interface.parameters);
  lay_out(interface.constants);
  lay_out(interface.state);
  const StoredPositions stored(interface);
  for (const FrozenOperandOf& operand : frozen)
    add_frozen(interface, operand, functions.at(operand.function), stored);
  for (const EntryPoint& point : module.entries)
    interface.entries.push_back(entry(point, module, functions, stored));
  return interface;
}

}  // namespace codegen
