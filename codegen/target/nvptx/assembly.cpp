#include "codegen/target/nvptx/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "codegen/target/nvptx/parallel.h"
#include "runtime/abi.h"

namespace codegen::target::nvptx {
namespace {

using target::gpu::Architecture;

/// Returns the bytes that a thread of these kernels spills, summed.
std::int64_t spilled(const Assembled& made, const KernelNames& kernels) {
  std::int64_t bytes = 0;
  for (const auto& [name, code] : kernels_of(made.report, ""))
    if (kernels.contains(name)) bytes += code.spilled;
  return bytes;
}

KernelNames spilling_kernels(const Assembled& made, const target::gpu::Kernels& kernels) {
  const auto code = kernels_of(made.report, "");
  KernelNames spilling;
  for (const target::gpu::Kernel& kernel : kernels.all)
    if (const auto at = code.find(kernel.name);
        at != code.end() && at->second.spilled > 0 && !kernel.one_block)
      spilling.insert(kernel.name);
  return spilling;
}

/// How far the assembler is for each architecture, told as a line. Kernels that are assembled again add to
/// their number, so that what is done never becomes less.
class Progress {
 public:
  Progress(const std::function<void(const std::string&)>& tell, std::size_t count)
      : tell_(tell), states_(count) {}

  /// So many kernels of the architecture are assembled from now on.
  void begin(std::size_t index, const Architecture& architecture, std::size_t kernels) {
    const std::lock_guard lock(mutex_);
    State& at = states_[index];
    at = {architecture.name(), at.kernels, at.kernels, at.kernels + kernels};
  }
  /// So many of these have been begun.
  void tell(std::size_t index, std::size_t begun) {
    const std::lock_guard lock(mutex_);
    State& changed = states_[index];
    changed.begun = std::min(changed.before + begun, changed.kernels);
    std::string line;
    for (const State& one : states_) {
      if (one.name.empty()) continue;
      line += fmt::format("{}{} {} of {}", line.empty() ? "machine code of kernels: " : ", ", one.name,
                          one.begun, one.kernels);
      if (one.before > 0) line += fmt::format(", {} again with more registers", one.kernels - one.before);
    }
    tell_(line);
  }
  bool is_told() const { return static_cast<bool>(tell_); }

 private:
  struct State {
    std::string name;
    std::size_t before = 0;  ///< what is assembled now
    std::size_t begun = 0, kernels = 0;
  };
  const std::function<void(const std::string&)>& tell_;
  std::mutex mutex_;
  std::vector<State> states_;
};

/// Machine code from one PTX, for several architectures at the same time.
class Assembly {
 public:
  Assembly(const Assembler& assembler, const std::string& ptx, const target::gpu::Kernels& kernels,
           const std::vector<Architecture>& architectures, const AssemblyOptions& options)
      : assembler_(assembler),
        ptx_(ptx),
        kernels_(kernels),
        architectures_(architectures),
        whole_(options.whole),
        progress_(options.progress, architectures.size()) {
    for (const target::gpu::Kernel& kernel : kernels.all) names_.insert(kernel.name);
    names_.insert(runtime::argument_kernel);
    names_.insert(runtime::update_kernel);
    for (const runtime::CombineKernel& kernel : runtime::combine_kernels) names_.insert(kernel.name);
  }

  std::vector<Made> run() {
    std::vector<Made> made(architectures_.size());
    for_each_in_parallel(made.size(), [&](std::size_t i) { made[i] = make(i); });
    return made;
  }

 private:
  Made make(std::size_t index) {
    Made made{assemble(index, ptx_, names_), {}, {}};
    if (!made.code.ok) return made;
    KernelNames spilling = spilling_kernels(made.code, kernels_);
    if (spilling.empty()) return made;
    const std::string ptx = with_one_block(ptx_, spilling);
    Assembled again =
        whole_ ? assemble(index, ptx, names_) : assemble(index, with_entries(ptx, spilling), spilling);
    if (!again.ok || spilled(again, spilling) >= spilled(made.code, spilling)) return made;
    if (whole_) return {std::move(again), {}, std::move(spilling)};
    made.code.report = report_without(made.code.report, spilling) + again.report;
    return {std::move(made.code), std::move(again.bytes), std::move(spilling)};
  }

  Assembled assemble(std::size_t index, const std::string& ptx, const KernelNames& kernels) {
    progress_.begin(index, architectures_[index], kernels.size());
    const auto watch = [&](std::size_t begun) { progress_.tell(index, begun); };
    return target::nvptx::assemble(assembler_, ptx, architectures_[index], kernels,
                                   progress_.is_told() ? watch : std::function<void(std::size_t)>());
  }

  const Assembler& assembler_;
  const std::string& ptx_;
  const target::gpu::Kernels& kernels_;
  const std::vector<Architecture>& architectures_;
  bool whole_;
  KernelNames names_;
  Progress progress_;
};

}  // namespace

std::vector<Made> assemble_all(const Assembler& assembler, const std::string& ptx,
                               const target::gpu::Kernels& kernels,
                               const std::vector<Architecture>& architectures,
                               const AssemblyOptions& options) {
  return Assembly(assembler, ptx, kernels, architectures, options).run();
}

}  // namespace codegen::target::nvptx
