#include "codegen/gpu/ptxas.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/FileUtilities.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdlib>

namespace codegen::gpu {
namespace {

/// A file that is gone with the object; empty where the system gives none.
class TemporaryFile {
 public:
  explicit TemporaryFile(const char* suffix) {
    if (llvm::sys::fs::createTemporaryFile("telc", suffix, path_)) path_.clear();
  }
  ~TemporaryFile() {
    if (!path_.empty()) (void)llvm::sys::fs::remove(path_);  // nothing to be done where it stays
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  std::string path() const { return path_.str().str(); }
  bool write(const std::string& text) const {
    std::error_code error;
    llvm::raw_fd_ostream out(path_, error);
    if (error) return false;
    out << text;
    out.close();
    return !out.has_error();
  }
  std::string read() const {
    const auto buffer = llvm::MemoryBuffer::getFile(path_);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  }

 private:
  llvm::SmallString<128> path_;
};

}  // namespace

std::optional<std::string> find_ptxas() {
  const char* home = std::getenv("CUDA_HOME");
  if (home != nullptr)
    if (auto found = llvm::sys::findProgramByName("ptxas", {std::string(home) + "/bin"})) return *found;
  if (auto found = llvm::sys::findProgramByName("ptxas")) return *found;
  if (auto found = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"})) return *found;
  return std::nullopt;
}

// `Cuda compilation tools, release 13.0, V13.0.88`
int toolkit_of(const std::string& ptxas) {
  const TemporaryFile messages("txt");
  const std::string said = messages.path();
  const llvm::StringRef arguments[]{ptxas, "--version"};
  const std::optional<llvm::StringRef> redirects[]{llvm::StringRef(), llvm::StringRef(said),
                                                   llvm::StringRef()};
  if (said.empty() || llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects, 10) != 0) return 0;
  const std::string text = messages.read();
  int major = 0, minor = 0;
  llvm::StringRef release = llvm::StringRef(text).split("release ").second;
  if (release.consumeInteger(10, major) || !release.consume_front(".") || release.consumeInteger(10, minor))
    return 0;
  return 1000 * major + 10 * minor;
}

Assembled assemble(const std::string& ptxas, const std::string& ptx, const std::string& architecture) {
  const TemporaryFile input("ptx"), output("cubin"), messages("txt");
  if (input.path().empty() || output.path().empty() || messages.path().empty() || !input.write(ptx))
    return {false, {}, "temporary files cannot be written"};
  const std::string arch = "--gpu-name=" + architecture;
  const std::string in = input.path(), out = output.path(), said = messages.path();
  const llvm::StringRef arguments[]{ptxas, arch, "--verbose", "--warn-on-spills", "-O3", in, "-o", out};
  const std::optional<llvm::StringRef> redirects[]{llvm::StringRef(), llvm::StringRef(said),
                                                   llvm::StringRef(said)};
  std::string error;
  const int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects, 600, 0, &error);
  Assembled result{status == 0, output.read(), messages.read()};
  if (!error.empty()) result.report += error;
  if (result.bytes.empty()) result.ok = false;
  return result;
}

// Of every kernel there are lines `Compiling entry function 'NAME' for 'CHIP'`, then, of it and of functions
// that it calls, `Function properties for NAME`, `N bytes stack frame, N bytes spill stores, N bytes spill
// loads`, then `Used N registers, …`.
std::map<std::string, device::KernelCode> kernels_of(const std::string& report,
                                                     const std::string& architecture) {
  std::map<std::string, device::KernelCode> kernels;
  device::KernelCode* kernel = nullptr;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(report).split(lines, '\n');
  const auto number_before = [](llvm::StringRef line, llvm::StringRef what) {
    std::int64_t number = 0;
    const llvm::StringRef text = line.take_front(line.find(what)).rtrim();
    return text.size() < line.size() && !text.rsplit(' ').second.getAsInteger(10, number) ? number : 0;
  };
  for (const llvm::StringRef line : lines) {
    if (line.contains("Compiling entry function '")) {
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

}  // namespace codegen::gpu
