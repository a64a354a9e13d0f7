#pragma once

#include <span>
#include <string_view>

#include "dlvm/ir/opcode.h"

/// What docs/ir.md says of each instruction beside the instruction table: its type rule, in words, and an
/// example, which the tests run.
struct InstructionExample {
  dlvm::Opcode opcode;
  std::string_view type;
  /// An instruction without its `%r =`, blocks of a function, or a whole module with a function `@example`.
  std::string_view text;
  /// The derivative, in words, where the table has no formula.
  std::string_view derivative = {};
};

std::span<const InstructionExample> instruction_examples();
