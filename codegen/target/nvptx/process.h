#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace codegen::target::nvptx {

/// How a program that was run ended, and what it wrote.
struct Finished {
  bool ok = false;
  std::string output;    ///< the file that it was to write
  std::string messages;  ///< what it wrote to standard output and standard error
  std::string failure;   ///< where not ok: what went wrong, beside its messages
};

/// Stand for the input and the output in the arguments of a program.
inline constexpr std::string_view input_file = "<input>", output_file = "<output>";

/// Runs the program at `path`, whose two files lie in memory: nothing is written to any folder, and nothing
/// is left behind however this process ends, which ends the program as well. A program that runs for more
/// than `seconds` is ended with all that it started. `watch`, if it is there, is called a few times a second
/// with the messages so far. Thread-safe.
Finished run_program(const std::string& path, const std::vector<std::string>& arguments,
                     std::string_view input, double seconds,
                     const std::function<void(std::string_view)>& watch = {});

}  // namespace codegen::target::nvptx
