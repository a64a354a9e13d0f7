#include "telc/call_inputs.h"

#include "dlvm/call/weights.h"
#include "telc/diagnostics.h"

namespace telc {

std::optional<dlvm::EntryInputs> read_inputs(const std::vector<std::string>& inputs,
                                             const std::string& weights, std::uint64_t seed,
                                             Session& session) {
  dlvm::EntryInputs given;
  given.seed = seed;
  given.dimensions = session.dimensions();
  bool good = true;
  const auto check = [&](bool read, const dlvm::FileError& error) {
    if (!read) session.report_file(error);
    good = good && read;
  };
  dlvm::FileError error;
  for (const auto& argument : inputs) check(dlvm::read_given(argument, given.inputs, error), error);
  if (!weights.empty()) {
    given.weights = dlvm::read_tensors(weights, error);
    check(given.weights.has_value(), error);
  }
  if (!good) return std::nullopt;
  return given;
}

bool fit_weights(const dlvm::Module& module, const std::string& file, dlvm::EntryInputs& given,
                 Session& session) {
  if (!given.weights) return true;
  std::vector<std::string> problems;
  given.weights = dlvm::weights_of_file(module, std::move(*given.weights), problems);
  for (const std::string& problem : problems) session.diagnostics().report(bad_call, {}, file, problem);
  return problems.empty();
}

}  // namespace telc
