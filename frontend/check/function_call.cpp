// Calls of functions written in TEL: which signature fits, what its generic dimensions are, and the function
// made for these arguments.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/check/argument_names.h"
#include "frontend/check/axis_warning.h"
#include "frontend/check/broadcast.h"
#include "frontend/check/call.h"
#include "frontend/check/checker.h"
#include "frontend/check/dimensions.h"
#include "frontend/check/elements.h"
#include "frontend/check/expression.h"
#include "frontend/check/extents.h"
#include "frontend/check/locals.h"
#include "frontend/check/name_diagnostics.h"
#include "frontend/check/nets.h"
#include "frontend/check/signature.h"
#include "frontend/check/spelling.h"
#include "frontend/check/type_diagnostics.h"
#include "frontend/check/values.h"

namespace frontend::check {

/// One signature held against the arguments of one call.
class FunctionMatch {
 public:
  FunctionMatch(BodyContext& context, Function& function, std::vector<Argument>& arguments, Location location,
                const NetPlace* net)
      : context_(context),
        function_(function),
        syntax_(*function.syntax),
        arguments_(arguments),
        location_(location),
        net_(net) {}

  /// Whether names and number of the arguments, their kinds of element type and their ranks fit: all that
  /// tells signatures apart.
  bool fits() {
    if (!assign(nullptr)) return false;
    for (std::size_t i = 0; i < syntax_.parameters.size(); ++i) {
      const ast::Parameter& parameter = syntax_.parameters[i];
      if (!parameter.is_value() || slots_[i] == nullptr) continue;
      const Node* value = argument_value(context_, *slots_[i]);
      if (value == nullptr) continue;
      const Type type = type_of(context_, value);
      if (!fits_element(parameter.type, type.element) || !fits_rank(parameter.type, type.rank()))
        return false;
    }
    return true;
  }

  /// The call with two of its arguments swapped, where it fits then and does not as it is; else empty.
  std::string swapped() {
    std::vector<Argument> arguments = arguments_;
    if (FunctionMatch(context_, function_, arguments, location_, net_).fits()) return "";
    for (std::size_t i = 0; i < arguments.size(); ++i)
      for (std::size_t j = i + 1; j < arguments.size(); ++j) {
        if (arguments[i].name != nullptr || arguments[j].name != nullptr) continue;
        std::swap(arguments[i], arguments[j]);
        if (FunctionMatch(context_, function_, arguments, location_, net_).fits())
          return written_call(arguments);
        std::swap(arguments[i], arguments[j]);
      }
    return "";
  }

  Node* call(Hint hint) {
    if (function_.failed || !assign(&context_.diagnostics) || !bind_constants() || !take_values(hint) ||
        !bind_elements(hint) || !bind_dimensions() || !check_shapes())
      return nullptr;
    instance_.function = &function_;
    if (net_ != nullptr) instance_.net = net_->type;
    const Instance* callee = context_.checker.instance(std::move(instance_), location_, context_.diagnostics);
    if (callee == nullptr || !take_tensors(*callee)) return nullptr;
    for (const auto& requirement : callee->body.requirements)
      context_.body.requirements.push_back(requirement);
    if (context_.instance != nullptr) {
      context_.instance->depends_on_training |= callee->depends_on_training;
      context_.instance->draws |= callee->draws;
    }
    if (callee->draws && context_.constant) {
      context_.diagnostics.report(draw_in_constant, location_);
      return nullptr;
    }
    warn_about_axis(context_.diagnostics, *callee, location_);
    Node node;
    node.kind = Node::Kind::call;
    node.type = callee->results.front();
    node.location = location_;
    node.operands = values_;
    node.callee = callee;
    if (callee->draws) node.index = static_cast<std::size_t>(context_.next_counter++);
    return add_node(context_, std::move(node));
  }

 private:
  std::string name() const { return function_.name(); }

  /// The tensors of its net that the function uses are further arguments.
  bool take_tensors(const Instance& callee) {
    for (const NetTensor& tensor : callee.tensors) {
      values_.push_back(net_tensor(context_, *net_, tensor.number, location_));
      if (values_.back() == nullptr) return false;
    }
    return true;
  }

  dlvm::Diagnostic& with_signature(dlvm::Diagnostic& report) const {
    return report.note(syntax_.name.location, fmt::format("the function is {}", signature(syntax_)));
  }

