#include "telc/call_inputs.h"

namespace telc {
namespace {

/// `NAME=FILE.npy`, or a file of named tensors: appended to `tensors`.
bool read(const std::string& argument, dlvm::NamedTensors& tensors, dlvm::FileError& error) {
  const auto equals = argument.find('=');
  if (equals != std::string::npos && !argument.ends_with(".safetensors")) {
    auto tensor = dlvm::read_npy(argument.substr(equals + 1), error);
    if (tensor) tensors.push_back({argument.substr(0, equals), std::move(*tensor)});
    return tensor.has_value();
  }
  auto all = dlvm::read_safetensors(argument, error);
  if (all)
    tensors.insert(tensors.end(), std::make_move_iterator(all->begin()), std::make_move_iterator(all->end()));
  return all.has_value();
}

}  // namespace

std::optional<dlvm::EntryInputs> read_inputs(const std::vector<std::string>& inputs,
                                             const std::string& weights, std::uint64_t seed,
                                             Session& session) {
  dlvm::EntryInputs given;
  given.seed = seed;
  given.dimensions = session.dimensions();
  dlvm::FileError error;
  bool good = true;
  const auto failed = [&] {
    session.report_file(error.kind == dlvm::FileError::Kind::system, error.text);
    good = false;
  };
  for (const auto& argument : inputs)
    if (!read(argument, given.inputs, error)) failed();
  if (!weights.empty()) {
    given.weights = dlvm::read_safetensors(weights, error);
    if (!given.weights) failed();
  }
  if (!good) return std::nullopt;
  return given;
}

}  // namespace telc
