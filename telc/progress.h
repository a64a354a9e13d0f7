#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace telc {

/// Shows on the terminal what is being done, in one line, from two seconds on; the destructor erases the
/// line. Writes nothing if standard error is no terminal. Thread-safe.
class Progress {
 public:
  /// `advice` says how to have less work; it ends the line, in parentheses.
  explicit Progress(std::string advice);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool is_shown() const { return thread_.joinable(); }
  void tell(const std::string& what);

 private:
  void run();

  std::string advice_, what_;
  bool changed_ = false, ended_ = false;
  std::mutex mutex_;
  std::condition_variable event_;
  std::thread thread_;
};

}  // namespace telc
