#include "dlvm/differentiate/differentiate.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/differentiate/copy_body.h"
#include "dlvm/differentiate/custom_adjoint.h"
#include "dlvm/differentiate/declaration_orders.h"
#include "dlvm/differentiate/derivative_bodies.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/hidden_values.h"
#include "dlvm/differentiate/leaf_cotangents.h"
#include "dlvm/differentiate/paths.h"
#include "dlvm/ir/unify_lists.h"

namespace dlvm {
namespace {

std::size_t instruction_count(const Function& function) {
  std::size_t count = 0;
  for (const auto& block : function.blocks()) count += block->instructions().size();
  return count;
}

using Mode = GradientDeclaration::Mode;

class Differentiation {
 public:
  Differentiation(Module& module, Diagnostics& diagnostics, const DifferentiationOptions& options)
      : module_(module),
        diagnostics_(diagnostics),
        options_(options),
        bodies_(module, dependence_, options) {}

  bool run();

 private:
  bool check_acyclic(const std::vector<Component>& components);
  std::optional<Type> declared_type(const GradientDeclaration& declaration, const Function& declared);
  /// A declaration, and the names of dimensions and arguments of the body that it gets.
  struct Opening {
    GradientDeclaration declaration;
    Extent::Substitution names;
    std::vector<std::string> argument_names;
  };
  std::optional<Opening> open(Function& declared);
  bool has_derivatives(const Function& declared, const GradientDeclaration& declaration);
  bool canonicalise(Function& declared);
  void build_reverse(Function& declared, const Opening& opening);
  void build_forward(Function& declared, const Opening& opening);
  void close(Function& declared, const Opening& opening, Builder& b, Value* result, std::vector<Value*> out);
  bool build_called();
  bool small_enough(const Function& function);