  std::string written_call(const std::vector<Argument>& arguments) const {
    std::string call;
    for (const Argument& argument : arguments)
      call += fmt::format("{}{}{}", call.empty() ? "" : ", ",
                          argument.name != nullptr ? argument.name->text + ": " : "",
                          quoted(argument.location, "..."));
    return fmt::format("{}({})", name(), call);
  }

  /// Arguments to parameters; without `diagnostics` a mistake is only an answer.
  bool assign(dlvm::Diagnostics* diagnostics) {
    slots_.assign(syntax_.parameters.size(), nullptr);
    std::size_t next = 0;
    for (Argument& argument : arguments_) {
      std::size_t at = next;
      if (argument.name != nullptr) {
        at = 0;
        while (at < slots_.size() && syntax_.parameters[at].name.text != argument.name->text) ++at;
        if (at == slots_.size()) {
          if (diagnostics != nullptr) {
            std::vector<std::string_view> names;
            for (const ast::Parameter& parameter : syntax_.parameters) names.push_back(parameter.name.text);
            suggest_argument(with_signature(diagnostics->report(unknown_argument, argument.name->location,
                                                                name(), argument.name->text)),
                             argument.name->text, names);
          }
          return false;
        }
      } else if (next++ >= slots_.size()) {
        if (diagnostics != nullptr)
          with_signature(diagnostics->report(argument_count, location_, name(),
                                             counted(slots_.size(), "argument"), arguments_.size()));
        return false;
      }
      if (slots_[at] != nullptr) {
        if (diagnostics != nullptr)
          with_signature(diagnostics->report(argument_twice, argument.location,
                                             syntax_.parameters[at].name.text, name()));
        return false;
      }
      slots_[at] = &argument;
    }
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i] == nullptr && !syntax_.parameters[i].value) {
        if (diagnostics != nullptr)
          with_signature(
              diagnostics->report(argument_missing, location_, name(), syntax_.parameters[i].name.text));
        return false;
      }
    return true;
  }

  bool bind_constants() {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const ast::Parameter& parameter = syntax_.parameters[i];
      if (parameter.is_value()) continue;
      if (slots_[i] != nullptr && slots_[i]->expression == nullptr) {
        context_.diagnostics.report(constant_wanted, slots_[i]->location, "an axis");
        return false;
      }
      const ast::Expression& e = slots_[i] != nullptr ? *slots_[i]->expression : *parameter.value;
      if (parameter.kind == ast::Parameter::Kind::flag) {
        const auto flag = constant_flag(context_, e);
        if (!flag) return false;
        instance_.flags.emplace(parameter.name.text, *flag);
      } else {
        const auto axis = constant_integer(context_, e, "an axis");
        if (!axis) return false;
        instance_.axes.emplace(parameter.name.text, *axis);
      }
    }
    return true;
  }

  bool take_values(Hint hint) {
    bool complete = true;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      const ast::Parameter& parameter = syntax_.parameters[i];
      if (!parameter.is_value()) continue;
      Node* value = nullptr;
      if (slots_[i] != nullptr) {
        const bool own_hint =
            parameter.type.element && *parameter.type.element != ast::ElementType::any_integer;
        value =
            argument_value(context_, *slots_[i], own_hint ? Hint(element_of(*parameter.type.element)) : hint);
      } else {
        value = default_value(*parameter.value);
      }
      complete = complete && value != nullptr;
      values_.push_back(value);
      parameters_.push_back(&parameter);
    }
    return complete;
  }

  /// A default means what it means where the function is written.
  Node* default_value(const ast::Expression& e) {
    Scope* scope = context_.scope;
    Instance* instance = context_.instance;
    const NetType* net = context_.net;
    Locals* locals = std::exchange(context_.locals, nullptr);
    context_.scope = function_.scope;
    context_.instance = nullptr;
    context_.net = net_ != nullptr ? net_->type : nullptr;
    Node* value = check_expression(context_, e);
    context_.scope = scope;
    context_.instance = instance;
    context_.net = net;
    context_.locals = locals;
    return value;
  }

  void report_element(const Node* value, const ast::Parameter& parameter, std::string_view wanted) {
    auto& report = context_.diagnostics.report(argument_element, value->location, parameter.name.text, name(),
                                               wanted, spelling(type_of(context_, value)));
    if (value->kind == Node::Kind::reference) explain_value(context_, report, value, "the argument");
    with_signature(report);
    if (const std::string call = swapped(); !call.empty())
      return void(report.fix("swap the arguments: " + call));
    report.fix(fmt::format("convert it: {} as {}", quoted_operand(value->place()),
                           wanted == "an integer type"   ? "int32"
                           : wanted == "a floating type" ? "float32"
                                                         : wanted));
  }

  bool bind_elements(Hint hint) {
    Node* generic = nullptr;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto& declared = parameters_[i]->type.element;
      Node* value = values_[i];
      if (declared && *declared != ast::ElementType::any_integer) {
        if (unify_elements(context_, value->type.element, element_of(*declared))) continue;
        report_element(value, *parameters_[i], ast::spelling(*declared));
        return false;
      }
      const Element element = resolved(context_, value->type.element);
      if (declared) {
        if (!element.known()) default_to(context_, value, ElementType::i64);
        if (!element.known() || dlvm::is_integer(element.type)) continue;
        report_element(value, *parameters_[i], "an integer type");
        return false;
      }
      if (element.known() && !dlvm::is_floating(element.type)) {
        report_element(value, *parameters_[i], "a floating type");
        return false;
      }
      if (generic == nullptr) generic = value;
      if (!unify_elements(context_, generic->type.element, value->type.element)) {
        auto& report = context_.diagnostics.report(arguments_disagree, value->location, name(),
                                                   spelling(type_of(context_, generic)),
                                                   spelling(type_of(context_, value)));
        explain_value(context_, report, generic, "the first");
        explain_value(context_, report, value, "the other");
        report.fix(fmt::format("convert it: {} as {}", quoted_operand(value->place()),
                               spelling(resolved(context_, generic->type.element).type)));
        return false;
      }
    }
    const ElementType otherwise = hint && dlvm::is_floating(*hint)           ? *hint
                                  : dlvm::is_floating(own_element(context_)) ? own_element(context_)
                                                                             : ElementType::f32;
    if (generic != nullptr) {
      default_to(context_, generic, otherwise);
      instance_.generic = resolved(context_, generic->type.element).type;
    } else if (syntax_.results.empty() || std::ranges::any_of(syntax_.results, [](const ast::Type& result) {
                 return !result.element;
               })) {
      instance_.generic = otherwise;
    }
    return true;
  }

  /// Generic dimensions from the arguments' extents: first where a name stands alone, then where it is the
  /// only one left in an extent that is linear in it.
  bool bind_dimensions() {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (!bind_plain(values_[i], *parameters_[i])) return false;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const auto pairs = aligned(values_[i], *parameters_[i]);
      for (const auto& [written, actual] : pairs)
        if (written->kind == ast::Extent::Kind::chain || written->kind == ast::Extent::Kind::negate)
          bind_linear(*written, *actual);
    }
    return true;
  }

  using Pairs = std::vector<std::pair<const ast::Extent*, const Extent*>>;

  /// The declared extents other than `s...`, each with the argument's.
  static Pairs aligned(const Node* value, const ast::Parameter& parameter) {
    Pairs pairs;
    if (!parameter.type.shape) return pairs;
    const auto& declared = parameter.type.shape->extents;
    const std::size_t rest = value->type.rank() + 1 - declared.size();
    std::size_t axis = 0;
    for (const ast::Extent& each : declared) {
      if (each.kind == ast::Extent::Kind::rest)
        axis += rest;
      else
        pairs.emplace_back(&each, &value->type.shape[axis++]);
    }
    return pairs;
  }

  bool bind_plain(Node* value, const ast::Parameter& parameter) {
    if (!fits_rank(parameter.type, value->type.rank())) return report_shape(value, parameter);
    std::size_t axis = 0;
    if (!parameter.type.shape) return true;
    const auto& declared = parameter.type.shape->extents;
    for (const ast::Extent& each : declared) {
      if (each.kind == ast::Extent::Kind::rest) {
        const std::size_t rest = value->type.rank() + 1 - declared.size();
        const auto from = value->type.shape.begin() + static_cast<std::ptrdiff_t>(axis);
        Shape shape(from, from + static_cast<std::ptrdiff_t>(rest));
        const auto [place, fresh] = instance_.rests.emplace(each.text, shape);
        if (!fresh && place->second.size() != shape.size()) return report_shape(value, parameter);
        axis += rest;
        continue;
      }
      if (each.kind == ast::Extent::Kind::name && is_generic(each.text))
        instance_.dimensions.emplace(each.text, value->type.shape[axis]);
      ++axis;
    }
    return true;
  }

  void bind_linear(const ast::Extent& written, const Extent& actual) {
    std::string unbound;
    bool several = false;
    for_each_name(written, [&](const ast::Extent& name) {
      if (!is_generic(name.text) || instance_.dimensions.contains(name.text)) return;
      several = several || (!unbound.empty() && unbound != name.text);
      unbound = name.text;
    });
    if (unbound.empty() || several) return;
    dlvm::Diagnostics ignored;
    const auto at = [&](const Extent& value) {
      return evaluate_extent(
          written,
          [&](const ast::Extent& name) { return name.text == unbound ? value : lookup(name, ignored); },
          ignored);
    };
    const Extent variable = Extent::erased();
    const auto zero = at(0), one = at(1), whole = at(variable);
    if (!zero || !one || !whole || *whole != (*one - *zero) * variable + *zero) return;
    const Extent scale = *one - *zero;
    if (scale.is(0)) return;
    const auto exact = Extent::exact_divide(actual - *zero, scale);
    instance_.dimensions.emplace(unbound, exact ? *exact : Extent::floor_divide(actual - *zero, scale));
  }

  std::optional<Extent> lookup(const ast::Extent& name, dlvm::Diagnostics& diagnostics) {
    if (is_generic(name.text)) {
      const auto found = instance_.dimensions.find(name.text);
      return found == instance_.dimensions.end() ? std::nullopt : std::optional(found->second);
    }
    if (net_ != nullptr)
      if (const auto own = net_->type->dimensions.find(name.text); own != net_->type->dimensions.end())
        return own->second;
    return context_.checker.dimension(*function_.scope, name.text, name.location, false, diagnostics);
  }

  bool is_generic(const std::string& name) const {
    return std::find(function_.generic.begin(), function_.generic.end(), name) != function_.generic.end();
  }

  /// Every argument has the shape that its parameter has with the dimensions bound; so `parameters` are
  /// known.
  bool check_shapes() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      Node*& value = values_[i];
      const ast::Parameter& parameter = *parameters_[i];
      Shape shape;
      std::size_t axis = 0;
      if (parameter.type.shape) {
        for (const ast::Extent& each : parameter.type.shape->extents) {
          if (each.kind == ast::Extent::Kind::rest) {
            const Shape& rest = instance_.rests.find(each.text)->second;
            for (const Extent& wanted : rest) {
              if (!fits_extent(wanted, value->type.shape[axis++], value, parameter))
                return report_shape(value, parameter);
              shape.push_back(wanted);
            }
            continue;
          }
          const Extent& actual = value->type.shape[axis++];
          std::optional<Extent> wanted = actual;
          if (each.kind != ast::Extent::Kind::unknown)
            wanted = evaluate_extent(
                each, [&](const ast::Extent& name) { return lookup(name, context_.diagnostics); },
                context_.diagnostics);
          if (!wanted) return false;
          if (!fits_extent(*wanted, actual, value, parameter)) return report_shape(value, parameter);
          shape.push_back(*wanted);
        }
      }
      value = make_reshape(context_, value, shape, value->location);
      if (value == nullptr) return false;
      instance_.parameters.push_back({resolved(context_, value->type.element), std::move(shape)});
    }
    return true;
  }

  bool fits_extent(const Extent& wanted, const Extent& actual, const Node* value,
                   const ast::Parameter& parameter) {
    return require_equal(context_, wanted, actual,
                         fmt::format("the function '{}' and its argument '{}' have extents {{left}} "
                                     "and {{right}}, which must be equal ({} and {})",
                                     name(), parameter.name.text, spelling(wanted), spelling(actual)),
                         location_, [&](dlvm::Diagnostic& report) { explain_shape(report, value); });
  }

  /// Where the argument's shape comes from, and the one that the function wants.
  void explain_shape(dlvm::Diagnostic& report, const Node* value) {
    std::string bound;
    if (net_ != nullptr)
      for (const auto& [dimension, extent] : net_->type->dimensions)
        bound += (bound.empty() ? "" : ", ") + fmt::format("{} = {}", dimension, spelling(extent));
    for (const auto& [dimension, extent] : instance_.dimensions)
      bound += (bound.empty() ? "" : ", ") + fmt::format("{} = {}", dimension, spelling(extent));
    for (const auto& [rest, shape] : instance_.rests)
      bound += (bound.empty() ? "" : ", ") + fmt::format("{}... = {}", rest, spelling(shape));
    if (value->kind == Node::Kind::reference) explain_value(context_, report, value, "the argument");
    with_signature(report);
    if (net_ != nullptr && net_->declared.valid())
      report.note(net_->declared, fmt::format("'{}' is {}, declared here", net_->name, net_->type->text));
    if (!bound.empty()) report.note("with " + bound);
  }

  bool report_shape(const Node* value, const ast::Parameter& parameter) {
    auto& report = context_.diagnostics.report(argument_shape, value->location, parameter.name.text, name(),
                                               signature(parameter.type), spelling(type_of(context_, value)));
    explain_shape(report, value);
    if (const std::string call = swapped(); !call.empty()) report.fix("swap the arguments: " + call);
    return false;
  }

  BodyContext& context_;
  Function& function_;
  const ast::Function& syntax_;
  std::vector<Argument>& arguments_;
  Location location_;
  const NetPlace* net_;
  std::vector<Argument*> slots_;  ///< one a parameter
  std::vector<Node*> values_;     ///< one a parameter that is a value
  std::vector<const ast::Parameter*> parameters_;
  Instance instance_;
};

