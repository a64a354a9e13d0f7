// The linker is LLVM's, in this process. It reads and writes files, so its inputs are files in memory and its
// output is a pipe: no folder needs to be writable, and nothing is left behind where the process ends.
#include "codegen/object/linker.h"

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
#include <system_error>
#include <thread>

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

  /// Returns what was written, after the last write.
  std::string finish() {
    close();
    return std::move(bytes_);
  }

 private:
  void read() {
    std::array<char, std::size_t{1} << 16> buffer;
    for (ssize_t count = 0; (count = ::read(ends_[0], buffer.data(), buffer.size())) != 0;) {
      if (count > 0)
        bytes_.append(buffer.data(), static_cast<std::size_t>(count));
      else if (errno != EINTR)
        return;
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
};

llvm::Error run_linker(llvm::ArrayRef<const char*> arguments) {
  static std::mutex one_at_a_time;  // the linker has state of the process
  const std::lock_guard lock(one_at_a_time);
  std::string messages;
  llvm::raw_string_ostream stream(messages);
  constexpr lld::DriverDef driver{lld::Gnu, &lld::elf::link};
  const lld::Result result = lld::lldMain(arguments, llvm::nulls(), stream, driver);
  if (result.retCode == 0) return llvm::Error::success();
  return llvm::createStringError("the linker failed: " + llvm::StringRef(messages).trim());
}

}  // namespace

llvm::Expected<std::string> link_relocatable(llvm::StringRef object, llvm::StringRef archive) {
  const dlvm::MemoryFile object_file, archive_file;
  if (!object_file.is_open() || !archive_file.is_open() || !object_file.write(object) ||
      !archive_file.write(archive))
    return system_error();
  Pipe output;
  if (auto error = output.open()) return error;
  const std::string from = object_file.path(), with = archive_file.path(), to = output.path();
  // Groups are dissolved: their functions become local, so no linker may drop them for another object's.
  if (auto error = run_linker({"ld.lld", "-r", "--force-group-allocation", "--threads=1", from.c_str(),
                               with.c_str(), "-o", to.c_str()}))
    return error;
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
