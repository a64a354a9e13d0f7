#include "frontend/lower/lower.h"

#include "frontend/lower/entries.h"

namespace frontend::lower {

std::unique_ptr<dlvm::Module> lower(const check::Program& program) {
  auto module = std::make_unique<dlvm::Module>(program.main().name);
  module->doc = program.main().syntax->doc;
  Functions functions(*module);
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

std::unique_ptr<dlvm::Module> lower_gradients(const check::Program& program) {
  auto module = std::make_unique<dlvm::Module>(program.main().name);
  Functions functions(*module);
  for (const check::Entry& entry : program.entries)
    if (!entry.wrt.empty()) lower_entry(program, entry, functions, *module);
  return module;
}

}  // namespace frontend::lower
