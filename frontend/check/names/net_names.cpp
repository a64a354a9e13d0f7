#include "frontend/check/names/net_names.h"
#include "frontend/check/names/declared_twice.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "dlvm/support/suggest.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/names/lookup.h"
#include "frontend/check/types/spelling.h"
#include "frontend/support/stdlib.h"

namespace frontend::check {
namespace {

bool is_before(const Location& a, const Location& b) {
  return std::pair(a.line, a.column) < std::pair(b.line, b.column);
}

/// Enters what one net declares.
class NetNames {
 public:
  NetNames(Net& net, dlvm::Diagnostics& diagnostics) : net_(net), diagnostics_(diagnostics) {}

  void enter() {
    for (const ast::Dimension& each : net_.syntax->parameters) take(each.name);
    for (const ast::Declaration& each : net_.syntax->declarations)
      for (const ast::Name& name : each.names) declare(each, name);
    for (const ast::NetInstance& each : net_.syntax->instances)
      for (const ast::Name& name : each.names)
        if (take(name)) net_.members.push_back({name.text, name.location, nullptr, &each, nullptr, false});
    std::ranges::stable_sort(net_.members, is_before, &Net::Member::location);
    for (const ast::Function& each : net_.syntax->functions)
      if (const auto other = names_.find(each.name.text); other != names_.end())
        twice(each.name, other->second);
  }

 private:
  void twice(const ast::Name& name, Location before) {
    report_declared_twice(name, before, diagnostics_);
    net_.failed = true;
  }

  /// Returns the call of a net that the declaration has in the place of an expression; empty where it has
  /// none.
  std::string called_net(const ast::Declaration& declaration) const {
    const auto* call = declaration.value ? ast::if_a<ast::Call>(*declaration.value) : nullptr;
    const auto* name = call != nullptr ? ast::if_a<ast::NameReference>(*call->callee) : nullptr;
    if (name == nullptr) return "";
    const bool is_net =
        net_.scope->nets.contains(name->text) || !library_module_with("net", name->text).empty();
    return is_net ? quoted(call->location, name->text + "(...)") : "";
  }

  bool take(const ast::Name& name) {
    const auto [place, fresh] = names_.try_emplace(name.text, name.location);
    if (!fresh) twice(name, place->second);
    return fresh;
  }

  void declare(const ast::Declaration& declaration, const ast::Name& name) {
    if (declaration.role != ast::Role::param && declaration.role != ast::Role::constant &&
        declaration.role != ast::Role::state) {
      auto& report =
          diagnostics_.report(role_in_net, name.location, name.text, ast::spelling(declaration.role));
      if (declaration.role == ast::Role::in)
        report.fix(fmt::format("make it a parameter of the function: func apply({}: [...])", name.text));
      else if (const std::string net = called_net(declaration); !net.empty())
        report.fix(fmt::format("an instance of a net stands behind a colon: {}: {}", name.text, net));
      else
        report.fix("write the expression in a function: func apply(x: [s... x n]) = ...");
      net_.failed = true;
    } else if (take(name)) {
      net_.members.push_back({name.text, name.location, &declaration, nullptr, nullptr, false});
    }
  }

  Net& net_;
  dlvm::Diagnostics& diagnostics_;
  std::map<std::string_view, Location> names_;
};

/// Whether the member is an instance of a net that each instance of the net chooses.
bool is_parameter(const Net& net, const Net::Member& member) {
  return member.instance != nullptr && net.net_parameter(*member.instance) != nullptr;
}

/// Finds nets that contain themselves, and nets that are nested too deeply, by a stack of its own. What the
/// parameters of nets add to that is known where the types of instances are made.
class NetOrder {
 public:
  explicit NetOrder(dlvm::Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void visit(Net& root) {
    std::vector<Net*> stack{&root};
    while (!stack.empty()) {
      Net& net = *stack.back();
      if (depth_.contains(&net)) {
        stack.pop_back();
        continue;
      }
      const bool again = !begun_.emplace(&net, stack.size()).second;
      const std::size_t height = stack.size();
      for (const Net::Member& member : net.members) {
        if (member.net == nullptr || is_parameter(net, member) || depth_.contains(member.net)) continue;
        if (begun_.contains(member.net)) {
          report_cycle(stack, *member.net);
          continue;
        }
        if (!again) stack.push_back(member.net);
      }
      if (stack.size() == height) finish(net), stack.pop_back();
    }
  }

 private:
  void finish(Net& net) {
    std::size_t depth = 0;
    for (const Net::Member& member : net.members) {
      if (member.net == nullptr || is_parameter(net, member)) continue;
      net.failed = net.failed || member.net->failed;
      if (const auto inner = depth_.find(member.net); inner != depth_.end())
        depth = std::max(depth, inner->second);
    }
    if (++depth == net_nesting_limit + 1 && !net.failed)
      diagnostics_.report(nets_too_deep, net.syntax->name.location, net_nesting_limit);
    if (depth > net_nesting_limit) net.failed = true;
    depth_.emplace(&net, depth);
  }

  /// The nets on the stack that have been begun, from `again` on, contain each other.
  void report_cycle(const std::vector<Net*>& stack, Net& again) {
    if (again.failed) return;
    std::vector<Net*> parts;
    for (std::size_t i = 0; i < stack.size(); ++i) {
      const auto begun = begun_.find(stack[i]);
      if (begun == begun_.end() || begun->second != i + 1) continue;
      if (stack[i] == &again || !parts.empty()) parts.push_back(stack[i]);
    }
    constexpr std::size_t most = 8;
    std::string path;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      parts[i]->failed = true;
      if (i < most) path += parts[i]->name() + " → ";
      if (i == most) path += "... → ";
    }
    auto& report = diagnostics_.report(net_cycle, again.syntax->name.location, path + again.name());
    for (std::size_t i = 1; i < parts.size() && i < most; ++i)
      report.note(parts[i]->syntax->name.location, fmt::format("'{}' is declared here", parts[i]->name()));
  }

