#include "dlvm/call/entry_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "dlvm/ir/elements.h"
#include "dlvm/ir/spelling.h"

namespace dlvm {
namespace {

const Tensor* find(const NamedTensors& tensors, std::string_view name) {
  for (const NamedTensor& tensor : tensors)
    if (tensor.name == name) return &tensor.tensor;
  return nullptr;
}

bool is_weight(ArgumentRole role) {
  return role == ArgumentRole::parameter || role == ArgumentRole::constant || role == ArgumentRole::state;
}
bool is_given(ArgumentRole role) { return role == ArgumentRole::input || role == ArgumentRole::cotangent; }

const StoredTensor* stored_tensor(const Module& module, std::string_view name) {
  for (const StoredTensor& tensor : module.tensors)
    if (tensor.name == name) return &tensor;
  return nullptr;
}

/// Reports tensors whose name is not in `known`, and names given twice.
void check_names(const NamedTensors& given, const std::set<std::string>& known, std::string_view what,
                 std::vector<std::string>& problems) {
  std::set<std::string> seen;
  for (const NamedTensor& tensor : given)
    if (!known.contains(tensor.name))
      problems.push_back(fmt::format("the module has no {} '{}'{}{}", what, tensor.name,
                                     known.empty() ? "" : "; it has ", fmt::join(known, ", ")));
    else if (!seen.insert(tensor.name).second)
      problems.push_back(fmt::format("{} '{}' is given twice", what, tensor.name));
}

/// Whether the function is there, takes as many arguments, and gives a tuple of as many tensors.
bool fits(const Module& module, const EntryPoint& entry) {
  const Function* function = module.function(entry.function);
  if (function == nullptr) return false;
  const Type& result = function->type().result();
  return function->type().parameters().size() == entry.arguments.size() && result.is_tuple() &&
         result.elements().size() == entry.results.size() &&
         std::ranges::all_of(result.elements(), [](const Type& type) { return type.is_tensor(); });
}

/// Element `i` of an integer type, for messages.
std::string integer_text(const Tensor& tensor, std::size_t i) {
  if (tensor.element() == ElementType::u64)
    return fmt::format("{}", static_cast<std::uint64_t>(tensor.integer(i)));
  return fmt::format("{}", tensor.integer(i));
}

/// The first element of a tensor of integers that another type of integers does not have.
std::optional<std::size_t> first_misfit(const Tensor& tensor, const Tensor& converted) {
  const bool signs_differ = is_signed(tensor.element()) != is_signed(converted.element());
  for (std::size_t i = 0; i < tensor.size(); ++i)
    if (tensor.integer(i) != converted.integer(i) || (signs_differ && tensor.integer(i) < 0)) return i;
  return std::nullopt;
}

/// Assembles the arguments of one call.
class Assembly {
 public:
  Assembly(const Module& module, const EntryPoint& entry, const EntryInputs& given,
           std::vector<std::string>& problems)
      : module_(module),
        entry_(entry),
        given_(given),
        problems_(problems),
        function_(*module.function(entry.function)) {}

  std::optional<EntryCall> run() {
    const std::size_t before = problems_.size();
    check_all_names();
    EntryCall call;
    std::vector<std::optional<RuntimeValue>> arguments;
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i) arguments.push_back(argument(i));

