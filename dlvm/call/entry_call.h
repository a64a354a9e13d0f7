#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dlvm/interpret/interpret.h"
#include "dlvm/io/tensor_files.h"
#include "dlvm/ir/module.h"

/// Calls of a module's entry points by named tensors, as `telc run` makes them.
namespace dlvm {

/// The tensors and numbers that the caller of an entry point gives.
struct EntryInputs {
  /// Inputs by their name, cotangents as `cotangent.NAME`. One that only other entry points take is ignored.
  NamedTensors inputs;
  /// Parameters, constants and states by name, as the module has them; without it parameters have their
  /// initial values, and so have states that it lacks.
  std::optional<NamedTensors> weights;
  std::uint64_t seed = 0;
  /// Dimensions that no input binds; where one does, the two must agree.
  Extent::Bindings dimensions;
};

/// The arguments of the entry's function, in order, and what its dimensions are.
struct EntryCall {
  std::vector<RuntimeValue> arguments;
  Extent::Bindings dimensions;
};

/// Returns what the initializer of a stored tensor takes: a key, or nothing.
std::vector<RuntimeValue> initializer_arguments(const Function& initializer, const StoredTensor& stored,
                                                std::uint64_t seed);

/// Returns the entry of that name; null, with a sentence in `why` that lists those there are, if there is
/// none.
const EntryPoint* find_entry(const Module& module, const std::string& name, std::string& why);

/// Returns the name of an argument or a result in files: `cotangent.y`, `gradient.W1`, `next.s` of a state,
/// else as in the source.
std::string file_name(const EntryPoint::Argument& argument);
std::string file_name(const EntryPoint::Result& result);

/// Puts the arguments together. Returns nothing, and adds every problem to `problems` (a missing, unknown,
/// doubled, ill-typed or ill-shaped tensor), one sentence each.
std::optional<EntryCall> prepare_call(const Module& module, const EntryPoint& entry, const EntryInputs& given,
                                      std::vector<std::string>& problems);

/// Calls the entry in the interpreter and returns its results under their names in files, in order.
std::optional<NamedTensors> interpret_entry(const Module& module, const EntryPoint& entry,
                                            const EntryCall& call, InterpretOptions options,
                                            InterpretError& error);

}  // namespace dlvm