namespace {

/// Whether argument number `i` is for a parameter that is a value in some candidate, or for none at all.
bool may_be_value(const std::vector<Function*>& candidates, const std::vector<Argument>& arguments,
                  std::size_t i) {
  return std::ranges::any_of(candidates, [&](const Function* candidate) {
    const auto& parameters = candidate->syntax->parameters;
    const auto is_meant = [&](const ast::Parameter& parameter) {
      return arguments[i].name != nullptr ? parameter.name.text == arguments[i].name->text
                                          : &parameter == parameters.data() + i;
    };
    const auto found = std::ranges::find_if(parameters, is_meant);
    return found == parameters.end() || found->is_value();
  });
}

}  // namespace

Node* check_call(BodyContext& context, const std::vector<Function*>& candidates, std::string_view name,
                 std::vector<Argument>& arguments, Location location, Hint hint, const NetPlace* net) {
  for (Function* candidate : candidates) candidate->used = true;
  if (candidates.size() == 1)
    return FunctionMatch(context, *candidates[0], arguments, location, net).call(hint);
  const std::size_t errors = context.diagnostics.error_count();
  std::vector<Function*> fitting;
  for (Function* candidate : candidates)
    if (FunctionMatch(context, *candidate, arguments, location, net).fits()) fitting.push_back(candidate);
  for (const Argument& argument : arguments)
    if (argument.checked && argument.value == nullptr) return nullptr;
  if (fitting.size() == 1 && context.diagnostics.error_count() == errors)
    return FunctionMatch(context, *fitting[0], arguments, location, net).call(hint);
  if (context.diagnostics.error_count() != errors) return nullptr;
  std::string given;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Argument& argument = arguments[i];
    if (!argument.checked && may_be_value(candidates, arguments, i) &&
        argument_value(context, argument) == nullptr)
      return nullptr;
    given += (given.empty() ? "" : ", ") + (argument.checked ? spelling(type_of(context, argument.value))
                                                             : quoted(argument.location, "..."));
  }
  std::string swapped;
  for (Function* candidate : candidates)
    if (fitting.empty() && swapped.empty())
      swapped = FunctionMatch(context, *candidate, arguments, location, net).swapped();
  auto& report = context.diagnostics.report(fitting.empty() ? no_signature_fits : several_signatures_fit,
                                            location, name, given);
  for (const Function* candidate : fitting.empty() ? candidates : fitting)
    report.note(candidate->syntax->name.location, signature(*candidate->syntax));
  if (!swapped.empty()) report.fix("swap the arguments: " + swapped);
  if (!fitting.empty()) report.fix("give the number a type: 1 as float32, or 1 as int32");
  return nullptr;
}

}  // namespace frontend::check
