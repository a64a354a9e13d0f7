#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/pipeline.h"
#include "dlvm/ir/module.h"
#include "dlvm/memory_budget.h"

namespace telc {

/// The text of `--report=memory`: for each entry point, the bytes of its workspace on the processor and the
/// values in it, the largest first, and for each buffer of a kernel why its schedule needs it; and what a
/// memory budget lets derivatives keep and compute again.
class MemoryReport {
 public:
  /// The module must outlive the report.
  explicit MemoryReport(const dlvm::Module& module) : module_(module) {}

  /// Lets the pipeline tell the report of each unit whose memory is planned.
  void listen(codegen::PipelineOptions& pipeline);
  /// Returns the text, which is empty if the report did not listen.
  std::string text(const std::vector<dlvm::CheckpointingChoice>& choices) const;

 private:
  const dlvm::Module& module_;
  std::map<std::string, std::string> of_function_;
  std::map<std::string, std::optional<std::int64_t>> bytes_;  ///< the workspace, where it is a number
  bool listens_ = false;
};

}  // namespace telc