  dlvm::Diagnostics& diagnostics_;
  std::unordered_map<const Net*, std::size_t> begun_;  ///< the height of the stack then
  std::unordered_map<const Net*, std::size_t> depth_;  ///< of nets that are finished
};

/// Whether the default of a parameter is a net: one of a file, or an earlier parameter that is a net.
bool is_net(const ast::Extent& value, const Net& net) {
  if (value.kind == ast::Extent::Kind::member) return true;
  if (value.kind != ast::Extent::Kind::name) return false;
  if (net.net_parameters.contains(value.text)) return true;
  return !net.has_dimension(value.text) && !net.scope->dimensions.contains(value.text) &&
         known_net(*net.scope, value.text) != nullptr;
}

/// Returns the net that the default of a parameter means where no argument is given. Null after an error.
Net* default_of(const ast::Dimension& parameter, const Net& net, dlvm::Diagnostics& diagnostics) {
  if (!parameter.value || (parameter.value->kind != ast::Extent::Kind::name &&
                           parameter.value->kind != ast::Extent::Kind::member)) {
    diagnostics.report(unknown_net, parameter.name.location, parameter.name.text)
        .fix(fmt::format("a parameter that is a net has one as its default: {} = Linear",
                         parameter.name.text));
    return nullptr;
  }
  const auto earlier = net.net_parameters.find(parameter.value->text);
  if (earlier != net.net_parameters.end()) return earlier->second;
  return named_net(parameter.name, *parameter.value, *net.scope, &net, diagnostics);
}

/// Finds the parameters of the net that are nets: their defaults are nets, or instances in the net are
/// declared by them.
void find_net_parameters(Net& net, dlvm::Diagnostics& diagnostics) {
  for (const ast::Dimension& each : net.syntax->parameters) {
    const bool declares_instances =
        std::ranges::any_of(net.syntax->instances, [&](const ast::NetInstance& instance) {
          return !instance.file && instance.net.text == each.name.text;
        });
    if (!declares_instances && !(each.value && is_net(*each.value, net))) continue;
    Net* const found = default_of(each, net, diagnostics);
    net.net_parameters.emplace(each.name.text, found);
    if (found != nullptr)
      found->used = true;
    else
      net.failed = true;
  }
}

}  // namespace

void declare_nets(Program& program, dlvm::Diagnostics& diagnostics) {
  for (Scope& scope : program.scopes)
    for (const ast::Net& syntax : scope.syntax->nets) {
      Net*& slot = scope.nets[syntax.name.text];
      if (slot != nullptr) {
        report_declared_twice(syntax.name, slot->syntax->name.location, diagnostics);
        continue;
      }
      slot = &program.nets.emplace_back();
      slot->syntax = &syntax;
      slot->scope = &scope;
      NetNames(*slot, diagnostics).enter();
    }
}

void resolve_nets(Program& program, dlvm::Diagnostics& diagnostics) {
  std::map<const ast::NetInstance*, Net*> found;  // of an instance with several names
  const auto resolve = [&](Scope& scope, const ast::NetInstance& syntax, const Net* outer) {
    const auto [place, fresh] = found.try_emplace(&syntax, nullptr);
    if (fresh) place->second = find_net(scope, syntax, outer, diagnostics);
    return place->second;
  };
  for (NetInstance& instance : program.net_instances) {
    instance.net = resolve(*instance.scope, *instance.syntax, nullptr);
    if (instance.net != nullptr) instance.net->used = true;
  }
  for (Net& net : program.nets) find_net_parameters(net, diagnostics);
  for (Net& net : program.nets)
    for (Net::Member& member : net.members)
      if (member.instance != nullptr) {
        const std::string* parameter = net.net_parameter(*member.instance);
        member.net = parameter != nullptr ? net.net_parameters.find(*parameter)->second
                                          : resolve(*net.scope, *member.instance, &net);
        if (member.net != nullptr) member.net->used = true;
      }
  NetOrder order(diagnostics);
  for (Net& net : program.nets) order.visit(net);
}

const std::string* Net::net_parameter(const ast::NetInstance& instance) const {
  const auto found = net_parameters.find(instance.net.text);
  return instance.file || found == net_parameters.end() ? nullptr : &found->first;
}

bool Net::has_dimension(std::string_view dimension) const {
  return std::ranges::any_of(syntax->parameters,
                             [&](const ast::Dimension& each) { return each.name.text == dimension; });
}

}  // namespace frontend::check
