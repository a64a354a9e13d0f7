// Values of a checked body to instructions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"
#include "frontend/check/checked_module.h"
#include "frontend/lower/gradients.h"
#include "frontend/lower/types.h"

namespace frontend::lower {

using check::Body;
using check::Declaration;
using check::Instance;
using check::Node;

/// The DLVM functions of a program's functions: one for each instance, and for each value of `training` where
/// it depends on that.
class Functions {
 public:
  Functions(dlvm::Module& module, dlvm::Diagnostics& diagnostics)
      : types(module), module_(module), diagnostics_(diagnostics) {}

  Types types;

  /// Returns the function. It is made, with everything that it calls, when it is first asked for.
  dlvm::Function* of(const Instance& instance, bool training);
  /// Returns the function by which a scatter replaces elements.
  const dlvm::Function* replacement(dlvm::ElementType element);
  /// Adds a function with a new name.
  dlvm::Function* add(const std::string& name, dlvm::Type type);
  dlvm::Diagnostics& diagnostics() { return diagnostics_; }
  /// Returns the function that the derivative declares.
  dlvm::Function* derivative_of(const Instance& instance, const check::Derivative& derivative, bool training);

 private:
  /// Returns the function, which may not have its body yet.
  dlvm::Function* declare(const Instance& instance, bool training);
  void make(const Instance& instance, bool training);
  bool needs_training(const Instance& instance) const { return instance.depends_on_training; }

  dlvm::Module& module_;
  dlvm::Diagnostics& diagnostics_;
  using Key = std::pair<const Instance*, bool>;
  Key key(const Instance& each, bool training) const { return {&each, needs_training(each) && training}; }
  std::map<Key, dlvm::Function*> declared_;
  std::map<std::pair<dlvm::Function*, const ast::Gradient*>, dlvm::Function*> derivatives_;
  std::set<Key> begun_;  ///< their bodies have been made, or are being made
};

/// The ways on from where the case of an enum is told, in the order of the enum's cases.
struct Cases {
  std::vector<dlvm::BasicBlock*> blocks;
  std::vector<std::vector<dlvm::Value*>> payloads;  ///< arguments of the blocks
};

/// Returns the names of the variables that get a payload, empty ones where there is no variable.
std::vector<std::string> names_of(const Body& body, const std::vector<std::optional<std::size_t>>& payload);

/// Builds bodies into one DLVM function, which may get several blocks.
class BodyLowering {
 public:
  BodyLowering(Functions& functions, dlvm::Function& function, bool training)
      : functions_(functions), builder_(function.entry()), training_(training) {}

  dlvm::Builder& builder() { return builder_; }
  Functions& functions() { return functions_; }
  dlvm::Type type(const check::Type& type) { return functions_.types.of(type); }
  /// Sets the value of a declaration that comes from outside: an argument.
  void set(const Declaration& declaration, dlvm::Value* value) { values_[&declaration] = value; }
  dlvm::Value* value(const Declaration& declaration) const { return values_.at(&declaration); }
  bool has_value(const Declaration& declaration) const { return values_.contains(&declaration); }
  void set_parameters(std::vector<dlvm::Value*> parameters) { parameters_ = std::move(parameters); }
  /// Gives a parameter that is a struct a value by whose parts a gradient can be taken.
  void name_parameter(std::size_t index) { parameters_[index] = named(parameters_[index]); }
  /// Sets the key from which the next body draws. Without one it draws nothing: it must not train.
  void set_key(dlvm::Value* key) { key_ = key; }
  dlvm::Value* key() const { return key_; }

  /// Builds the body and returns its result. Everything that the body refers to must have a value, except
  /// constants with an expression, which are built when they are first used.
  dlvm::Value* build(const Body& body);
  /// Builds the body of a declaration, whose name the value gets.
  dlvm::Value* build(const Declaration& declaration);

  /// Builds the nodes of the trees in the body, where there are any: the values of the body are then those
  /// that the caller chooses. What the tables name must have a value.
  void build_trees(const Body& body);
  /// Builds the constants that a function's body names, before its statements.
  void build_constants(const Body& body);
  /// Builds a part of a function's body and returns its values.
  std::vector<dlvm::Value*> build(const Body& body, const check::Computation& computation);
  /// Returns the value as one of its own, which a gradient can be taken by, until the function is finished.
  /// The same holds for each floating-point tensor of a struct.
  dlvm::Value* named(dlvm::Value* value);
  /// Makes the gradients inside expressions of the function, whose blocks are complete.
  void finish();
  /// Goes on in another block.
  void continue_in(dlvm::BasicBlock& block);
  /// Returns a new block behind the one at hand.
  dlvm::BasicBlock& add_block(std::string name);
  /// Ends the block at hand: goes on in a new one for each case of `value`, an enum. `names` gives the names
  /// of the payload of each.
  Cases branch_by_case(dlvm::Value* value, dlvm::Location location,
                       const std::function<std::vector<std::string>(std::size_t)>& names);
  /// The values that the variables of a function's body have now.
  std::vector<dlvm::Value*> variables;

 private:
  void build(const Body& body, std::size_t first, std::size_t last);
  dlvm::Value* build(const Node& node);
  dlvm::Value* choice(const Body& body, std::size_t end);
  dlvm::Value* match(const Body& body, std::size_t end);
  struct TreeLoop;
  void build_nodes(const Body& body, std::size_t end);
  void begin_nodes(TreeLoop& loop);
  void enter_loop(TreeLoop& loop);
  void build_node(const TreeLoop& loop);
  std::vector<dlvm::Value*> counts(const TreeLoop& loop, dlvm::Value* first, std::size_t counted);
  void take_rows(const TreeLoop& loop, dlvm::BasicBlock& block);
  void check_rows(const check::TreeTables& tables, dlvm::Value* kinds);
  void branch_by_number(dlvm::Value* number, const std::vector<dlvm::BasicBlock*>& blocks);
  dlvm::Value* element_pointer(dlvm::Value* memory, dlvm::Value* position);
  dlvm::Value* child(const Node& node, dlvm::Value* number);
  dlvm::Value* literal(const Node& node);
  dlvm::Value* gradient(const Node& node);
  dlvm::Value* by(const Node& node);
  dlvm::Value* derivative(const Node& node, std::vector<dlvm::Value*> operands);
  dlvm::Value* part(const Node& node, dlvm::Value* of);
  dlvm::Value* made(const Node& node, std::vector<dlvm::Value*> values);
  dlvm::Value* operand(const Node* node) { return nodes_.at(node); }

  Functions& functions_;
  dlvm::Builder builder_;
  bool training_;
  std::vector<dlvm::Value*> parameters_;
  dlvm::Value* key_ = nullptr;
  std::unordered_map<const Declaration*, dlvm::Value*> values_;
  std::unordered_map<const Node*, dlvm::Value*> nodes_;
  std::unordered_set<dlvm::Value*> named_structures_;
  /// The memory that holds the nodes of each tree, in the order of its tables.
  std::unordered_map<const Node*, dlvm::Value*> trees_;
  /// These describe the tree that is being built: its tables, the memory of its nodes, and the position of
  /// the node that the loop makes.
  const check::TreeTables* tables_at_hand_ = nullptr;
  dlvm::Value *nodes_at_hand_ = nullptr, *node_at_hand_ = nullptr;
  Gradients gradients_;
};

}  // namespace frontend::lower
