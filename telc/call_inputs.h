#pragma once

#include "dlvm/call/entry_call.h"
#include "telc/session.h"

namespace telc {

/// Returns the tensors of `--in` and `--weights`, or nothing after reporting an error.
std::optional<dlvm::EntryInputs> read_inputs(const std::vector<std::string>& inputs,
                                             const std::string& weights, std::uint64_t seed,
                                             Session& session);

}  // namespace telc
