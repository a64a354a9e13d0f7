// Nets for given extents, and the tensors of instances.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/body_context.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/file_names.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/names/net_names.h"
#include "frontend/check/types/extents.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

constexpr std::size_t most_tensors = std::size_t{1} << 16;
constexpr std::size_t most_types = 10'000;

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
  type.nets = net.net_parameters;
  for (const ast::Dimension& each : net.syntax->parameters)
    if (!type.nets.contains(each.name.text))
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
  const bool in_library = outer != nullptr && outer->net->scope->library && !outer->sample;
  type.location = in_library ? outer->location : written.use;
  type.element = net->syntax != nullptr && net->scope->syntax->element_type ? net->scope->element()
                 : outer != nullptr                                         ? outer->element
                                                                            : scope.element();
  if (!bind(written, *net, scope, outer, type)) return nullptr;
  if (!type.sample && automatic_nets_.contains(*net, type.nets))
    type.owner = (outer != nullptr ? outer->owner + "." : "") + name;
  return make_net_type(std::move(type));
}

const NetType* Checker::make_net_type(NetType type) {
  Shape extents;
  for (const auto& [name, extent] : type.dimensions) extents.push_back(extent);
  std::string identity = fmt::format("{}|{}|{}|{}|{}", static_cast<const void*>(type.net), type.sample,
                                     spelling(type.element), key(extents), type.owner);
  for (const auto& [name, net] : type.nets) identity += fmt::format("|{}", static_cast<const void*>(net));
  if (is_endless(type)) return nullptr;
  if (const auto known = net_types_.find(identity); known != net_types_.end()) return known->second;
  if (program_.net_types.size() >= most_types) {
    dlvm::Diagnostics messages;
    messages.report(nets_too_large, type.location, type.text, most_types, "different extents");
    keep(messages);
    return net_types_[identity] = nullptr;
  }
  if (unfinished_net_types_.size() >= net_nesting_limit) {
    dlvm::Diagnostics messages;
    messages.report(nets_too_deep, type.location, net_nesting_limit);
    keep(messages);
    return net_types_[identity] = nullptr;
  }
  NetType& made = program_.net_types.emplace_back(std::move(type));
  net_types_.emplace(identity, &made);
  unfinished_net_types_.push_back(&made);
  for (Net::Member& written : made.net->members) add_member(made, written);
  unfinished_net_types_.pop_back();
  if (made.tensors <= most_tensors) return &made;
  dlvm::Diagnostics messages;
  messages.report(nets_too_large, made.location, made.text, most_tensors, "tensors");
  keep(messages);
  made.tensors = 0;
  return net_types_[identity] = nullptr;
}

/// Compares nets and the nets of their parameters alone: what a net contains does not depend on extents.
bool Checker::is_endless(const NetType& type) {
  const auto begin = std::ranges::find_if(unfinished_net_types_, [&](const NetType* outer) {
    return outer->net == type.net && outer->nets == type.nets;
  });
  if (begin == unfinished_net_types_.end()) return false;
  constexpr std::ptrdiff_t most = 8;
  std::string path;
  for (auto each = begin; each != unfinished_net_types_.end(); ++each)
    if (each - begin <= most) path += (each - begin == most ? "..." : (*each)->text) + " → ";
  dlvm::Diagnostics messages;
  auto& report = messages.report(net_cycle, type.location, path + type.text);
  for (auto each = begin; each != unfinished_net_types_.end() && each - begin < most; ++each)
    if (!(*each)->sample || each != begin)
      report.note((*each)->location, fmt::format("{} is declared here", (*each)->text));
  keep(messages);
  return true;
}

void Checker::add_member(NetType& type, Net::Member& written) {
  NetType::Member member;
  member.written = &written;
  member.first = type.tensors;
  if (written.instance != nullptr) {
    const std::string* parameter = type.net->net_parameter(*written.instance);
    Net* const net = parameter != nullptr ? type.nets.find(*parameter)->second : written.net;
    member.type = type_of_instance(*written.instance, written.name, net, *type.net->scope, &type);
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

dlvm::Diagnostics Checker::with_instance(const NetType& net, const dlvm::Diagnostics& messages) const {
  const auto is_of_library = [](const NetType* type) { return type->net->scope->library; };
  const bool relocated = is_of_library(&net) && !net.sample;
  // The net that has the instance: of a library net, that of the module around it.
  const NetType* owner = relocated ? nullptr : &net;
  if (relocated && !unfinished_net_types_.empty() && unfinished_net_types_.back() == &net) {
    const auto inner = unfinished_net_types_.rbegin();
    const auto found = std::find_if_not(inner, unfinished_net_types_.rend(), is_of_library);
    if (found != unfinished_net_types_.rend() && !(*found)->sample) owner = *found;
  }
  dlvm::Diagnostics result;
  for (dlvm::Diagnostic message : messages.all()) {
    if (relocated) {
      message.note(message.location, fmt::format("{} declares it here", net.text));
      message.location = net.location;
      message.fixes.clear();
    }
    if (owner != nullptr)
      message.note(owner->location, fmt::format("in {}, an instance of which is declared here", owner->text));
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
