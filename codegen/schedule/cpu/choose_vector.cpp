// Which axis of a stage becomes the vector's: cost of a point, in scalar instructions, for each candidate.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "codegen/schedule/common/lowering.h"
#include "codegen/schedule/cpu/choose.h"

namespace codegen::schedule::cpu {
namespace {

using kernel::AxisKind;
using kernel::Stage;

/// The distance of elements of which several are in one line of memory.
constexpr std::int64_t near_elements = 8;

/// A reduced axis whose extent is not known is taken to have this one.
constexpr std::int64_t many_points = 128;

/// Lanes may be combined in any order.
bool splits(const Stage& stage) { return stage.reduction && stage.reduction->any_order; }

bool has_axis(const Stage& stage, AxisKind kind) {
  return std::any_of(stage.axes.begin(), stage.axes.end(), [&](const auto& a) { return a.kind == kind; });
}

std::int64_t lanes(const Stage& stage, const CpuTarget& target) {
  std::int64_t bytes = 4;
  for (const auto* scalars : {&stage.body, &stage.epilogue})
    for (const Scalar& scalar : *scalars)
      if (dlvm::is_floating(scalar.type))
        bytes = std::max<std::int64_t>(bytes, dlvm::info(scalar.type).bytes);
  return target.vector_bytes / bytes;
}

/// A stage's accesses and arithmetic along one axis, or as scalars.
class Cost {
 public:
  Cost(Buffers buffers, const Stage& stage, std::optional<std::size_t> axis, std::int64_t width)
      : buffers_(buffers), width_(static_cast<double>(axis ? width : 1)) {
    if (axis) axis_ = stage.axes[*axis].id;
    // Work that is done once a reduced point counts more than work that is done once a result.
    const double outer = has_axis(stage, AxisKind::reduced) ? 0.05 : 1;
    for (const Scalar& scalar : stage.body) add(scalar, 1);
    for (const Scalar& scalar : stage.epilogue) add(scalar, outer);
    for (const auto& store : stage.stores) add(store.access, outer);
    if (!axis) return;
    const auto& chosen = stage.axes[*axis];
    if (chosen.kind == AxisKind::reduced) total_ += 0.01;
    if (const auto extent = chosen.extent.constant(); extent && *extent > 0) {
      const auto points = static_cast<double>(*extent);
      total_ *= (points + width_ - 1) / points;  // the last vector may have one point
    }
    if (chosen.kind == AxisKind::reduced) total_ += combining(stage, width);
  }
  double total() const { return total_; }

 private:
  /// Returns what it costs for each reduced point to combine the states of all lanes, once for a result.
  static double combining(const Stage& stage, std::int64_t width) {
    double points = 1;
    for (const auto& axis : stage.axes)
      if (axis.kind == AxisKind::reduced)
        points *=
            static_cast<double>(std::max<std::int64_t>(axis.extent.constant().value_or(many_points), 1));
    return 2 * std::log2(static_cast<double>(width)) / points;
  }

  void add(const Scalar& scalar, double weight) {
    std::visit([&](const auto& definition) { add(definition, weight); }, scalar.definition);
  }
  void add(const Scalar::Literal&, double) {}
  void add(const Scalar::Position&, double) {}
  void add(const Scalar::Load& load, double weight) { add(load.access, weight); }
  void add(const Scalar::Operation& operation, double weight) {
    const bool costly = dlvm::definition(operation.opcode).is(dlvm::Trait::costly);
    total_ += weight * (costly ? 20 : 1) / width_;
  }
  void add(const Scalar::State&, double) {}
  void add(const Scalar::Check&, double) {}
  void add(const Scalar::Random&, double weight) { total_ += weight * 40 / width_; }
  void add(const Access& access, double weight) {
    if (!axis_) {
      total_ += weight;
      return;
    }
    const auto step = stride(offset(access, buffers_[access.buffer].layout), *axis_);
    const auto elements = step && !has_loaded(access) ? step->constant() : std::nullopt;
    if (elements == 0 || elements == 1)
      total_ += weight / width_;
    else if (elements == 2 || is_shuffled(access))  // whole vectors, of which elements are taken
      total_ += weight * 3 / width_;
    else  // elements of few lines of memory are there sooner than those of as many lines as lanes
      total_ += weight * (is_near(access) ? 1.4 : 1.5);
  }

