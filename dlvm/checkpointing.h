#pragma once

#include <cstdint>

#include "dlvm/ir/module.h"
#include "dlvm/support/diagnostic.h"

namespace dlvm {

/// The pass CKP, before AD. Afterwards each gradient declaration keeps at most `budget` bytes, if that can be
/// had: the loops of what it differentiates are cut into segments (dlvm/transform/loop_segmentation.h), and
/// what a segment computes is computed again when it is run backwards. Few levels of segments are
/// taken, because each level computes everything once more. A declaration that keeps more whatever is tried
/// is reported as a warning. First derivatives have the same bits for every budget. Loops of functions that
/// are called are not cut.
///
/// What is kept is found by trying: a copy of the module is differentiated.
bool checkpointing(Module& module, Diagnostics& diagnostics, std::int64_t budget);

}  // namespace dlvm
