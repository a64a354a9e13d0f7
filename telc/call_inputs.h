#pragma once

#include "dlvm/call/entry_call.h"
#include "telc/session.h"

namespace telc {

/// Makes the tensors that a file of weights has those of the module: their names, axes and types. Returns
/// false after reporting those that do not fit.
bool fit_weights(const dlvm::Module& module, const std::string& file, dlvm::EntryInputs& given,
                 Session& session);

/// Returns the tensors of `--in` and, as the file has them, of `--weights`, or nothing after reporting an
/// error.
std::optional<dlvm::EntryInputs> read_inputs(const std::vector<std::string>& inputs,
                                             const std::string& weights, std::uint64_t seed,
                                             Session& session);

}  // namespace telc
