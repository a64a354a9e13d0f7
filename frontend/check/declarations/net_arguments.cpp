// Assigns the arguments of an instance to the parameters of its net.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/body_context.h"
#include "frontend/check/calls/argument_names.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/net_arguments.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"
#include "frontend/python/translate.h"

namespace frontend::check {
namespace {

/// `Dense(n, m = 256)`
std::string header(const ast::Net& net) {
  std::string text;
  for (const ast::Dimension& each : net.parameters)
    text += (text.empty() ? "" : ", ") + each.name.text +
            (each.value ? " = " + quoted(each.value->location, "...") : "");
  return fmt::format("{}({})", net.name.text, text);
}

dlvm::Diagnostic& with_header(dlvm::Diagnostic& report, const Net& net) {
  return report.note(net.syntax->name.location, fmt::format("the net is {}", header(*net.syntax)));
}

/// Assigns the arguments of an instance to the parameters of its net.
class Assignment {
 public:
  Assignment(const ast::NetInstance& written, const Net& net, dlvm::Diagnostics& messages)
      : written_(written), net_(net), messages_(messages), slots_(parameters().size(), nullptr) {}

  bool assign() {
    std::size_t next = 0;
    for (const ast::NetArgument& argument : written_.arguments) {
      const std::size_t at = argument.name ? named(*argument.name) : next++;
      if (at >= slots_.size()) {
        if (!argument.name)
          with_header(messages_.report(net_arguments, written_.use, net_.name(),
                                       counted(slots_.size(), "argument"), written_.arguments.size()),
                      net_);
        return false;
      }
      if (slots_[at] != nullptr) {
        with_header(messages_.report(net_argument_twice, argument.value.location, parameters()[at].name.text,
                                     net_.name()),
                    net_);
        return false;
      }
      slots_[at] = &argument;
    }
    for (std::size_t i = 0; i < slots_.size(); ++i)
      if (slots_[i] == nullptr && !parameters()[i].value) {
        with_header(
            messages_.report(net_argument_missing, written_.use, net_.name(), parameters()[i].name.text),
            net_)
            .fix(with_argument(written_.use, net_.name(), parameters()[i].name.text));
        return false;
      }
    return true;
  }

  /// Returns null where the default stands.
  const ast::NetArgument* argument(std::size_t parameter) const { return slots_[parameter]; }

 private:
  const std::vector<ast::Dimension>& parameters() const { return net_.syntax->parameters; }

  std::size_t named(const ast::Name& name) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      if (parameters()[i].name.text == name.text) return i;
      names.push_back(parameters()[i].name.text);
    }
    auto& report =
        with_header(messages_.report(net_argument_unknown, name.location, net_.name(), name.text), net_);
    suggest_argument(report, name.text, names);
    if (report.fixes.empty() && net_.scope->library)
      if (const auto advice = python::advice_for_layer(quoted(written_.use, "")); !advice.empty())
        report.fix(advice);
    return slots_.size();
  }

  const ast::NetInstance& written_;
  const Net& net_;
  dlvm::Diagnostics& messages_;
  std::vector<const ast::NetArgument*> slots_;  ///< one for each parameter
};

/// Returns the net that an argument or a default gives to the parameter, where `outer` is the net around it
/// with its parameters `nets`, or null. Null after an error.
Net* given_net(const ast::Name& parameter, const ast::Extent& value, Scope& scope, const Net* outer,
               const NetParameters* nets, dlvm::Diagnostics& messages) {
  if (value.kind != ast::Extent::Kind::name && value.kind != ast::Extent::Kind::member) {
    messages.report(net_wanted, value.location, parameter.text, quoted(value.location, "..."))
        .fix(fmt::format("name a net: {}: Linear", parameter.text));
    return nullptr;
  }
  if (nets != nullptr)
    if (const auto found = nets->find(value.text); found != nets->end()) return found->second;
  Net* found = named_net(parameter, value, scope, outer, messages);
  if (found != nullptr) found->used = true;
  return found != nullptr && !found->failed ? found : nullptr;
}

/// Returns the net that the parameter stands for whose default is used, where `nets` are those of the
/// parameters before it: an earlier one may be the default.
Net* default_net(const ast::Dimension& parameter, const Net& net, const NetParameters& nets) {
  const auto earlier = nets.find(parameter.value->text);
  return earlier != nets.end() ? earlier->second : net.net_parameters.find(parameter.name.text)->second;
}

