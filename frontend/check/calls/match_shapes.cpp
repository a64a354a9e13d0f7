// The shapes of a call: generic dimensions from those of the arguments, and whether every argument has the
// shape that its parameter then has.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "frontend/check/calls/function_match.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/declared_values.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

using Pairs = std::vector<std::pair<const ast::Extent*, const Extent*>>;

/// The declared extents other than `s...`, each with the argument's; none where the rank does not fit.
Pairs aligned(const Node* value, const ast::Parameter& parameter) {
  Pairs pairs;
  if (!parameter.type.shape || !fits_rank(parameter.type, value->type.rank())) return pairs;
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

}  // namespace

bool FunctionMatch::bind_dimensions() {
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

bool FunctionMatch::bind_plain(Node* value, const ast::Parameter& parameter) {
  if (const DeclaredType* type = value->type.declared)
    for (std::size_t i = 0; i < type->extents.size(); ++i)
      if (is_generic(type->dimensions[i]))
        instance_.dimensions.emplace(type->dimensions[i], type->extents[i]);
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

void FunctionMatch::bind_linear(const ast::Extent& written, const Extent& actual) {
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

std::optional<Extent> FunctionMatch::lookup(const ast::Extent& name, dlvm::Diagnostics& diagnostics) {
  return lookup(name.text, name.location, diagnostics);
}

std::optional<Extent> FunctionMatch::lookup(const std::string& name, Location location,
                                            dlvm::Diagnostics& diagnostics) {
  if (is_generic(name)) {
    const auto found = instance_.dimensions.find(name);
    return found == instance_.dimensions.end() ? std::nullopt : std::optional(found->second);
  }
  if (net_ != nullptr)
    if (const auto own = net_->type->dimensions.find(name); own != net_->type->dimensions.end())
      return own->second;
  return context_.checker.dimension(*function_.scope, name, location, false, diagnostics);
}

bool FunctionMatch::is_generic(const std::string& name) const {
  return std::find(function_.generic.begin(), function_.generic.end(), name) != function_.generic.end();
}

bool FunctionMatch::check_shapes() {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    Node*& value = values_[i];
    const ast::Parameter& parameter = *parameters_[i];
    if (!value->type.is_tensor()) {
      value = with_bound_extents(value, parameter);
      if (value == nullptr) return false;
      instance_.parameters.push_back({{}, {}, value->type.declared});
      continue;
    }
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
    instance_.parameters.push_back({resolved(context_, value->type.element), std::move(shape), nullptr});
  }
  return true;
}

Node* FunctionMatch::with_bound_extents(Node* value, const ast::Parameter& parameter) {
  const DeclaredType& type = *value->type.declared;
  std::vector<Extent> extents;
  for (const std::string& name : type.dimensions) {
    const auto extent = lookup(name, parameter.type.location, context_.diagnostics);
    if (!extent) return nullptr;
    extents.push_back(*extent);
  }
  const std::string what = fmt::format("the argument '{}' of '{}'", parameter.name.text, name());
  return require_declared(context_, value, context_.checker.with_extents(type, std::move(extents)), what,
                          parameter.type.location);
}

bool FunctionMatch::fits_extent(const Extent& wanted, const Extent& actual, const Node* value,
                                const ast::Parameter& parameter) {
  return require_equal(context_, wanted, actual,
                       fmt::format("the function '{}' and its argument '{}' have extents {{left}} "
                                   "and {{right}}, which must be equal ({} and {})",
                                   name(), parameter.name.text, spelling(wanted), spelling(actual)),
                       location_, [&](dlvm::Diagnostic& report) { explain_shape(report, value, parameter); });
}

std::optional<Shape> FunctionMatch::expected_shape(const ast::Parameter& parameter) {
  Shape shape;
  if (!parameter.type.shape) return std::nullopt;
  dlvm::Diagnostics ignored;
  for (const ast::Extent& each : parameter.type.shape->extents) {
    if (each.kind == ast::Extent::Kind::rest) {
      const auto rest = instance_.rests.find(each.text);
      if (rest == instance_.rests.end()) return std::nullopt;
      shape.insert(shape.end(), rest->second.begin(), rest->second.end());
      continue;
    }
    if (each.kind == ast::Extent::Kind::unknown) return std::nullopt;
    const auto extent =
        evaluate_extent(each, [&](const ast::Extent& name) { return lookup(name, ignored); }, ignored);
    if (!extent) return std::nullopt;
    shape.push_back(*extent);
  }
  return shape;
}

void FunctionMatch::explain_shape(dlvm::Diagnostic& report, const Node* value,
                                  const ast::Parameter& parameter) {
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
  if (bound.empty()) return;
  const auto expected = expected_shape(parameter);
  report.note(expected ? fmt::format("with {}, '{}' is {}", bound, parameter.name.text, spelling(*expected))
                       : "with " + bound);
}

std::vector<FunctionMatch::Clash> FunctionMatch::clashes(const Node* value, const ast::Parameter& parameter) {
  std::vector<Clash> all;
  if (!parameter.type.shape || !fits_rank(parameter.type, value->type.rank())) return all;
  dlvm::Diagnostics ignored;
  for (const auto& [written, actual] : aligned(value, parameter)) {
    if (written->kind != ast::Extent::Kind::name) continue;
    const auto wanted = lookup(*written, ignored);
    if (wanted && *wanted != *actual)
      all.push_back(
          {written->text, spelling(*wanted), is_generic(written->text) ? first_with(*written) : nullptr});
  }
  const auto& declared = parameter.type.shape->extents;
  const auto rest = std::ranges::find(declared, ast::Extent::Kind::rest, &ast::Extent::kind);
  const auto bound = rest == declared.end() ? instance_.rests.end() : instance_.rests.find(rest->text);
  if (bound == instance_.rests.end()) return all;
  const Shape& shape = value->type.shape;
  const auto begin = shape.begin() + (rest - declared.begin());
  const auto end = shape.end() - (declared.end() - rest - 1);
  if (!std::equal(begin, end, bound->second.begin(), bound->second.end()))
    all.push_back({rest->text + "...", spelling(bound->second), first_with(*rest)});
  return all;
}

const Node* FunctionMatch::first_with(const ast::Extent& dimension) const {
  const auto is_same = [&](const ast::Extent& each) {
    return each.kind == dimension.kind && each.text == dimension.text;
  };
  for (std::size_t i = 0; i < values_.size(); ++i)
    if (const auto& shape = parameters_[i]->type.shape; shape && std::ranges::any_of(shape->extents, is_same))
      return values_[i];
  return nullptr;
}

bool FunctionMatch::report_shape(const Node* value, const ast::Parameter& parameter) {
  std::string wanted = signature(parameter.type);
  const auto all = clashes(value, parameter);
  for (const Clash& each : all)
    wanted += fmt::format("{} {} = {}", &each == &all.front() ? " with" : " and", each.name, each.value);
  auto& report = context_.diagnostics.report(argument_shape, value->location, parameter.name.text, name(),
                                             wanted, spelling(type_of(context_, value)));
  for (const Clash& each : all)
    if (each.first != nullptr && each.first != value)
      report.note(each.first->location, fmt::format("{} is {} because of this argument, {}", each.name,
                                                    each.value, spelling(type_of(context_, each.first))));
  explain_shape(report, value, parameter);
  if (const std::string call = swapped(); !call.empty()) {
    report.fix("swap the arguments: " + call);
    return false;
  }
  if (const std::string integers = signature_with_integers(parameter); !integers.empty())
    report.fix(fmt::format("where '{}' holds integers, it is {}: {}", parameter.name.text, integers,
                           converted(value->place(), ElementType::i32)));
  const auto expected = expected_shape(parameter);
  if (const std::string shape = fix_of_shape(value, parameter); !shape.empty())
    report.fix(shape);
  else if (const std::string net = fix_of_net(value, parameter); !net.empty())
    report.fix(net);
  else if (const std::string axes = fix_of_axes(value, parameter); !axes.empty())
    report.fix(axes);
  if (value->is_constant() && value->type.is_scalar() && expected)
    report.fix(fmt::format("a number is stretched by broadcast({}, to: {})", quoted(value->place(), "..."),
                           spelling(*expected)));
  return false;
}

}  // namespace frontend::check
