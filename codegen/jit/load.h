#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "codegen/interface/interface.h"
#include "dlvm/call/entry_call.h"

/// Compiled objects called in the compiler's own process, by the C entries that any program calls: how
/// `telc run` and the tests use them.
namespace codegen::jit {

/// Memory of a device, for a call's tensors.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  /// At a multiple of 256 bytes; null where there is none left.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void free(std::byte* memory) = 0;
  virtual bool upload(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  virtual bool download(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
};

/// Where a call computes; the object must have been compiled for it.
struct Place {
  enum class Kind : std::uint8_t { processor, gpu, emulator };
  Kind kind = Kind::processor;
  int device = 0;                  ///< of a GPU: its number
  std::uint64_t order = 0;         ///< of `emulator`: a seed that shuffles blocks and threads; 0: in order
  DeviceMemory* memory = nullptr;  ///< of tensors, stores and workspace; null: the processor's
  bool fill = true;  ///< unused memory; else it is as the allocator gives it, for memory checkers
};

/// One entry point with its arguments filled in; runs as often as asked. The object must outlive it.
class LoadedCall {
 public:
  /// Computes; false, and the error's text, where the entry gives a status. Unused memory is filled with the
  /// byte 0xFF (a NaN in every floating type) before the first run, unless the place says otherwise.
  bool run(std::string& why);
  /// After a run: under their names in files, in the order of the entry's results.
  dlvm::NamedTensors results() const;

 private:
  friend class LoadedObject;
  friend class CallMaker;
  using Function = std::int32_t (*)(void* arguments, void* error);

  struct Result {
    std::string name;
    dlvm::ElementType type;
    std::vector<std::int64_t> extents;
    const std::byte* data;
  };

  /// A pointer of the argument struct to memory that has a copy on the device.
  struct Copied {
    std::int64_t offset;  ///< of the pointer
    std::byte* host;
    std::size_t bytes;
    std::unique_ptr<std::byte, std::function<void(std::byte*)>> device;
  };

  /// Null where the call would take more than three quarters of this machine's memory.
  std::byte* buffer(std::int64_t bytes, std::optional<int> fill);
  /// Copies to the device what is not there yet.
  bool upload(DeviceMemory* memory);

  Function compute_ = nullptr;
  std::optional<int> unused_ = 0xFF;  ///< what memory is filled with that the call need not set
  std::vector<std::byte> arguments_;
  std::size_t bytes_ = 0;  ///< of all buffers
  std::vector<std::unique_ptr<std::byte[], void (*)(std::byte*)>> buffers_;
  std::vector<Copied> copied_;
  DeviceMemory* memory_ = nullptr;
  std::vector<Result> results_;
};

/// Linked code, by the linker's names.
class Symbols {
 public:
  virtual ~Symbols() = default;
  /// Null, and why, where there is none of that name.
  virtual void* find(const std::string& name, std::string& why) = 0;
};

class LoadedObject {
 public:
  /// Links an object for this machine, made from `interface`; null, and why, where that fails.
  static std::unique_ptr<LoadedObject> load(const std::string& object, Interface interface, std::string& why);
  /// Opens a shared object that was linked from such an object. It stays open as long as the process lives.
  /// Needs nothing of LLVM.
  static std::unique_ptr<LoadedObject> open(const std::string& path, Interface interface, std::string& why);

  /// Fills the argument struct of `entry`, and memory for everything, from a call that `dlvm::prepare_call`
  /// made. Nothing, and why, where the entry refuses the extents.
  std::optional<LoadedCall> prepare(const dlvm::EntryPoint& entry, const dlvm::EntryCall& call,
                                    std::string& why, const Place& place = {});

 private:
  LoadedObject(std::unique_ptr<Symbols> symbols, Interface interface);
  LoadedCall::Function find(const std::string& symbol, std::string& why);

  std::unique_ptr<Symbols> symbols_;
  Interface interface_;
};

}  // namespace codegen::jit
