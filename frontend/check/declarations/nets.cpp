#include "frontend/check/declarations/nets.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "dlvm/support/suggest.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/scales.h"
#include "frontend/check/declarations/structured_values.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/net_diagnostics.h"
#include "frontend/check/diagnostics/statement_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/types/spelling.h"
#include "frontend/python/names.h"

namespace frontend::check {
namespace {

bool is_parameter(const BodyContext& context, const std::string& name) {
  return context.instance != nullptr &&
         std::ranges::any_of(context.instance->function->syntax->parameters,
                             [&](const ast::Parameter& each) { return each.name.text == name; });
}

/// An inner net of the one that `outer` means.
NetPlace inner(const NetPlace& outer, const NetType::Member& member) {
  member.written->used = true;
  NetPlace place{member.type, outer.root, outer.first + member.first};
  if (member.count > 0) place.elements = member.count;
  place.name = (outer.name.empty() ? "" : outer.name + ".") + member.written->name;
  place.declared = member.written->location;
  return place;
}

std::optional<NetPlace> find_named(BodyContext& context, const ast::NameReference& e) {
  if (is_parameter(context, e.text)) return std::nullopt;
  if (context.net != nullptr)
    if (const auto* member = context.net->member(e.text))
      return member->written->instance != nullptr ? std::optional(inner(own_net(context), *member))
                                                  : std::nullopt;
  const auto found = context.scope->instances.find(e.text);
  if (found == context.scope->instances.end()) return std::nullopt;
  NetInstance& instance = *found->second;
  instance.used = true;
  NetPlace place{instance.type, &instance, 0};
  if (instance.count > 0) place.elements = instance.count;
  place.name = instance.name;
  place.declared = instance.location;
  if (context.instance == nullptr && context.net == nullptr) return place;
  auto& report = context.diagnostics.report(net_in_function, e.location, e.text);
  report.note(instance.location, fmt::format("'{}' is declared here", e.text));
  report.fix("call the net in the module, and pass the result as an argument");
  place.type = nullptr;
  return place;
}

std::vector<std::string_view> member_names(const NetType& type) {
  std::vector<std::string_view> names;
  for (const NetType::Member& member : type.members) names.push_back(member.written->name);
  for (const auto& [name, functions] : type.net->functions) names.push_back(name);
  return names;
}

/// Adds that `fc.forward(x)` is a call of `fc`; the fix leaves out the name and the dot before it.
void fix_forward(dlvm::Diagnostic& report, const NetPlace& net, const ast::Name& member) {
  dlvm::Edit edit = dlvm::replacement(member.location, "");
  const std::string fix = fmt::format("a call of a net has its name alone: {}(...)", net.name);
  if (edit.begin == 0 || (*edit.source->text())[edit.begin - 1] != '.') return void(report.fix(fix));
  --edit.begin;
  report.fix(fix, std::move(edit));
}

/// Returns the member that has the name in files of weights, as `{path}.weight`, or null.
const NetType::Member* member_of_files(const NetType& type, std::string_view name) {
  for (const NetType::Member& member : type.members) {
    const ast::Declaration* written = member.written->declaration;
    if (written != nullptr && written->in_files &&
        written->in_files->text == fmt::format("{{path}}.{}", name))
      return &member;
  }
  return nullptr;
}

void report_no_apply(BodyContext& context, const NetPlace& net, Location location) {
  const Net& written = *net.type->net;
  auto& report = context.diagnostics.report(no_apply, location, written.name());
  report.note(written.syntax->name.location, fmt::format("the net '{}' is declared here", written.name()));
  if (written.functions.size() != 1) return;
  const std::string& name = written.functions.begin()->first;
  report.fix(fmt::format("name its function '{}' apply, or call {}.{}(...)", name, net.name, name));
}

bool is_number(const std::string& text) { return text[0] >= '0' && text[0] <= '9'; }

/// Returns the name of the array of nets that the net has; empty where it has none or several.
std::string only_array(const NetType& net) {
  std::string found;
  for (const NetType::Member& member : net.members) {
    if (member.count == 0) continue;
    if (!found.empty()) return "";
    found = member.written->name;
  }
  return found;
}

void report_unknown_member(BodyContext& context, const NetPlace& net, const ast::Name& member) {
  const bool is_forward = member.text == "forward" || member.text == "__call__";
  if (net.elements) {
    auto& report = context.diagnostics.report(array_member, member.location, net.name, member.text);
    if (net.type->member(member.text) != nullptr || net.type->net->functions.contains(member.text))
      report.fix(fmt::format("one of its nets has it: {}.0.{}", net.name, member.text));
    else if (is_forward && net.type->net->functions.contains("apply"))
      fix_forward(report, net, member);
    else if (const auto advice = python::advice_on_method(member.text); !advice.empty())
      report.fix(std::string(advice));
    return;
  }
  auto& report = context.diagnostics.report(unknown_net_member, member.location, net.type->text, member.text);
  report.note(net.type->net->syntax->name.location,
              fmt::format("the net '{}' is declared here", net.type->net->name()));
  if (is_forward && net.type->net->functions.contains("apply"))
    fix_forward(report, net, member);
  else if (const auto* in_files = member_of_files(*net.type, member.text))
    report.fix(fmt::format("files of weights call it so; here it is {}.{}{}", net.name,
                           in_files->written->name,
                           in_files->written->declaration->in_files->transposed ? "^T" : ""));
  else if (const auto advice = python::advice_on_method(member.text); !advice.empty())
    report.fix(std::string(advice));
  else if (const std::string array = only_array(*net.type); !array.empty() && is_number(member.text))
    report.fix(
        fmt::format("'{0}' is one net, which has an array: {0}.{1}.{2}", net.name, array, member.text));
  else if (const auto near = dlvm::closest(member.text, member_names(*net.type)); !near.empty())
    report.fix(fmt::format("did you mean '{}.{}'?", net.name, near));
}

/// The net of an array that `tower.0` means.
NetPlace element_of(BodyContext& context, const NetPlace& array, const ast::Name& index) {
  std::int64_t value = 0;
  const char* end = index.text.data() + index.text.size();
  const auto [stop, failure] = std::from_chars(index.text.data(), end, value);
  if (stop == end && failure == std::errc() && value < *array.elements) return array.element(value);
  NetPlace none = array;
  none.type = nullptr;
  context.diagnostics.report(net_element_outside, index.location, array.name, index.text, *array.elements)
      .note(array.declared, fmt::format("'{}' is declared here", array.name))
      .fix(fmt::format("its nets are {0}.0 to {0}.{1}", array.name, *array.elements - 1));
  return none;
}

Node* reference(BodyContext& context, Declaration& declaration, Location location) {
  declaration.used = true;
  if (!context.checker.ready(declaration, location)) return nullptr;
  Node node;
  node.kind = Node::Kind::reference;
  node.type = declaration.type;
  node.location = location;
  node.declaration = &declaration;
  return add_node(context, std::move(node));
}

/// A param, a const or a state of the net.
Node* member_value(BodyContext& context, const NetPlace& net, const NetType::Member& member,
                   Location location) {
  member.written->used = true;
  const Declaration& declaration = *member.declaration;
  if (!declaration.tensors.empty())
    return make_of_tensors(context, *declaration.type_of_tensors, location, [&](std::size_t number) {
      return net_tensor(context, net, member.first + number, location);
    });
  Node* stored = declaration.is_given() ? net_tensor(context, net, member.first, location)
                                        : reference(context, *member.declaration, location);
  return scaled(context, declaration, stored, [&](const ast::NameReference& name) {
    const auto* scale = net.type->member(name.text);
    return scale != nullptr ? member_value(context, net, *scale, location)
                            : make_reference(context, *find_scale(declaration, name), location);
  });
}

}  // namespace

NetPlace NetPlace::element(std::int64_t index) const {
  NetPlace place = *this;
  place.elements.reset();
  place.first += static_cast<std::size_t>(index) * type->tensors;
  place.name += fmt::format(".{}", index);
  return place;
}

NetPlace own_net(const BodyContext& context) { return {context.net, nullptr, 0}; }

std::optional<NetPlace> find_net(BodyContext& context, const ast::Expression& e) {
  if (const auto* name = ast::if_a<ast::NameReference>(e)) return find_named(context, *name);
  const auto* member = ast::if_a<ast::Member>(e);
  auto object = member != nullptr ? find_net(context, *member->object) : std::nullopt;
  if (!object || object->type == nullptr) return object;
  if (object->elements)
    return is_number(member->member.text) ? std::optional(element_of(context, *object, member->member))
                                          : std::nullopt;
  const auto* found = object->type->member(member->member.text);
  if (found == nullptr || found->written->instance == nullptr) return std::nullopt;
  return inner(*object, *found);
}

Node* net_tensor(BodyContext& context, const NetPlace& net, std::size_t number, Location location) {
  number += net.first;
  if (net.root != nullptr && !context.constant)
    return reference(context, *net.root->tensors[number], location);
  if (context.constant || context.instance == nullptr || context.instance->net != context.net) {
    const NetTensor tensor = net.type->tensor(number - net.first);
    context.diagnostics.report(initializer_not_constant, location, tensor.name)
        .note(tensor.declaration->location, fmt::format("'{}' is declared here", tensor.name));
    return nullptr;
  }
  Instance& instance = *context.instance;
  auto known = std::ranges::find(instance.tensors, number, &NetTensor::number);
  if (known == instance.tensors.end()) {
    instance.tensors.push_back(context.net->tensor(number));
    known = std::prev(instance.tensors.end());
  }
  if (!context.checker.ready(*known->declaration, location)) return nullptr;
  Node node;
  node.kind = Node::Kind::parameter;
  node.type = known->declaration->type;
  node.location = location;
  node.index = instance.parameters.size() + static_cast<std::size_t>(known - instance.tensors.begin());
  return add_node(context, std::move(node));
}

std::optional<Node*> check_own_member(BodyContext& context, const ast::NameReference& e) {
  const auto* member = context.net != nullptr ? context.net->member(e.text) : nullptr;
  if (member == nullptr || member->declaration == nullptr) return std::nullopt;
  return member_value(context, own_net(context), *member, e.location);
}

Node* check_net_member(BodyContext& context, const NetPlace& net, const ast::Member& e) {
  if (net.type == nullptr) return nullptr;
  const auto* member = net.elements ? nullptr : net.type->member(e.member.text);
  if (member != nullptr && member->declaration != nullptr)
    return member_value(context, net, *member, e.location);
  if (net.elements || !net.type->net->functions.contains(e.member.text)) {
    report_unknown_member(context, net, e.member);
    return nullptr;
  }
  const std::string whole = net.name + "." + e.member.text;
  context.diagnostics.report(net_function_as_value, e.location, whole)
      .fix(fmt::format("call it: {}(...)", whole));
  return nullptr;
}

Node* call_net_function(BodyContext& context, const NetPlace& net, const ast::Name& function,
                        std::vector<Argument>& arguments, Location location, Hint hint) {
  if (net.type == nullptr) return nullptr;
  const auto found = net.type->net->functions.find(function.text);
  if (!net.elements && found != net.type->net->functions.end())
    return check_call(context, found->second, function.text, arguments, location, hint, &net);
  const auto* member = net.elements ? nullptr : net.type->member(function.text);
  if (member == nullptr) {
    report_unknown_member(context, net, function);
    return nullptr;
  }
  const std::string whole = fmt::format("{}.{}", net.name, function.text);
  auto& report = context.diagnostics.report(not_a_function, function.location, fmt::format("'{}'", whole));
  report.note(member->written->location, fmt::format("'{}' is declared here, a value", function.text));
  report.fix(fmt::format("a product is written {} * (...), an element {}[...]", whole, whole));
  return nullptr;
}

namespace {

/// Reports an array of nets that gives several results: the next net takes one value.
void report_several_results(BodyContext& context, const NetPlace& array, const Function& apply,
                            std::size_t results, Location location) {
  auto& report = context.diagnostics.report(several_results, location, apply.name(), results);
  report.note(apply.syntax->name.location, fmt::format("the function is {}", signature(*apply.syntax)));
  report.note(
      array.declared,
      fmt::format("'{}' is an array of nets: each takes the result of the one before it", array.name));
  std::string names;
  for (std::size_t i = 0; i < results; ++i)
    names += (i == 0 ? "" : ", ") + std::string(1, static_cast<char>('a' + i % 26));
  report.fix(fmt::format("call them one by one: {} = {}.0(...)",
                         context.locals != nullptr ? "let (" + names + ")" : names, array.name));
}

}  // namespace

// The nets of an array have one type, so that the calls have one callee; the tensors of element i are those
// of element 0, `type->tensors` further on each time.
Node* call_net(BodyContext& context, const NetPlace& net, std::vector<Argument> arguments, Location location,
               Hint hint) {
  if (net.type == nullptr) return nullptr;
  const auto found = net.type->net->functions.find("apply");
  if (found == net.type->net->functions.end()) {
    report_no_apply(context, net, location);
    return nullptr;
  }
  if (!net.elements) return check_call(context, found->second, "apply", arguments, location, hint, &net);
  Node* x = nullptr;
  for (std::int64_t i = 0; i < *net.elements; ++i) {
    const NetPlace element = net.element(i);
    x = check_call(context, found->second, "apply", arguments, location, hint, &element);
    if (x == nullptr || arguments.empty()) return nullptr;
    if (i + 1 < *net.elements && has_several_results(*x)) {
      report_several_results(context, net, *found->second.front(), result_types(*x).size(), location);
      return nullptr;
    }
    arguments.front().value = x;
    arguments.front().checked = true;
  }
  return x;
}

/// Returns the number of a net of the array that the index selects, from the end where it is negative, or
/// nothing.
std::optional<std::int64_t> element_number(const NetPlace& array, const ast::Index* index) {
  if (index == nullptr || !array.elements || index->subscripts.size() != 1) return std::nullopt;
  const ast::Expression* single = index->subscripts.front().index.get();
  const auto* sign = single == nullptr ? nullptr : ast::if_a<ast::Unary>(*single);
  const bool from_end = sign != nullptr && sign->op == ast::UnaryOperator::negate;
  if (from_end) single = sign->operand.get();
  const auto* number = single == nullptr ? nullptr : ast::if_a<ast::Number>(*single);
  if (number == nullptr) return std::nullopt;
  std::int64_t value = 0;
  const char* end = number->text.data() + number->text.size();
  const auto [stop, failure] = std::from_chars(number->text.data(), end, value);
  if (from_end) value = *array.elements - value;
  if (stop != end || failure != std::errc() || value < 0 || value >= *array.elements) return std::nullopt;
  return value;
}

void report_net_as_value(BodyContext& context, const NetPlace& net, Location location,
                         const ast::Index* index) {
  if (net.type == nullptr) return;
  auto& report = context.diagnostics.report(net_as_value, location, net.name);
  report.note(net.declared, fmt::format("'{}' is declared here", net.name));
  if (const auto number = element_number(net, index)) {
    report.fix(fmt::format("one net of the array: {}.{}", net.name, *number));
    return;
  }
  if (net.elements && *net.elements > 1)
    report.fix(fmt::format("one net of the array: {0}.0 to {0}.{1}", net.name, *net.elements - 1));
  else if (net.elements)
    report.fix(fmt::format("the one net of the array: {}.0", net.name));
  const bool indexed = index != nullptr && index->subscripts.size() == 1 &&
                       index->subscripts.front().index != nullptr &&
                       index->subscripts.front().index->kind == ast::Expression::Kind::name;
  if (index == nullptr || !net.elements)
    report.fix(fmt::format("call it: {}({})", net.name,
                           indexed ? quoted(index->subscripts.front().location, "...") : "..."));
}

}  // namespace frontend::check
