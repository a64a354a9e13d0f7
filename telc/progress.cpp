#include "telc/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <utility>

#include "telc/streams.h"

namespace telc {
namespace {

constexpr std::chrono::milliseconds quiet{2000}, between{100};
constexpr std::string_view erase_line = "\r\x1b[K";

/// As much of the text as the terminal has columns for.
std::string fitted(std::string text) {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && text.size() >= size.ws_col)
    text.resize(size.ws_col - 1U);
  return text;
}

}  // namespace

Progress::Progress() {
  if (::isatty(STDERR_FILENO) != 0) thread_ = std::thread([this] { run(); });
}

void Progress::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  event_.notify_one();
  thread_.join();
}

void Progress::tell(const std::string& what, const std::string& advice) {
  const std::string line = advice.empty() ? what : fmt::format("{} ({})", what, advice);
  const std::lock_guard lock(mutex_);
  changed_ = changed_ || line != line_;
  line_ = line;
}

void Progress::listen(dlvm::Times& times) {
  if (is_shown()) times.listen([this](std::string_view step) { tell(fmt::format("step {}", step)); });
}

void Progress::run() {
  bool shown = false;
  std::unique_lock lock(mutex_);
  for (auto pause = quiet; !event_.wait_for(lock, pause, [&] { return ended_; }); pause = between) {
    if (!std::exchange(changed_, false)) continue;
    print_error(fmt::format("{}{}", erase_line, fitted("telc: " + line_)));
    shown = true;
  }
  if (shown) print_error(erase_line);
}

}  // namespace telc
