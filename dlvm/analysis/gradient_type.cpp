#include "dlvm/analysis/gradient_type.h"

#include <fmt/format.h>

#include <set>

#include "dlvm/analysis/leaves.h"
#include "dlvm/ir/unify_lists.h"

namespace dlvm {

Integers differentiated_arguments(const GradientDeclaration& declaration) {
  if (declaration.wrt) return *declaration.wrt;
  Integers all;
  const auto& parameters = declaration.of->type().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (is_differentiable(parameters[i])) all.push_back(static_cast<std::int64_t>(i));
  return all;
}

std::vector<Type> results_of(const Type& function) {
  if (function.result().is_tuple()) return function.result().elements();
  return {function.result()};
}

namespace {

/// Returns the first component of the type that is no floating-point tensor, as `#a.#b is i32`; empty if the
/// type has no components.
std::string part_without_derivative(const Type& type) {
  if (type.is_tensor() || !type.is_aggregate()) return "";
  std::string path;
  const Type* at = &type;
  while (at->is_aggregate() && at->component_count() > 0) {
    std::size_t i = 0;
    while (is_differentiable(at->component(i))) ++i;
    if (!path.empty()) path += ", ";
    path += at->is_structure() ? "#" + at->declaration().members[i].name : std::to_string(i);
    at = &at->component(i);
  }
  return at == &type ? "" : fmt::format("{} is {}", path, at->text());
}

std::string why_no_derivative(const Function& of, std::int64_t argument, const Type& type) {
  std::string whole =
      fmt::format("argument {} of @{} is {}, which has no derivative", argument, of.name(), type.text());
  const std::string part = part_without_derivative(type);
  if (part.empty()) return whole;
  return fmt::format(
      "{} as a whole, because {}; put the tensors to differentiate by into a struct that has nothing else, "
      "or make them an argument",
      whole, part);
}

}  // namespace

std::optional<Type> gradient_type(const GradientDeclaration& declaration, std::string& why) {
  const auto fail = [&](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  const Function& of = *declaration.of;
  const auto& parameters = of.type().parameters();
  const std::vector<Type> results = results_of(of.type());
  const auto has = [](const auto& list, std::int64_t i) {
    return i >= 0 && i < static_cast<std::int64_t>(list.size());
  };
  if (!has(results, declaration.from))
    return fail(fmt::format("@{} has no result {}", of.name(), declaration.from));
  const Type& from = results[static_cast<std::size_t>(declaration.from)];
  if (!from.is_tensor() || !is_floating(from.element()))
    return fail(fmt::format("result {} of @{} is {}, which is not a floating-point tensor", declaration.from,
                            of.name(), from.text()));
  const bool forward = declaration.mode == GradientDeclaration::Mode::forward;
  if (forward && declaration.seedable) return fail("forward mode has tangents and no seed");
  std::vector<Type> arguments = parameters, out;
  if (forward) out.push_back(from);
  std::set<std::int64_t> seen;
  for (const std::int64_t i : differentiated_arguments(declaration)) {
    if (!has(parameters, i)) return fail(fmt::format("@{} has no argument {}", of.name(), i));
    if (!seen.insert(i).second) return fail(fmt::format("argument {} is named twice", i));
    const Type& by = parameters[static_cast<std::size_t>(i)];
    if (!is_differentiable(by)) return fail(why_no_derivative(of, i, by));
    (forward ? arguments : out).push_back(by);
  }
  if (seen.empty()) {
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (has_floating_leaf(parameters[i]))
        return fail(why_no_derivative(of, static_cast<std::int64_t>(i), parameters[i]));
    return fail(fmt::format("@{} has no argument with a derivative", of.name()));
  }
  for (const std::int64_t i : declaration.keeping) {
    if (!has(results, i)) return fail(fmt::format("@{} has no result {} to keep", of.name(), i));
    out.push_back(results[static_cast<std::size_t>(i)]);
  }
  if (declaration.seedable) arguments.push_back(from);
  return Type::function(std::move(arguments), Type::tuple(std::move(out)));
}

bool declares(const Type& declared, const Type& expected) {
  if (declared.parameters().size() != expected.parameters().size()) return false;
  Extent::Substitution names;
  if (unify_lists(expected.parameters(), declared.parameters(), names) < declared.parameters().size())
    return false;
  // A dimension that only the result names is free; a declared `_` stands for whatever is there.
  Extent::Substitution erased;
  return unify(declared.result(), expected.result().substitute(names), erased);
}

std::size_t differentiated_leaf(const Function& declared, std::size_t leaf) {
  const GradientDeclaration& declaration = *declared.gradient;
  const Function& of = *declaration.of;
  std::size_t derivatives = 0;
  if (declaration.mode == GradientDeclaration::Mode::forward) {
    derivatives = leaf_count(results_of(of.type())[static_cast<std::size_t>(declaration.from)]);
  } else {
    for (const std::int64_t i : differentiated_arguments(declaration))
      derivatives += leaf_count(of.type().parameters()[static_cast<std::size_t>(i)]);
  }
  const auto first_leaf = [&](std::int64_t result) {
    const Type& all = of.type().result();
    return all.is_tuple() ? leaf_offset(all.elements(), static_cast<std::size_t>(result)) : 0;
  };
  if (leaf < derivatives) return first_leaf(declaration.from);
  leaf -= derivatives;
  for (const std::int64_t kept : declaration.keeping) {
    const std::size_t count = leaf_count(results_of(of.type())[static_cast<std::size_t>(kept)]);
    if (leaf < count) return first_leaf(kept) + leaf;
    leaf -= count;
  }
  return 0;
}

}  // namespace dlvm
