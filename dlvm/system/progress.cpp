#include "dlvm/system/progress.h"

#include <unistd.h>

#include <chrono>
#include <utility>

namespace dlvm {
namespace {

constexpr double first_after = 2, then_after = 0.2;  // seconds
constexpr std::size_t widest = 79;
constexpr std::string_view to_start = "\r\033[K";

}  // namespace

Progress::Progress()
    : Progress(
          [] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
          },
          [](std::string_view text) { (void)!::write(STDERR_FILENO, text.data(), text.size()); }) {
  if (::isatty(STDERR_FILENO) == 0) write_ = nullptr;
}

Progress::Progress(std::function<double()> clock, std::function<void(std::string_view)> write)
    : clock_(std::move(clock)), write_(std::move(write)), due_(clock_() + first_after) {}

bool Progress::is_due() {
  if (!write_) return false;
  const double now = clock_();
  if (now < due_) return false;
  due_ = now + then_after;
  return true;
}

void Progress::show(std::string line) {
  if (line.size() > widest) line.resize(widest);
  write_(std::string(to_start) + line);
  shown_ = true;
}

void Progress::erase() {
  if (std::exchange(shown_, false)) write_(to_start);
}

}  // namespace dlvm
