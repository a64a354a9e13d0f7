#include "dlvm/ir/identity.h"

#include <algorithm>
#include <limits>
#include <string>

#include "dlvm/ir/instruction_table.h"
#include "dlvm/support/internal_error.h"

namespace dlvm {
namespace {

enum class Identity : std::uint8_t { zero, one, smallest, largest };

constexpr std::pair<Opcode, Identity> identities[]{
    {Opcode::add, Identity::zero}, {Opcode::or_, Identity::zero},     {Opcode::multiply, Identity::one},
    {Opcode::and_, Identity::one}, {Opcode::max, Identity::smallest}, {Opcode::min, Identity::largest},
};

/// Returns the value of the type that none is above, or below.
Tensor extreme(ElementType type, bool largest) {
  if (is_floating(type)) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return Tensor::scalar(type, largest ? infinity : -infinity);
  }
  if (!is_signed(type)) return Tensor::scalar(type, std::int64_t{largest ? -1 : 0});  // wraps
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - 8 * info(type).bytes);
  return Tensor::scalar(type, largest ? most : -most - 1);
}

}  // namespace

Tensor identity_of(Opcode combinator, ElementType element) {
  const auto* found = std::find_if(std::begin(identities), std::end(identities),
                                   [&](const auto& row) { return row.first == combinator; });
  if (found == std::end(identities))
    internal_error("a combinator has no identity: " + std::string(definition(combinator).name));
  switch (found->second) {
    case Identity::zero:
      return Tensor(element, {});
    case Identity::one:
      return Tensor::scalar(element, std::int64_t{1});
    case Identity::smallest:
      return extreme(element, false);
    case Identity::largest:
      return extreme(element, true);
  }
  internal_error("an identity of no kind");
}

}  // namespace dlvm
