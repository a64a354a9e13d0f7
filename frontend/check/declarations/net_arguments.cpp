// Assigns the arguments of an instance to the parameters of its net.
#include <fmt/format.h>

#include <algorithm>

#include "dlvm/support/suggest.h"
#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

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

/// Assigns the arguments of an instance to the dimensions of its net; null where a default stands.
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
            net_);
        return false;
      }
    return true;
  }

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
    if (const auto near = dlvm::closest(name.text, names); !near.empty())
      report.fix(fmt::format("did you mean '{}'?", near));
    return slots_.size();
  }

  const ast::NetInstance& written_;
  const Net& net_;
  dlvm::Diagnostics& messages_;
  std::vector<const ast::NetArgument*> slots_;  ///< one a dimension
};

/// Returns the net that an argument means: one of a parameter of the net around it, or one of the file. Null
/// after an error.
Net* net_argument(const ast::Name& parameter, const ast::Extent& value, Scope& scope, const NetType* outer,
                  dlvm::Diagnostics& messages) {
  if (value.kind != ast::Extent::Kind::name) {
    messages.report(net_wanted, value.location, parameter.text, quoted(value.location, "..."))
        .fix(fmt::format("name a net: {}: Linear", parameter.text));
    return nullptr;
  }
  if (outer != nullptr)
    if (const auto found = outer->nets.find(value.text); found != outer->nets.end()) return found->second;
  Net* found = find_net(scope, ast::Name{value.text, value.location}, messages);
  if (found != nullptr) found->used = true;
  return found != nullptr && !found->failed ? found : nullptr;
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
    if (const auto net_parameter = net.net_parameters.find(parameter.name.text);
        net_parameter != net.net_parameters.end()) {
      Net* const given = argument != nullptr ? net_argument(parameter.name, value, scope, outer, messages)
                                             : net_parameter->second;
      complete = given != nullptr;
      if (!complete) break;
      text += (text.empty() ? "" : ", ") + given->name();
      type.nets.emplace(parameter.name.text, given);
      continue;
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

}  // namespace frontend::check
