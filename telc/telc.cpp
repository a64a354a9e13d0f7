// telc: the command line of the compiler.
#include <malloc.h>

#include <climits>

#include "telc/options.h"
#include "telc/streams.h"

namespace {

/// A compiler allocates much and ends soon: one arena for all threads, which grows in large steps and is not
/// given back before the end.
void set_up_memory() {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MXFAST, 0);  // what is freed in great numbers is not gathered again and again
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
}

}  // namespace

int main(int argc, char** argv) {
  set_up_memory();
  telc::open_streams();
  return telc::close_streams(telc::run_command_line(argc, argv));
}
