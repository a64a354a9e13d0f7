#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dlvm/interpret/value.h"
#include "dlvm/ir/module.h"

/// Makes a random module that two ways of running it disagree about small enough to read.
namespace fuzz {

/// A module with a function `f`, and arguments for it.
struct Failing {
  std::unique_ptr<dlvm::Module> module;
  std::vector<dlvm::RuntimeValue> inputs;
};

/// Whether the ways still disagree. It may change neither, and takes modules that verify, some of which never
/// end.
using Disagrees = std::function<bool(const dlvm::Module&, const std::vector<dlvm::RuntimeValue>&)>;

/// Takes away instructions, branches, blocks, arguments, functions, and elements of inputs as long as the
/// module verifies and the ways disagree. The inputs are tensors; locations are lost.
Failing reduced(const dlvm::Module& module, std::vector<dlvm::RuntimeValue> inputs,
                const Disagrees& disagrees);

/// Returns a copy.
std::unique_ptr<dlvm::Module> copied(const dlvm::Module& module);

/// Returns the module as text, and the inputs.
std::string text(const Failing& failing);

}  // namespace fuzz
