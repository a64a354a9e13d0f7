// How long the steps of a run took.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace dlvm {

/// Seconds by step, in the order in which the steps were first done. Within a step another may run: its time
/// is its own and not the outer one's. For one thread at a time.
class Times {
 public:
  struct Entry {
    std::string_view name;
    double seconds = 0;
  };

  Times();
  /// `clock` gives seconds since any moment.
  explicit Times(std::function<double()> clock);

  const std::vector<Entry>& all() const { return entries_; }
  /// Time that passed before there was a clock.
  void add(std::string_view name, double seconds);

 private:
  friend class Step;
  void begin(std::string_view name);
  void end();
  /// Gives the time since the last change to the step that runs.
  void account();

  std::function<double()> clock_;
  double last_ = 0;
  std::vector<Entry> entries_;
  std::vector<Entry> running_;  ///< the innermost last
};

/// A step that runs while this lives; nothing where there are no times to keep. `name` must outlive them.
class Step {
 public:
  Step(Times* times, std::string_view name) : times_(times) {
    if (times_) times_->begin(name);
  }
  ~Step() {
    if (times_) times_->end();
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

 private:
  Times* times_;
};

}  // namespace dlvm
