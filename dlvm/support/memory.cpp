#include "dlvm/support/memory.h"

#include <unistd.h>

namespace dlvm {

std::size_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(size)
                               : std::size_t{1} << 30;
}

}  // namespace dlvm
