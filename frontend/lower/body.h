// Values of a checked body to instructions.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dlvm/ir/builder.h"
#include "dlvm/ir/module.h"
#include "frontend/check/checked_module.h"

namespace frontend::lower {

using check::Body;
using check::Declaration;
using check::Instance;
using check::Node;

/// The DLVM functions of a program's functions: one for each instance, and for each value of `training` where
/// it depends on that.
class Functions {
 public:
  explicit Functions(dlvm::Module& module) : module_(module) {}

  /// Returns the function. It is made, with everything that it calls, when it is first asked for.
  dlvm::Function* of(const Instance& instance, bool training);
  /// Adds a function with a new name.
  dlvm::Function* add(const std::string& name, dlvm::Type type);

 private:
  void make(const Instance& instance, bool training);
  bool needs_training(const Instance& instance) const { return instance.depends_on_training; }

  dlvm::Module& module_;
  std::map<std::pair<const Instance*, bool>, dlvm::Function*> made_;
};

/// Builds bodies into one DLVM function.
class BodyLowering {
 public:
  BodyLowering(Functions& functions, dlvm::Function& function, bool training)
      : functions_(functions), builder_(function.entry()), training_(training) {}

  dlvm::Builder& builder() { return builder_; }
  /// Sets the value of a declaration that comes from outside: an argument.
  void set(const Declaration& declaration, dlvm::Value* value) { values_[&declaration] = value; }
  dlvm::Value* value(const Declaration& declaration) const { return values_.at(&declaration); }
  void set_parameters(std::vector<dlvm::Value*> parameters) { parameters_ = std::move(parameters); }
  /// Sets the key from which the next body draws. Without one it draws nothing: it must not train.
  void set_key(dlvm::Value* key) { key_ = key; }

  /// Builds the body and returns its result. Everything that the body refers to must have a value, except
  /// constants with an expression, which are built when they are first used.
  dlvm::Value* build(const Body& body);
  /// Builds the body of a declaration, whose name the value gets.
  dlvm::Value* build(const Declaration& declaration);

 private:
  dlvm::Value* build(const Node& node);
  dlvm::Value* literal(const Node& node);
  dlvm::Value* operand(const Node* node) { return nodes_.at(node); }
  void build_constants(const Body& body);

  Functions& functions_;
  dlvm::Builder builder_;
  bool training_;
  std::vector<dlvm::Value*> parameters_;
  dlvm::Value* key_ = nullptr;
  std::unordered_map<const Declaration*, dlvm::Value*> values_;
  std::unordered_map<const Node*, dlvm::Value*> nodes_;
};

}  // namespace frontend::lower
