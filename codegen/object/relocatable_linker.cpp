// The linker is LLVM's, in this process. It reads and writes files, so its inputs are files in memory and its
// output is a pipe: no folder needs to be writable, and nothing is left behind where the process ends.
#include "codegen/object/relocatable_linker.h"

#include <fcntl.h>
#include <lld/Common/Driver.h>
#include <llvm/ObjCopy/CommonConfig.h>
#include <llvm/ObjCopy/ConfigManager.h>
#include <llvm/ObjCopy/ObjCopy.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "dlvm/support/memory_file.h"

LLD_HAS_DRIVER(elf)

namespace codegen::object {
namespace {

llvm::Error system_error() { return llvm::errorCodeToError({errno, std::generic_category()}); }

/// A pipe whose other end this process reads while somebody writes to `path()`.
class Pipe {
 public:
  /// Returns why there is no pipe, or success.
  llvm::Error open() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) return system_error();
    try {
      reader_ = std::thread([this] { read(); });
    } catch (const std::system_error& error) {
      return llvm::errorCodeToError(error.code());
    }
    return llvm::Error::success();
  }
  ~Pipe() {
    close();
    if (ends_[0] >= 0) ::close(ends_[0]);
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(ends_[1]); }

  /// Returns what was written, after the last write, or why it could not be read.
  llvm::Expected<std::string> finish() {
    close();
    if (failed_ != 0) return llvm::errorCodeToError({failed_, std::generic_category()});
    return std::move(bytes_);
  }

 private:
  /// Reads to the end whatever happens: a writer never waits for space in the pipe. Where reading itself
  /// fails, the pipe loses its reader, so that writing fails too.
  void read() {
    std::array<char, std::size_t{1} << 16> buffer;
    for (ssize_t count = 0; (count = ::read(ends_[0], buffer.data(), buffer.size())) != 0;) {
      if (count > 0) {
        keep({buffer.data(), static_cast<std::size_t>(count)});
      } else if (errno != EINTR) {
        failed_ = errno;
        ::close(std::exchange(ends_[0], -1));
        return;
      }
    }
  }
  void keep(std::string_view part) {
    try {
      if (failed_ == 0) bytes_ += part;
    } catch (const std::bad_alloc&) {
      failed_ = ENOMEM;
    }
  }
  void close() {
    if (ends_[1] >= 0) ::close(ends_[1]);
    ends_[1] = -1;
    if (reader_.joinable()) reader_.join();
  }

  std::array<int, 2> ends_{-1, -1};
  std::thread reader_;
  std::string bytes_;
  int failed_ = 0;  ///< the system's error number for what could not be read
};

/// Returns the linker's messages as an error. Its files are this process's own, so one that cannot be opened
/// or written is a failure of the system.
llvm::Error error_of(llvm::StringRef messages) {
  const auto first = messages.trim().split('\n').first;
  for (const llvm::StringRef of_files : {"cannot open ", "failed to open ", "failed to write "})
    if (const std::size_t at = first.find(of_files); at != llvm::StringRef::npos)
      return llvm::createStringError(std::make_error_code(std::errc::io_error), first.substr(at));
  return llvm::createStringError("the linker failed: " + messages.trim());
}

llvm::Error run_linker(llvm::ArrayRef<const char*> arguments) {
  static std::mutex one_at_a_time;  // the linker has state of the process
  const std::lock_guard lock(one_at_a_time);
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  constexpr lld::DriverDef driver{lld::Gnu, &lld::elf::link};
  const lld::Result result = lld::lldMain(arguments, llvm::nulls(), stream, driver);
  if (result.retCode == 0) return llvm::Error::success();
  return error_of(messages);
}

}  // namespace

llvm::Expected<std::string> link_relocatable(const std::vector<std::string>& objects,
                                             llvm::StringRef archive) {
  std::vector<dlvm::MemoryFile> files(objects.size() + 1);
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (!files[i].is_open() || !files[i].write(i < objects.size() ? llvm::StringRef(objects[i]) : archive))
      return system_error();
    paths.push_back(files[i].path());
  }
  Pipe output;
  if (auto error = output.open()) return error;
  const std::string to = output.path();
  // Groups are dissolved: their functions become local, so no linker may drop them for another object's.
  std::vector<const char*> arguments{"ld.lld", "-r",       "--force-group-allocation",
                                     "-o",     to.c_str(), "--threads=1"};
  for (const std::string& path : paths) arguments.push_back(path.c_str());
  if (auto error = run_linker(arguments)) return error;
  return output.finish();
}

llvm::Expected<std::string> localize_symbols(llvm::StringRef object, const std::set<std::string>& globals) {
  using llvm::objcopy::MatchStyle;
  using llvm::objcopy::NameOrPattern;
  llvm::objcopy::ConfigManager config;
  const auto fail = [](llvm::Error error) { return error; };
  for (const std::string& name : globals)
    if (auto error = config.Common.SymbolsToKeepGlobal.addMatcher(
            NameOrPattern::create(name, MatchStyle::Wildcard, fail)))
      return error;
  if (auto error = config.Common.SymbolsToRemove.addMatcher(
          NameOrPattern::create("*.cpp", MatchStyle::Wildcard, fail)))
    return error;
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file) return file.takeError();
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (auto error = llvm::objcopy::executeObjcopyOnBinary(config, **file, stream)) return error;
  return bytes;
}

}  // namespace codegen::object
