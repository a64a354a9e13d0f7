#pragma once

#include <set>
#include <unordered_map>

#include "codegen/kernel/ir/kernel_table.h"
#include "codegen/kernel/ir/program.h"

namespace codegen::kernel {

/// Puts a program together from programs of parts of its function. It holds the program's values, its kernels
/// and its check sites.
class ProgramParts {
 public:
  /// Begins with the function's parameters. `dimensions` come first; those that its type names follow.
  ProgramParts(const dlvm::Function& function, const std::vector<std::string>& dimensions);

  /// Adds a value with a name like `name`.
  ValueId add(Value::Place place, std::uint32_t index, const std::string& name, const dlvm::Type& type);
  /// Returns the value that holds a parameter or, outside of its block, another value of the function.
  ValueId memory(const dlvm::Value* value);
  /// Lets the memory of a value be one that the program has.
  void bind(const dlvm::Value* value, ValueId memory) { memory_[value] = memory; }
  /// Adds a value like `value`, which is a literal or in the arena.
  ValueId add(Value value);
  /// Adds check sites, and returns the number of the first.
  std::uint32_t add_sites(std::vector<CheckSite> sites);
  /// Adds a kernel whose check sites are counted from `first_site`, and returns its position.
  std::uint32_t add_kernel(Kernel kernel, std::uint32_t first_site);
  /// Adds dimensions that the program does not have yet.
  void add_dimensions(const std::vector<std::string>& names) {
    for (const std::string& name : names) add_dimension(name);
  }
  /// Appends the launches of `part`, whose inputs and outputs are these values.
  void append(Program part, const std::vector<ValueId>& inputs, const std::vector<ValueId>& outputs,
              Sequence& into);
  /// Appends a launch that fails: a check that does not hold.
  void append_trap(const std::vector<dlvm::Location>& locations, Sequence& into);
  /// Returns the program with these statements.
  Program finish(Sequence body);

 private:
  void add_dimension(const std::string& name);

  Program program_;
  KernelTable kernels_;
  std::set<std::string> names_;
  std::unordered_map<const dlvm::Value*, ValueId> memory_;
};

}  // namespace codegen::kernel
