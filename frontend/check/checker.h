// Checks the declarations and functions of a program, each after what it needs.
//
// Everything is a task with a stack of its own, not of the machine: an attempt at a body that meets a
// declaration or a function that has not been checked notes it and goes on; the attempt is thrown away, what
// was noted is checked first, then it is repeated. So a chain of a hundred thousand declarations needs no
// recursion, and what is still being attempted when it is met again is a cycle.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "dlvm/support/diagnostic.h"
#include "frontend/check/auto_shapes/trial.h"
#include "frontend/check/checked_module.h"
#include "frontend/check/declarations/automatic_nets.h"

namespace frontend::check {

struct BodyContext;
class AutoShapes;

class Checker {
 public:
  Checker(Program& program, dlvm::Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  /// Checks the whole program.
  void run();

  // ------------------------------------------------------------------------------- while a body is checked
  /// Returns whether the declaration has been checked. If not, its check has to wait or has failed, or it
  /// depends on a shape that has not been found. `use` is the place that names it.
  bool ready(Declaration& declaration, Location use = {});
  /// Notes what has to hold, where shapes are tried.
  void note_equation(ShapeEquation equation) {
    if (trial_ != nullptr) trial_->equations.push_back(std::move(equation));
  }
  /// Returns the checked function for these arguments, or null if its check has to wait or has failed.
  /// `messages` takes its mistakes for these arguments.
  const Instance* instance(Instance wanted, Location location, dlvm::Diagnostics& messages);
  /// Returns the extent that the name of a dimension means in the scope. Reports an error if there is none
  /// and the name may not be a new one. `inside` is the function that names it, `net` the net.
  std::optional<Extent> dimension(Scope& scope, const std::string& name, Location location, bool may_be_new,
                                  dlvm::Diagnostics& messages, const Instance* inside = nullptr,
                                  const NetType* net = nullptr);
  /// Returns the struct with these extents for its dimensions.
  const DeclaredType* with_extents(const DeclaredType& type, std::vector<Extent> extents);
  /// Returns the declaration of the value that `of`, a value of a step, has `lag` steps before.
  Declaration& earlier(Declaration& of, std::int64_t lag);
  /// Returns the declaration of the sequence of the values of `of`, a value of a step.
  Declaration& sequence(Declaration& of);
  /// Returns what the name means in the steps of some recurrent block; null where it means nothing.
  const Declaration* find_in_blocks(std::string_view name) const;
  bool is_imported_dimension(const Scope& scope, const std::string& name) const;
  /// Returns whether the module may still compute with exact numbers of this length (32-bit digits of all
  /// operands), and counts the steps of such a computation, which are about the square of the length.
  bool may_compute(std::size_t length);
  /// Returns the shape with the extents of `wanted` in the place of those that are unknown where shapes are
  /// tried, and notes that they have to be equal.
  Shape assume_equal(Shape shape, const Shape& wanted, Location location);
  /// Notes, where shapes are tried, that the operand has to be stretched to the shape of the other one.
  void note_stretching(const BodyContext& context, const Node& operand, const Node& other, Location location);

 private:
  friend class AutoShapes;

  /// One of the three is set.
  struct Task {
    Declaration* declaration = nullptr;
    Instance* instance = nullptr;
    Function* definition = nullptr;
    bool begun = false;

    const void* subject() const {
      return declaration != nullptr ? static_cast<const void*>(declaration)
             : instance != nullptr  ? static_cast<const void*>(instance)
                                    : definition;
    }
    bool operator==(const Task& other) const {
      return declaration == other.declaration && instance == other.instance && definition == other.definition;
    }
  };

  void complete(Task task);
  static void begin(Task& task);
  /// Returns the function although its body has not been checked, with the results that it declares.
  const Instance* recursive_call(Instance& instance, Location location, dlvm::Diagnostics& messages);
  /// Gives the function, which has been checked, its derivative for these arguments, if that is declared.
  /// Returns false if the check of that has to wait or has failed.
  bool take_custom_gradient(Instance& instance, Location location, dlvm::Diagnostics& messages);
  bool is_done(const Task& task) const;
  void attempt(const Task& task, dlvm::Diagnostics& messages);
  void attempt(Declaration& declaration, dlvm::Diagnostics& messages);       // declarations.cpp
  void attempt(Instance& instance, dlvm::Diagnostics& messages);             // functions.cpp
  void attempt_definition(Function& function, dlvm::Diagnostics& messages);  // functions.cpp
  void finish(const Task& task, const dlvm::Diagnostics& messages);
  void report_cycle(std::size_t from);
  // auto_shapes/trial.cpp
  using AssumedShapes = std::map<Declaration*, Shape>;
  /// Checks the declarations as if the params had these shapes, and takes all of it back.
  TrialOutcome try_shapes(const AssumedShapes& shapes, const std::vector<Declaration*>& targets,
                          std::optional<Location> only = std::nullopt);
  void take_back(Trial& trial);
  /// Returns whether the param, whose shape has not been found, has an assumed one at this place.
  bool has_assumed_shape(Declaration& param, Location use);
  bool is_assumed(const BodyContext& context, const Node& x) const;
  /// Gives up an attempt that met what is unknown.
  void suspend(const Task& task);
  bool is_suspended(const Task& task) const { return suspended_.contains(task.subject()); }
  /// Returns whether the subject of a task waits for shapes, as then does what meets it.
  bool meets_suspended(const void* subject);
  void keep(const dlvm::Diagnostics& messages);
  /// Reports what `keep` has put aside, as far as there is room.
  void report_put_aside();

  bool add_axes(Declaration& declaration);
  void check_computed(Declaration& declaration, dlvm::Diagnostics& messages);
  // recurrences/parts.cpp
  void check_part(Declaration& declaration, dlvm::Diagnostics& messages);
  void check_counter(Declaration& declaration, dlvm::Diagnostics& messages);
  void check_element(Declaration& declaration, dlvm::Diagnostics& messages);
  void check_earlier(Declaration& declaration, dlvm::Diagnostics& messages);
  void take_apart_members(Recurrence& block);
  void finish_block(Recurrence& block, dlvm::Diagnostics& messages);
  void check_result(Declaration& declaration, dlvm::Diagnostics& messages);
  void check_initial(Declaration& declaration, dlvm::Diagnostics& messages);  // initial_values.cpp
  /// Returns the type of a value of a step if it follows from what is declared alone, or from a sequence.
  /// Nothing where it does not, or where its check has to wait.
  std::optional<Type> declared_type(Declaration& value, dlvm::Diagnostics& messages);
  static bool has_constant_extents(const Declaration& declaration, dlvm::Diagnostics& messages);
  static bool may_be_trained(const Declaration& declaration, dlvm::Diagnostics& messages);
  void declare_given_tensor(Declaration& declaration, dlvm::Diagnostics& messages);
  // structured_roles.cpp
  void declare_given(Declaration& declaration, dlvm::Diagnostics& messages);
  void take_declared(Declaration& declaration, BodyContext& context, Node* value);
  /// Declares the tensors of a struct that callers give or get. Returns false after an error.
  bool take_apart(Declaration& declaration, const DeclaredType& type, dlvm::Diagnostics& messages);
  /// Declares the tensors of a struct that a net declares and callers give. After an error, which the check
  /// of the declaration reports, there are none.
  void take_apart_member(Declaration& declaration);
  // structured_values.cpp
  void take_apart(Declaration& declaration, const DeclaredType& type);
  void declare_tensors(Declaration& whole, const DeclaredType& type, const DeclaredType* tree,
                       const std::string& name, std::vector<std::size_t> fields);
  Declaration& declare_tensor(Declaration& whole, const std::string& name,
                              const std::vector<std::size_t>& fields);
  Declaration& add_tensor(const Declaration& whole);
  std::list<Declaration>::iterator place_behind(const Declaration& whole);
  void take_apart_next(Declaration& state, const DeclaredType& type);
  /// Makes a struct that callers give of its tensors.
  void assemble(Declaration& declaration, dlvm::Diagnostics& messages);
  /// Checks one tensor of a struct that callers give or get.
  void check_tensor(Declaration& declaration, dlvm::Diagnostics& messages);
  // trees.cpp
  /// Returns how many rows a tensor of what callers give has, if it is a table of nodes.
  std::optional<Extent> rows_of_tables(const Declaration& tensor) const;
  /// Makes the value that an `in` of an enum that holds itself has in a step of a recurrent block.
  void assemble_step_of_trees(Declaration& element, dlvm::Diagnostics& messages);
  // recurrences/structured_steps.cpp
  /// Takes apart a struct that is a value of the steps of a recurrent block, or a part of one, and the
  /// initial values of it. Returns false if it has other fields than tensors.
  bool take_apart_step(Declaration& value, const DeclaredType& type);
  /// Makes the tensor of such a struct the same part of the tensors of the value.
  void declare_part(Declaration& tensor);
  /// Makes a struct that is a part of a value of its tensors. What cannot be taken apart has a type alone.
  void assemble_part(Declaration& part, const DeclaredType& type, dlvm::Diagnostics& messages);
  void report_other_structure(Declaration& value, const Node* found, dlvm::Diagnostics& messages);
  // net_types.cpp
  /// Makes the types of all nets and instances, and the tensors of the module's instances.
  void expand_nets();
  bool expand(NetInstance& instance);
  const NetType* sample_of(Net& net);
  /// Returns the type of an instance of this name that is written in the scope, or in the net `outer`.
  /// Reports arguments that do not suit; then null.
  const NetType* type_of_instance(const ast::NetInstance& written, const std::string& name, Net* net,
                                  Scope& scope, const NetType* outer);
  /// Gives the parameters of the net what the instance says (net_arguments.cpp).
  bool bind(const ast::NetInstance& written, Net& net, Scope& scope, const NetType* outer, NetType& type);
  const NetType* make_net_type(NetType type);
  /// Returns whether the type is a part of itself, and reports it.
  bool is_endless(const NetType& type);
  void add_member(NetType& type, Net::Member& written);
  /// Returns the extent of an array of nets; 0 where it is none, nothing after an error.
  std::optional<std::int64_t> count_of(const ast::NetInstance& written, Scope& scope, const NetType* outer);
  /// The messages with a note that says for which instance they are. A mistake of an instance in a library
  /// net is that of the instance whose net is not of the library.
  dlvm::Diagnostics with_instance(const NetType& net, const dlvm::Diagnostics& messages) const;

  void check_next(Declaration& declaration, dlvm::Diagnostics& messages);  // next_values.cpp
  void check_optimizer();                                                  // optimizer.cpp
  /// Declares the next values of states of nets that calls in the body of the declaration give.
  void declare_changes(Declaration& declaration);  // state_changes.cpp
  /// Removes what `declare_changes` declared.
  void take_back_changes(Declaration& declaration);  // state_changes.cpp
  bool check_role(const Declaration& declaration, dlvm::Diagnostics& messages);

  Program& program_;
  dlvm::Diagnostics& diagnostics_;
  std::vector<Task> stack_, waiting_;
  std::map<std::string, Instance*> instances_;
  std::map<std::string, const NetType*> net_types_;
  AutomaticNets automatic_nets_;
  std::vector<const NetType*> unfinished_net_types_;  ///< each is that of a member of the one before
  std::map<std::pair<const DeclaredType*, std::string>, const DeclaredType*> types_with_extents_;
  /// The places of declarations in the program's list, filled where one is wanted first.
  std::unordered_map<const Declaration*, std::list<Declaration>::iterator> places_;
  Trial* trial_ = nullptr;                     ///< the trial that is going on
  Unknowns met_;                               ///< what the attempt that is going on has met
  std::map<const void*, Unknowns> suspended_;  ///< by the subjects of their tasks
  std::uint64_t steps_ = 0;                    ///< taken by exact numbers
  std::set<std::tuple<std::string_view, const dlvm::Source*, std::uint32_t, std::uint32_t>> reported_;
  std::set<std::tuple<std::string_view, const dlvm::Source*, std::string>> texts_;  ///< of what was reported
  /// Errors that say again, at other places, what was reported, and those of declarations with many: the
  /// number of errors is limited, and others go first.
  std::vector<dlvm::Diagnostic> put_aside_;
  /// The messages of one declaration that has more errors than are kept, if there is such a one.
  dlvm::Diagnostics crowded_;
};

}  // namespace frontend::check
