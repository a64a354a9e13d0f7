#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace telc {

/// A line on the terminal that says what is being done, for what takes longer than two seconds. It is erased
/// when this is gone. Nothing is written where standard error is no terminal. Thread-safe.
class Progress {
 public:
  /// `advice` ends the line.
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
