// telc: the command line of the compiler.
#include <malloc.h>

#include <climits>

#include "telc/options.h"
#include "telc/refuse.h"

namespace {

using namespace telc;

/// Parses the command line and runs its command.
int run_command_line(int argc, char** argv) {
  CLI::App app("telc compiles a module of the Tensor Expression Language to an object and a header", "telc");
  Options options;
  add_commands(app, options);
  if (const auto status = parse(app, argc, argv)) return *status;
  if (app.got_subcommand("run")) return run(options.run);
  if (app.got_subcommand("check-gradients")) return check_gradients(options.check_gradients);
  if (app.got_subcommand("check")) return check(options.check);
  if (app.got_subcommand("fmt")) return format(options.format);
  const bool json = options.compile.source.json;
  if (app.count("--explain") > 0) return explain(options.explain, json);
  if (app.count("--device-report") > 0) {
    options.device_report.json_messages = json;
    return device_report(options.device_report);
  }
  if (options.compile.source.file.empty()) return refuse("no FILE; telc --help lists what there is", json);
  return compile(options.compile);
}

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
  open_streams();
  return close_streams(run_command_line(argc, argv));
}
