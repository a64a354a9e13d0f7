// The second step of index notation: the range of each index, and that every access is inside.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "frontend/check/diagnostics/index_diagnostics.h"
#include "frontend/check/index_notation/equation.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

class Ranges {
 public:
  Ranges(BodyContext& context, Equation& equation) : context_(context), equation_(equation) {}

  bool settle() {
    take_declared();
    for (const Access& access : equation_.accesses)
      for (std::size_t axis = 0; axis < access.positions.size(); ++axis)
        if (!take_axis(access, axis)) return false;
    for (IndexVariable& index : equation_.indices)
      if (!index.extent) index.extent = index.declared;
    for (bool changed = true; changed;) {
      changed = false;
      for (IndexId id = 0; id < equation_.indices.size(); ++id) {
        if (equation_.indices[id].extent) continue;
        if (!take_largest(id)) return false;
        changed = changed || equation_.indices[id].extent;
      }
    }
    return all_known() && all_as_declared() && all_inside();
  }

 private:
  /// What may be equal is left to the check of the declared shape.
  bool all_as_declared() {
    for (const IndexVariable& index : equation_.indices) {
      if (!index.declared || dlvm::provably_equal(*index.declared, *index.extent) != dlvm::Proof::no)
        continue;
      context_.diagnostics
          .report(index_extents_differ, index.source, index.name, spelling(*index.declared),
                  spelling(*index.extent))
          .note(index.declared_at, fmt::format("the axis of '{}' is declared with extent {} here", index.name,
                                               spelling(*index.declared)));
      return false;
    }
    return true;
  }

  /// The left side with a shape: `y[i, j]: hidden[N x 4] = ...`, where `id` has this extent.
  std::string left_side(IndexId id, const std::string& extent) const {
    std::string names, shape;
    for (IndexId each = 0; each < equation_.left; ++each) {
      const IndexVariable& index = equation_.indices[each];
      names += (each > 0 ? ", " : "") + index.name;
      shape += (each > 0 ? " x " : "") + (each == id ? extent : index.extent ? spelling(*index.extent) : "3");
    }
    return fmt::format("{}[{}]: hidden[{}] = ...", equation_.name, names, shape);
  }

  IndexVariable& at(IndexId id) { return equation_.indices[id]; }

  const Extent& extent_of(const Access& access, std::size_t axis) const {
    return access.node->operands[0]->type.shape[axis];
  }

  /// The declared extent is the range of an index that stands in a sum, where it may leave the end of an axis
  /// out. Otherwise it has to agree with the axes, like any declared shape.
  void take_declared() {
    for (const Access& access : equation_.accesses)
      for (const Position& position : access.positions) {
        if (!position.affine || position.affine->alone()) continue;
        for (const auto& [id, coefficient] : position.affine->coefficients) {
          if (!at(id).declared) continue;
          at(id).given = true;
          at(id).extent = at(id).declared;
        }
      }
  }

  /// The extent of the axis for the index that stands alone there.
  bool take_axis(const Access& access, std::size_t axis) {
    const Position& position = access.positions[axis];
    const auto alone = position.affine ? position.affine->alone() : std::nullopt;
    if (!alone || at(*alone).given) return true;
    IndexVariable& index = at(*alone);
    const Extent& extent = extent_of(access, axis);
    if (!index.extent) {
      index.extent = extent;
      index.source = position.location;
      return true;
    }
    const auto both = [&](dlvm::Diagnostic& report) {
      report.note(index.source, fmt::format("here the axis has extent {}", spelling(*index.extent)));
      explain_value(context_, report, access.node->operands[0], "the tensor");
    };
    const std::string text = fmt::format(
        "the index '{}' stands for axes of extents {{left}} and {{right}}, which must be equal "
        "({} and {})",
        index.name, spelling(*index.extent), spelling(extent));
    if (require_equal(context_, *index.extent, extent, text, position.location, both)) return true;
    both(context_.diagnostics
             .report(index_extents_differ, position.location, index.name, spelling(*index.extent),
                     spelling(extent))
             .fix("if it runs over a part of the axis, " +
                  part_of_axis(index, spelling(smaller(*index.extent, extent)))));
    return false;
  }

