// Nets for given extents, and the tensors of instances.
#include <fmt/format.h>

#include <algorithm>

#include "dlvm/support/suggest.h"
#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/file_names.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/names/net_names.h"
#include "frontend/check/types/dimensions.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

constexpr std::size_t most_tensors = std::size_t{1} << 16;
constexpr std::size_t most_types = 10'000;

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

/// An extent in which every name must be that of a dimension that is declared, or used, elsewhere.
std::optional<Extent> known_extent(BodyContext& context, const ast::Extent& e) {
  const auto lookup = [&](const ast::Extent& name) {
    return named_extent(context, name.text, name.location, false);
  };
  return evaluate_extent(e, lookup, context.diagnostics);
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

}  // namespace

// --------------------------------------------------------------------------------------------- instances

void Checker::expand_nets() {
  for (Net& net : program_.nets) sample_of(net);
  std::size_t tensors = 0;
  for (NetInstance& instance : program_.net_instances) {
    if (!expand(instance)) continue;
    const std::size_t elements = instance.count == 0 ? 1 : static_cast<std::size_t>(instance.count);
    tensors += elements * instance.type->tensors;  // each factor is at most 2^16
    if (tensors <= most_tensors) continue;
    diagnostics_.report(nets_too_large, instance.location, instance.name, most_tensors, "tensors");
    instance.type = nullptr;
    return;
  }
  for (NetInstance& instance : program_.net_instances) {
    if (instance.type == nullptr) continue;
    const std::size_t elements = instance.count == 0 ? 1 : static_cast<std::size_t>(instance.count);
    for (std::size_t i = 0; i < elements; ++i)
      for (std::size_t number = 0; number < instance.type->tensors; ++number) {
        const NetTensor tensor = instance.type->tensor(number);
        Declaration& declaration = *program_.declarations.emplace(instance.next);
        declaration.name = instance.count == 0 ? fmt::format("{}.{}", instance.name, tensor.name)
                                               : fmt::format("{}.{}.{}", instance.name, i, tensor.name);
        std::string path = path_in_files(*instance.syntax, instance.name, "", nullptr);
        if (instance.count > 0) path = inside_path(path, fmt::format("{}", i));
        declaration.path_in_files = with_path(tensor.path, path);
        declaration.instance = &instance;
        declaration.location = instance.location;
        declaration.syntax = tensor.declaration->syntax;
        declaration.scope = instance.scope;
        declaration.pattern = tensor.declaration;
        instance.tensors.push_back(&declaration);
        program_.dotted_tensors.emplace(declaration.name, &declaration);
      }
  }
}

bool Checker::expand(NetInstance& instance) {
  instance.type = type_of_instance(*instance.syntax, instance.name, instance.net, *instance.scope, nullptr);
  if (instance.type == nullptr) return false;
  const auto count = count_of(*instance.syntax, *instance.scope, nullptr);
  if (count)
    instance.count = *count;
  else
    instance.type = nullptr;
  return instance.type != nullptr;
}

std::optional<std::int64_t> Checker::count_of(const ast::NetInstance& written, Scope& scope,
                                              const NetType* outer) {
  if (!written.count) return 0;
  dlvm::Diagnostics messages;
  BodyContext context{*this, &scope, nullptr, messages};
  context.net = outer;
  const auto extent = known_extent(context, *written.count);
  keep(messages);
  if (!extent) return std::nullopt;
  const auto constant = extent->constant();
  if (!constant && outer != nullptr && outer->sample) return 1;  // any number of nets
  if (constant && *constant >= 1 && *constant <= static_cast<std::int64_t>(most_tensors)) return constant;
  dlvm::Diagnostics found;
  if (constant && *constant >= 1) {
    found.report(nets_too_large, written.count->location, written.names.front().text, most_tensors, "nets");
  } else {
    auto& report = found.report(net_count, written.count->location, spelling(*extent));
    if (!constant)
      report.fix(fmt::format("give the dimension a value, dim {0} = 2, or compile with -D {0}=2",
                             spelling(*extent)));
  }
  keep(outer != nullptr ? with_instance(*outer, found) : found);
  return std::nullopt;
}

// ------------------------------------------------------------------------------------------------- types

const NetType* Checker::sample_of(Net& net) {
  if (net.failed || net.sample != nullptr) return net.sample;
  NetType type;
  type.net = &net;
  type.sample = true;
  type.text = net.name();
  type.location = net.syntax->name.location;
  type.element = net.scope->element();
  for (const ast::Dimension& each : net.syntax->parameters)
    type.dimensions.emplace(each.name.text, Extent::dimension(each.name.text));
  net.sample = make_net_type(std::move(type));
  return net.sample;
}

