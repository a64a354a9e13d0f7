// `gradient(e, wrt: x)`: the derivative of a scalar by what a name stands for.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/calls/argument_names.h"
#include "frontend/check/calls/call.h"
#include "frontend/check/declarations/structured_values.h"
#include "frontend/check/diagnostics/entry_diagnostics.h"
#include "frontend/check/diagnostics/gradient_diagnostics.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

class GradientCall {
 public:
  GradientCall(BodyContext& context, Location location) : context_(context), location_(location) {}

  Node* check(std::vector<Argument>& arguments, Hint hint) {
    if (!assign(arguments)) return nullptr;
    Node* of = argument_value(context_, *of_, hint);
    std::vector<Node*> operands{of};
    bool complete = of != nullptr && is_differentiable_scalar(of);
    for (const ast::Expression* name : names()) {
      operands.push_back(named_value(*name));
      complete = complete && operands.back() != nullptr;
    }
    if (!complete || !is_allowed(operands)) return nullptr;
    for (std::size_t i = 1; i < operands.size(); ++i) mark(*operands[i]);
    Node node;
    node.kind = Node::Kind::gradient;
    node.type = operands[1]->type;
    node.location = location_;
    node.operands = std::move(operands);
    return add_node(context_, std::move(node));
  }

 private:
  bool assign(std::vector<Argument>& arguments) {
    for (Argument& argument : arguments) {
      Argument** slot = nullptr;
      if (argument.name == nullptr) {
        slot = of_ == nullptr ? &of_ : nullptr;
      } else if (argument.name->text == "wrt") {
        slot = &wrt_;
      } else {
        auto& report = context_.diagnostics.report(unknown_argument, argument.name->location, "gradient",
                                                   argument.name->text);
        suggest_argument(report, argument.name->text, std::vector<std::string_view>{"wrt"});
        return false;
      }
      if (slot == nullptr || *slot != nullptr) return misused();
      *slot = &argument;
    }
    return of_ != nullptr && wrt_ != nullptr && wrt_->expression != nullptr ? true : misused();
  }

  bool misused() {
    context_.diagnostics.report(gradient_arguments, location_)
        .fix(of_ != nullptr ? fmt::format("gradient({}, wrt: x)", quoted(of_->location, "e"))
                            : "gradient(e, wrt: x)");
    return false;
  }

  /// The names behind `wrt:`.
  std::vector<const ast::Expression*> names() const {
    std::vector<const ast::Expression*> all;
    if (const auto* tuple = ast::if_a<ast::Tuple>(*wrt_->expression))
      for (const auto& element : tuple->elements) all.push_back(element.get());
    else
      all.push_back(wrt_->expression);
    return all;
  }

  bool is_differentiable_scalar(Node* of) {
    const Type type = type_of(context_, of);
    const std::string text = quoted(of_->location, "...");
    if (type.element.known() && !dlvm::is_floating(type.element.type)) {
      auto& report = context_.diagnostics.report(not_differentiable, of->place(), text, spelling(type));
      explain_value(context_, report, of, "the value");
      if (dlvm::is_integer(type.element.type))
        report.note("a conversion of an integer does not give it a derivative");
      return false;
    }
    if (type.is_scalar()) return true;
    auto& report = context_.diagnostics.report(gradient_of_tensor, of->place(), spelling(type));
    explain_value(context_, report, of, "the tensor");
    report.fix(
        fmt::format("of the sum: gradient(sum({}), wrt: {}); where each element depends on its own "
                    "element of {} alone, that is the derivative of each",
                    text, quoted(wrt_->location, "x"), quoted(wrt_->location, "x")));
    return false;
  }

  Node* named_value(const ast::Expression& e) {
    if (e.kind == ast::Expression::Kind::concatenation) {
      report_not_name(e).fix("several names stand in parentheses: gradient(e, wrt: (x, t))");
      return nullptr;
    }
    if (e.kind != ast::Expression::Kind::name && e.kind != ast::Expression::Kind::member) {
      report_not_name(e).fix(
          context_.instance == nullptr
              ? fmt::format("name it before, and use the name: z = {}", quoted(e.location, "..."))
              : fmt::format("name it before, and use the name: let z = {}", quoted(e.location, "...")));
      return nullptr;
    }
    Node* x = check_expression(context_, e);
    if (x == nullptr) return nullptr;
    if (const Declaration* tensor = given_tensor(*x))
      if (x = make_reference(context_, const_cast<Declaration&>(*tensor), e.location); x == nullptr)
        return nullptr;
    const bool named = x->kind == Node::Kind::reference || x->kind == Node::Kind::parameter ||
                       x->kind == Node::Kind::variable;
    if (!named || x->indexed) {
      report_not_name(e);
      return nullptr;
    }
    default_to(context_, x,
               dlvm::is_floating(own_element(context_)) ? own_element(context_) : ElementType::f32);
    const Type type = type_of(context_, x);
    if (dlvm::is_floating(type.element.type)) return x;
    auto& report = context_.diagnostics.report(not_differentiable, e.location, quoted(e.location, "this"),
                                               spelling(type));
    explain_value(context_, report, x, "the value");
    return nullptr;
  }

  dlvm::Diagnostic& report_not_name(const ast::Expression& e) {
    return context_.diagnostics.report(wrt_not_name, e.location,
                                       fmt::format("'{}'", quoted(e.location, "this expression")));
  }

  bool is_allowed(const std::vector<Node*>& operands) {
    if (context_.constant) {
      context_.diagnostics.report(gradient_in_constant, location_);
      return false;
    }
    if (operands[0]->indexed) {
      context_.diagnostics.report(gradient_of_element, location_)
          .fix("give the gradient a name of its own, g = gradient(sum(u), wrt: x), and use g[i]");
      return false;
    }
    for (std::size_t i = 1; i < operands.size(); ++i)
      for (std::size_t j = 1; j < i; ++j)
        if (operands[i]->kind == operands[j]->kind && operands[i]->index == operands[j]->index &&
            operands[i]->declaration == operands[j]->declaration) {
          context_.diagnostics.report(named_twice, operands[i]->location, quoted(operands[i]->location, "x"));
          return false;
        }
    return true;
  }

  /// Lowering tells the value that has the name from others that are equal to it.
  void mark(const Node& x) {
    if (x.kind == Node::Kind::reference)
      const_cast<Declaration*>(x.declaration)->differentiated_by = true;
    else if (x.kind == Node::Kind::variable)
      context_.body.variables[x.index].differentiated_by = true;
  }

  BodyContext& context_;
  Location location_;
  Argument *of_ = nullptr, *wrt_ = nullptr;
};

}  // namespace

Node* check_gradient(BodyContext& context, std::vector<Argument>& arguments, Location location, Hint hint) {
  return GradientCall(context, location).check(arguments, hint);
}

}  // namespace frontend::check
