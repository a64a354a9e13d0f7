#include "frontend/lower/gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dlvm/analysis/dominators.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/ir/builder.h"
#include "dlvm/ir/dimension_names.h"
#include "dlvm/support/internal_error.h"
#include "frontend/check/diagnostics/gradient_diagnostics.h"
#include "frontend/check/types/spelling.h"
#include "frontend/lower/body.h"
#include "frontend/lower/outline.h"

namespace frontend::lower {
namespace {

using dlvm::Function;
using dlvm::Instruction;
using dlvm::Type;
using dlvm::Value;

/// Makes the gradient of one place.
class GradientLowering {
 public:
  GradientLowering(Function& function, const Gradients::Place& place, Gradients& gradients,
                   Functions& functions)
      : function_(function),
        place_(*place.instruction),
        node_(*place.node),
        names_(place.names),
        gradients_(gradients),
        functions_(functions),
        builder_(*place_.block(), &place_) {
    builder_.set_locations({node_.location});
  }

  void run() {
    const std::vector<Value*> by(place_.operands().begin() + 1, place_.operands().end());
    const std::vector<std::size_t> reached = numbers_reached(by);
    std::vector<Value*> results;
    for (const Value* each : by) results.push_back(function_.splat(each->type(), 0));
    if (are_independent(by)) {
      differentiate(by, reached, results);
    } else {
      for (const std::size_t number : reached) differentiate(by, {number}, results);
    }
    take(results);
    place_.block()->erase(&place_);
  }

 private:
  /// Whether one function can take all of them: where one depends on another, the derivative by the first is
  /// taken with the other as it is.
  bool are_independent(const std::vector<Value*>& by) {
    for (const Value* each : by)
      if (dlvm::defining_block(each) != dlvm::defining_block(by.front())) return false;
    for (Value* x : by)
      for (Value* y : by)
        if (x != y && outline({x}).find(y) != Outline::Problem::independent) return false;
    return true;
  }

  Outline outline(std::vector<Value*> by) const {
    return {function_, place_, std::move(by), gradients_.named};
  }

  /// Returns the numbers of the values on which the expression depends. Reports each name of the program
  /// whose tensors it does not depend on, and loops that stand between.
  std::vector<std::size_t> numbers_reached(const std::vector<Value*>& by) {
    std::vector<std::size_t> reached;
    for (std::size_t i = 0; i < by.size();) {
      const check::Node* name = names_[i];
      bool any = false;
      for (; i < by.size() && names_[i] == name; ++i) {
        const Outline::Problem problem = outline({by[i]}).find(place_.operand(0));
        any = any || problem != Outline::Problem::independent;
        if (problem == Outline::Problem::none) reached.push_back(i);
        if (problem != Outline::Problem::none && problem != Outline::Problem::independent) report_loop(*name);
      }
      if (!any) report_independent(*name);
    }
    return reached;
  }

  /// Puts the derivatives by the values with these numbers into their places of the results.
  void differentiate(const std::vector<Value*>& all, const std::vector<std::size_t>& numbers,
                     std::vector<Value*>& results) {
    if (numbers.empty()) return;
    std::vector<Value*> by;
    for (const std::size_t number : numbers) by.push_back(all[number]);
    Outline part = outline(by);
    if (part.find(place_.operand(0)) != Outline::Problem::none) return report_loop(*names_[numbers.front()]);
    std::vector<Value*> arguments = part.arguments();
    Function* outlined = outlined_function(part, arguments);
    for (std::size_t i = 0; i < by.size(); ++i)
      name_argument(*outlined, i, *names_[numbers[i]], numbers.size() > 1 || all.size() == 1);
    const Function* gradient = declare(*outlined, by.size());
    Value* derivatives = builder_.apply(gradient, arguments);
    for (std::size_t i = 0; i < by.size(); ++i)
      results[numbers[i]] = builder_.extract(derivatives, static_cast<std::int64_t>(i));
  }

  void report_independent(const check::Node& by) {
    const check::Node& of = *node_.operands[0];
    report(check::gradient_independent, of.place(),
           fmt::format("'{}'", check::quoted(of.place(), "the expression")),
           check::quoted(by.place(), "the name"));
  }

  void report_loop(const check::Node& by) {
    const std::string name = check::quoted(by.place(), "the name");
    const std::string text = fmt::format("'{}'", check::quoted(node_.operands[0]->place(), "the expression"));
    if (dlvm::Diagnostic* message = report(check::gradient_through_loop, node_.location, text, name))
      message->fix(
          fmt::format("move the loop into a function f({0}, ...), and write gradient(f({0}, ...), "
                      "wrt: {0}) behind it",
                      name));
  }

