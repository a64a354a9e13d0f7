// Standard input, output and error of the command lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace telc {

/// To be called first: a standard stream that is closed fails when it is used, and no file takes its place;
/// no memory ends the process with a message and status 3.
void open_streams();

/// From now on, failures of streams and memory are reported in JSON.
void use_json_messages();

/// Nothing is thrown where a stream takes no more; close_streams says so.
void print(std::string_view text);
void print_error(std::string_view text);

/// Writes what was printed to standard output; the reason, once, where that fails.
std::optional<std::string> flush_output();

/// To be called last: `status`, or 3 with a message if not all could be written to standard output.
int close_streams(int status);

}  // namespace telc
