#include "frontend/lower/keys.h"

#include <algorithm>

namespace frontend::lower {
namespace {

dlvm::Value* literal(std::uint64_t value, dlvm::Builder& builder) {
  const auto word = static_cast<std::int64_t>(value);
  return builder.function().literal(dlvm::Type::scalar(dlvm::ElementType::u64),
                                    dlvm::Tensor::scalar(dlvm::ElementType::u64, word));
}

}  // namespace

// Fowler, Noll, Vo: FNV-1a, 64 bits.
std::uint64_t stream_of(const std::string& name) {
  std::uint64_t value = 0xCBF29CE484222325;
  for (const char c : name) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return value;
}

dlvm::Value* key_of(const std::string& name, dlvm::Value* seed, dlvm::Builder& builder) {
  dlvm::Value* key = builder.add(seed, literal(stream_of(name), builder));
  key->set_name("key");
  return key;
}

// The factor is 2^64 divided by the golden ratio: small differences of keys and of places do not cancel.
dlvm::Value* key_of_call(std::size_t place, dlvm::Value* key, dlvm::Builder& builder) {
  return builder.add(builder.multiply(key, literal(0x9E3779B97F4A7C15, builder)), literal(place, builder));
}

// The factor is another one, 2^64 divided by the root of 3, so that a step's key is not that of a call.
dlvm::Value* key_of_step(dlvm::Value* position, dlvm::Value* key, dlvm::Builder& builder) {
  dlvm::Value* place = builder.cast(position, dlvm::ElementType::u64);
  return builder.add(builder.multiply(key, literal(0x93CD3A2C8198E269, builder)), place);
}

check::Draws draws(const check::Body& body) {
  check::Draws all = check::Draws::never;
  for (const auto& node : body.nodes)
    if (node->live)
      all = std::max({all, node->draws, node->callee != nullptr ? node->callee->draws : check::Draws::never});
  return all;
}

}  // namespace frontend::lower
