#pragma once

#include <set>
#include <string>

/// Changes of PTX as LLVM writes it: an entry begins and ends with lines of its own.
namespace codegen::target::nvptx {

using KernelNames = std::set<std::string>;

/// The PTX with the promise to `ptxas` that a multiprocessor runs one block of these kernels at a time, so
/// that it gives them all registers instead of spilling for blocks beside theirs.
std::string with_one_block(const std::string& ptx, const KernelNames& kernels);

/// The PTX with these entries alone, and all functions and variables.
std::string with_entries(const std::string& ptx, const KernelNames& kernels);

}  // namespace codegen::target::nvptx
