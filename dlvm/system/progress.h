#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace dlvm {

/// A line on a terminal that says what a long run is at: shown from two seconds on, written anew at most five
/// times a second, and erased at the end.
class Progress {
 public:
  /// On standard error; shows nothing where that is no terminal.
  Progress();
  /// `clock` gives seconds since any moment; `write` writes to the terminal.
  Progress(std::function<double()> clock, std::function<void(std::string_view)> write);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { erase(); }

  /// To be called often. `text` is asked for a line only when that is to be shown.
  template <typename Text>
  void update(Text text) {
    if (is_due()) show(text());
  }
  /// To be called before something else is written.
  void erase();

 private:
  bool is_due();
  void show(std::string line);

  std::function<double()> clock_;
  std::function<void(std::string_view)> write_;  ///< empty: nothing is shown
  double due_ = 0;
  bool shown_ = false;
};

}  // namespace dlvm
