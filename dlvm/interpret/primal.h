#pragma once

#include <string>
#include <vector>

#include "dlvm/interpret/entry_call.h"

namespace dlvm {

/// The scalar that an entry point differentiates, as a function of the entry's arguments: what its gradient
/// declaration says (times the cotangent), else the sum of its losses or its outputs times their cotangents.
class Primal {
 public:
  /// `declared` is the module with the declarations; both must outlive this.
  Primal(const Module& expanded, const Module& declared, const EntryPoint& entry);

  /// Why there is nothing to evaluate; empty where there is.
  const std::string& problem() const { return problem_; }

  /// See `InterpretOptions`.
  struct Detached {
    std::vector<RuntimeValue>* values;
    bool replay;
  };
  struct Value {
    double value = 0;
    double magnitude = 0;         ///< the sum of the absolute values that were added up
    std::uint64_t decisions = 0;  ///< fingerprint of the choices made
    std::string error;            ///< empty where there is none
  };
  /// In float64.
  Value evaluate(const EntryCall& call, Detached detached) const;

 private:
  /// A result of the function, and the argument of the entry that it is multiplied by (or none).
  struct Summand {
    std::size_t result;
    std::optional<std::size_t> cotangent;
  };
  void use_declaration(const Function& function);
  void use_results(const Module& expanded);

  const EntryPoint& entry_;
  const Function* function_ = nullptr;
  std::vector<Summand> summands_;
  std::string problem_;
};

}  // namespace dlvm
