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
    if (are_independent(by)) {
      take(0, derivatives(by, 0));
    } else {
      for (std::size_t i = 0; i < by.size(); ++i) take(i, derivatives({by[i]}, i));
    }
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

  /// The derivatives by these values, of which the first is number `first` of the place.
  std::vector<Value*> derivatives(const std::vector<Value*>& by, std::size_t first) {
    std::vector<Value*> results;
    for (std::size_t i = 0; i < by.size(); ++i)
      if (by.size() > 1 && !reaches({by[i]}, first + i)) return zeros(by);
    Outline part = outline(by);
    if (!is_possible(part.find(place_.operand(0)), first)) return zeros(by);
    std::vector<Value*> arguments = part.arguments();
    Function* outlined = outlined_function(part, arguments);
    for (std::size_t i = 0; i < by.size(); ++i) name_argument(*outlined, i, *names_[first + i]);
    const Function* gradient = declare(*outlined, by.size());
    Value* all = builder_.apply(gradient, arguments);
    for (std::size_t i = 0; i < by.size(); ++i)
      results.push_back(builder_.extract(all, static_cast<std::int64_t>(i)));
    return results;
  }

  bool reaches(const std::vector<Value*>& by, std::size_t number) {
    Outline part = outline(by);
    return is_possible(part.find(place_.operand(0)), number);
  }

  bool is_possible(Outline::Problem problem, std::size_t number) {
    if (problem == Outline::Problem::none) return true;
    const check::Node &of = *node_.operands[0], &by = *names_[number];
    const std::string name = check::quoted(by.place(), "the name"),
                      text = fmt::format("'{}'", check::quoted(of.place(), "the expression"));
    if (problem == Outline::Problem::independent) {
      report(check::gradient_independent, of.place(), text, name);
    } else if (dlvm::Diagnostic* message = report(check::gradient_through_loop, node_.location, text, name)) {
      message->fix(
          fmt::format("move the loop into a function f({0}, ...), and write gradient(f({0}, ...), "
                      "wrt: {0}) behind it",
                      name));
    }
    return false;
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

  std::vector<Value*> zeros(const std::vector<Value*>& by) {
    std::vector<Value*> results;
    for (const Value* each : by) results.push_back(function_.splat(each->type(), 0));
    return results;
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

  /// Gives an argument that has no name, such as a literal, the one that the program has for it. A field of a
  /// struct by which a gradient is taken gets none.
  static void name_argument(Function& outlined, std::size_t number, const check::Node& by) {
    dlvm::Argument& argument = *outlined.entry().arguments()[number];
    if (argument.name().empty() && by.kind == check::Node::Kind::reference && by.type.is_tensor())
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

  /// Puts the derivatives in the places of those from number `first` on.
  void take(std::size_t first, const std::vector<Value*>& derivatives) {
    const std::vector<Instruction*> users = place_.users();
    for (Instruction* user : users) {
      const auto position =
          static_cast<std::size_t>(std::get<dlvm::Integers>(user->attributes().front()).front());
      if (position < first + 1 || position > first + derivatives.size()) continue;
      replace_all_uses(*user, *derivatives[position - 1 - first]);
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
