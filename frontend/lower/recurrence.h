// Recurrent blocks to loops.
#pragma once

#include <map>
#include <unordered_set>
#include <vector>

#include "frontend/lower/body.h"

namespace frontend::lower {

/// Builds the values of one function, each block as one loop that computes only what is needed.
class RecurrenceLowering {
 public:
  using Declarations = std::vector<const Declaration*>;

  /// `seed` is that of the entry point where it draws random numbers, else null.
  RecurrenceLowering(const check::Program& program, const std::unordered_set<const Declaration*>& needed,
                     BodyLowering& body, dlvm::Value* seed);

  /// Builds a value that belongs to no step, or is one of the step at hand. What it depends on has been
  /// built, except blocks, which are built with the first of their results.
  void build(const Declaration& declaration);

 private:
  /// A value of a step that later steps or what follows the block need.
  struct Carried {
    const Declaration* value;
    std::int64_t steps;  ///< how many are carried: 1 is the value of the step before
  };
  /// The values that the loop hands from step to step, in the order of the header's arguments.
  struct Loop {
    dlvm::Value* position = nullptr;
    std::vector<dlvm::Value*> carried;    ///< those of `Carried`, one after the other
    std::vector<dlvm::Value*> sequences;  ///< one for each of the block's sequences
    std::vector<dlvm::Value*> all() const;
  };

  void build(const check::Recurrence& block);
  std::vector<Carried> carried_by(const check::Recurrence& block) const;
  Declarations sequences_of(const check::Recurrence& block) const;
  Loop first(const check::Recurrence& block);
  Loop take(dlvm::BasicBlock& header, const check::Recurrence& block);
  void build_step(const check::Recurrence& block, const Loop& loop);
  Loop next(const check::Recurrence& block, const Loop& loop);
  dlvm::Value* number(std::int64_t value);
  /// The random key of the declaration, in each step another one.
  dlvm::Value* key_of(const Declaration& declaration);
  dlvm::Builder& builder() { return body_.builder(); }

  BodyLowering& body_;
  dlvm::Value* seed_;
  std::map<const check::Recurrence*, Declarations> steps_;    ///< what each step computes, in order
  std::map<const check::Recurrence*, Declarations> results_;  ///< the last values and the sequences
};

}  // namespace frontend::lower
