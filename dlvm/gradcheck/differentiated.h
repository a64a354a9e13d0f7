#pragma once

#include <string>
#include <vector>

#include "dlvm/call/entry_call.h"
#include "dlvm/gradcheck/effort.h"

namespace dlvm {

/// The function that an entry point differentiates, and that of the derivatives, of the same arguments. The
/// entry is a gradient declaration, or calls one (with more arguments, for derivatives by intermediate
/// values), or a function written by hand that gives its losses, or its outputs beside their cotangents.
class Differentiated {
 public:
  /// `expanded` has the declarations' functions and `declared` the declarations. Both must outlive this
  /// object, and so must `effort`, to which every evaluation adds.
  Differentiated(const Module& expanded, const Module& declared, const EntryPoint& entry, Effort& effort);

  /// Returns why nothing can be evaluated; empty if something can.
  const std::string& problem() const { return problem_; }

  /// Returns the functions' arguments for a call of the entry.
  std::vector<RuntimeValue> arguments(const EntryCall& call) const;

  /// One derivative: what it is by, the argument of that, and the number of the result that it is.
  struct Derivative {
    std::string name;
    std::size_t argument = 0, result = 0;
  };
  const std::vector<Derivative>& derivatives() const { return derivatives_; }

  /// The differentiated scalar as a sum of terms, in float64.
  struct Value {
    std::vector<double> terms;
    std::uint64_t decisions = 0;  ///< fingerprint of the choices made
    std::string error;            ///< empty if there is no error
  };
  /// Evaluates the scalar. `detached` is explained at `InterpretOptions`. With `outputs` the terms are the
  /// outputs' elements times their cotangents even if the scalar itself is a result, so that a term that is
  /// not finite does not hide the others.
  Value value(const std::vector<RuntimeValue>& arguments, const Extent::Bindings& dimensions,
              std::vector<RuntimeValue>& detached, bool replay, bool outputs) const;
  bool has_outputs() const { return !outputs_.empty(); }
  /// Returns the largest number of terms that an evaluation has summed one after the other.
  double longest_sum() const { return effort_.longest_sum; }

  /// Returns all results of the derivative function, in float64.
  Interpretation derivative(const std::vector<RuntimeValue>& arguments,
                            const Extent::Bindings& dimensions) const;

 private:
  /// A result of the primal function, and the argument that it is multiplied by (or none).
  struct Summand {
    std::size_t result;
    std::optional<std::size_t> cotangent;
  };
  void use_declaration(const Function& declaration, const Module& expanded);
  void use_results();
  std::optional<std::size_t> argument_named(std::string_view name, bool cotangent) const;

  const EntryPoint& entry_;
  Effort& effort_;
  const Function* wrapper_ = nullptr;  ///< calls the declaration; null if the entry is one itself
  const Function* primal_ = nullptr;
  const Function* derivative_ = nullptr;
  std::vector<Summand> scalar_, outputs_;
  std::vector<Derivative> derivatives_;
  std::string problem_;
};

}  // namespace dlvm
