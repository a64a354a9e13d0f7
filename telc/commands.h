#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "telc/pipeline_options.h"
#include "telc/session.h"

/// The commands. Each takes its options and returns an exit status; the libraries do the work.
namespace telc {

struct CompileOptions {
  SourceOptions source;
  std::string output, header, manifest, depfile;
  std::string emit = "obj";
  std::vector<std::string> targets;        ///< empty for the default ones
  std::vector<std::string> architectures;  ///< the GPU architectures; empty for the default ones
  bool tf32 = false;
  std::optional<double> assembler_limit;  ///< seconds for one architecture; absent for the default limit
  bool debug = false;                     ///< the code carries the lines of the source
  /// Processors or feature levels to compile for; texts and reports are about the first one.
  std::vector<std::string> processors{"x86-64-v3", "x86-64-v4", "x86-64"};
  int optimization = 2;
  std::string sanitizer;             ///< `thread`, or empty
  std::vector<std::string> reports;  ///< `time`, `memory`, `kernels`, `control-flow`
  StepOptions pipeline;
};
int compile(const CompileOptions& options);

struct DeviceReportOptions {
  std::string file;  ///< the object's file
  bool json = false;
  bool json_messages = false;  ///< --diagnostics=json
};
int device_report(const DeviceReportOptions& options);

struct RunOptions {
  SourceOptions source;
  std::string entry = "forward";
  std::vector<std::string> inputs;  ///< NAME=FILE.npy, FILE.npz or FILE.safetensors
  std::string weights, output;
  std::string device = "cpu";
  bool tf32 = false;
  std::string interpret = "rounded";     ///< or "float64"
  std::int64_t step_limit = 10'000'000;  ///< the interpreter's limit of branches and calls
  std::uint64_t seed = 0;
  int repeat = 0;
  bool json = false, check_finite = false;
};
int run(const RunOptions& options);

struct CheckGradientsOptions {
  SourceOptions source;
  std::vector<std::string> inputs;
  std::string weights;
  std::uint64_t seed = 0;
  /// The elements checked of each tensor; absent for as many as a minute allows.
  std::optional<std::size_t> elements;
  bool all = false;
};
int check_gradients(const CheckGradientsOptions& options);

struct CheckOptions {
  SourceOptions source;
  std::vector<std::string> more;  ///< the files behind the first one
  bool fix = false;               ///< make the fixes that are sure
};
int check(const CheckOptions& options);

struct FormatOptions {
  std::vector<std::string> files;  ///< `-` is standard input, and a folder means its .tel files
  bool write = false, check = false;
  bool json = false;  ///< --diagnostics=json
};
int format(const FormatOptions& options);

int explain(const std::string& code, bool json);

}  // namespace telc
