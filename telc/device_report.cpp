// telc --device-report FILE.o: what an object holds for devices.
#include <fmt/format.h>

#include "codegen/target/gpu/contents/read_object.h"
#include "dlvm/support/files.h"
#include "dlvm/support/system_diagnostics.h"
#include "telc/commands.h"
#include "telc/diagnostics.h"
#include "telc/streams.h"

namespace telc {
namespace {

int fail(const dlvm::DiagnosticKind& kind, const std::string& text, bool json) {
  dlvm::Diagnostics diagnostics;
  diagnostics.report(kind, {}, text);
  return finish(diagnostics, json);
}

}  // namespace

int device_report(const DeviceReportOptions& options) {
  dlvm::FileError error;
  const auto bytes = dlvm::read_file(options.file, error);
  if (!bytes) return fail(dlvm::file_failed, error.text, options.json_messages);
  std::string why;
  const auto networks = codegen::target::gpu::device_contents(*bytes, why);
  if (!networks)
    return fail(no_object, fmt::format("'{}' cannot be read: {}", options.file, why), options.json_messages);
  if (options.json)
    print(codegen::target::gpu::report_json(*networks));
  else if (networks->empty())
    print(fmt::format("{}: no code for devices (compiled for the processor alone, or not by telc)\n",
                      options.file));
  else
    print(codegen::target::gpu::report(*networks));
  return done;
}

}  // namespace telc
