#include "frontend/check/types/sizes.h"

#include <fmt/format.h>

#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {

bool check_size(const Type& type, Location location, dlvm::Diagnostics& diagnostics) {
  const Extent count = dlvm::unit_count(type.shape);
  const Extent bytes = count * Extent(dlvm::info(type.element.type).bytes);
  if (bytes.valid()) {
    const auto constant = bytes.constant();
    if (!constant || *constant <= max_bytes) return true;
    diagnostics.report(tensor_too_large, location, spelling(type), fmt::format("{} bytes", *constant));
  } else {
    diagnostics.report(tensor_too_large, location, spelling(type), "more than 2^63 bytes");
  }
  return false;
}

}  // namespace frontend::check
