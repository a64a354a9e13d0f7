#include "frontend/check/declarations/reach.h"

#include <algorithm>

namespace frontend::check {
namespace {

/// Calls `visit` with every declaration that the body names.
template <typename Visit>
void for_each_reference(const Body& body, Visit visit) {
  for (const auto& node : body.nodes)
    if (node->live && node->kind == Node::Kind::reference) visit(node->declaration);
}

}  // namespace

std::unordered_set<const Declaration*> reached(const Program& program,
                                               const std::vector<const Declaration*>& values) {
  std::unordered_set<const Declaration*> all(values.begin(), values.end());
  for (auto d = program.order.rbegin(); d != program.order.rend(); ++d)
    if (all.contains(*d) && !(*d)->is_given())
      for_each_reference((*d)->body, [&](const Declaration* named) { all.insert(named); });
  return all;
}

std::vector<const Declaration*> next_values(const Program& program,
                                            const std::vector<const Declaration*>& values) {
  const auto given = reached(program, values);
  std::unordered_set<const Declaration*> missing;  // what depends on an input that is not taken
  std::vector<const Declaration*> found;
  for (const Declaration* d : program.order) {
    bool lacks = d->role() == ast::Role::in && !given.contains(d);
    if (!d->is_given())
      for_each_reference(d->body,
                         [&](const Declaration* named) { lacks = lacks || missing.contains(named); });
    if (lacks) missing.insert(d);
  }
  for (const Declaration& d : program.declarations)
    if (d.state != nullptr && !missing.contains(&d)) found.push_back(&d);
  return found;
}

}  // namespace frontend::check
