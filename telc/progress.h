#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "dlvm/support/times.h"

namespace telc {

/// Shows on the terminal what is being done, in one line, from two seconds on. Writes nothing if standard
/// error is no terminal. Thread-safe.
class Progress {
 public:
  Progress();
  ~Progress() { end(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool is_shown() const { return thread_.joinable(); }
  /// `advice`, if not empty, says how to have less work; it ends the line, in parentheses.
  void tell(const std::string& what, const std::string& advice = "");
  /// Tells the steps that these times are of, as long as both objects live.
  void listen(dlvm::Times& times);
  /// Erases the line. Nothing is shown afterwards.
  void end();

 private:
  void run();

  std::string line_;
  bool changed_ = false, ended_ = false;
  std::mutex mutex_;
  std::condition_variable event_;
  std::thread thread_;
};

}  // namespace telc
