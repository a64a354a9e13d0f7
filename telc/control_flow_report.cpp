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
  bool has_nodes = false;  ///< whether some conditions are left to conditional nodes

 private:
  void add(const Sequence& sequence) {
    for (const kernel::Statement& statement : sequence)
      std::visit([this](const auto& node) { add(node); }, statement.node);
  }
  void add(const auto&) {}
  void add(const Scope& scope) {
    const Scope* around = loop_;
    const bool is_around_fused = is_fused_;
    is_fused_ |= scope.is_fused;
    if (scope.kind == Scope::Kind::loop) loop_ = &scope;
    add(scope.body);
    loop_ = around;
    is_fused_ = is_around_fused;
  }
  void add(const Branch& branch) {
    const dlvm::Location& at = branch.location;
    if (at.valid()) text += fmt::format("{}:{}:{}: ", at.source->name(), at.line, at.column);
    text += fmt::format("@{}: {} on '{}'", program_.name,
                        is_fused_ ? "one kernel of one block decides" : "a conditional node decides",
                        program_.values[branch.condition].name);
    if (loop_ != nullptr) {
      const std::size_t launches = kernel::collect<kernel::Launch>(loop_->body).size();
      text += fmt::format(" in each iteration of loop '{}', which has {} launch{}", loop_->name, launches,
                          launches == 1 ? "" : "es");
    }
    text += "\n";
    has_nodes |= !is_fused_;
    add(branch.then);
    add(branch.otherwise);
  }

  const kernel::Program& program_;
  const Scope* loop_ = nullptr;  ///< the innermost one around
  bool is_fused_ = false;
};

constexpr const char* about_nodes =
    "conditional nodes: they are part of the CUDA graph of a call that is repeated with the same extents and "
    "workspace on the device, from CUDA 12.4 on. In any other call the host decides: it waits for the device "
    "and reads a byte for each condition.\n";

}  // namespace

std::string control_flow_report(const codegen::Unit& unit) {
  std::string text;
  bool has_nodes = false;
  if (unit.backend->form == codegen::ProgramForm::grids)
    for (const auto& [name, function] : unit.functions) {
      const Reporter reporter(function.scheduled.program);
      text += reporter.text;
      has_nodes |= reporter.has_nodes;
    }
  return has_nodes ? text + about_nodes : text;
}

}  // namespace telc
