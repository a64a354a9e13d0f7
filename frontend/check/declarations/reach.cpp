#include "frontend/check/declarations/reach.h"

#include <algorithm>

namespace frontend::check {
namespace {

/// Calls `visit` with every declaration on which the value of `d` depends directly.
template <typename Visit>
void for_each_reference(const Declaration& d, Visit visit) {
  using Part = Declaration::Part;
  if (d.is_given()) return;
  if (!d.tensors.empty() && d.part != Part::none && d.part != Part::initial) {
    for (const Declaration* tensor : d.tensors) visit(tensor);
    return;
  }
  const bool is_element_of_trees = d.part == Part::element && d.body.result != nullptr;
  if (d.of != nullptr && d.part != Part::initial && !is_element_of_trees) visit(d.of);
  if (d.part == Part::earlier || d.part == Part::last) {
    const std::int64_t most = std::max<std::int64_t>(d.lag, 1);
    const auto& all = d.of->recurrence->initial_values;
    for (auto each = all.lower_bound({d.of, 1}); each != all.end(); ++each) {
      if (each->first.first != d.of || each->first.second > most) break;
      visit(each->second);
    }
  }
  for (const auto& node : d.body.nodes)
    if (node->live && node->kind == Node::Kind::reference) visit(node->declaration);
}

}  // namespace

std::unordered_set<const Declaration*> reached(const std::vector<const Declaration*>& values) {
  std::unordered_set<const Declaration*> all(values.begin(), values.end());
  std::vector<const Declaration*> open = values;
  while (!open.empty()) {
    const Declaration& d = *open.back();
    open.pop_back();
    for_each_reference(d, [&](const Declaration* named) {
      if (all.insert(named).second) open.push_back(named);
    });
  }
  return all;
}

std::vector<const Declaration*> next_values(const Program& program,
                                            const std::vector<const Declaration*>& values) {
  const auto given = reached(values);
  std::unordered_set<const Declaration*> missing;  // what depends on an input that is not taken
  std::vector<const Declaration*> found;
  // Again and again, since the steps of a recurrent block name what stands behind them.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Declaration* d : program.order) {
      bool lacks = d->role() == ast::Role::in && !given.contains(d);
      for_each_reference(*d, [&](const Declaration* named) { lacks = lacks || missing.contains(named); });
      if (lacks && missing.insert(d).second) changed = true;
    }
  }
  for (const Declaration& d : program.declarations)
    if (d.state != nullptr && !missing.contains(&d)) found.push_back(&d);
  return found;
}

}  // namespace frontend::check
