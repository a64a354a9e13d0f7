#pragma once

#include <map>
#include <set>

#include "codegen/kernel/build/graph.h"
#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// Returns an identifier that is not in `taken`, like `name` where that is possible, and adds it.
std::string unique_name(std::string name, std::set<std::string>& taken);

/// The values, dimensions and check sites of a program that is being built. It begins with the function's
/// parameters and results; kernels add the rest as they ask for it.
class ProgramValues {
 public:
  /// `dimensions` come first, in their order; those that types name besides follow.
  ProgramValues(const dlvm::Function& function, const Graph& graph, std::vector<std::string> dimensions);

  /// Returns the value of the program that holds a value of the function. One that is not in memory yet is
  /// added: a literal's data, or a value of the arena.
  std::uint32_t memory(const dlvm::Value* value);
  /// Returns the number of the check site of an instruction that may fail.
  std::uint32_t site(const dlvm::Instruction& instruction);
  /// Returns an identifier that no other value has, like `name` where that is possible.
  std::string unique_name(std::string name) { return kernel::unique_name(std::move(name), names_); }

  /// Returns the program as far as it is built: all but kernels and launches.
  Program& program() { return program_; }

 private:
  void name_dimensions(const dlvm::Function& function);
  void add_inputs(const dlvm::Function& function);
  void add_outputs();

  const Graph& graph_;
  Program program_;
  std::map<const dlvm::Value*, std::uint32_t> memory_;
  std::map<const dlvm::Instruction*, std::uint32_t> sites_;
  std::set<std::string> names_;
};

}  // namespace codegen::kernel
