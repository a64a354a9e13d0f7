#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dlvm/support/files.h"

namespace dlvm {

struct ZipMember {
  std::string name, bytes;
};

/// Returns the members of a Zip archive, stored or deflated, in the order of its directory; the archive and
/// its members take up to `limit` bytes together. Everything that the archive says twice must agree, no byte
/// may belong to two members, and each must have the checksum that is given for it. Encrypted members, other
/// methods of compression, archives in several parts and Zip64 (from 4 GiB on) are errors. `name` stands for
/// the archive in messages.
std::optional<std::vector<ZipMember>> parse_zip(std::string_view bytes, const std::string& name,
                                                std::size_t limit, FileError& error);

}  // namespace dlvm
