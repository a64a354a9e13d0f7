#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <system_error>
#include <thread>
#include <vector>

namespace codegen::target::nvptx {

/// Calls `work(i)` for every i below `count`, on as many threads as there are processors, or fewer where the
/// system starts no more.
template <typename Work>
void for_each_in_parallel(std::size_t count, Work work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  const std::size_t threads = std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::thread> others;
  try {
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(run);
  } catch (const std::system_error&) {  // those that the system starts do the work
  }
  run();
  for (std::thread& other : others) other.join();
}

}  // namespace codegen::target::nvptx
