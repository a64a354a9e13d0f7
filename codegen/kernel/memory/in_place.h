#pragma once

#include "codegen/kernel/ir/kernel.h"

namespace codegen::kernel {

/// Returns whether the memory of the argument `read` may also be that of the argument `written`: they have
/// one type, one stage alone reads the first and stores the second, and it reads each element just where it
/// stores one. Later stages may read what was stored.
bool may_overwrite(const Kernel& kernel, BufferId read, BufferId written);

/// Returns whether both may be one argument that the kernel updates, on every target: beyond the above, no
/// other stage accesses either of them, so that it does not matter how many threads compute an element of
/// which one stores it. The stage may read the element after a reduction.
bool may_update(const Kernel& kernel, BufferId read, BufferId written);

/// Returns the kernel in which they are one argument, at the place of `read`.
Kernel update_in_place(Kernel kernel, BufferId read, BufferId written);

}  // namespace codegen::kernel
