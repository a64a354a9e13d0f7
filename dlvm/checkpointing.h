#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// Describes what the pass CKP did for one gradient declaration.
struct CheckpointingChoice {
  std::string function;   ///< the name of the declaration
  std::int64_t all = 0;   ///< the bytes that the derivative would keep
  std::int64_t kept = 0;  ///< the bytes that it keeps
  std::int64_t budget = 0;
  /// The number of segments that the loops have at each level, the outermost first; empty if they are not
  /// cut.
  std::vector<std::int64_t> segments;
};

/// The pass CKP, before AD. Afterwards each gradient declaration keeps at most `budget` bytes, if that can be
/// had: the loops of what it differentiates are cut into segments (dlvm/transform/loop_segmentation.h), and
/// what a segment computes is computed again when it is run backwards. Few levels of segments are
/// taken, because each level computes everything once more. A declaration that keeps more whatever is tried
/// is reported as a warning. First derivatives have the same bits for every budget. Loops of functions that
/// are called are not cut.
///
/// The pass finds by trial what is kept: it differentiates a copy of the module. `choices`, if not null, is
/// given the choice for each declaration of which it is known what the derivative keeps.
bool checkpointing(Module& module, Diagnostics& diagnostics, std::int64_t budget,
                   std::vector<CheckpointingChoice>* choices = nullptr);

}  // namespace dlvm
