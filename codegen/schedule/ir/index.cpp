#include "codegen/schedule/ir/index.h"

#include <algorithm>

#include "codegen/schedule/ir/walk.h"

namespace codegen::schedule {
namespace {

ValueId renamed(ValueId value, const Renaming& renaming) {
  const auto found = renaming.values.find(value);
  return found == renaming.values.end() ? value : found->second;
}

/// Renames what `visit_uses` visits.
struct RenameUses {
  const Renaming& renaming;
  void operator()(ValueId& value) const { value = renamed(value, renaming); }
  void operator()(Index& index) const { index = rename(index, renaming); }
};

template <typename Node>
Node renamed_copy(Node node, const Renaming& renaming) {
  visit_uses(node, RenameUses{renaming});
  return node;
}

/// Collects from what `visit_uses` visits.
template <typename Node>
void collect_uses(const Node& node, std::set<LoopId>& loops, std::set<ValueId>& values) {
  visit_uses(node, dlvm::Overloaded{[&](ValueId value) { values.insert(value); },
                                    [&](const Index& index) { collect(index, loops, values); }});
}

}  // namespace

Index rename(const Index& index, const Renaming& renaming) {
  const auto axis = [&](LoopId loop) {
    const auto found = renaming.axes.find(loop);
    return found == renaming.axes.end() ? kernel::axis_index(loop) : found->second;
  };
  const auto value = [&](kernel::Loaded loaded) {
    return kernel::loaded_index(renamed(loaded.scalar, renaming));
  };
  return kernel::substitute(index, dlvm::Overloaded{axis, value});
}

Access rename(const Access& access, const Renaming& renaming) { return renamed_copy(access, renaming); }

std::vector<Bound> rename(const std::vector<Bound>& bounds, const Renaming& renaming) {
  return renamed_copy(bounds, renaming);
}

Scalar rename(const Scalar& scalar, const Renaming& renaming) { return renamed_copy(scalar, renaming); }

void rename(Statement& statement, const Renaming& renaming) { visit_uses(statement, RenameUses{renaming}); }

void collect(const Index& index, std::set<LoopId>& loops, std::set<ValueId>& values) {
  kernel::visit_atoms(index, dlvm::Overloaded{[&](LoopId loop) { loops.insert(loop); },
                                              [&](kernel::Loaded loaded) { values.insert(loaded.scalar); }});
}
void collect(const Access& access, std::set<LoopId>& loops, std::set<ValueId>& values) {
  collect_uses(access, loops, values);
}
void collect(const std::vector<Bound>& bounds, std::set<LoopId>& loops, std::set<ValueId>& values) {
  collect_uses(bounds, loops, values);
}
void collect(const Scalar& scalar, std::set<LoopId>& loops, std::set<ValueId>& values) {
  collect_uses(scalar, loops, values);
}

Index offset(const Access& access, const Layout& layout) {
  Index sum;
  for (std::size_t i = 0; i < access.indices.size(); ++i) sum = sum + access.indices[i] * layout.strides[i];
  return sum;
}

std::optional<Extent> stride(const Index& index, LoopId loop) {
  Extent sum = 0;
  for (const auto& term : index.terms) {
    if (const auto* variable = std::get_if<LoopId>(&term.atom)) {
      if (*variable == loop) sum = term.coefficient;
      continue;
    }
    const auto inside = kernel::axes_of(Index{0, {term}});
    if (std::find(inside.begin(), inside.end(), loop) != inside.end()) return std::nullopt;
  }
  return sum;
}

}  // namespace codegen::schedule