  static std::string part_of_axis(const IndexVariable& index, const std::string& extent) {
    return index.reduced ? fmt::format("write the range: for {} in 0..{}", index.name, extent)
                         : fmt::format("take that part first: x[0:{}]", extent);
  }

  static Extent smaller(const Extent& a, const Extent& b) {
    return dlvm::provably_at_most(a, b) == dlvm::Proof::yes ? a : b;
  }

  /// The least or the greatest value of the subscript without the index `except`.
  Extent bound(const Affine& affine, bool greatest, std::optional<IndexId> except = std::nullopt) const {
    Extent result = affine.constant;
    for (const auto& [id, coefficient] : affine.coefficients) {
      if (id == except) continue;
      const IndexVariable& index = equation_.indices[id];
      const bool last = (coefficient > 0) == greatest;
      result = result + Extent(coefficient) * (last ? index.first + *index.extent - 1 : index.first);
    }
    return result;
  }

  /// The number of values of the index that keep the subscript inside of the axis.
  Extent room(const Affine& affine, IndexId id, const Extent& extent) const {
    const std::int64_t coefficient = affine.coefficients.at(id);
    const Extent distance = coefficient > 0 ? extent - 1 - bound(affine, true, id) : bound(affine, false, id);
    return Extent::floor_divide(distance, coefficient > 0 ? coefficient : -coefficient) + 1;
  }

  /// The largest range, if the other indices in all its subscripts have theirs.
  bool take_largest(IndexId id) {
    std::optional<Extent> least;
    Location source;
    for (const Access& access : equation_.accesses)
      for (std::size_t axis = 0; axis < access.positions.size(); ++axis) {
        const Position& position = access.positions[axis];
        if (!position.affine || !position.affine->coefficients.contains(id)) continue;
        for (const auto& [other, coefficient] : position.affine->coefficients)
          if (other != id && !at(other).extent) return true;
        const Extent values = room(*position.affine, id, extent_of(access, axis));
        if (least && dlvm::provably_at_most(values, *least) != dlvm::Proof::yes) continue;
        least = values;
        source = position.location;
      }
    if (!least) return true;
    const auto constant = least->constant();
    if ((constant && *constant < 1) ||
        !require_at_most(
            context_, 0, *least,
            fmt::format("the index '{}' has {{right}} values that keep its subscripts inside ({})",
                        at(id).name, spelling(*least)),
            source)) {
      context_.diagnostics
          .report(index_without_values, at(id).location, at(id).name, fmt::format("0..{}", spelling(*least)))
          .note(source, "this subscript leaves its axis for every other value");
      return false;
    }
    at(id).extent = *least;
    at(id).source = source;
    return true;
  }

  bool all_known() {
    bool complete = true;
    for (const IndexVariable& index : equation_.indices) {
      if (index.extent) continue;
      complete = false;
      const auto id = static_cast<IndexId>(&index - equation_.indices.data());
      auto& report = context_.diagnostics.report(index_without_range, index.location, index.name);
      explain_use(report, id);
      report.fix(index.reduced ? fmt::format("write the range: for {} in 0..3", index.name)
                               : "declare the shape: " + left_side(id, "3"));
    }
    return complete;
  }

  /// A subscript that has the index but gives it no range.
  void explain_use(dlvm::Diagnostic& report, IndexId id) const {
    for (const Access& access : equation_.accesses)
      for (const Position& position : access.positions) {
        const bool affine = position.affine.has_value();
        if (affine ? !position.affine->coefficients.contains(id)
                   : !depends_on(access.node->operands[position.operand], id))
          continue;
        report.note(position.location,
                    affine ? "here it stands with other indices without a range"
                           : "this subscript is computed when the program runs, and gives it no range");
        return;
      }
  }

