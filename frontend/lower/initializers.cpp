#include "frontend/lower/entries.h"

namespace frontend::lower {
namespace {

/// Fowler, Noll, Vo: FNV-1a, 64 bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xCBF29CE484222325;
  for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return value;
}

}  // namespace

// The key is seed + hash of the name, so that parameters of one module draw different numbers, and the same
// ones whatever else the module declares.
dlvm::Function* lower_initializer(const Declaration& parameter, Functions& functions) {
  const dlvm::Type seed = dlvm::Type::scalar(dlvm::ElementType::u64);
  dlvm::Function* function =
      functions.add("initialize." + parameter.name, dlvm::Type::function({seed}, parameter.type.dlvm()));
  function->location = parameter.location;
  function->add_entry({"seed"});
  BodyLowering lowering(functions, *function, false);
  bool random = false;
  for (const auto& node : parameter.initializer().nodes)
    random = random || (node->live && node->kind == Node::Kind::key);
  if (random) {
    const auto word = static_cast<std::int64_t>(hash(parameter.name));
    dlvm::Builder& builder = lowering.builder();
    builder.set_locations({parameter.location});
    dlvm::Value* key =
        builder.add(function->entry().arguments()[0].get(),
                    function->literal(seed, dlvm::Tensor::scalar(dlvm::ElementType::u64, word)));
    key->set_name("key");
    lowering.set_key(key);
  }
  dlvm::Value* result = lowering.build(parameter.initializer());
  lowering.builder().return_(result);
  return function;
}

}  // namespace frontend::lower
