#include "codegen/kernel/interpret/control_flow.h"

#include <string_view>

namespace codegen::kernel {
namespace {

class ControlFlow {
 public:
  explicit ControlFlow(StatementActions& actions) : actions_(actions) {}

  /// Returns whether the sequence was run to its end. If it was not, `target_` is the scope that the program
  /// jumps to, or empty after an error.
  bool run(const Sequence& sequence) {
    for (const Statement& statement : sequence)
      if (!std::visit([this](const auto& node) { return run(node); }, statement.node)) return false;
    return true;
  }

 private:
  bool run(const Launch& launch) { return actions_.launch(launch); }
  bool run(const Swap& swap) {
    actions_.swap(swap);
    return true;
  }
  bool run(const Branch& branch) {
    return run(actions_.condition(branch.condition) ? branch.then : branch.otherwise);
  }
  bool run(const Scope& scope) {
    for (;;) {
      if (run(scope.body)) return true;
      if (target_ != scope.name) return false;
      target_ = {};
      if (scope.kind == Scope::Kind::block) return true;
    }
  }
  bool run(const Jump& jump) {
    target_ = jump.scope;
    return false;
  }

  StatementActions& actions_;
  std::string_view target_;
};

}  // namespace

void run(const Sequence& sequence, StatementActions& actions) { ControlFlow(actions).run(sequence); }

}  // namespace codegen::kernel
