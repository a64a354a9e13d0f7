#include "frontend/lower/entries.h"
#include "frontend/lower/keys.h"

namespace frontend::lower {
// A state without an initial value begins with zeros.
dlvm::Function* lower_initializer(const Declaration& parameter, Functions& functions) {
  const dlvm::Type seed = dlvm::Type::scalar(dlvm::ElementType::u64);
  dlvm::Function* function =
      functions.add("initialize." + parameter.name, dlvm::Type::function({seed}, parameter.type.dlvm()));
  function->location = parameter.location;
  function->add_entry({"seed"});
  BodyLowering lowering(functions, *function, false);
  const check::Body& body = parameter.initializer();
  lowering.builder().set_locations({parameter.location});
  if (draws(body))
    lowering.set_key(key_of(parameter.name, function->entry().arguments()[0].get(), lowering.builder()));
  dlvm::Value* result = body.result ? lowering.build(body) : function->splat(parameter.type.dlvm(), 0);
  lowering.builder().return_(result);
  return function;
}

}  // namespace frontend::lower
