#pragma once

#include <string>
#include <vector>

#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// Returns the edits of the source's errors that are sure: an error has only one fix, which is an edit. They
/// are in the order of the text; of several that overlap the first one is there.
std::vector<Edit> sure_edits(const Diagnostics& diagnostics, const Source& source);

/// Returns the text with the edits made, which are in its order and do not overlap.
std::string edited(std::string_view text, const std::vector<Edit>& edits);

}  // namespace dlvm
