#pragma once

#include "dlvm/call/entry_call.h"
#include "telc/session.h"

namespace telc {

/// Reads `--in` and `--weights`; nothing after reporting.
std::optional<dlvm::EntryInputs> read_inputs(const std::vector<std::string>& inputs,
                                             const std::string& weights, std::uint64_t seed,
                                             Session& session);

}  // namespace telc