  Module& module_;
  Diagnostics& diagnostics_;
  const DifferentiationOptions& options_;
  Dependence dependence_{derivative_edge};
  DerivativeBodies bodies_;
};

bool Differentiation::run() {
  const std::vector<Component> components = call_components(module_);
  if (!check_acyclic(components)) return false;
  bool good = true, first = true;
  for (const std::vector<Function*>& declared : declaration_orders(components)) {
    if (!good) break;
    if (!first && options_.between_orders) {
      options_.between_orders(module_);
      dependence_ = Dependence(derivative_edge);
      bodies_.forget();
    }
    first = false;
    for (Function* function : declared) good = canonicalise(*function) && good;
    good = good && build_called();
  }
  for (const auto& function : module_.functions()) function->adjoint = nullptr;
  module_.stage = Module::Stage::canonical;
  return good;
}

/// Builds what calls have asked for, which may ask for more.
bool Differentiation::build_called() {
  while (const Function* built = bodies_.build_next())
    if (!small_enough(*built)) return false;
  return true;
}

bool Differentiation::check_acyclic(const std::vector<Component>& components) {
  bool good = true;
  for (const Component& component : components)
    for (const Function* function : component.functions)
      if (component.recursive && function->gradient) {
        diagnostics_.report(differentiation::of_itself, function->gradient->place(), function->name());
        good = false;
      }
  return good;
}

bool Differentiation::small_enough(const Function& function) {
  if (instruction_count(function) <= options_.max_instructions) return true;
  diagnostics_.report(differentiation::too_large, function.place(), function.name(),
                      options_.max_instructions);
  return false;
}

/// The type that the declaration declares; nothing after reporting that it is not legal.
std::optional<Type> Differentiation::declared_type(const GradientDeclaration& declaration,
                                                   const Function& declared) {
  std::string why;
  auto type = gradient_type(declaration, why);
  if (type && !declares(declared.type(), *type))
    why = fmt::format("it is declared {}, and should be {}", declared.type().text(), type->text());
  if (why.empty()) why = hidden_values(*declaration.of);
  if (why.empty()) return type;
  diagnostics_.report(differentiation::illegal, declaration.place(), declared.name(), why);
  return std::nullopt;
}

/// Reports the derivatives that are missing. Returns false after an error.
bool Differentiation::has_derivatives(const Function& declared, const GradientDeclaration& declaration) {
  if (!options_.on_missing) return report_paths(declaration, dependence_, diagnostics_);
  std::vector<MissingDerivative> missing = missing_derivatives(declaration, dependence_);
  const bool good =
      std::ranges::all_of(missing, [](const auto& each) { return each.kind == Edge::detached; });
  if (!missing.empty()) options_.on_missing(declared, std::move(missing));
  return good;
}

/// Checks the declaration, and gives the function its type.
std::optional<Differentiation::Opening> Differentiation::open(Function& declared) {
  Opening opening{*declared.gradient, {}, {}};
  const GradientDeclaration& declaration = opening.declaration;
  const auto type = declared_type(declaration, declared);
  if (!type || (declaration.mode == Mode::forward && !check_transposable(declared, diagnostics_)) ||
      !has_derivatives(declared, declaration))
    return std::nullopt;
  unify_lists(type->parameters(), declared.type().parameters(), opening.names);
  declared.set_type(Type::function(declared.type().parameters(), type->result().substitute(opening.names)));
  opening.argument_names = argument_names(*declaration.of);
  opening.argument_names.resize(declaration.of->type().parameters().size());
  return opening;
}

bool Differentiation::canonicalise(Function& declared) {
  const auto opening = open(declared);
  if (!opening) return false;
  if (opening->declaration.mode == Mode::reverse)
    build_reverse(declared, *opening);
  else
    build_forward(declared, *opening);
  return small_enough(declared);
}

/// Returns the derivatives, and behind them what is kept of the results.
void Differentiation::close(Function& declared, const Opening& opening, Builder& b, Value* result,
                            std::vector<Value*> out) {
  const Function& of = *opening.declaration.of;
  for (const std::int64_t i : opening.declaration.keeping)
    out.push_back(element_of(b, result, static_cast<std::size_t>(i)));
  b.return_(b.tuple(std::move(out)));
  if (of.adjoint != nullptr) erase_unused(result);
  copy_requirements(declared, of, opening.names);
  remove_unused(declared);
  declared.gradient.reset();
}

void Differentiation::build_forward(Function& declared, const Opening& opening) {
  const auto& [declaration, names, names_of_arguments] = opening;
  const Function& of = *declaration.of;
  const Integers wrt = differentiated_arguments(declaration);
  std::vector<std::string> argument_names = names_of_arguments;
  for (const std::int64_t i : wrt) {
    const std::string& name = argument_names[static_cast<std::size_t>(i)];
    argument_names.push_back(name.empty() ? name : name + ".tangent");
  }
  BasicBlock* entry = declared.add_entry(argument_names);
  Builder b(*entry);
  const std::size_t parameters = of.type().parameters().size();
  std::vector<Value*> arguments;
  for (std::size_t i = 0; i < parameters; ++i) arguments.push_back(entry->arguments()[i].get());
  const std::vector<std::size_t> offsets = leaf_offsets(of.type().parameters());
  std::vector<Value*> tangents(offsets.back());
  for (std::size_t i = 0; i < wrt.size(); ++i) {
    std::vector<Value*> leaves;
    append_leaves(b, entry->arguments()[parameters + i].get(), leaves);
    std::ranges::copy(
        leaves, tangents.begin() + static_cast<std::ptrdiff_t>(offsets[static_cast<std::size_t>(wrt[i])]));
  }
  const Type result = of.type().result();
  const auto number = static_cast<std::size_t>(declaration.from);
  const std::size_t leaf = result.is_tuple() ? leaf_offset(result.elements(), number) : 0;
  std::vector<bool> from(leaf_count(result));
  from[leaf] = true;
  const BodyWithTangents body = bodies_.forward(b, of, arguments, tangents, names, from);

  b.set_locations({});
  Value* tangent = body.tangents[leaf];
  close(declared, opening, b, body.result,
        {tangent != nullptr ? tangent : zeros(b, results_of(of.type())[number].substitute(names))});
}

void Differentiation::build_reverse(Function& declared, const Opening& opening) {
  const auto& [declaration, names, names_of_arguments] = opening;
  const Function& of = *declaration.of;
  std::vector<std::string> argument_names = names_of_arguments;
  if (declaration.seedable) argument_names.push_back("seed");
  BasicBlock* entry = declared.add_entry(argument_names);
  std::vector<Value*> arguments;
  for (std::size_t i = 0; i < of.type().parameters().size(); ++i)
    arguments.push_back(entry->arguments()[i].get());

  Builder b(*entry);
  const std::vector<Type> results = results_of(of.type());
  const auto from = static_cast<std::size_t>(declaration.from);
  std::vector<Value*> seeds(leaf_count(of.type().result()));
  const std::size_t seeded =
      of.type().result().is_tuple() ? leaf_offset(of.type().result().elements(), from) : 0;
  seeds[seeded] = declaration.seedable ? static_cast<Value*>(entry->arguments().back().get())
                                       : ones(b, results[from].substitute(names));
  const Integers wrt = differentiated_arguments(declaration);
  const std::vector<std::size_t> offsets = leaf_offsets(of.type().parameters());
  const DerivativeBodies::Reverse body = bodies_.reverse(b, of, arguments, leaf_mask(offsets, wrt), names,
                                                         seeds, std::vector<Value*>(offsets.back()));

  b.set_locations({});
  std::vector<Value*> out;
  for (const std::int64_t i : wrt) {
    std::size_t at = offsets[static_cast<std::size_t>(i)];
    out.push_back(assembled(b, arguments[static_cast<std::size_t>(i)]->type(), body.cotangents, at));
  }
  close(declared, opening, b, body.result, std::move(out));
}

}  // namespace

bool differentiate(Module& module, Diagnostics& diagnostics, const DifferentiationOptions& options) {
  return Differentiation(module, diagnostics, options).run();
}

}  // namespace dlvm
