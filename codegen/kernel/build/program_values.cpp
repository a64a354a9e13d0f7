#include "codegen/kernel/build/program_values.h"

#include <fmt/format.h>

#include "dlvm/ir/instruction_views.h"

namespace codegen::kernel {
namespace {

using dlvm::as_argument;
using dlvm::as_instruction;
using dlvm::as_literal;
using dlvm::Instruction;

/// The name of the value that indices come from, as the user knows it.
std::string index_name(const Graph& graph, const dlvm::Value* value) {
  const Instruction* i = as_instruction(graph.resolve(value));
  while (i != nullptr && !i->operands().empty() && i->name().empty()) {
    value = graph.resolve(i->operand(0));
    i = as_instruction(value);
  }
  return value->name();
}

}  // namespace

std::string unique_name(std::string name, std::set<std::string>& taken) {
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "v" + name;
  std::string candidate = name;
  for (std::size_t i = taken.size(); !taken.insert(candidate).second; ++i)
    candidate = fmt::format("{}_{}", name, i);
  return candidate;
}

ProgramValues::ProgramValues(const dlvm::Function& function, const Graph& graph,
                             std::vector<std::string> dimensions)
    : graph_(graph) {
  program_.name = function.name();
  program_.dimensions = std::move(dimensions);
  name_dimensions(function);
  add_inputs(function);
  add_outputs();
  for (const auto& instruction : function.entry().instructions())
    if (const auto update = graph.updates().inputs.find(instruction.get());
        update != graph.updates().inputs.end())
      memory_[instruction.get()] = memory_.at(update->second);
}

void ProgramValues::name_dimensions(const dlvm::Function& function) {
  std::set<std::string> known(program_.dimensions.begin(), program_.dimensions.end());
  const auto add = [&](const auto& of) {
    std::set<std::string> names;
    of.collect_names(names);
    for (const auto& name : names)
      if (known.insert(name).second) program_.dimensions.push_back(name);
  };
  for (const auto& argument : function.entry().arguments()) add(argument->type());
  for (const auto& instruction : function.entry().instructions()) {
    if (instruction->type().is_tensor()) add(instruction->type());
    for (const dlvm::Attribute& attribute : instruction->attributes())
      if (const auto* extents = std::get_if<Shape>(&attribute))
        for (const Extent& extent : *extents) add(extent);
  }
  add(function.type().result());
}

void ProgramValues::add_inputs(const dlvm::Function& function) {
  for (const auto& argument : function.entry().arguments()) {
    memory_[argument.get()] = static_cast<std::uint32_t>(program_.values.size());
    program_.values.push_back({Value::Place::input,
                               static_cast<std::uint32_t>(argument->index()),
                               unique_name(argument->name()),
                               argument->type().element(),
                               argument->type().shape(),
                               {}});
  }
}

void ProgramValues::add_outputs() {
  for (std::size_t r = 0; r < graph_.results().size(); ++r) {
    const dlvm::Value* result = graph_.results()[r];
    // A result that is in memory anyway, as an input or an earlier result, is copied.
    if (as_instruction(result) != nullptr && !memory_.contains(result))
      memory_[result] = static_cast<std::uint32_t>(program_.values.size());
    program_.values.push_back({Value::Place::output,
                               static_cast<std::uint32_t>(r),
                               unique_name(as_argument(result) != nullptr ? "" : result->name()),
                               result->type().element(),
                               result->type().shape(),
                               {}});
  }
}

std::uint32_t ProgramValues::memory(const dlvm::Value* value) {
  const auto [place, fresh] = memory_.try_emplace(value, static_cast<std::uint32_t>(program_.values.size()));
  if (!fresh) return place->second;
  const auto* literal = as_literal(value);
  program_.values.push_back({literal != nullptr ? Value::Place::literal : Value::Place::arena, 0,
                             unique_name(literal != nullptr ? "literal" : value->name()),
                             value->type().element(), value->type().shape(),
                             literal != nullptr ? literal->data() : dlvm::Tensor()});
  return place->second;
}

std::uint32_t ProgramValues::site(const Instruction& i) {
  const auto [place, fresh] = sites_.try_emplace(&i, static_cast<std::uint32_t>(program_.check_sites.size()));
  if (!fresh) return place->second;
  CheckSite site;
  if (!i.locations().empty()) site.location = i.locations()[0];
  const auto describe = [&](const dlvm::Value* indices) {
    site.name = index_name(graph_, indices);
    site.shape = indices->type().shape();
  };
  const auto describe_access = [&](const auto& access) {
    describe(access.indices()[0]);
    site.end = access.input()->type().shape()[static_cast<std::size_t>(access.axes()[0])];
  };
  if (const auto check = dlvm::as<dlvm::CheckIndex>(i)) {
    describe(check.indices());
    site.first = check.first();
    site.end = check.end();
    if (const auto* failure = check.failure()) {
      site.name = dlvm::text_of_failure(*failure);
      site.is_trap = true;
    }
  } else if (const auto gather = dlvm::as<dlvm::Gather>(i)) {
    describe_access(gather);
  } else {
    describe_access(dlvm::Scatter(i));
  }
  program_.check_sites.push_back(std::move(site));
  return place->second;
}

}  // namespace codegen::kernel
