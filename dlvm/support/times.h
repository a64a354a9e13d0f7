// Times of the steps of a run.
#pragma once

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace dlvm {

/// The time of each step in seconds, in the order in which the steps first ran. A step may run within another
/// one; its time then counts for itself and not for the outer one. Only one thread may use the table at a
/// time.
class Times {
 public:
  struct Entry {
    std::string_view name;
    double seconds = 0;
  };

  Times();
  /// Makes an empty table. `clock` returns seconds since any moment.
  explicit Times(std::function<double()> clock);

  const std::vector<Entry>& all() const { return entries_; }
  /// Calls `listener` with the name of each step when it begins, and when it goes on after one inside of it.
  void listen(std::function<void(std::string_view name)> listener) { listener_ = std::move(listener); }
  /// Adds time that passed before there was a clock.
  void add(std::string_view name, double seconds);

 private:
  friend class ScopedTimer;
  void begin(std::string_view name);
  void end();
  /// Adds the time since the last change to the running step.
  void account();
  void tell() const;

  std::function<double()> clock_;
  double last_ = 0;
  std::vector<Entry> entries_;
  std::vector<Entry> running_;  ///< the innermost one is the last
  std::function<void(std::string_view)> listener_;
};

/// Times the step `name` from construction to destruction. `times` may be null, and then nothing is recorded;
/// `name` must outlive the table.
class ScopedTimer {
 public:
  ScopedTimer(Times* times, std::string_view name) : times_(times) {
    if (times_) times_->begin(name);
  }
  ~ScopedTimer() {
    if (times_) times_->end();
  }
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  Times* times_;
};

}  // namespace dlvm
