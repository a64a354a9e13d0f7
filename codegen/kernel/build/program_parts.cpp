#include "codegen/kernel/build/program_parts.h"

#include <algorithm>

#include "codegen/kernel/build/program_values.h"
#include "codegen/kernel/ir/walk.h"

namespace codegen::kernel {

ProgramParts::ProgramParts(const dlvm::Function& function, const std::vector<std::string>& dimensions) {
  program_.name = function.name();
  std::set<std::string> names;
  function.type().collect_names(names);
  for (const auto& name : dimensions) add_dimension(name);
  for (const auto& name : names) add_dimension(name);
  for (const auto& argument : function.entry().arguments())
    memory_[argument.get()] = add(Value::Place::input, static_cast<std::uint32_t>(argument->index()),
                                  argument->name(), argument->type());
}

void ProgramParts::add_dimension(const std::string& name) {
  if (std::ranges::find(program_.dimensions, name) == program_.dimensions.end())
    program_.dimensions.push_back(name);
}

ValueId ProgramParts::add(Value::Place place, std::uint32_t index, const std::string& name,
                          const dlvm::Type& type) {
  const auto id = static_cast<ValueId>(program_.values.size());
  program_.values.push_back({place, index, unique_name(name, names_), type.element(), type.shape(), {}});
  return id;
}

ValueId ProgramParts::memory(const dlvm::Value* value) {
  const auto found = memory_.find(value);
  if (found != memory_.end()) return found->second;
  return memory_[value] = add(Value::Place::arena, 0, value->name(), value->type());
}

ValueId ProgramParts::add(Value value) {
  value.name = unique_name(value.name, names_);
  program_.values.push_back(std::move(value));
  return static_cast<ValueId>(program_.values.size() - 1);
}

std::uint32_t ProgramParts::add_sites(std::vector<CheckSite> sites) {
  const auto first = static_cast<std::uint32_t>(program_.check_sites.size());
  for (CheckSite& site : sites) program_.check_sites.push_back(std::move(site));
  return first;
}

std::uint32_t ProgramParts::add_kernel(Kernel kernel, std::uint32_t first_site) {
  walk<Scalar>(kernel.root, [&](Scalar& scalar) {
    if (auto* check = std::get_if<Scalar::Check>(&scalar.definition)) check->site += first_site;
  });
  return kernels_.add(std::move(kernel));
}

void ProgramParts::append(Program part, const std::vector<ValueId>& inputs,
                          const std::vector<ValueId>& outputs, Sequence& into) {
  add_dimensions(part.dimensions);
  const std::uint32_t first_site = add_sites(std::move(part.check_sites));
  std::vector<std::uint32_t> kernels;
  for (Kernel& kernel : part.kernels) kernels.push_back(add_kernel(std::move(kernel), first_site));
  std::vector<ValueId> values;
  for (Value& value : part.values) {
    if (value.place == Value::Place::input)
      values.push_back(inputs[value.index]);
    else if (value.place == Value::Place::output)
      values.push_back(outputs[value.index]);
    else
      values.push_back(add(std::move(value)));
  }
  for (const Launch* launch : collect<Launch>(part.body)) {
    Launch moved{kernels[launch->kernel], {}};
    for (const ValueId value : launch->values) moved.values.push_back(values[value]);
    into.push_back({std::move(moved)});
  }
}

void ProgramParts::append_trap(const std::vector<dlvm::Location>& locations, Sequence& into) {
  constexpr ElementType type = ElementType::i32;
  const auto site = static_cast<std::uint32_t>(program_.check_sites.size());
  program_.check_sites.push_back({"trap", {}, 0, 0, {}, true});
  if (!locations.empty()) program_.check_sites.back().location = locations[0];
  Stage stage;
  stage.name = "trap";
  stage.locations = locations;
  stage.body = {Scalar(type, Scalar::Literal{dlvm::Tensor(type, {})}),
                Scalar(type, Scalar::Check{0, 0, 0, site, {}})};
  stage.stores.push_back({{0, {}}, {}, 1, {}});
  Kernel kernel;
  kernel.name = "trap";
  kernel.buffers.push_back({"trapped", type, {}, Buffer::Space::argument, true});
  kernel.root.children.emplace_back(std::move(stage));
  const ValueId value = add(Value::Place::arena, 0, "trapped", dlvm::Type::scalar(type));
  into.push_back({Launch{kernels_.add(std::move(kernel)), {value}}});
}

Program ProgramParts::finish(Sequence body) {
  program_.kernels = kernels_.take();
  program_.body = std::move(body);
  return std::move(program_);
}

}  // namespace codegen::kernel