const NetType* Checker::type_of_instance(const ast::NetInstance& written, const std::string& name, Net* net,
                                         Scope& scope, const NetType* outer) {
  if (net == nullptr || net->failed) return nullptr;
  NetType type;
  type.net = net;
  type.sample = outer != nullptr && outer->sample;
  type.location = written.use;
  if (net->automatic && !type.sample) type.owner = (outer != nullptr ? outer->owner + "." : "") + name;
  type.element = net->syntax != nullptr && net->scope->syntax->element_type ? net->scope->element()
                 : outer != nullptr                                         ? outer->element
                                                                            : scope.element();
  return bind(written, *net, scope, outer, type) ? make_net_type(std::move(type)) : nullptr;
}

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

const NetType* Checker::make_net_type(NetType type) {
  Shape extents;
  for (const auto& [name, extent] : type.dimensions) extents.push_back(extent);
  const std::string identity = fmt::format("{}|{}|{}|{}|{}", static_cast<const void*>(type.net), type.sample,
                                           spelling(type.element), key(extents), type.owner);
  if (const auto known = net_types_.find(identity); known != net_types_.end()) return known->second;
  if (program_.net_types.size() >= most_types) {
    dlvm::Diagnostics messages;
    messages.report(nets_too_large, type.location, type.text, most_types, "different extents");
    keep(messages);
    return net_types_[identity] = nullptr;
  }
  NetType& made = program_.net_types.emplace_back(std::move(type));
  net_types_.emplace(identity, &made);
  for (Net::Member& written : made.net->members) add_member(made, written);
  if (made.tensors <= most_tensors) return &made;
  dlvm::Diagnostics messages;
  messages.report(nets_too_large, made.location, made.text, most_tensors, "tensors");
  keep(messages);
  made.tensors = 0;
  return net_types_[identity] = nullptr;
}

void Checker::add_member(NetType& type, Net::Member& written) {
  NetType::Member member;
  member.written = &written;
  member.first = type.tensors;
  if (written.instance != nullptr) {
    member.type = type_of_instance(*written.instance, written.name, written.net, *type.net->scope, &type);
    const auto count = count_of(*written.instance, *type.net->scope, &type);
    if (!count) member.type = nullptr;
    member.count = count.value_or(0);
    const std::size_t elements = member.count == 0 ? 1 : static_cast<std::size_t>(member.count);
    if (member.type != nullptr)
      type.tensors = std::min(type.tensors + elements * member.type->tensors, most_tensors + 1);
  } else {
    Declaration& declaration = program_.net_declarations.emplace_back();
    declaration.name = written.name;
    declaration.location = written.location;
    declaration.syntax = written.declaration;
    declaration.scope = type.net->scope;
    declaration.net = &type;
    member.declaration = &declaration;
    take_apart_member(declaration);
    type.tensors += declaration.is_given() ? 1 : declaration.tensors.size();
  }
  type.members.push_back(member);
}

dlvm::Diagnostics Checker::with_instance(const NetType& net, const dlvm::Diagnostics& messages) {
  dlvm::Diagnostics result;
  for (dlvm::Diagnostic message : messages.all()) {
    message.note(net.location, fmt::format("in {}, an instance of which is declared here", net.text));
    result.append(std::move(message));
  }
  return result;
}

const NetType::Member* NetType::member(std::string_view name) const {
  const auto found =
      std::ranges::find_if(members, [&](const Member& each) { return each.written->name == name; });
  return found == members.end() ? nullptr : &*found;
}

NetTensor NetType::tensor(std::size_t number) const {
  std::string path, in_files{path_placeholder};
  const NetType* type = this;
  for (std::size_t rest = number;;) {
    // Members without tensors have the number of the next one: the last of them has the tensor.
    auto at = std::ranges::upper_bound(type->members, rest, {}, &Member::first);
    const Member& member = *--at;
    if (!path.empty()) path += ".";
    rest -= member.first;
    if (Declaration* d = member.declaration; d != nullptr) {
      Declaration* tensor = d->tensors.empty() ? d : d->tensors[rest];
      return {number, path + tensor->name, tensor, in_files};
    }
    path += member.written->name;
    in_files = path_in_files(*member.written->instance, member.written->name, in_files, type);
    if (member.count > 0) {
      path += fmt::format(".{}", rest / member.type->tensors);
      in_files = inside_path(in_files, fmt::format("{}", rest / member.type->tensors));
      rest %= member.type->tensors;
    }
    type = member.type;
  }
}

}  // namespace frontend::check
