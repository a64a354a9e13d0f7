#include "frontend/lower/entries.h"
#include "frontend/lower/keys.h"

namespace frontend::lower {

const dlvm::Function& Initializers::of(const Declaration& stored) {
  const Declaration& written = stored.pattern != nullptr ? *stored.pattern : stored;
  const bool is_zero = !written.initializer().result;
  const dlvm::Function*& function = is_zero ? zeros_[written.type.dlvm().text()] : made_[&written];
  const std::string net = written.net != nullptr ? written.net->net->name() + "." : "";
  if (function == nullptr) function = make(written, is_zero ? "zeros" : net + written.name);
  return *function;
}

// A state without an initial value begins with zeros.
dlvm::Function* Initializers::make(const Declaration& written, const std::string& name) {
  const dlvm::Type key = dlvm::Type::scalar(dlvm::ElementType::u64);
  dlvm::Function* function =
      functions_.add("initialize." + name, dlvm::Type::function({key}, written.type.dlvm()));
  function->location = written.location;
  function->add_entry({"key"});
  BodyLowering lowering(functions_, *function, false);
  const check::Body& body = written.initializer();
  lowering.builder().set_locations({written.location});
  if (draws(body) != check::Draws::never) lowering.set_key(function->entry().arguments()[0].get());
  dlvm::Value* result = body.result ? lowering.build(body) : function->splat(written.type.dlvm(), 0);
  lowering.builder().return_(result);
  return function;
}

}  // namespace frontend::lower
