#include "frontend/lower/lower.h"

#include <algorithm>

#include "frontend/lower/entries.h"

namespace frontend::lower {
namespace {

/// Returns whether some value or function of the program takes a gradient in its body.
bool takes_gradients(const check::Program& program) {
  const auto takes = [](const check::Body& body) {
    return std::ranges::any_of(body.nodes,
                               [](const auto& node) { return node->kind == Node::Kind::gradient; });
  };
  return std::ranges::any_of(program.declarations, takes, &Declaration::body) ||
         std::ranges::any_of(program.instances, [&](const auto& each) { return takes(each->body); });
}

}  // namespace

std::unique_ptr<dlvm::Module> lower(const check::Program& program, dlvm::Diagnostics& diagnostics) {
  auto module = std::make_unique<dlvm::Module>(program.main().name);
  module->doc = program.main().syntax->doc;
  Functions functions(*module, diagnostics);
  Initializers initializers(functions);
  for (const Declaration& d : program.declarations) {
    if (d.role() == ast::Role::param || d.role() == ast::Role::state) {
      using Role = dlvm::StoredTensor::Role;
      module->tensors.push_back({d.role() == ast::Role::param ? Role::parameter : Role::state, d.name,
                                 d.type.dlvm(), initializers.of(d).name(), d.syntax->doc, d.location});
    } else if (d.role() == ast::Role::constant && d.is_given()) {
      module->tensors.push_back(
          {dlvm::StoredTensor::Role::constant, d.name, d.type.dlvm(), "", d.syntax->doc, d.location});
    }
  }
  for (const check::Entry& entry : program.entries) lower_entry(program, entry, functions, *module);
  return module;
}

std::unique_ptr<dlvm::Module> lower_gradients(const check::Program& program, dlvm::Diagnostics& diagnostics) {
  auto module = std::make_unique<dlvm::Module>(program.main().name);
  Functions functions(*module, diagnostics);
  for (const check::Entry& entry : program.entries)
    if ((!entry.wrt.empty() || takes_gradients(program)) && entry.optimizer == nullptr)
      lower_entry(program, entry, functions, *module);
  return module;
}

}  // namespace frontend::lower
