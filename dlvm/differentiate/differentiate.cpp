#include "dlvm/differentiate/differentiate.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/call_graph.h"
#include "dlvm/analysis/gradient_type.h"
#include "dlvm/analysis/leaves.h"
#include "dlvm/differentiate/adjoint_graph.h"
#include "dlvm/differentiate/copy_body.h"
#include "dlvm/differentiate/declaration_orders.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/hidden_values.h"
#include "dlvm/differentiate/leaf_cotangents.h"
#include "dlvm/differentiate/paths.h"
#include "dlvm/differentiate/tangents.h"

namespace dlvm {
namespace {

std::size_t instruction_count(const Function& function) {
  std::size_t count = 0;
  for (const auto& block : function.blocks()) count += block->instructions().size();
  return count;
}

using Mode = GradientDeclaration::Mode;

class Differentiation : public Sweep::Calls, public TangentCalls {
 public:
  Differentiation(Module& module, Diagnostics& diagnostics, const DifferentiationOptions& options)
      : module_(module), diagnostics_(diagnostics), options_(options) {}

  bool run();
  const Function* adjoint(const Sweep::Calls::Wanted& wanted) override;
  const Function* with_tangents(const TangentCalls::Wanted& wanted) override;

 private:
  /// A function that is to be built for a call.
  template <typename Key>
  struct Called {
    Key wanted;
    Function* function = nullptr;
  };
  using Adjoint = Called<Sweep::Calls::Wanted>;
  using WithTangents = Called<TangentCalls::Wanted>;
  /// The body of `of` at the end of the builder's block, and the cotangents of its parameters' leaves (null:
  /// zero) from `seeds`, one a leaf of the result (null: zero). The builder stands behind all of it
  /// afterwards.
  struct Body {
    Value* result;
    std::vector<Value*> cotangents;
  };
  Body build(Builder& builder, const Function& of, const std::vector<Value*>& arguments,
             const std::vector<bool>& wrt, const Extent::Substitution& names,
             const std::vector<Value*>& seeds, const std::vector<Value*>& onto);
  /// The body of `of` with the tangents of its result's leaves in `from`, in the same way.
  BodyWithTangents build_forward(Builder& builder, const Function& of, const std::vector<Value*>& arguments,
                                 const std::vector<Value*>& tangents, const Extent::Substitution& names,
                                 const std::vector<bool>& from);
  bool check_acyclic(const std::vector<Component>& components);
  std::optional<Type> declared_type(const GradientDeclaration& declaration, const Function& declared);
  bool canonicalise(Function& declared);
  bool canonicalise_reverse(Function& declared);
  bool canonicalise_forward(Function& declared);
  void build(const Adjoint& adjoint);
  void build(const WithTangents& called);
  template <typename Key>
  bool build_pending(std::deque<Called<Key>>& pending);
  bool small_enough(const Function& function);

  Module& module_;
  Diagnostics& diagnostics_;
  DifferentiationOptions options_;
  Dependence dependence_{derivative_edge};
  std::map<Sweep::Calls::Wanted, Function*> adjoints_;
  std::map<TangentCalls::Wanted, Function*> with_tangents_;
  std::deque<Adjoint> pending_;
  std::deque<WithTangents> pending_tangents_;
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
      adjoints_.clear();
      with_tangents_.clear();
    }
    first = false;
    for (Function* function : declared) good = canonicalise(*function) && good;
    good = good && build_pending(pending_) && build_pending(pending_tangents_);
  }
  module_.stage = Module::Stage::canonical;
  return good;
}

