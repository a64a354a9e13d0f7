// Standard input, output and error of the command lines.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace telc {

/// Prepares the standard streams; it must be called first. Using a standard stream that is closed fails, and
/// no file that is opened takes its place. If memory runs out, the process ends with a message and status 3.
void open_streams();

/// Makes failures of streams and memory messages in JSON from now on.
void use_json_messages();

/// Prints to standard output. It does not throw if the stream takes no more; `close_streams` reports that.
void print(std::string_view text);
void print_error(std::string_view text);

/// Writes what was printed to standard output; the reason, once, where that fails.
std::optional<std::string> flush_output();

/// Flushes standard output; it must be called last. Returns `status`, or 3 after a message if not all text
/// could be written.
int close_streams(int status);

}  // namespace telc
