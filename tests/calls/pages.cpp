// Memory that the header allocates: Linux gives large pages to what has several MiB, where it has them.
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>

#include "check.h"
#include "seeded.hpp"

namespace {

/// Returns whether this system has large pages for memory that asks for them.
bool has_large_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string modes;
  return std::getline(file, modes) && modes.find("[never]") == std::string::npos;
}

/// Returns the flags of the mapping that has that place, as the system describes them.
std::string flags_of(const void* place) {
  std::ifstream file("/proc/self/smaps");
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream range(line);
    std::uintptr_t first = 0, end = 0;
    char dash = 0;
    if (range >> std::hex >> first >> dash >> end && dash == '-')
      is_inside =
          first <= reinterpret_cast<std::uintptr_t>(place) && reinterpret_cast<std::uintptr_t>(place) < end;
    else if (is_inside && line.starts_with("VmFlags:"))
      return line + " ";
  }
  return "";
}

bool has_large_pages(const tel::Memory& memory) {
  return flags_of(static_cast<const char*>(memory.data()) + memory.size() / 2).find(" hg ") !=
         std::string::npos;
}

}  // namespace

int main() {
  CHECK(!has_large_pages(tel::Memory(1 << 20)));
  if (!has_large_pages()) return 0;
  CHECK(has_large_pages(tel::Memory(16 << 20)));
  void* memory = nullptr;
  CHECK(tel_allocate(nullptr, 16 << 20, &memory, nullptr) == TEL_OK);
  CHECK(flags_of(static_cast<char*>(memory) + (8 << 20)).find(" hg ") != std::string::npos);
  CHECK(tel_free(nullptr, memory, nullptr) == TEL_OK);
}
