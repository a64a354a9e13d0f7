#include "codegen/gpu/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "runtime/abi.h"

namespace codegen::gpu {
namespace {

using device::Architecture;

/// Returns the bytes that a thread spills, summed over all kernels.
std::int64_t spilled(const Assembled& made) {
  std::int64_t bytes = 0;
  for (const auto& [name, code] : kernels_of(made.report, "")) bytes += code.spilled;
  return bytes;
}

OneBlockKernels spilling_kernels(const Assembled& made, const device::Kernels& kernels) {
  const auto code = kernels_of(made.report, "");
  OneBlockKernels spilling;
  for (const device::Kernel& kernel : kernels.all)
    if (const auto at = code.find(kernel.name);
        at != code.end() && at->second.spilled > 0 && !kernel.one_block)
      spilling.insert(kernel.name);
  return spilling;
}

/// How far the assembler is with each chip, told as a line.
class Progress {
 public:
  Progress(const std::function<void(const std::string&)>& tell, std::size_t kernels, std::size_t chips)
      : tell_(tell), kernels_(kernels), begun_(chips) {}

  void begin(std::size_t chip, const Architecture& architecture, std::size_t begun) {
    const std::lock_guard lock(mutex_);
    begun_[chip] = {architecture.name(), begun};
    std::string line;
    for (const auto& [name, count] : begun_)
      if (!name.empty())
        line += fmt::format("{}{} {} of {}", line.empty() ? "machine code of kernels: " : ", ", name,
                            std::min(count, kernels_), kernels_);
    tell_(line);
  }
  bool is_told() const { return static_cast<bool>(tell_); }

 private:
  const std::function<void(const std::string&)>& tell_;
  std::size_t kernels_;
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::size_t>> begun_;
};

/// Machine code from one PTX, for several chips at the same time.
class Assembly {
 public:
  Assembly(const Assembler& assembler, const std::string& ptx, const device::Kernels& kernels,
           const std::vector<Architecture>& architectures,
           const std::function<void(const std::string&)>& progress)
      : assembler_(assembler),
        ptx_(ptx),
        kernels_(kernels),
        architectures_(architectures),
        progress_(progress, kernels.all.size() + 1 + std::size(runtime::combine_kernels),
                  architectures.size()) {
    for (const device::Kernel& kernel : kernels.all) names_.push_back(kernel.name);
    names_.emplace_back(runtime::words_kernel);
    for (const runtime::CombineKernel& kernel : runtime::combine_kernels) names_.emplace_back(kernel.name);
  }

  std::vector<Made> run() {
    std::vector<Made> made(architectures_.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i = next++; i < made.size(); i = next++) made[i] = make(i);
    };
    const std::size_t count =
        std::min<std::size_t>(made.size(), std::max(1U, std::thread::hardware_concurrency()));
    std::vector<std::thread> workers;
    for (std::size_t i = 1; i < count; ++i) workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();
    return made;
  }

 private:
  Made make(std::size_t chip) {
    Made made{assemble(chip, ptx_), {}};
    if (!made.code.ok) return made;
    OneBlockKernels spilling = spilling_kernels(made.code, kernels_);
    if (spilling.empty()) return made;
    Assembled again = assemble(chip, with_one_block(ptx_, spilling));
    if (again.ok && spilled(again) < spilled(made.code)) made = {std::move(again), std::move(spilling)};
    return made;
  }

  Assembled assemble(std::size_t chip, const std::string& ptx) {
    const auto watch = [&](std::size_t begun) { progress_.begin(chip, architectures_[chip], begun); };
    return gpu::assemble(assembler_, ptx, architectures_[chip], names_,
                         progress_.is_told() ? watch : std::function<void(std::size_t)>());
  }

  const Assembler& assembler_;
  const std::string& ptx_;
  const device::Kernels& kernels_;
  const std::vector<Architecture>& architectures_;
  std::vector<std::string> names_;
  Progress progress_;
};

}  // namespace

std::string with_one_block(const std::string& ptx, const OneBlockKernels& kernels) {
  std::string text = ptx;
  for (const std::string& name : kernels) {
    const std::size_t entry = text.find(".entry " + name + "(");
    const std::size_t body = entry == std::string::npos ? entry : text.find("\n{", entry);
    if (body != std::string::npos) text.insert(body, "\n.minnctapersm 1");
  }
  return text;
}

std::vector<Made> assemble_all(const Assembler& assembler, const std::string& ptx,
                               const device::Kernels& kernels, const std::vector<Architecture>& architectures,
                               const std::function<void(const std::string&)>& progress) {
  return Assembly(assembler, ptx, kernels, architectures, progress).run();
}

}  // namespace codegen::gpu
