#include "frontend/lower/entries.h"
#include "frontend/lower/keys.h"

namespace frontend::lower {

const dlvm::Function& Initializers::of(const Declaration& stored) {
  const bool is_shared = stored.pattern != nullptr && draws(stored.initializer()) == check::Draws::never;
  const Declaration& written = is_shared ? *stored.pattern : stored;
  const dlvm::Function*& function = made_[&written];
  if (function == nullptr) function = make(written);
  return *function;
}

// A state without an initial value begins with zeros.
dlvm::Function* Initializers::make(const Declaration& stored) {
  const std::string net = stored.net != nullptr ? stored.net->net->name() + "." : "";
  const dlvm::Type seed = dlvm::Type::scalar(dlvm::ElementType::u64);
  dlvm::Function* function =
      functions_.add("initialize." + net + stored.name, dlvm::Type::function({seed}, stored.type.dlvm()));
  function->location = stored.location;
  function->add_entry({"seed"});
  BodyLowering lowering(functions_, *function, false);
  const check::Body& body = stored.initializer();
  lowering.builder().set_locations({stored.location});
  if (draws(body) != check::Draws::never)
    lowering.set_key(key_of(stored.name, function->entry().arguments()[0].get(), lowering.builder()));
  dlvm::Value* result = body.result ? lowering.build(body) : function->splat(stored.type.dlvm(), 0);
  lowering.builder().return_(result);
  return function;
}

}  // namespace frontend::lower
