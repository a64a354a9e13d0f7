// Modules and their declarations as text.
#include "frontend/ast/print.h"

#include <fmt/format.h>

#include "frontend/ast/statement.h"

namespace frontend::ast {
namespace {

std::string joined(const std::vector<Name>& names) {
  std::string text;
  for (const Name& name : names) text += (text.empty() ? "" : ", ") + name.text;
  return text;
}

std::string typed(const Declaration& declaration) {
  const std::string type = print(declaration.type);
  return type.empty() ? "" : " " + type;
}

std::string printed_function(const Function& function) {
  std::string text = "func " + function.name.text + "(";
  for (const Parameter& parameter : function.parameters) {
    if (&parameter != &function.parameters.front()) text += ", ";
    text += parameter.name.text + ": " +
            (parameter.is_value() ? print(parameter.type) : std::string(spelling(parameter.kind)));
    if (parameter.value) text += " = " + print(*parameter.value);
  }
  text += ")";
  for (const Type& result : function.results)
    text += (&result == &function.results.front() ? " -> " : ", ") + print(result);
  if (function.block) return text + " " + print(*function.block) + "\n";
  return text + " = " + print(*function.body) + "\n";
}

std::string printed_declaration(const Declaration& declaration) {
  return fmt::format("{} {}{}", spelling(declaration.role), joined(declaration.names), typed(declaration)) +
         (declaration.indices.empty() ? "" : " at " + joined(declaration.indices)) +
         (declaration.in_files ? fmt::format(" from \"{}\"{}", declaration.in_files->text,
                                             declaration.in_files->transposed ? "^T" : "")
                               : "") +
         (declaration.scale ? " scale " + print(*declaration.scale) : "") +
         (declaration.value ? " = " + print(*declaration.value) + "\n" : "\n");
}

std::string printed_instance(const NetInstance& instance) {
  std::string text = "instance " + joined(instance.names) + " ";
  if (instance.count) text += "[" + print(*instance.count) + "] ";
  if (instance.file) text += instance.file->text + ".";
  text += instance.net.text + "(";
  for (const NetArgument& argument : instance.arguments) {
    if (&argument != &instance.arguments.front()) text += ", ";
    text += (argument.name ? argument.name->text + ": " : "") + print(argument.value);
  }
  text += ")";
  if (instance.in_files) text += fmt::format(" from \"{}\"", instance.in_files->text);
  return text + "\n";
}

std::string printed_recurrence(const Recurrence& recurrence, std::size_t indent = 0) {
  const std::string margin(indent, ' ');
  std::string text = margin + "recurrent " + recurrence.counter.names.front().text;
  if (recurrence.length) text += " in " + print(*recurrence.length);
  if (recurrence.backward) text += " backward";
  for (const Declaration& each : recurrence.sequences)
    text += (&each == &recurrence.sequences.front() ? " over " : ", ") + joined(each.names) + " = " +
            print(*each.value);
  text += " {\n";
  for (const Declaration& each : recurrence.declarations) text += margin + "  " + printed_declaration(each);
  for (const InitialValue& each : recurrence.initial_values) {
    text += margin + "  initial " + joined(each.declaration.names);
    for (const auto& step : each.steps) text += " " + print(*step);
    text += " = " + print(*each.declaration.value) + "\n";
  }
  for (const Recurrence& each : recurrence.recurrences) text += printed_recurrence(each, indent + 2);
  return text + margin + "}\n";
}

std::string printed_type(const TypeDeclaration& type) {
  std::string text = fmt::format("{} {} {{", spelling(type.kind), type.name.text);
  for (const TypeDeclaration::Member& member : type.members) {
    const bool field = type.kind == TypeDeclaration::Kind::structure;
    text += " " + member.name.text + (field ? ": " : member.types.empty() ? "" : "(");
    for (const Type& each : member.types) text += (&each == &member.types.front() ? "" : ", ") + print(each);
    if (!field && !member.types.empty()) text += ")";
  }
  return text + " }\n";
}

std::string printed_net(const Net& net) {
  std::string text = "net " + net.name.text + "(";
  for (const Dimension& parameter : net.parameters) {
    if (&parameter != &net.parameters.front()) text += ", ";
    text += parameter.name.text + (parameter.value ? " = " + print(*parameter.value) : "");
  }
  text += ") {\n";
  for (const Declaration& declaration : net.declarations) text += "  " + printed_declaration(declaration);
  for (const NetInstance& instance : net.instances) text += "  " + printed_instance(instance);
  for (const Function& function : net.functions) text += "  " + printed_function(function);
  return text + "}\n";
}

}  // namespace

std::string print(const Module& module) {
  std::string text = "module " + (module.name ? module.name->text : "?") + "\n";
  if (module.element_type) text += fmt::format("type {}\n", spelling(*module.element_type));
  for (const Import& import : module.imports) text += "import " + import.module.text + "\n";
  for (const Dimension& dimension : module.dimensions)
    text += "dim " + dimension.name.text + (dimension.value ? " = " + print(*dimension.value) : "") + "\n";
  for (const TypeDeclaration& type : module.types) text += printed_type(type);
  for (const Declaration& declaration : module.declarations) text += printed_declaration(declaration);
  for (const Declaration& next : module.next_values)
    text += fmt::format("{}' = {}\n", joined(next.names), print(*next.value));
  for (const Recurrence& each : module.recurrences) text += printed_recurrence(each);
  for (const NetInstance& instance : module.instances) text += printed_instance(instance);
  for (const Function& function : module.functions) text += printed_function(function);
  for (const Net& net : module.nets) text += printed_net(net);
  for (const Gradient& gradient : module.gradients) {
    text += fmt::format("gradient {} of {}", gradient.name.text, joined(gradient.of));
    if (gradient.from) text += " from " + gradient.from->text;
    text += " wrt " + joined(gradient.wrt);
    if (!gradient.keeping.empty()) text += " keeping " + joined(gradient.keeping);
    text += gradient.seedable ? " seedable\n" : "\n";
  }
  for (const CustomGradient& custom : module.custom_gradients)
    text += fmt::format("custom gradient {}({}) {}\n", custom.of.text, joined(custom.parameters),
                        print(*custom.block));
  for (const Optimize& optimize : module.optimizers)
    text += "optimize with " + print(*optimize.call) +
            (optimize.scaling ? " scaling " + print(*optimize.scaling) : "") + "\n";
  return text;
}

}  // namespace frontend::ast
