#include "frontend/lower/lower.h"

#include <algorithm>

#include "frontend/check/declarations/file_names.h"
#include "frontend/lower/entries.h"
#include "frontend/lower/keys.h"

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

dlvm::StoredTensor stored_tensor(const Declaration& d, Initializers& initializers) {
  using Role = dlvm::StoredTensor::Role;
  dlvm::StoredTensor tensor;
  tensor.role = d.role() == ast::Role::param   ? Role::parameter
                : d.role() == ast::Role::state ? Role::state
                                               : Role::constant;
  tensor.name = d.name;
  tensor.type = d.type.dlvm();
  if (tensor.role != Role::constant) {
    tensor.initializer = initializers.of(d).name();
    if (draws(d.initializer()) != check::Draws::never) tensor.stream = stream_of(d.name);
  }
  tensor.doc = d.syntax->doc;
  tensor.location = d.location;
  tensor.file_name = check::file_name(d);
  tensor.transposed_in_file = d.syntax->in_files && d.syntax->in_files->transposed;
  return tensor;
}

}  // namespace

std::unique_ptr<dlvm::Module> lower(const check::Program& program, dlvm::Diagnostics& diagnostics) {
  auto module = std::make_unique<dlvm::Module>(program.main().name);
  module->doc = program.main().syntax->doc;
  Functions functions(*module, diagnostics);
  Initializers initializers(functions);
  for (const Declaration& d : program.declarations)
    if (d.is_given() && d.role() != ast::Role::in) module->tensors.push_back(stored_tensor(d, initializers));
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