/// Returns whether the argument can only mean a net.
bool is_net(const ast::Extent& value, const BodyContext& context) {
  if (value.kind == ast::Extent::Kind::member) return true;
  const bool is_name = value.kind == ast::Extent::Kind::name;
  const bool is_parameter = context.net != nullptr && context.net->nets.contains(value.text);
  if (!is_name || (!is_parameter && known_net(*context.scope, value.text) == nullptr)) return false;
  dlvm::Diagnostics ignored;
  BodyContext trial{context.checker, context.scope, nullptr, ignored};
  trial.net = context.net;
  return !known_extent(trial, value);
}

void report_net_for_dimension(const ast::Name& parameter, const ast::NetArgument& argument, const Net& net,
                              dlvm::Diagnostics& messages) {
  const ast::Extent& value = argument.value;
  const bool is_named = argument.name && !net.scope->library;
  auto& report = with_header(messages.report(unknown_dimension, value.location, value.text), net);
  if (net.net_parameters.size() == 1)
    report.fix(fmt::format("give the net by the name of its parameter: {}: {}",
                           net.net_parameters.begin()->first, value.text));
  else if (net.net_parameters.empty() && is_named)
    report.fix(
        fmt::format("'{0}' is a net; a parameter that stands for a net has one as its default: {1} = {0}",
                    value.text, parameter.text));
  else
    report.fix(fmt::format("'{}' is a net; '{}' is a number or a dimension", value.text, parameter.text));
}

}  // namespace

bool Checker::bind(const ast::NetInstance& written, Net& net, Scope& scope, const NetType* outer,
                   NetType& type) {
  dlvm::Diagnostics messages;
  Assignment assignment(written, net, messages);
  bool complete = assignment.assign();
  BodyContext here{*this, &scope, nullptr, messages};
  here.net = outer;
  BodyContext there{*this, net.scope, nullptr, messages};
  there.net = &type;
  std::string text;
  for (std::size_t i = 0; complete && i < net.syntax->parameters.size(); ++i) {
    const ast::Dimension& parameter = net.syntax->parameters[i];
    const ast::NetArgument* argument = assignment.argument(i);
    const ast::Extent& value = argument != nullptr ? argument->value : *parameter.value;
    if (net.net_parameters.contains(parameter.name.text)) {
      Net* const given = argument == nullptr ? default_net(parameter, net, type.nets)
                         : outer == nullptr
                             ? given_net(parameter.name, value, scope, nullptr, nullptr, messages)
                             : given_net(parameter.name, value, scope, outer->net, &outer->nets, messages);
      complete = given != nullptr;
      if (!complete) break;
      text += (text.empty() ? "" : ", ") + given->name();
      type.nets.emplace(parameter.name.text, given);
      continue;
    }
    if (argument != nullptr && is_net(value, here)) {
      report_net_for_dimension(parameter.name, *argument, net, messages);
      complete = false;
      break;
    }
    const auto extent = known_extent(argument != nullptr ? here : there, value);
    complete = extent.has_value();
    if (!complete) break;
    if (const auto constant = extent->constant(); constant && *constant < 0) {
      messages.report(dimension_negative, value.location, parameter.name.text, *constant);
      complete = false;
    }
    text += (text.empty() ? "" : ", ") + spelling(*extent);
    type.dimensions.emplace(parameter.name.text, *extent);
  }
  type.text = fmt::format("{}({})", net.name(), text);
  keep(outer != nullptr && !outer->sample ? with_instance(*outer, messages) : messages);
  return complete;
}

std::optional<NetParameters> given_nets(const ast::NetInstance& written, const Net& net, const Net& outer,
                                        const NetParameters& nets) {
  dlvm::Diagnostics ignored;
  Assignment assignment(written, net, ignored);
  if (!assignment.assign()) return std::nullopt;
  NetParameters given;
  for (std::size_t i = 0; i < net.syntax->parameters.size(); ++i) {
    const ast::Dimension& parameter = net.syntax->parameters[i];
    const ast::Name& name = parameter.name;
    if (!net.net_parameters.contains(name.text)) continue;
    const ast::NetArgument* argument = assignment.argument(i);
    Net* const chosen = argument == nullptr
                            ? default_net(parameter, net, given)
                            : given_net(name, argument->value, *outer.scope, &outer, &nets, ignored);
    if (chosen == nullptr) return std::nullopt;
    given.emplace(name.text, chosen);
  }
  return given;
}

}  // namespace frontend::check
