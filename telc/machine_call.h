// Calls of entry points on this machine's processor or on a device.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "dlvm/call/entry_call.h"
#include "dlvm/support/diagnostic.h"

namespace telc {

using Seconds = std::vector<double>;

/// Calls `once`, then `repeat` times more and records the times, until it returns nothing.
template <typename Once>
auto repeated(int repeat, Seconds& seconds, Once once) {
  auto results = once();
  for (int i = 0; i < repeat && results; ++i) {
    const auto start = std::chrono::steady_clock::now();
    results = once();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return results;
}

struct MachineOptions {
  std::string device = "cpu";  ///< a target as `--device` names it
  bool tf32 = false;
  std::string source;  ///< the module's file
  int repeat = 0;
};

/// Compiles a canonical module for this machine and calls one of its entry points. Returns nothing if that
/// fails: then `diagnostics` has an error, or `why` is a sentence.
std::optional<dlvm::NamedTensors> call_on_machine(const dlvm::Module& module, const dlvm::EntryPoint& entry,
                                                  const dlvm::EntryCall& call, const MachineOptions& options,
                                                  Seconds& seconds, dlvm::Diagnostics& diagnostics,
                                                  std::string& why);

}  // namespace telc
