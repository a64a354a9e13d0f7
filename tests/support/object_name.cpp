#include <fmt/format.h>

#include <cstdlib>

#include "dlvm/text/print.h"
#include "tests/support/object.h"

namespace test {

bool recording() { return std::getenv("TEL_TEST_RECORD") != nullptr; }

std::string object_name(const dlvm::Module& module) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : dlvm::print(module)) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

}  // namespace test
