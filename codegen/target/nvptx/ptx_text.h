#pragma once

#include <set>
#include <string>

/// Edits PTX as LLVM writes it, in which an entry begins and ends with lines of its own.
namespace codegen::target::nvptx {

/// The names of entries in a PTX text.
using KernelNames = std::set<std::string>;

/// Returns the PTX with the promise to `ptxas` that a multiprocessor runs one block of these kernels at a
/// time, so that it gives them all registers rather than spilling to leave registers for other blocks.
std::string with_one_block(const std::string& ptx, const KernelNames& kernels);

/// Returns the PTX with these entries alone, and with all functions and variables.
std::string with_entries(const std::string& ptx, const KernelNames& kernels);

}  // namespace codegen::target::nvptx