/// Builds what calls have asked for, which may ask for more.
template <typename Key>
bool Differentiation::build_pending(std::deque<Called<Key>>& pending) {
  while (!pending.empty()) {
    const Called<Key> next = pending.front();
    pending.pop_front();
    build(next);
    if (!small_enough(*next.function)) return false;
  }
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

Differentiation::Body Differentiation::build(Builder& builder, const Function& of,
                                             const std::vector<Value*>& arguments,
                                             const std::vector<bool>& wrt, const Extent::Substitution& names,
                                             const std::vector<Value*>& seeds,
                                             const std::vector<Value*>& onto) {
  const std::unique_ptr<Function> loop =
      options_.without_recursion ? options_.without_recursion(of) : nullptr;
  const BodyCopy copy = copy_body(builder, loop ? *loop : of, arguments, names);
  const Type type = of.type().result().substitute(names);
  if (copy.exit == nullptr) {  // what stands behind it is never reached
    builder = Builder(*builder.function().add_block("unreached"));
    std::size_t at = 0;
    const std::vector<Value*> none(leaf_count(type));
    return {assembled(builder, type, none, at), onto};
  }
  return {copy.result, build_cotangents(builder, {copy, arguments, wrt, seeds, onto}, dependence_, *this)};
}

BodyWithTangents Differentiation::build_forward(Builder& builder, const Function& of,
                                                const std::vector<Value*>& arguments,
                                                const std::vector<Value*>& tangents,
                                                const Extent::Substitution& names,
                                                const std::vector<bool>& from) {
  const std::unique_ptr<Function> loop =
      options_.without_recursion ? options_.without_recursion(of) : nullptr;
  const BodyCopy copy = copy_body(builder, loop ? *loop : of, arguments, names);
  const Type type = of.type().result().substitute(names);
  if (copy.exit == nullptr) {  // what stands behind it is never reached
    builder = Builder(*builder.function().add_block("unreached"));
    std::size_t at = 0;
    return {assembled(builder, type, std::vector<Value*>(from.size()), at), std::vector<Value*>(from.size())};
  }
  BodyWithTangents body =
      build_tangents(builder.function(), {copy, arguments, tangents, from}, dependence_, *this);
  builder = Builder(*copy.exit);
  return body;
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

bool Differentiation::canonicalise(Function& declared) {
  return declared.gradient->mode == Mode::reverse ? canonicalise_reverse(declared)
                                                  : canonicalise_forward(declared);
}

bool Differentiation::canonicalise_forward(Function& declared) {
  const GradientDeclaration declaration = *declared.gradient;
  const Function& of = *declaration.of;
  const auto type = declared_type(declaration, declared);
  if (!type || !report_paths(declaration, dependence_, diagnostics_)) return false;

  Extent::Substitution names;
  for (std::size_t i = 0; i < type->parameters().size(); ++i)
    unify(type->parameters()[i], declared.type().parameters()[i], names);
  declared.set_type(Type::function(declared.type().parameters(), type->result().substitute(names)));
  const Integers wrt = differentiated_arguments(declaration);
  std::vector<std::string> argument_names;
  for (const auto& argument : of.entry().arguments()) argument_names.push_back(argument->name());
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
  const BodyWithTangents body = build_forward(b, of, arguments, tangents, names, from);

  b.set_locations({});
  Value* tangent = body.tangents[leaf];
  std::vector<Value*> out{tangent != nullptr ? tangent
                                             : zeros(b, results_of(of.type())[number].substitute(names))};
  for (const std::int64_t i : declaration.keeping)
    out.push_back(element_of(b, body.result, static_cast<std::size_t>(i)));
  b.return_(b.tuple(std::move(out)));
  copy_requirements(declared, of, names);
  remove_unused(declared);
  declared.gradient.reset();
  return small_enough(declared);
}

bool Differentiation::canonicalise_reverse(Function& declared) {
  const GradientDeclaration declaration = *declared.gradient;
  const Function& of = *declaration.of;
  const auto type = declared_type(declaration, declared);
  if (!type || !report_paths(declaration, dependence_, diagnostics_)) return false;

  Extent::Substitution names;
  for (std::size_t i = 0; i < type->parameters().size(); ++i)
    unify(type->parameters()[i], declared.type().parameters()[i], names);
  declared.set_type(Type::function(declared.type().parameters(), type->result().substitute(names)));
  std::vector<std::string> argument_names;
  for (const auto& argument : of.entry().arguments()) argument_names.push_back(argument->name());
  if (declaration.seedable) argument_names.push_back("cotangent");
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
  const Body body =
      build(b, of, arguments, leaf_mask(offsets, wrt), names, seeds, std::vector<Value*>(offsets.back()));

  b.set_locations({});
  std::vector<Value*> out;
  for (const std::int64_t i : wrt) {
    std::size_t at = offsets[static_cast<std::size_t>(i)];
    out.push_back(assembled(b, arguments[static_cast<std::size_t>(i)]->type(), body.cotangents, at));
  }
  for (const std::int64_t i : declaration.keeping)
    out.push_back(element_of(b, body.result, static_cast<std::size_t>(i)));
  b.return_(b.tuple(std::move(out)));
  copy_requirements(declared, of, names);
  remove_unused(declared);
  declared.gradient.reset();
  return small_enough(declared);
}

const Function* Differentiation::adjoint(const Sweep::Calls::Wanted& wanted) {
  Function*& known = adjoints_[wanted];
  if (known != nullptr) return known;
  const Function& callee = *wanted.callee;
  std::vector<Type> parameters = callee.type().parameters(), derivatives;
  const std::vector<Type> inputs = leaves(Type::tuple(parameters)), results = leaves(callee.type().result());
  for (std::size_t i = 0; i < results.size(); ++i)
    if (wanted.from[i]) parameters.push_back(results[i]);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (wanted.wrt[i]) derivatives.push_back(inputs[i]);
    if (wanted.onto[i]) parameters.push_back(inputs[i]);
  }
  known = module_.add_function(module_.fresh_name(callee.name() + ".adjoint"),
                               Type::function(std::move(parameters), Type::tuple(std::move(derivatives))));
  known->attributes = callee.attributes;
  known->location = callee.location;
  pending_.push_back({wanted, known});
  return known;
}

void Differentiation::build(const Adjoint& adjoint) {
  const Sweep::Calls::Wanted& wanted = adjoint.wanted;
  const Function& of = *wanted.callee;
  std::vector<std::string> names;
  for (const auto& argument : of.entry().arguments()) names.push_back(argument->name());
  BasicBlock* entry = adjoint.function->add_entry(names);
  std::vector<Value*> arguments;
  std::size_t next = 0;
  const auto take = [&] { return static_cast<Value*>(entry->arguments()[next++].get()); };
  const auto take_each = [&](const std::vector<bool>& mask) {
    std::vector<Value*> values;
    for (const bool taken : mask) values.push_back(taken ? take() : nullptr);
    return values;
  };
  while (next < of.type().parameters().size()) arguments.push_back(take());
  const auto seeds = take_each(wanted.from), onto = take_each(wanted.onto);
  Builder b(*entry);
  const Body body = build(b, of, arguments, wanted.wrt, {}, seeds, onto);
  b.set_locations({});
  const std::vector<Type> types = leaves(Type::tuple(of.type().parameters()));
  std::vector<Value*> out;
  for (std::size_t i = 0; i < wanted.wrt.size(); ++i)
    if (wanted.wrt[i]) out.push_back(body.cotangents[i] != nullptr ? body.cotangents[i] : zeros(b, types[i]));
  b.return_(b.tuple(std::move(out)));
  copy_requirements(*adjoint.function, of, {});
  remove_unused(*adjoint.function);
}

const Function* Differentiation::with_tangents(const TangentCalls::Wanted& wanted) {
  Function*& known = with_tangents_[wanted];
  if (known != nullptr) return known;
  const Function& callee = *wanted.callee;
  std::vector<Type> parameters = callee.type().parameters(), returned{callee.type().result()};
  const std::vector<Type> inputs = leaves(Type::tuple(parameters)), results = leaves(callee.type().result());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (wanted.wrt[i]) parameters.push_back(inputs[i]);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (wanted.from[i]) returned.push_back(results[i]);
  known = module_.add_function(module_.fresh_name(callee.name() + ".tangent"),
                               Type::function(std::move(parameters), Type::tuple(std::move(returned))));
  known->attributes = callee.attributes;
  known->location = callee.location;
  pending_tangents_.push_back({wanted, known});
  return known;
}

void Differentiation::build(const WithTangents& called) {
  const auto& [wanted, function] = called;
  const Function& of = *wanted.callee;
  std::vector<std::string> names;
  for (const auto& argument : of.entry().arguments()) names.push_back(argument->name());
  BasicBlock* entry = function->add_entry(names);
  std::vector<Value*> arguments, tangents;
  std::size_t next = 0;
  while (next < of.type().parameters().size()) arguments.push_back(entry->arguments()[next++].get());
  for (const bool has_tangent : wanted.wrt)
    tangents.push_back(has_tangent ? entry->arguments()[next++].get() : nullptr);
  Builder b(*entry);
  const BodyWithTangents body = build_forward(b, of, arguments, tangents, {}, wanted.from);
  b.set_locations({});
  const std::vector<Type> types = leaves(of.type().result());
  std::vector<Value*> out{body.result};
  for (std::size_t i = 0; i < types.size(); ++i)
    if (wanted.from[i]) out.push_back(body.tangents[i] != nullptr ? body.tangents[i] : zeros(b, types[i]));
  b.return_(b.tuple(std::move(out)));
  copy_requirements(*function, of, {});
  remove_unused(*function);
}

}  // namespace

bool differentiate(Module& module, Diagnostics& diagnostics, const DifferentiationOptions& options) {
  return Differentiation(module, diagnostics, options).run();
}

}  // namespace dlvm