  /// Returns whether a vector of neighbours along the axis reads the elements of a shorter one, because the
  /// place has a quotient of the axis. The emitter loads that one and shuffles it (emit/loads.cpp).
  bool is_shuffled(const Access& access) const {
    const Index::Term* quotient = nullptr;
    const Index place = offset(access, buffers_[access.buffer].layout);
    for (const Index::Term& term : place.terms) {
      if (!depends_on_axis(term)) continue;
      if (quotient != nullptr) return false;
      quotient = &term;
    }
    return !has_loaded(access) && quotient != nullptr && quotient->coefficient.is(1) &&
           is_divided(quotient->atom);
  }

  /// Returns whether the atom is the axis, plus what is a multiple of the divisor, divided by a number, and
  /// its vectors begin at multiples of that.
  bool is_divided(const Index::Atom& atom) const {
    const auto* quotient = kernel::as_quotient(atom, Index::Quotient::Kind::floor);
    const auto divisor = quotient != nullptr ? quotient->divisor.constant() : std::nullopt;
    if (!divisor || *divisor < 1 || static_cast<std::int64_t>(width_) % *divisor != 0) return false;
    if (!quotient->index.constant.constant()) return false;
    return std::ranges::all_of(quotient->index.terms, [&](const Index::Term& term) {
      if (depends_on_axis(term)) return kernel::lone_axis(Index(0, {term})) == axis_;
      const auto factor = term.coefficient.constant();
      return factor && *factor % *divisor == 0;
    });
  }

  /// Returns whether neighbours along the axis are a few elements apart.
  bool is_near(const Access& access) const {
    const Index place = offset(access, buffers_[access.buffer].layout);
    return !has_loaded(access) && std::ranges::all_of(place.terms, [&](const Index::Term& term) {
      const auto distance = term.coefficient.constant();
      return !depends_on_axis(term) || (distance && std::abs(*distance) <= near_elements);
    });
  }

  /// Returns whether the term depends on the axis.
  bool depends_on_axis(const Index::Term& term) const {
    const std::vector<kernel::AxisId> axes = kernel::axes_of(Index(0, {term}));
    return std::ranges::find(axes, *axis_) != axes.end();
  }

  Buffers buffers_;
  std::optional<kernel::AxisId> axis_;
  double width_;
  double total_ = 0;
};

}  // namespace

PointsPlan choose_vector(const Stage& stage, Buffers buffers, const CpuTarget& target) {
  if (target.vector_bytes == 0 || runs_in_order(stage)) return {};
  const std::int64_t width = lanes(stage, target);
  if (width < 2) return {};
  PointsPlan best;
  const double scalar = Cost(buffers, stage, std::nullopt, 1).total();
  double lowest = std::numeric_limits<double>::infinity();
  const bool reduced = splits(stage) && !has_axis(stage, AxisKind::ordered);
  for (std::size_t i = 0; i < stage.axes.size(); ++i) {
    const AxisKind kind = stage.axes[i].kind;
    if (kind == AxisKind::ordered || (kind == AxisKind::reduced && !reduced)) continue;
    if (stage.axes[i].extent.is(0) || stage.axes[i].extent.is(1)) continue;
    double total = Cost(buffers, stage, i, width).total();
    if (total >= scalar) continue;
    // Vectors along an axis of unknown extent may be half empty, since batches are often small.
    if (!stage.axes[i].extent.constant()) total *= 2;
    if (total < lowest) {
      lowest = total;
      best.vector_axis = i;
      best.width = width;
    }
  }
  return best;
}

}  // namespace codegen::schedule::cpu
