#pragma once

#include <cstdint>
#include <string>

#include "dlvm/ir/builder.h"
#include "frontend/check/checked_module.h"

/// Random keys. The key of a value is the seed + hash of its name, so that the values of one module draw
/// different numbers, and the same ones whatever else the module declares. The draws of one body have one key
/// and count; a function that is called has a key of its own, made from its caller's and the place of the
/// call among these draws.
namespace frontend::lower {

/// Returns what is added to the seed for the key of the value of that name.
std::uint64_t stream_of(const std::string& name);
/// Returns the key of the value of that name.
dlvm::Value* key_of(const std::string& name, dlvm::Value* seed, dlvm::Builder& builder);
/// Returns the key of the function that is called at this place of a body with this key.
dlvm::Value* key_of_call(std::size_t place, dlvm::Value* key, dlvm::Builder& builder);
/// Returns the key of a value in one step of a recurrent block or one round of a loop: at that position
/// (i64).
dlvm::Value* key_of_step(dlvm::Value* position, dlvm::Value* key, dlvm::Builder& builder);
/// Returns the entry points in which the body draws random numbers, itself or by what it calls.
check::Draws draws(const check::Body& body);

}  // namespace frontend::lower
