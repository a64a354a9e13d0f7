#include "codegen/scheduled.h"

#include <algorithm>
#include <set>

#include "codegen/schedule/text.h"

namespace codegen {
namespace {

void remove_names(schedule::Body& body) {
  for (schedule::Statement& statement : body) {
    if (auto* origin = std::get_if<schedule::Origin>(&statement.node)) *origin = {};
    if (auto* loop = std::get_if<schedule::Loop>(&statement.node)) {
      loop->name.clear();
      remove_names(loop->body);
    }
  }
}

void add_sites(const schedule::Body& body, std::set<std::uint32_t>& sites) {
  for (const schedule::Statement& statement : body) {
    if (const auto* loop = std::get_if<schedule::Loop>(&statement.node)) add_sites(loop->body, sites);
    if (const auto* let = std::get_if<schedule::Let>(&statement.node))
      if (const auto* check = std::get_if<schedule::Scalar::Check>(&let->scalar.definition))
        sites.insert(check->site);
  }
}

}  // namespace

dlvm::Extent bytes_of(const schedule::Buffer& buffer) {
  return schedule::element_count(buffer) * dlvm::info(buffer.element).bytes;
}

Scheduled schedule_program(kernel::Program program, const dlvm::Function& function, const Choices& choices) {
  const dlvm::Type &type = function.type(), &results = type.result();
  const std::size_t outputs = results.is_tuple() ? results.elements().size() : 1;
  Scheduled result{std::move(program), type.parameters().size(), outputs, {}, {}, {}};
  result.plan = memory::plan(result.program, choices.in_place);
  std::vector<std::vector<dlvm::Extent>> shared;
  for (const kernel::Kernel& kernel : result.program.kernels) {
    result.schedules.push_back(choices.schedule(kernel));
    const Workspace needed = choices.workspace(result.schedules.back());
    if (shared.size() < needed.bytes.size()) shared.resize(needed.bytes.size());
    for (std::size_t i = 0; i < needed.bytes.size(); ++i) {
      const bool known = std::find(shared[i].begin(), shared[i].end(), needed.bytes[i]) != shared[i].end();
      if (!known) shared[i].push_back(needed.bytes[i]);
    }
  }
  result.slots = result.plan.slots;
  result.slots.insert(result.slots.end(), shared.begin(), shared.end());
  return result;
}

std::string structure_of(const schedule::Schedule& schedule, const std::vector<kernel::CheckSite>& sites,
                         const std::vector<std::string>& dimensions) {
  schedule::Schedule plain = schedule;
  plain.name.clear();
  for (std::size_t i = 0; i < plain.buffers.size(); ++i) plain.buffers[i].name = "b" + std::to_string(i);
  std::set<std::uint32_t> used;
  for (schedule::Variant& variant : plain.variants) {
    remove_names(variant.body);
    add_sites(variant.body, used);
  }
  std::string text = schedule::print(plain) + "\n";
  for (const std::string& dimension : dimensions) text += dimension + ",";
  for (const std::uint32_t site : used) text += dlvm::text(sites[site].shape) + ";";
  return text;
}

}  // namespace codegen
