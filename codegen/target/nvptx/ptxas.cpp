#include "codegen/target/nvptx/ptxas.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Program.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "codegen/target/nvptx/cubin.h"
#include "codegen/target/nvptx/process.h"

namespace codegen::target::nvptx {
namespace {

constexpr std::string_view begins_kernel = "Compiling entry function '",
                           warns_of_spills = "Registers are spilled to local memory in function '";

std::size_t begun_kernels(std::string_view messages) {
  std::size_t count = 0;
  for (std::size_t at = messages.find(begins_kernel); at != std::string_view::npos;
       at = messages.find(begins_kernel, at + 1))
    ++count;
  return count;
}

// `Cuda compilation tools, release 13.0, V13.0.88`
int version_of(const std::string& ptxas) {
  constexpr double limit = 10;
  const Finished done = run_program(ptxas, {"--version"}, {}, limit);
  int major = 0, minor = 0;
  llvm::StringRef release = llvm::StringRef(done.messages).split("release ").second;
  if (!done.ok || release.consumeInteger(10, major) || !release.consume_front(".") ||
      release.consumeInteger(10, minor))
    return 0;
  return 1000 * major + 10 * minor;
}

/// The first lines of what an assembler says, which may be anything.
std::string excerpt(llvm::StringRef messages) {
  constexpr std::size_t max_lines = 5, longest_line = 300;
  llvm::SmallVector<llvm::StringRef> lines;
  messages.trim().split(lines, '\n', max_lines, false);
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), max_lines); ++i) {
    std::string line = lines[i].take_front(longest_line).str();
    for (char& c : line)
      if (!llvm::isPrint(c)) c = '?';
    text += (i == 0 ? "" : "\n") + line;
  }
  return text;
}

}  // namespace

std::optional<std::string> find_ptxas() {
  const char* home = std::getenv("CUDA_HOME");
  if (home != nullptr)
    if (auto found = llvm::sys::findProgramByName("ptxas", {std::string(home) + "/bin"})) return *found;
  if (auto found = llvm::sys::findProgramByName("ptxas")) return *found;
  if (auto found = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"})) return *found;
  return std::nullopt;
}

std::optional<Toolkit> find_toolkit() {
  auto ptxas = find_ptxas();
  if (!ptxas) return std::nullopt;
  const int version = version_of(*ptxas);
  return Toolkit{std::move(*ptxas), version};
}

Assembled assemble(const Assembler& assembler, const std::string& ptx,
                   const target::gpu::Architecture& architecture, const std::set<std::string>& kernels,
                   const std::function<void(std::size_t)>& watch) {
  std::vector<std::string> arguments{"--gpu-name=" + architecture.name(), "--verbose", "--warn-on-spills",
                                     "-O3"};
  if (assembler.lines) arguments.emplace_back("-lineinfo");
  arguments.insert(arguments.end(), {std::string(input_file), "-o", std::string(output_file)});
  const auto count = [&](std::string_view messages) { watch(begun_kernels(messages)); };
  Finished done = run_program(assembler.path, arguments, ptx, assembler.limit,
                              watch ? count : std::function<void(std::string_view)>());
  Assembled result{done.ok, std::move(done.output), std::move(done.messages), std::move(done.failure)};
  if (const std::string said = excerpt(result.report); !result.ok && !said.empty())
    result.failure += "\n" + said;
  if (!result.ok) return result;
  const std::string wrong = what_is_wrong(result.bytes, architecture, kernels);
  if (!wrong.empty()) result.failure = "what it wrote cannot be used: " + wrong;
  result.ok = wrong.empty();
  return result;
}

std::string report_without(const std::string& report, const std::set<std::string>& kernels) {
  std::string kept;
  bool is_left_out = false;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(report).split(lines, '\n', -1, false);
  for (const llvm::StringRef line : lines) {
    const std::string name = line.split('\'').second.split('\'').first.str();
    if (line.contains(begins_kernel)) is_left_out = kernels.contains(name);
    const bool is_warning = line.contains(warns_of_spills) && kernels.contains(name);
    if (!is_left_out && !is_warning) kept += line.str() + "\n";
  }
  return kept;
}

// Of every kernel there are lines `Compiling entry function 'NAME' for 'CHIP'`, then, of it and of functions
// that it calls, `Function properties for NAME`, `N bytes stack frame, N bytes spill stores, N bytes spill
// loads`, then `Used N registers, …`.
std::map<std::string, target::gpu::KernelCode> kernels_of(const std::string& report,
                                                          const std::string& architecture) {
  std::map<std::string, target::gpu::KernelCode> kernels;
  target::gpu::KernelCode* kernel = nullptr;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(report).split(lines, '\n');
  const auto number_before = [](llvm::StringRef line, llvm::StringRef what) {
    std::int64_t number = 0;
    const llvm::StringRef text = line.take_front(line.find(what)).rtrim();
    return text.size() < line.size() && !text.rsplit(' ').second.getAsInteger(10, number) ? number : 0;
  };
  for (const llvm::StringRef line : lines) {
    if (line.contains(begins_kernel)) {
      const auto name = line.split('\'').second.split('\'').first;
      kernel = &kernels[name.str()];
      kernel->architecture = architecture;
    }
    if (kernel == nullptr) continue;
    if (line.contains("bytes stack frame")) {
      kernel->stack = std::max(kernel->stack, number_before(line, "bytes stack frame"));
      kernel->spilled += number_before(line, "bytes spill stores") + number_before(line, "bytes spill loads");
    }
    if (line.contains("Used ")) kernel->registers = number_before(line, "registers");
  }
  return kernels;
}

}  // namespace codegen::target::nvptx
