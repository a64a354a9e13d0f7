#include "telc/control_flow_report.h"

#include <fmt/format.h>

#include "codegen/kernel/ir/program.h"

namespace telc {
namespace {

namespace kernel = codegen::kernel;
using kernel::Branch;
using kernel::Scope;
using kernel::Sequence;

class Reporter {
 public:
  explicit Reporter(const kernel::Program& program) : program_(program) { add(program.body); }
  std::string text;

 private:
  void add(const Sequence& sequence) {
    for (const kernel::Statement& statement : sequence)
      std::visit([this](const auto& node) { add(node); }, statement.node);
  }
  void add(const auto&) {}
  void add(const Scope& scope) {
    if (scope.is_fused) return;
    const Scope* around = loop_;
    if (scope.kind == Scope::Kind::loop) loop_ = &scope;
    add(scope.body);
    loop_ = around;
  }
  void add(const Branch& branch) {
    const dlvm::Location& at = branch.location;
    if (at.valid()) text += fmt::format("{}:{}:{}: ", at.source->name(), at.line, at.column);
    text +=
        fmt::format("@{}: the host decides on '{}'", program_.name, program_.values[branch.condition].name);
    if (loop_ != nullptr) {
      const std::size_t launches = kernel::collect<kernel::Launch>(loop_->body).size();
      text += fmt::format(" in each iteration of loop '{}', which has {} launch{}", loop_->name, launches,
                          launches == 1 ? "" : "es");
    }
    text += ": it waits for the device and reads a byte\n";
    add(branch.then);
    add(branch.otherwise);
  }

  const kernel::Program& program_;
  const Scope* loop_ = nullptr;  ///< the innermost one around
};

}  // namespace

std::string control_flow_report(const codegen::Unit& unit) {
  std::string text;
  if (unit.backend->form == codegen::ProgramForm::grids)
    for (const auto& [name, function] : unit.functions) text += Reporter(function.scheduled.program).text;
  return text;
}

}  // namespace telc