  /// The same place may be in several functions.
  template <typename... Arguments>
  dlvm::Diagnostic* report(const dlvm::DiagnosticKind& kind, dlvm::Location at,
                           const Arguments&... arguments) {
    for (const dlvm::Diagnostic& each : functions_.diagnostics().all())
      if (each.kind == &kind && each.location.source == at.source && each.location.line == at.line &&
          each.location.column == at.column)
        return nullptr;
    return &functions_.diagnostics().report(kind, at, arguments...);
  }

  /// What the part's extents name follows from the types of what it takes: where it does not, from the
  /// function's own parameters, which are taken as well.
  Function* outlined_function(const Outline& part, std::vector<Value*>& arguments) {
    const Type result = place_.operand(0)->type();
    Function scratch("", function_type(arguments, result));
    part.build(scratch);
    std::set<std::string> bound, names = dlvm::dimension_names(scratch);
    for (const Value* argument : arguments) bind(argument->type(), bound);
    for (const auto& parameter : function_.entry().arguments()) {
      std::set<std::string> own;
      bind(parameter->type(), own);
      const bool binds = std::ranges::any_of(
          own, [&](const std::string& name) { return names.contains(name) && !bound.contains(name); });
      if (!binds) continue;
      bound.insert(own.begin(), own.end());
      arguments.push_back(parameter.get());
    }
    Function* function =
        functions_.add(function_.name() + ".differentiated", function_type(arguments, result));
    function->location = node_.operands[0]->place();
    part.build(*function);
    return function;
  }

  /// Gives an argument that has no name, such as a literal, the one that the program has for it. The fields
  /// of a struct have the name of the struct, if all of them on which the expression depends are `together`
  /// here.
  static void name_argument(Function& outlined, std::size_t number, const check::Node& by, bool together) {
    dlvm::Argument& argument = *outlined.entry().arguments()[number];
    if (!argument.name().empty()) return;
    if (!by.type.is_tensor() && together)
      argument.set_name(check::quoted(by.place(), ""));
    else if (by.kind == check::Node::Kind::reference && by.type.is_tensor())
      argument.set_name(by.declaration->name);
  }

  static Type function_type(const std::vector<Value*>& arguments, const Type& result) {
    std::vector<Type> parameters;
    for (const Value* argument : arguments) parameters.push_back(argument->type());
    return Type::function(std::move(parameters), result);
  }

  static void bind(const Type& type, std::set<std::string>& names) {
    if (!type.is_tensor()) return;
    for (const dlvm::Extent& extent : type.shape())
      if (const auto name = extent.name()) names.insert(*name);
  }

  const Function* declare(const Function& outlined, std::size_t count) {
    dlvm::GradientDeclaration declaration;
    declaration.of = &outlined;
    dlvm::Integers wrt;
    for (std::size_t i = 0; i < count; ++i) wrt.push_back(static_cast<std::int64_t>(i));
    declaration.wrt = std::move(wrt);
    declaration.location = node_.location;
    std::string why;
    const auto type = dlvm::gradient_type(declaration, why);
    if (!type) dlvm::internal_error("lowered gradient of an expression: " + why);
    Function* gradient = functions_.add(function_.name() + ".gradient", *type);
    gradient->location = node_.location;
    gradient->gradient = std::move(declaration);
    return gradient;
  }

  /// Puts the derivatives in the places of what stands for them.
  void take(const std::vector<Value*>& derivatives) {
    const std::vector<Instruction*> users = place_.users();
    for (Instruction* user : users) {
      const auto position =
          static_cast<std::size_t>(std::get<dlvm::Integers>(user->attributes().front()).front());
      replace_all_uses(*user, *derivatives[position - 1]);
      user->block()->erase(user);
    }
  }

  Function& function_;
  Instruction& place_;
  const check::Node& node_;
  const std::vector<const check::Node*>& names_;
  Gradients& gradients_;
  Functions& functions_;
  dlvm::Builder builder_;
};

}  // namespace

void make_gradients(Function& function, Gradients& gradients, Functions& functions) {
  for (const Gradients::Place& place : gradients.places)
    GradientLowering(function, place, gradients, functions).run();
  for (Instruction* each : gradients.named) {
    replace_all_uses(*each, *each->operand(0));
    each->block()->erase(each);
  }
  gradients = {};
}

}  // namespace frontend::lower
