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
    format,  ///< what the file holds is not what it should be
  };
  Kind kind = Kind::system;
  std::string text;  ///< a sentence that names the file, without a full stop
};

/// `-` is standard input. A file may have a third of this machine's memory; what has no size (a device, a
/// pipe) may have 1 GiB.
std::optional<std::string> read_file(const std::string& path, FileError& error);

/// No parser takes a longer text, in bytes.
inline constexpr std::size_t text_limit = std::size_t{16} << 20;
/// For a parser: of a longer file only the first `text_limit` + 1 bytes, which the parser then finds too
/// long.
std::optional<std::string> read_text(const std::string& path, FileError& error);

/// One file as OutputFiles writes it.
bool write_file(const std::string& path, std::string contents, FileError& error);

/// Whether what is written to one is written to the other: both are standard output, or the same regular file
/// or the same place of a file to come.
bool same_file(const std::string& one, const std::string& other);

}  // namespace dlvm