  bool depends_on(const Node* value, IndexId id) const {
    std::vector<const Node*> stack{value};
    std::unordered_set<const Node*> seen;
    while (!stack.empty()) {
      const Node* top = stack.back();
      stack.pop_back();
      if (!top->indexed || !seen.insert(top).second) continue;
      if (top->kind == Node::Kind::index && top->index == id) return true;
      stack.insert(stack.end(), top->operands.begin(), top->operands.end());
    }
    return false;
  }

  bool all_inside() {
    bool inside = true;
    for (const Access& access : equation_.accesses)
      for (std::size_t axis = 0; axis < access.positions.size(); ++axis) {
        const Position& position = access.positions[axis];
        if (!position.affine) continue;
        const auto alone = position.affine->alone();
        if (alone && !at(*alone).given) continue;
        inside = is_inside(access, axis, position) && inside;
      }
    return inside;
  }

  bool is_inside(const Access& access, std::size_t axis, const Position& position) {
    const Extent& extent = extent_of(access, axis);
    const Extent least = bound(*position.affine, false), greatest = bound(*position.affine, true);
    const std::string written = quoted(position.location, "the subscript");
    const auto text = [&](std::string_view relation) {
      return fmt::format("the subscript {} {} axis {}", written, relation, axis);
    };
    const bool above = require_at_most(context_, 0, least, text("is at least {right}, below the start of"),
                                       position.location);
    if (above && (follows(*position.affine, extent) ||
                  require_at_most(context_, greatest + 1, extent,
                                  text("needs an extent of at least {left}, but {right} is that of"),
                                  position.location)))
      return true;
    auto& report = context_.diagnostics.report(element_outside, position.location, written,
                                               position.affine->coefficients.empty()
                                                   ? above ? "behind the end of" : "before the start of"
                                               : above ? fmt::format("up to {} on", spelling(greatest))
                                                       : fmt::format("as low as {} on", spelling(least)),
                                               axis, spelling(extent));
    explain_value(context_, report, access.node->operands[0], "the tensor");
    for (const auto& [id, coefficient] : position.affine->coefficients) {
      const Extent last = at(id).first + *at(id).extent - 1;
      report.note(at(id).source,
                  fmt::format("'{}' is {} to {}", at(id).name, spelling(at(id).first), spelling(last)));
    }
    if (!above)
      report.fix(fmt::format("an index counts from 0: add {} to it wherever it stands",
                             spelling(Extent(0) - least)));
    else
      suggest_range(report, *position.affine, greatest + 1 - extent);
    return false;
  }

  /// The range of an index that has been taken from an axis where it stands alone, less what is outside.
  void suggest_range(dlvm::Diagnostic& report, const Affine& affine, const Extent& outside) {
    for (const auto& [id, coefficient] : affine.coefficients) {
      if (at(id).given || coefficient < 1) continue;
      const Extent fitting = *at(id).extent - Extent::floor_divide(outside + coefficient - 1, coefficient);
      if (at(id).reduced)
        report.fix(fmt::format("write the range: for {} in 0..{}", at(id).name, spelling(fitting)));
      else
        report.fix("declare the shape: " + left_side(id, spelling(fitting)));
      return;
    }
  }

  /// The greatest value is below the extent because of the way in which one index got its range: rounding
  /// hides that from a proof.
  bool follows(const Affine& affine, const Extent& extent) const {
    return std::ranges::any_of(affine.coefficients, [&](const auto& each) {
      const IndexVariable& index = equation_.indices[each.first];
      return each.second > 0 && !index.given && index.first.is(0) &&
             dlvm::provably_at_most(*index.extent, room(affine, each.first, extent)) == dlvm::Proof::yes;
    });
  }

  BodyContext& context_;
  Equation& equation_;
};

}  // namespace

bool settle_ranges(BodyContext& context, Equation& equation) { return Ranges(context, equation).settle(); }

}  // namespace frontend::check
