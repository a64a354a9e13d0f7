#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace codegen::target::nvptx {

/// The result of running a program.
struct Finished {
  bool ok = false;
  std::string output;    ///< the contents of the file that it wrote
  std::string messages;  ///< its standard output and standard error
  std::string failure;   ///< if not ok, the reason, without the program's messages
};

/// Placeholders for the input and the output file in the arguments of a program.
inline constexpr std::string_view input_file = "<input>", output_file = "<output>";

/// Runs the program at `path` with its two files in memory: nothing is written to any folder, and nothing is
/// left behind however this process ends, which ends the program as well. A program that runs for more than
/// `seconds` is ended together with all processes that it started. `watch`, if set, is called a few times a
/// second with the messages so far. Thread-safe.
Finished run_program(const std::string& path, const std::vector<std::string>& arguments,
                     std::string_view input, double seconds,
                     const std::function<void(std::string_view)>& watch = {});

}  // namespace codegen::target::nvptx
