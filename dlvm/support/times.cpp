#include "dlvm/support/times.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace dlvm {

Times::Times()
    : Times([] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
      }) {}

Times::Times(std::function<double()> clock) : clock_(std::move(clock)) {}

void Times::add(std::string_view name, double seconds) {
  const auto at = std::ranges::find(entries_, name, &Entry::name);
  if (at == entries_.end())
    entries_.push_back({name, seconds});
  else
    at->seconds += seconds;
}

void Times::account() {
  const double now = clock_();
  if (!running_.empty()) running_.back().seconds += now - last_;
  last_ = now;
}

void Times::tell() const {
  if (listener_ && !running_.empty()) listener_(running_.back().name);
}

void Times::begin(std::string_view name) {
  account();
  running_.push_back({name});
  tell();
}

void Times::end() {
  account();
  add(running_.back().name, running_.back().seconds);
  running_.pop_back();
  tell();
}

}  // namespace dlvm
