#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "dlvm/verify/checks.h"
#include "dlvm/verify/diagnostics.h"

namespace dlvm::verification {
namespace {

using Tensors = std::unordered_map<std::string_view, const StoredTensor*>;

const Function* function_named(const Context& context, std::string_view name) {
  return context.module.function(name);
}

void check_tensor(const Context& context, const StoredTensor& tensor, Tensors& tensors, Tensors& in_files) {
  const auto report = [&](const std::string& reason) {
    context.diagnostics.report(bad_tensor, tensor.place(), word(tensor.role), tensor.name, reason);
  };
  if (!tensors.emplace(tensor.name, &tensor).second)
    report("another stored tensor has the name");
  else if (!in_files.emplace(tensor.name_in_file(), &tensor).second)
    report(fmt::format("another stored tensor has the name '{}' in files", tensor.name_in_file()));
  bool constant = tensor.type.is_tensor();
  if (constant)
    for (const Extent& extent : tensor.type.shape()) constant = constant && extent.constant();
  if (!constant) return report("a type without constant extents: " + tensor.type.text());
  if (tensor.transposed_in_file && tensor.type.rank() < 2)
    report(fmt::format("{} cannot be transposed in files", tensor.type.text()));
  if (tensor.initializer.empty()) return;
  const Function* initializer = function_named(context, tensor.initializer);
  const Type expected = Type::function({Type::scalar(ElementType::u64)}, tensor.type);
  if (initializer == nullptr)
    report(fmt::format("no function @{}", tensor.initializer));
  else if (!(initializer->type() == expected))
    report(fmt::format("@{} has type {}, not {}", tensor.initializer, initializer->type().text(),
                       expected.text()));
}

class EntryCheck {
 public:
  EntryCheck(const Context& context, const EntryPoint& entry, const Tensors& tensors)
      : context_(context), entry_(entry), tensors_(tensors) {}

  void run() {
    const Function* function = function_named(context_, entry_.function);
    if (function == nullptr) return report(fmt::format("no function @{}", entry_.function));
    const Type& type = function->type();
    if (type.parameters().size() != entry_.arguments.size())
      return report(fmt::format("{} arguments, @{} takes {}", entry_.arguments.size(), entry_.function,
                                type.parameters().size()));
    if (!type.result().is_tuple())
      return report(fmt::format("@{} returns {}, not a tuple of results; that of one is written ({})",
                                entry_.function, type.result().text(), type.result().text()));
    if (type.result().elements().size() != entry_.results.size())
      return report(fmt::format("{} results, @{} returns {}", entry_.results.size(), entry_.function,
                                type.result().text()));
    for (std::size_t i = 0; i < entry_.arguments.size(); ++i)
      check(entry_.arguments[i], type.parameters()[i]);
    for (std::size_t i = 0; i < entry_.results.size(); ++i)
      check(entry_.results[i], type.result().elements()[i]);
  }

 private:
  void report(const std::string& reason) {
    context_.diagnostics.report(bad_entry, entry_.place(), entry_.name, reason);
  }

  void mismatch(std::string_view what, const std::string& name, const Type& given, const Type& expected) {
    if (!(given == expected))
      report(fmt::format("{} \"{}\" has type {}, not {}", what, name, given.text(), expected.text()));
  }

  /// Each part of the name but the last is a struct, or none of them is said to be. An enum is the number of
  /// one of its cases, i32, or of a node, i64, or a table of these.
  void check_structs(const std::string& name, const std::vector<std::string>& structs, const Type& type) {
    const auto dots = static_cast<std::size_t>(std::ranges::count(name, '.'));
    const bool is_number =
        type.is_tensor() && (type.element() == ElementType::i32 || type.element() == ElementType::i64);
    if (structs.size() > dots + 1) {
      if (!is_number) mismatch("the number of a case", name, type, Type::scalar(ElementType::i32));
    } else if (!structs.empty() && structs.size() != dots) {
      report(fmt::format("the name \"{}\" has {} parts before the last, but {} structs", name, dots,
                         structs.size()));
    }
  }

  void check(const EntryPoint::Argument& argument, const Type& type) {
    check_structs(argument.name, argument.structs, type);
    if (!type.is_tensor()) return report(fmt::format("\"{}\" is no tensor: {}", argument.name, type.text()));
    if (argument.role == ArgumentRole::seed)
      return mismatch(word(argument.role), argument.name, type, Type::scalar(ElementType::u64));
    by_name_.emplace(argument.role == ArgumentRole::cotangent ? "" : argument.name, &type);
    if (argument.role == ArgumentRole::input || argument.role == ArgumentRole::cotangent) return;
    const auto found = tensors_.find(argument.name);
    if (found == tensors_.end() || word(found->second->role) != word(argument.role))
      return report(fmt::format("there is no {} \"{}\"", word(argument.role), argument.name));
    mismatch(word(argument.role), argument.name, type, found->second->type);
  }

  void check(const EntryPoint::Result& result, const Type& type) {
    check_structs(result.name, result.structs, type);
    if (!type.is_tensor()) return report(fmt::format("\"{}\" is no tensor: {}", result.name, type.text()));
    if (result.role == ResultRole::next) {
      const auto found = tensors_.find(result.name);
      if (found == tensors_.end() || found->second->role == StoredTensor::Role::constant)
        return report(fmt::format("there is no state or parameter \"{}\"", result.name));
      return mismatch(word(result.role), result.name, type, found->second->type);
    }
    if (result.role != ResultRole::derivative) return;
    const auto found = by_name_.find(result.name);
    if (found != by_name_.end()) mismatch(word(result.role), result.name, type, *found->second);
  }

  const Context& context_;
  const EntryPoint& entry_;
  const Tensors& tensors_;
  std::unordered_map<std::string, const Type*> by_name_;  ///< arguments but cotangents and seeds
};

}  // namespace

void check_interface(const Context& context) {
  Tensors tensors, in_files;
  for (const StoredTensor& tensor : context.module.tensors) check_tensor(context, tensor, tensors, in_files);
  std::unordered_set<std::string_view> names;
  for (const EntryPoint& entry : context.module.entries) {
    if (!names.insert(entry.name).second)
      context.diagnostics.report(bad_entry, entry.place(), entry.name, "another entry point has the name");
    EntryCheck(context, entry, tensors).run();
  }
}

}  // namespace dlvm::verification
