#pragma once

#include <unordered_map>
#include <vector>

#include "dlvm/ir/function.h"

namespace codegen::kernel {

/// The results of a function that a call uses, by their position.
using ResultSet = std::vector<bool>;

/// The number of result sets that are told apart.
inline constexpr std::size_t max_result_sets = 31;

/// Returns for each instruction the sets whose results it is needed for, as bits: bit `s` stands for
/// `sets[s]`. The function has one block. An instruction that may fail and that no set needs is in all sets.
std::unordered_map<const dlvm::Value*, std::uint32_t> find_result_sets(const dlvm::Function& function,
                                                                       const std::vector<ResultSet>& sets);

/// Returns when a value of these sets is computed first: by calls that use the results of that set. Each set
/// is a phase; what calls of an earlier phase have computed of the same arguments is not computed again
/// (calls.h).
std::uint32_t phase_of(std::uint32_t sets);

/// Returns the values that a function of one block returns; a tuple is replaced by its elements.
std::vector<const dlvm::Value*> returned_values(const dlvm::Function& function);
/// Returns the sets that have the result, as bits.
std::uint32_t sets_with(std::size_t result, const std::vector<ResultSet>& sets);

}  // namespace codegen::kernel