    std::vector<TypedValue> typed;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i])
        typed.push_back({fmt::format("{} ({}, declared {})", subject(i), spelling(arguments[i]->tensor()),
                                     spelling(type(i))),
                         &type(i), &*arguments[i]});
    call.dimensions = given_.dimensions;
    for (auto& problem : bind_dimensions(typed, call.dimensions)) problems_.push_back(std::move(problem));
    if (problems_.size() != before) return std::nullopt;
    for (auto& value : arguments) call.arguments.push_back(std::move(*value));
    return call;
  }

 private:
  const Type& type(std::size_t i) const { return function_.type().parameters()[i]; }
  /// "input 'x'"
  std::string subject(std::size_t i) const {
    return fmt::format("{} '{}'", word(entry_.arguments[i].role), file_name(entry_.arguments[i]));
  }

  void check_all_names() {
    std::set<std::string> inputs, weights;
    for (const EntryPoint& entry : module_.entries)
      for (const auto& argument : entry.arguments)
        if (is_given(argument.role)) inputs.insert(file_name(argument));
    for (const StoredTensor& tensor : module_.tensors) weights.insert(tensor.name);
    check_names(given_.inputs, inputs, "input", problems_);
    if (given_.weights) check_names(*given_.weights, weights, "parameter, constant or state", problems_);
  }

  std::optional<RuntimeValue> argument(std::size_t i) {
    const auto& argument = entry_.arguments[i];
    if (argument.role == ArgumentRole::seed)
      return Tensor::scalar(ElementType::u64, static_cast<std::int64_t>(given_.seed));
    const std::string name = file_name(argument);
    if (is_weight(argument.role) && !given_.weights) return initial(argument);
    const Tensor* tensor = find(is_weight(argument.role) ? *given_.weights : given_.inputs, name);
    // A file of parameters has no states as a rule.
    if (tensor == nullptr && argument.role == ArgumentRole::state) return initial(argument);
    if (tensor == nullptr) {
      problems_.push_back(fmt::format("{} ({}) is missing{}", subject(i), spelling(type(i)),
                                      is_weight(argument.role)
                                          ? in_weights(name)
                                          : fmt::format("; give it with --in {}=FILE.npy", name)));
      return std::nullopt;
    }
    return fitting(*tensor, i);
  }

  std::string in_weights(const std::string& name) const {
    const StoredTensor* stored = stored_tensor(module_, name);
    return stored == nullptr || stored->file_name.empty()
               ? " in the weights"
               : fmt::format(" in the weights, where its name is '{}'", stored->file_name);
  }

  /// The tensor as argument `i`: integers may come in another type of integers that has all of them.
  std::optional<RuntimeValue> fitting(const Tensor& tensor, std::size_t i) {
    if (!type(i).is_tensor()) return tensor;  // binding says that it does not fit
    const ElementType wanted = type(i).element();
    const bool integers = is_integer(tensor.element()) && is_integer(wanted);
    if (tensor.extents().size() != type(i).rank() || (tensor.element() != wanted && !integers)) {
      const bool rounding =
          is_floating(tensor.element()) && is_floating(wanted) && tensor.element() != wanted;
      problems_.push_back(fmt::format(
          "{} is {} as given, but the module needs {}{}", subject(i), spelling(tensor), spelling(type(i)),
          rounding ? fmt::format("; save it as {}, for nothing is rounded", spelling(wanted)) : ""));
      return std::nullopt;
    }
    if (tensor.element() == wanted) return tensor;
    Tensor converted = elements::converted(tensor, wanted);
    const auto misfit = first_misfit(tensor, converted);
    if (!misfit) return converted;
    problems_.push_back(fmt::format(
        "{} is {} as given, but the module needs {}: element {} is {}, which {} does not have", subject(i),
        spelling(tensor), spelling(type(i)), elements::position(tensor.extents(), *misfit),
        integer_text(tensor, *misfit), spelling(wanted)));
    return std::nullopt;
  }

  std::optional<RuntimeValue> initial(const EntryPoint::Argument& argument) {
    const StoredTensor* stored = stored_tensor(module_, argument.name);
    const Function* initializer = stored == nullptr ? nullptr : module_.function(stored->initializer);
    if (initializer == nullptr) {
      problems_.push_back(
          fmt::format("{} '{}' has no initial value: give its weights", word(argument.role), argument.name));
      return std::nullopt;
    }
    auto result = interpret(*initializer, initializer_arguments(*initializer, *stored, given_.seed));
    if (result) return result.value;
    problems_.push_back(fmt::format("the initial value of '{}': {}", argument.name, result.error->text));
    return std::nullopt;
  }

  const Module& module_;
  const EntryPoint& entry_;
  const EntryInputs& given_;
  std::vector<std::string>& problems_;
  const Function& function_;
};

}  // namespace

const EntryPoint* find_entry(const Module& module, const std::string& name, std::string& why) {
  std::vector<std::string> names;
  for (const EntryPoint& entry : module.entries) {
    names.push_back(entry.name);
    if (entry.name != name) continue;
    if (fits(module, entry)) return &entry;
    why = fmt::format("entry point '{}' does not fit @{}", name, entry.function);
    return nullptr;
  }
  why = names.empty() ? fmt::format("module '{}' has no entry points", module.name())
                      : fmt::format("module '{}' has no entry point '{}'; it has {}", module.name(), name,
                                    fmt::join(names, ", "));
  return nullptr;
}

std::vector<RuntimeValue> initializer_arguments(const Function& initializer, const StoredTensor& stored,
                                                std::uint64_t seed) {
  if (initializer.type().parameters().empty()) return {};
  return {Tensor::scalar(ElementType::u64, static_cast<std::int64_t>(seed + stored.stream))};
}

std::string file_name(const EntryPoint::Argument& argument) {
  return argument.role == ArgumentRole::cotangent ? "cotangent." + argument.name : argument.name;
}

std::string file_name(const EntryPoint::Result& result) {
  if (result.role == ResultRole::next) return "next." + result.name;
  return result.role == ResultRole::derivative ? "gradient." + result.name : result.name;
}

std::optional<EntryCall> prepare_call(const Module& module, const EntryPoint& entry, const EntryInputs& given,
                                      std::vector<std::string>& problems) {
  return Assembly(module, entry, given, problems).run();
}

std::optional<NamedTensors> interpret_entry(const Module& module, const EntryPoint& entry,
                                            const EntryCall& call, InterpretOptions options,
                                            InterpretError& error) {
  options.dimensions = call.dimensions;
  auto result = interpret(*module.function(entry.function), call.arguments, options);
  if (!result) {
    error = std::move(*result.error);
    return std::nullopt;
  }
  NamedTensors results;
  for (std::size_t i = 0; i < entry.results.size(); ++i)
    results.push_back({file_name(entry.results[i]), result.value.elements()[i].tensor()});
  if (options.check_finite)
    for (const NamedTensor& tensor : results)
      if (is_floating(tensor.tensor.element()) &&
          !std::ranges::all_of(elements::reals(tensor.tensor), [](double x) { return std::isfinite(x); })) {
        error = {InterpretError::Kind::not_finite,
                 tensor.name + " is not finite",
                 {entry.location},
                 entry.function};
        return std::nullopt;
      }
  return results;
}

}  // namespace dlvm
