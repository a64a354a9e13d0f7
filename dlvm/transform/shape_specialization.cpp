#include "dlvm/transform/shape_specialization.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/custom_derivative.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/ir/copy_blocks.h"
#include "dlvm/ir/derived_names.h"
#include "dlvm/ir/dimension_names.h"
#include "dlvm/ir/instruction_views.h"
#include "dlvm/ir/tensor_size.h"
#include "dlvm/ir/unify_lists.h"
#include "dlvm/transform/diagnostics.h"

namespace dlvm {
namespace {

/// The copies of one function; a recursion may ask for ever more of them.
constexpr std::size_t max_copies = 16;

std::set<std::string> dimensions_of(const Function& function) {
  std::set<std::string> names;
  for (const Type& parameter : function.type().parameters()) parameter.collect_names(names);
  return names;
}

std::string text(const Extent::Substitution& names) {
  std::string out;
  for (const auto& [name, value] : names)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", name, value.text());
  return out;
}

/// Returns what of a substitution gives constants to dimensions with names.
Extent::Substitution constants(const Extent::Substitution& names) {
  Extent::Substitution out;
  for (const auto& [name, value] : names)
    if (value.constant()) out.emplace(name, value);
  return out;
}

/// Returns why a function with its extents replaced is not legal; empty if it is.
std::string wrong_with(const Function& function) {
  for (const auto& block : function.blocks())
    for (const auto& instruction : block->instructions()) {
      std::vector<Type> types;
      for (const Value* operand : instruction->operands()) types.push_back(operand->type());
      std::string why;
      const auto type = infer_type(instruction->opcode(), {types, instruction->attributes()}, why);
      if (!type) return fmt::format("{}: {}", instruction->definition().name, why);
      if (!has_countable_bytes(*type)) return type->text() + " is too large: 2^63 bytes or more";
      if (!(*type == instruction->type()))
        return fmt::format("{} would have type {}, not {}", instruction->definition().name, type->text(),
                           instruction->type().text());
    }
  return "";
}

/// Removes the requirements that hold for constants; returns the text of one that does not.
std::optional<std::string> check_requirements(Function& function) {
  std::optional<std::string> broken;
  std::erase_if(function.requirements, [&](const Requirement& requirement) {
    const auto left = requirement.left.constant(), right = requirement.right.constant();
    if (!left || !right) return false;
    const bool holds =
        requirement.relation == Requirement::Relation::equal ? *left == *right : *left <= *right;
    if (!holds && !broken) broken = fmt::format("\"{}\" does not hold", requirement.text);
    return holds;
  });
  return broken;
}

class Specialization {
 public:
  Specialization(Module& module, Diagnostics& diagnostics) : module_(module), diagnostics_(diagnostics) {}

  bool run(const Extent::Bindings& dimensions) {
    Extent::Substitution names;
    for (const auto& [name, value] : dimensions) names.emplace(name, value);
    const auto roots = called_from_outside();
    report_unknown(roots, dimensions);
    for (const auto& function : module_.functions())
      if (roots.contains(function.get())) specialize(*function, names);
    if (changed_)
      for (const auto& function : module_.functions()) report(*function, names, wrong_with(*function));
    if (diagnostics_.has_errors()) return true;
    for (std::size_t i = 0; i < module_.functions().size(); ++i)  // the copies join the list
      specialize_calls(*module_.functions()[i]);
    return changed_;
  }

 private:
  /// Returns the functions of the entry points, and those of which they are derivatives; in a module without
  /// entry points those that no others call stand in the place of the first. What is a derivative of its own
  /// of another function is specialised with that.
  std::unordered_set<const Function*> called_from_outside() const {
    std::unordered_set<const Function*> roots;
    const auto add = [&](const Function* at) {
      while (at != nullptr && roots.insert(at).second) at = at->gradient ? at->gradient->of : nullptr;
    };
    for (const EntryPoint& entry : module_.entries) add(module_.function(entry.function));
    if (!module_.entries.empty()) return roots;
    std::unordered_set<const Function*> called;
    const auto components = call_components(module_);
    for (const Component& component : components)
      for (const Function* function : component.functions)
        for (const Function* callee : references(*function))
          if (std::ranges::find(component.functions, callee) == component.functions.end())
            called.insert(callee);
    for (const auto& function : module_.functions())
      if (!called.contains(function.get())) add(function.get());
    for (const auto& function : module_.functions()) roots.erase(function->adjoint);
    return roots;
  }

