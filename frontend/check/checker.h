// Checks the declarations and functions of a program, each after what it needs.
//
// Everything is a task with a stack of its own, not of the machine: an attempt at a body that meets a
// declaration or a function that has not been checked notes it and goes on; the attempt is thrown away, what
// was noted is checked first, then it is repeated. So a chain of a hundred thousand declarations needs no
// recursion, and what is still being attempted when it is met again is a cycle.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/checked_module.h"

namespace frontend::check {

class Checker {
 public:
  Checker(Program& program, dlvm::Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  /// Checks all that the program holds.
  void run();

  // ------------------------------------------------------------------------------- while a body is checked
  /// True where the declaration has been checked; otherwise it is waited for, or has failed.
  bool ready(Declaration& declaration);
  /// The function for these arguments, checked; null where it is waited for or has failed. `messages` takes
  /// what is wrong with it for these arguments.
  const Instance* instance(Instance wanted, Location location, dlvm::Diagnostics& messages);
  /// The extent that the name of a dimension means in the scope; reports where there is none and it may not
  /// be a new one. `inside` is the function that names it.
  std::optional<Extent> dimension(Scope& scope, const std::string& name, Location location, bool may_be_new,
                                  dlvm::Diagnostics& messages, const Instance* inside = nullptr);
  bool is_imported_dimension(const Scope& scope, const std::string& name) const;
  /// Whether the module may still compute with exact numbers of this length (32-bit digits of all operands),
  /// which takes steps in the square of it; counts them.
  bool may_compute(std::size_t length);

 private:
  /// One of the three is set.
  struct Task {
    Declaration* declaration = nullptr;
    Instance* instance = nullptr;
    Function* definition = nullptr;
    bool begun = false;

    bool operator==(const Task& other) const {
      return declaration == other.declaration && instance == other.instance && definition == other.definition;
    }
  };

  void complete(Task task);
  bool is_done(const Task& task) const;
  void attempt(const Task& task, dlvm::Diagnostics& messages);
  void attempt(Declaration& declaration, dlvm::Diagnostics& messages);       // declarations.cpp
  void attempt(Instance& instance, dlvm::Diagnostics& messages);             // functions.cpp
  void attempt_definition(Function& function, dlvm::Diagnostics& messages);  // functions.cpp
  void finish(const Task& task, const dlvm::Diagnostics& messages);
  void report_cycle(std::size_t from);
  void keep(const dlvm::Diagnostics& messages);

  void declare_given(Declaration& declaration, dlvm::Diagnostics& messages);
  void check_computed(Declaration& declaration, dlvm::Diagnostics& messages);
  bool check_role(const Declaration& declaration, dlvm::Diagnostics& messages);

  Program& program_;
  dlvm::Diagnostics& diagnostics_;
  std::vector<Task> stack_, waiting_;
  std::map<std::string, Instance*> instances_;
  std::uint64_t steps_ = 0;  ///< taken by exact numbers
  std::set<std::tuple<std::string_view, const dlvm::Source*, std::uint32_t, std::uint32_t>> reported_;
};

}  // namespace frontend::check
