#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// Files: read whole, within limits; written whole or not at all (output_files.h).
namespace dlvm {

struct FileError {
  enum class Kind : std::uint8_t {
    absent,  ///< there is no such file
    system,  ///< the system could not open, read or write it
    format,  ///< the file's contents are malformed
  };
  Kind kind = Kind::system;
  std::string text;  ///< a sentence that names the file, without a full stop
};

/// Reads a regular file, of up to a third of this machine's memory. `-` and `/dev/stdin` are standard input;
/// it and `/dev/fd/N` may be pipes or terminals, of up to 1 GiB. Other pipes, devices and sockets are errors.
std::optional<std::string> read_file(const std::string& path, FileError& error);

/// No parser takes a longer text, in bytes.
inline constexpr std::size_t text_limit = std::size_t{16} << 20;
/// Reads a file for a parser. Of a longer one it gives the first `text_limit` + 1 bytes, which the parser
/// then finds too long. A binary file is an error of kind `format`.
std::optional<std::string> read_text(const std::string& path, FileError& error);

/// Writes one file as OutputFiles does. Returns false and sets `error` if it fails.
bool write_file(const std::string& path, std::string contents, FileError& error);

/// Returns whether writing one file changes the other: both are standard output, the same regular file, or
/// the same path of a file that does not exist yet.
bool same_file(const std::string& one, const std::string& other);

}  // namespace dlvm
