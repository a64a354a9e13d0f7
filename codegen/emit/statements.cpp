#include "codegen/emit/statements.h"

#include "codegen/emit/launch_table.h"

namespace codegen::emit {

using kernel::Scope;

llvm::BasicBlock* StatementEmitter::block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
}

bool StatementEmitter::emit(const kernel::Sequence& sequence) {
  std::span<const kernel::Statement> rest(sequence);
  while (!rest.empty()) {
    const auto launches = launches_for_table(rest);
    if (is_worth_table(launches))
      launch_all(launches);
    else
      for (const kernel::Launch* each : launches) launch(*each);
    rest = rest.subspan(launches.size());
    if (rest.empty()) break;
    if (!std::visit([this](const auto& node) { return emit(node); }, rest.front().node)) return false;
    rest = rest.subspan(1);
  }
  return true;
}

/// Returns the launches with which the statements begin, up to the first that fits no table.
std::vector<const kernel::Launch*> StatementEmitter::launches_for_table(
    std::span<const kernel::Statement> statements) const {
  std::vector<const kernel::Launch*> launches;
  for (const kernel::Statement& statement : statements) {
    const auto* launch = std::get_if<kernel::Launch>(&statement.node);
    if (launch == nullptr || !fits_table(*launch)) break;
    launches.push_back(launch);
  }
  return launches;
}

bool StatementEmitter::emit(const kernel::Launch& launch) {
  this->launch(launch);
  return true;
}

bool StatementEmitter::emit(const kernel::Swap& swap) {
  this->swap(swap);
  return true;
}

bool StatementEmitter::emit(const kernel::Branch& branch) {
  llvm::Value* condition = this->condition(branch.condition);
  auto *then = block("then"), *otherwise = block("else"), *next = block("next");
  b_.CreateCondBr(condition, then, otherwise);
  b_.SetInsertPoint(then);
  if (emit(branch.then)) b_.CreateBr(next);
  b_.SetInsertPoint(otherwise);
  if (emit(branch.otherwise)) b_.CreateBr(next);
  return continue_in(next);
}

bool StatementEmitter::emit(const Scope& scope) {
  if (scope.is_fused && run_fused(scope)) return true;
  auto* target = block(scope.name);
  const bool is_loop = scope.kind == Scope::Kind::loop;
  targets_[scope.name] = {target, is_loop};
  if (is_loop) {
    b_.CreateBr(target);
    b_.SetInsertPoint(target);
    return emit(scope.body);
  }
  if (emit(scope.body)) b_.CreateBr(target);
  return continue_in(target);
}

bool StatementEmitter::emit(const kernel::Jump& jump) {
  const Target& target = targets_.at(jump.scope);
  if (target.is_loop) repeat();
  b_.CreateBr(target.block);
  return false;
}

bool StatementEmitter::continue_in(llvm::BasicBlock* next) {
  if (next->use_empty()) {
    next->eraseFromParent();
    return false;
  }
  b_.SetInsertPoint(next);
  return true;
}

}  // namespace codegen::emit