  void report_unknown(const std::unordered_set<const Function*>& roots, const Extent::Bindings& dimensions) {
    std::set<std::string> names;
    for (const Function* root : roots) names.merge(dimension_names(*root));
    for (const auto& [name, value] : dimensions)
      if (!names.contains(name) && !is_bound_of_lowering(name, module_))
        diagnostics_.report(transformation::unknown_dimension, {}, name, list_of(names));
  }

  /// Replaces dimensions of a function in its place.
  void specialize(Function& function, const Extent::Substitution& given) {
    Extent::Substitution names;
    const auto dimensions = dimensions_of(function);
    for (const auto& [name, value] : given)
      if (dimensions.contains(name)) names.emplace(name, value);
    if (names.empty()) return;
    changed_ = true;
    function.set_type(function.type().substitute(names));
    for (Requirement& requirement : function.requirements) {
      requirement.left = requirement.left.substitute(names);
      requirement.right = requirement.right.substitute(names);
    }
    for (const auto& block : function.blocks()) {
      for (const auto& argument : block->arguments()) set_type(*argument, argument->type().substitute(names));
      for (const auto& instruction : block->instructions()) specialize(*instruction, names);
    }
    if (const auto broken = check_requirements(function)) report(function, names, *broken);
  }

  static void specialize(Instruction& instruction, const Extent::Substitution& names) {
    set_type(instruction, instruction.type().substitute(names));
    for (std::size_t i = 0; i < instruction.attributes().size(); ++i)
      instruction.set_attribute(i, substitute(instruction.attributes()[i], names));
    for (Value* operand : instruction.operands())
      if (operand->kind() == Value::Kind::literal) set_type(*operand, operand->type().substitute(names));
  }

  void report(const Function& function, const Extent::Substitution& names, const std::string& reason) {
    if (!reason.empty())
      diagnostics_.report(transformation::bad_extents, function.place(), function.name(), text(names),
                          reason);
  }

  void specialize_calls(Function& caller) {
    for (const auto& block : caller.blocks())
      for (const auto& instruction : block->instructions())
        if (const auto call = as<Apply>(*instruction)) {
          std::vector<Type> types;
          for (const Value* argument : call.arguments()) types.push_back(argument->type());
          const Function* callee = copy_for(*call.callee(), types);
          if (callee == nullptr) continue;
          instruction->set_attribute(0, callee);
          changed_ = true;
        }
    if (caller.adjoint == nullptr) return;
    if (const Function* adjoint = copy_for(*caller.adjoint, adjoint_arguments(caller.type()))) {
      caller.adjoint = adjoint;
      changed_ = true;
    }
  }

  /// Returns the copy of the callee for the constant extents of a call; null if there is nothing to replace,
  /// or the callee with these extents would not be legal, or there are too many copies.
  const Function* copy_for(const Function& callee, const std::vector<Type>& arguments) {
    if (!callee.has_body()) return nullptr;
    Extent::Substitution names;
    if (unify_lists(callee.type().parameters(), arguments, names) < arguments.size()) return nullptr;
    names = constants(names);
    if (names.empty()) return nullptr;
    auto& copies = copies_[&callee];
    const auto [place, fresh] = copies.try_emplace(text(names), nullptr);
    if (fresh && copies.size() <= max_copies) place->second = copy(callee, names);
    return place->second;
  }

  const Function* copy(const Function& callee, const Extent::Substitution& names) {
    std::string name = callee.name() + ".";
    for (const auto& [dimension, value] : names)
      name += (dimension.starts_with('_') ? "" : dimension) + value.text();
    const Type type = callee.type().substitute(names);
    Function trial(name, type);
    copy_blocks(trial, callee, names);
    copy_requirements(trial, callee, names);
    if (check_requirements(trial) || !wrong_with(trial).empty())
      return nullptr;  // the call fails when it is made
    Function* made = module_.add_function(module_.fresh_name(name), type);
    made->attributes = callee.attributes;
    made->adjoint = callee.adjoint;
    made->location = callee.location;
    made->requirements = trial.requirements;
    made->take_body(trial);
    return made;
  }

  Module& module_;
  Diagnostics& diagnostics_;
  std::unordered_map<const Function*, std::map<std::string, const Function*>> copies_;
  bool changed_ = false;
};

/// The types of declarations follow from those of the functions.
void update_declarations(Module& module) {
  for (const auto& function : module.functions()) {
    std::string why;
    if (!function->gradient) continue;
    if (const auto type = gradient_type(*function->gradient, why)) function->set_type(*type);
  }
}

}  // namespace

bool shape_specialization(Module& module, const Extent::Bindings& dimensions, Diagnostics& diagnostics) {
  const bool changed = Specialization(module, diagnostics).run(dimensions);
  if (changed) update_declarations(module);
  return changed;
}

}  // namespace dlvm
