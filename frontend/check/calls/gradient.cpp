// `gradient(e, wrt: x)`: the derivative of a scalar by what a name stands for.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "frontend/check/calls/argument_names.h"
#include "frontend/check/calls/call.h"
#include "frontend/check/declarations/declared_types.h"
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

/// Each tensor of a struct is a value of its own where a gradient is taken by one of them.
constexpr std::size_t most_fields = 256;

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
      if (slot == nullptr && wrt_ == nullptr) wrt_ = &argument;
      if (slot == nullptr || *slot != nullptr) return misused();
      *slot = &argument;
    }
    return of_ != nullptr && wrt_ != nullptr && wrt_->expression != nullptr ? true : misused();
  }

  bool misused() {
    context_.diagnostics.report(gradient_arguments, location_)
        .fix(fmt::format("gradient({}, wrt: {})", of_ != nullptr ? quoted(of_->location, "e") : "e",
                         wrt_ != nullptr ? quoted(wrt_->location, "x") : "x"));
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
    Node* x = check_any_expression(context_, e);
    if (x == nullptr) return nullptr;
    if (const Declaration* tensor = x->type.is_tensor() ? given_tensor(*x) : nullptr)
      if (x = make_reference(context_, const_cast<Declaration&>(*tensor), e.location); x == nullptr)
        return nullptr;
    x = tensor_of_net(x);
    const Node& whole = whole_of(*x);
    const bool named = whole.kind == Node::Kind::reference || whole.kind == Node::Kind::parameter ||
                       whole.kind == Node::Kind::variable;
    if (!named || x->indexed) {
      auto& report = report_not_name(e);
      if (x->kind == Node::Kind::made && x->type.declared != nullptr && !x->indexed)
        report.fix(fmt::format("name its fields: gradient(e, wrt: {}.{})", quoted(e.location, "..."),
                               x->type.declared->members.front().name));
      return nullptr;
    }
    if (!has_allowed_size(e, whole)) return nullptr;
    if (!x->type.is_tensor()) return is_differentiable_structure(e, *x) ? x : nullptr;
    default_to(context_, x,
               dlvm::is_floating(own_element(context_)) ? own_element(context_) : ElementType::f32);
    const Type type = type_of(context_, x);
    if (dlvm::is_floating(type.element.type)) return x;
    auto& report = context_.diagnostics.report(not_differentiable, e.location, quoted(e.location, "this"),
                                               spelling(type));
    explain_value(context_, report, x, "the value");
    return nullptr;
  }

  /// The tensor of a net that `x` is, a field of a struct that is made of them; `x` itself where it is none.
  static Node* tensor_of_net(Node* x) {
    std::vector<std::size_t> path = path_of(*x);
    Node* at = x;
    while (at->kind == Node::Kind::field) at = at->operands[0];
    for (const std::size_t position : path) {
      if (at->kind != Node::Kind::made || !at->type.declared->is_structure()) return x;
      at = at->operands[position];
    }
    const bool named = at->kind == Node::Kind::reference || at->kind == Node::Kind::parameter;
    return named ? at : x;
  }

  /// The value with a name of which `x` is a field, or a field of a field; `x` itself where it is none.
  static const Node& whole_of(const Node& x) {
    const Node* whole = &x;
    while (whole->kind == Node::Kind::field) whole = whole->operands[0];
    return *whole;
  }

  /// The positions of the fields that lead from the value with a name to `x`.
  static std::vector<std::size_t> path_of(const Node& x) {
    std::vector<std::size_t> path;
    for (const Node* at = &x; at->kind == Node::Kind::field; at = at->operands[0]) path.push_back(at->index);
    if (const Node& whole = whole_of(x); whole.kind == Node::Kind::reference && whole.declaration->structure)
      path.insert(path.end(), whole.declaration->fields.rbegin(), whole.declaration->fields.rend());
    std::ranges::reverse(path);
    return path;
  }

  /// Returns whether every field is a floating-point tensor, or a struct of such. Reports another one.
  bool is_differentiable_structure(const ast::Expression& e, const Node& x) {
    const DeclaredType& type = *x.type.declared;
    if (type.failed) return false;
    const std::string name = quoted(e.location, "this");
    std::pair<std::string, std::string> field{name, type.name};
    if (type.is_structure() && !type.members.empty()) field = field_without_derivative(type, name);
    if (field.first.empty()) return true;
    auto& report = context_.diagnostics.report(wrt_structure, e.location, name, kind_of(type), field.first,
                                               field.second);
    report.note(type.syntax->name.location, fmt::format("'{}' is declared here", type.name));
    if (type.is_structure())
      for (const DeclaredType::Member& each : type.members)
        if (!has_mistake(each) && has_derivative(each.types[0])) {
          report.fix(fmt::format("name the fields that have one: gradient(e, wrt: {}.{})", name, each.name));
          break;
        }
    return false;
  }

  /// Whether the field has no type, or that of a struct with a mistake, which may have itself for a field.
  static bool has_mistake(const DeclaredType::Member& field) {
    return field.types.empty() || (field.types[0].declared != nullptr && field.types[0].declared->failed);
  }

  static bool has_derivative(const Type& type) {
    if (type.is_tensor()) return dlvm::is_floating(type.element.type);
    return type.declared->is_structure() && !type.declared->members.empty() &&
           field_without_derivative(*type.declared, "").first.empty();
  }

  /// The path of the first field that has no derivative, and its type; empty where each field has one.
  static std::pair<std::string, std::string> field_without_derivative(const DeclaredType& type,
                                                                      const std::string& name) {
    for (const DeclaredType::Member& field : type.members) {
      if (has_mistake(field)) continue;
      const Type& own = field.types[0];
      const std::string path = name + "." + field.name;
      if (has_derivative(own)) continue;
      if (own.is_tensor() || !own.declared->is_structure() || own.declared->members.empty())
        return {path, spelling(own)};
      return field_without_derivative(*own.declared, path);
    }
    return {};
  }

  /// The fields of a struct, those of structs in it included; no more than one above the limit.
  static std::size_t field_count(const DeclaredType& type) {
    std::size_t count = 0;
    for (const DeclaredType::Member& field : type.members) {
      ++count;
      if (has_mistake(field)) continue;
      const Type& own = field.types[0];
      if (!own.is_tensor() && own.declared->is_structure()) count += field_count(*own.declared);
      if (count > most_fields) return most_fields + 1;
    }
    return count;
  }

  bool has_allowed_size(const ast::Expression& e, const Node& whole) {
    if (whole.type.declared != nullptr && whole.type.declared->failed) return true;  // which is reported
    if (whole.type.is_tensor() || !whole.type.declared->is_structure() ||
        field_count(*whole.type.declared) <= most_fields)
      return true;
    context_.diagnostics.report(wrt_large_structure, e.location, quoted(e.location, "this"),
                                whole.type.declared->name, most_fields);
    return false;
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
        if (overlap(*operands[i], *operands[j])) {
          context_.diagnostics.report(named_twice, operands[i]->place(), quoted(operands[i]->place(), "x"));
          return false;
        }
    return true;
  }

  /// Returns whether one is the other, or a part of it.
  static bool overlap(const Node& a, const Node& b) {
    const auto root = [](const Node& x) {
      const Node& whole = whole_of(x);
      const Declaration* declared = whole.declaration;
      if (declared != nullptr && declared->structure != nullptr) declared = declared->structure;
      return std::tuple(whole.kind, whole.index, declared);
    };
    if (root(a) != root(b)) return false;
    const auto one = path_of(a), other = path_of(b);
    return std::equal(one.begin(), one.begin() + std::ptrdiff_t(std::min(one.size(), other.size())),
                      other.begin());
  }

  /// Lowering tells the value that has the name from others that are equal to it.
  void mark(const Node& x) {
    const Node& whole = whole_of(x);
    if (whole.kind == Node::Kind::reference)
      const_cast<Declaration*>(whole.declaration)->differentiated_by = true;
    else if (whole.kind == Node::Kind::variable)
      context_.body.variables[whole.index].differentiated_by = true;
    else if (&whole != &x || !x.type.is_tensor())
      context_.body.parts_differentiated_by.insert(whole.index);
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
