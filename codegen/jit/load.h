#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "codegen/interface/interface.h"
#include "dlvm/call/entry_call.h"

/// Calls compiled objects in the compiler's own process. It takes an object and the interface that it was
/// made from, links it, and calls the same C entries that any program calls. `telc run` and the tests use it.
namespace codegen::jit {

/// Allocates and copies memory of a device for the tensors of calls. The caller of `LoadedObject::prepare`
/// implements it, so that this component needs no driver.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  /// Returns memory aligned to 256 bytes, or null if there is none left. The caller gives it back by `free`.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void free(std::byte* memory) = 0;
  /// Copy between the processor and the device; return false if the device's driver fails.
  virtual bool upload(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
  virtual bool download(std::byte* to, const std::byte* from, std::size_t bytes) = 0;
};

/// Names the processor or the device on which a call computes. The object must have been compiled for it.
struct CallTarget {
  enum class Kind : std::int32_t { processor, gpu, emulator };  ///< numbered as the ABI's kinds of execution
  Kind kind = Kind::processor;
  int device = 0;  ///< the number of the GPU
  /// A seed that shuffles the emulator's blocks and threads; 0 keeps their order.
  std::uint64_t emulator_order_seed = 0;
  /// Allocates tensors, buffers of parameters and constants, and workspace; null means the processor's
  /// memory.
  DeviceMemory* memory = nullptr;
  bool fill = true;     ///< fills unused memory; without it, memory checkers see reads of such memory
  bool frozen = false;  ///< freezes the parameters before the call, where the processor's code reads them so
  int threads = 0;      ///< how many compute, on the processor; 0 for the calling thread without a pool
};

/// One call of an entry point with its arguments filled in. It can run any number of times, each time with
/// the state that the call was made with. The object must outlive it.
class LoadedCall {
 public:
  /// Runs the call. Returns false and sets `why` to the error's text if the entry point gives a status other
  /// than success. Unless the target says otherwise, unused memory is filled with the byte 0xFF (a NaN in
  /// every floating type) before the first run.
  bool run(std::string& why);
  /// Returns the results of the last run under the names that they have in files, in the order of the entry
  /// point.
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
    std::int64_t offset;  ///< the offset of the pointer
    std::byte* host;
    std::size_t bytes;
    std::unique_ptr<std::byte, std::function<void(std::byte*)>> device;
  };

  /// Returns new memory filled with the byte `fill`, or null if the call would take more than three quarters
  /// of this machine's memory.
  std::byte* buffer(std::int64_t bytes, std::optional<int> fill);
  /// Copies to the device what is not there yet.
  bool upload(DeviceMemory* memory);
  /// Sets the stores that a run changes to what they were, on the device too.
  bool restore_stores();

  Function compute_ = nullptr;
  std::optional<int> unused_ = 0xFF;  ///< the byte that fills memory which the call need not set
  std::vector<std::byte> arguments_;
  std::size_t bytes_ = 0;  ///< the bytes of all buffers
  std::vector<std::unique_ptr<std::byte[], void (*)(std::byte*)>> buffers_;
  std::vector<Copied> copied_;
  DeviceMemory* memory_ = nullptr;
  /// A store as it is before each run.
  struct Given {
    std::byte* store;
    std::vector<std::byte> bytes;
  };
  std::vector<Given> given_;
  std::vector<Result> results_;
};

/// Looks up symbols of linked code.
class Symbols {
 public:
  virtual ~Symbols() = default;
  /// Returns the address of the symbol, or null with the reason in `why` if there is none of that name.
  virtual void* find(const std::string& name, std::string& why) = 0;
};

/// An object linked into this process, from which calls are made.
class LoadedObject {
 public:
  /// Links an object for this machine that was made from `interface`. Returns null and the reason in `why` on
  /// failure.
  static std::unique_ptr<LoadedObject> load(const std::string& object, interface::Interface interface,
                                            std::string& why);
  /// Opens a shared object that was linked from such an object, without using LLVM. It stays open as long as
  /// the process lives. Returns null and the reason in `why` on failure.
  static std::unique_ptr<LoadedObject> open(const std::string& path, interface::Interface interface,
                                            std::string& why);

  /// Fills the argument struct of `entry` and allocates all memory, for a call that `dlvm::prepare_call`
  /// made. Returns nothing and the reason in `why` if the entry point rejects the extents.
  std::optional<LoadedCall> prepare(const dlvm::EntryPoint& entry, const dlvm::EntryCall& call,
                                    std::string& why, const CallTarget& target = {});

 private:
  LoadedObject(std::unique_ptr<Symbols> symbols, interface::Interface interface);
  LoadedCall::Function find(const std::string& symbol, std::string& why);

  std::unique_ptr<Symbols> symbols_;
  interface::Interface interface_;
};

}  // namespace codegen::jit
