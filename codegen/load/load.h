#pragma once

#include <memory>
#include <optional>
#include <string>

#include "codegen/interface.h"
#include "dlvm/interpret/entry_call.h"

namespace llvm::orc {
class LLJIT;
}

/// Compiled objects called in the compiler's own process, by the C entries that any program calls: how
/// `telc run` and the tests use them.
namespace codegen {

/// Where a call computes; the object must have been compiled for it.
struct Place {
  enum class Kind : std::uint8_t { processor, cuda, emulator };
  Kind kind = Kind::processor;
  int device = 0;           ///< of `cuda`: its number
  std::uint64_t order = 0;  ///< of `emulator`: a seed that shuffles blocks and threads; 0: in order
};

/// One entry point with its arguments filled in; runs as often as asked. The object must outlive it.
class LoadedCall {
 public:
  /// Computes; false, and the error's text, where the entry gives a status. Unused memory is filled with the
  /// byte 0xFF (a NaN in every floating type) before the first run.
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

  /// Null where the call would take more than three quarters of this machine's memory.
  std::byte* buffer(std::int64_t bytes, int fill);

  Function compute_ = nullptr;
  std::vector<std::byte> arguments_;
  std::size_t bytes_ = 0;  ///< of all buffers
  std::vector<std::unique_ptr<std::byte[], void (*)(std::byte*)>> buffers_;
  std::vector<Result> results_;
};

class LoadedObject {
 public:
  ~LoadedObject();

  /// Links an object for this machine, made from `interface`; null, and why, where that fails.
  static std::unique_ptr<LoadedObject> load(const std::string& object, Interface interface, std::string& why);

  /// Fills the argument struct of `entry`, and memory for everything, from a call that `dlvm::prepare_call`
  /// made. Nothing, and why, where the entry refuses the extents.
  std::optional<LoadedCall> prepare(const dlvm::EntryPoint& entry, const dlvm::EntryCall& call,
                                    std::string& why, const Place& place = {});

 private:
  LoadedObject(std::unique_ptr<llvm::orc::LLJIT> jit, Interface interface);
  LoadedCall::Function find(const std::string& symbol, std::string& why);

  std::unique_ptr<llvm::orc::LLJIT> jit_;
  Interface interface_;
};

}  // namespace codegen
