// telc: the command line of the compiler.
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

}  // namespace

int main(int argc, char** argv) {
  open_streams();
  return close_streams(run_command_line(argc, argv));
}
