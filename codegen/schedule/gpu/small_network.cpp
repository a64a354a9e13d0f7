#include "codegen/schedule/gpu/small_network.h"

#include <algorithm>
#include <cmath>

#include "codegen/kernel/build/fuse.h"
#include "codegen/schedule/gpu/choose_product.h"
#include "codegen/schedule/gpu/small_product.h"
#include "codegen/schedule/gpu/target.h"

namespace codegen::schedule::gpu {
namespace {

using kernel::Axis;
using kernel::Block;
using kernel::Stage;

constexpr std::int64_t max_bound = small_extent;
/// Points times reduced points of all stages: what 256 threads do in some ten microseconds.
constexpr double max_steps = 1 << 20;

constexpr double unknown = 1e30;

double upper_bound_of(const Extent& extent, std::int64_t bound) {
  const auto value = upper_bound(extent, bound);
  return value ? static_cast<double>(*value) : unknown;
}

/// The product of what each extent is at most.
double points(const std::vector<Axis>& axes, std::int64_t bound) {
  double all = 1;
  for (const Axis& axis : axes) all *= upper_bound_of(axis.extent, bound);
  return all;
}

/// The exchanges of a sort are about the square of the logarithm for each element.
double steps(const Stage& stage, std::int64_t bound) {
  const double rows = points(stage.axes, bound);
  if (!stage.sorting) return rows;
  const double row = upper_bound_of(stage.sorting->extent, bound), passes = std::log2(row + 1);
  return rows * row * passes * passes;
}
double steps(const Block& block, std::int64_t bound) {
  double inside = 0;
  for (const auto& child : block.children)
    inside += std::visit([bound](const auto& inner) { return steps(inner, bound); }, child);
  return inside * points(block.axes, bound);
}

double bytes(const kernel::Buffer& buffer, std::int64_t bound) {
  double all = dlvm::info(buffer.element).bytes;
  for (const Extent& extent : buffer.shape) all *= upper_bound_of(extent, bound);
  return all;
}

bool is_small(const kernel::Kernel& kernel, const GpuTarget& target, std::int64_t bound) {
  double all = 0, local = 0;
  for (const kernel::Buffer& buffer : kernel.buffers) {
    all += bytes(buffer, bound);
    if (buffer.space == kernel::Buffer::Space::local) local += bytes(buffer, bound);
  }
  return all <= static_cast<double>(target.local_bytes) &&
         local <= static_cast<double>(target.handed_over_bytes()) && steps(kernel.root, bound) <= max_steps;
}

/// Products of 16-bit floats, and large ones, may be computed on tensor cores.
bool is_ordinary(const Stage& stage) {
  if (!stage.accumulated.empty()) return false;
  if (!stage.contraction) return true;
  if (is_product(stage)) return is_small_product(stage);
  const auto is_half = [&](kernel::ScalarId operand) {
    const dlvm::ElementType type = stage.body[operand].type;
    return dlvm::is_floating(type) && dlvm::info(type).bytes == 2;
  };
  return !is_half(stage.contraction->left) && !is_half(stage.contraction->right);
}

bool is_ordinary(const Block& block) {
  return std::all_of(block.children.begin(), block.children.end(), [](const auto& child) {
    return std::visit([](const auto& inner) { return is_ordinary(inner); }, child);
  });
}

}  // namespace

std::optional<std::int64_t> upper_bound(const Extent& extent, std::int64_t bound) {
  std::int64_t sum = 0;
  for (const Extent::Term& term : extent.terms()) {
    const bool has_floor = std::any_of(term.atoms.begin(), term.atoms.end(),
                                       [](const Extent::Atom& atom) { return atom.floor != nullptr; });
    if (has_floor && (term.atoms.size() > 1 || term.coefficient < 0)) return std::nullopt;
    std::int64_t product = std::max<std::int64_t>(term.coefficient, 0);
    if (term.atoms.empty()) product = term.coefficient;
    for (const Extent::Atom& atom : term.atoms) {
      std::int64_t factor = bound;
      if (has_floor) {
        const auto numerator = upper_bound(atom.floor->numerator, bound);
        const auto denominator = atom.floor->denominator.constant();
        if (!numerator || !denominator || *denominator < 1) return std::nullopt;
        factor = std::max<std::int64_t>(*numerator, 0) / *denominator;
      }
      if (__builtin_mul_overflow(product, factor, &product)) return std::nullopt;
    }
    if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
  }
  return std::max<std::int64_t>(sum, 0);
}

std::optional<std::int64_t> small_bound(const kernel::Kernel& kernel, const GpuTarget& target) {
  if (kernel.buffers.size() > kernel::max_uses || !is_ordinary(kernel.root)) return std::nullopt;
  for (std::int64_t bound = max_bound; bound >= min_bound; bound /= 2)
    if (is_small(kernel, target, bound)) return bound;
  return std::nullopt;
}

}  // namespace codegen::schedule::gpu
