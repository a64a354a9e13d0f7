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
#include "dlvm/differentiate/custom_adjoint.h"
#include "dlvm/differentiate/declaration_orders.h"
#include "dlvm/differentiate/diagnostics.h"
#include "dlvm/differentiate/hidden_values.h"
#include "dlvm/differentiate/leaf_cotangents.h"
#include "dlvm/differentiate/paths.h"

namespace dlvm {
namespace {

std::size_t instruction_count(const Function& function) {
  std::size_t count = 0;
  for (const auto& block : function.blocks()) count += block->instructions().size();
  return count;
}

using Mode = GradientDeclaration::Mode;

class Differentiation : public Sweep::Calls {
 public:
  Differentiation(Module& module, Diagnostics& diagnostics, const DifferentiationOptions& options)
      : module_(module), diagnostics_(diagnostics), options_(options) {}

  bool run();
  const Function* adjoint(const Wanted& wanted) override;

 private:
  /// An adjoint that is to be built.
  struct Adjoint {
    Wanted wanted;
    Function* function = nullptr;
  };
  /// The body of `of` at the end of the builder's block, and the cotangents of its parameters' leaves (null:
  /// zero) from `seeds`, one a leaf of the result (null: zero). The builder stands behind all of it
  /// afterwards.
  using Body = CalledAdjoint;
  Body build(Builder& builder, const Function& of, const std::vector<Value*>& arguments,
             const std::vector<bool>& wrt, const Extent::Substitution& names,
             const std::vector<Value*>& seeds, const std::vector<Value*>& onto);
  bool check_acyclic(const std::vector<Component>& components);
  const std::string& name_in_messages(const Function& function) const;
  void declare_reverse_functions();
  std::optional<Type> declared_type(const GradientDeclaration& declaration, const Function& declared);
  bool canonicalise(Function& declared);
  bool canonicalise_reverse(Function& declared);
  bool canonicalise_forward(Function& declared);
  void build_adjoint(const Adjoint& adjoint);
  bool small_enough(const Function& function);

  Module& module_;
  Diagnostics& diagnostics_;
  DifferentiationOptions options_;
  Dependence dependence_{derivative_edge};
  std::map<Wanted, Function*> adjoints_;
  std::deque<Adjoint> pending_;
  /// For each function in forward mode, the function in reverse mode whose derivative by the seed it is. It
  /// is in the module while the pass runs.
  std::unordered_map<const Function*, const Function*> reverse_of_;
};

bool Differentiation::run() {
  declare_reverse_functions();
  const std::vector<Component> components = call_components(module_);
  if (!check_acyclic(components)) return false;
  bool good = true, first = true;
  for (const std::vector<Function*>& declared : declaration_orders(components)) {
    if (!good) break;
    if (!first && options_.between_orders) {
      options_.between_orders(module_);
      dependence_ = Dependence(derivative_edge);
      adjoints_.clear();
    }
    first = false;
    for (Function* function : declared) good = canonicalise(*function) && good;
    while (good && !pending_.empty()) {
      const Adjoint next = pending_.front();
      pending_.pop_front();
      build_adjoint(next);
      good = small_enough(*next.function);
    }
  }
  std::unordered_set<const Function*> reverse;
  for (const auto& [function, of] : reverse_of_) reverse.insert(of);
  module_.erase_functions(reverse);
  for (const auto& function : module_.functions()) function->adjoint = nullptr;
  module_.stage = Module::Stage::canonical;
  return good;
}

/// Declares, for each function in forward mode, the seedable function in reverse mode whose derivative by the
/// seed it is.
void Differentiation::declare_reverse_functions() {
  std::vector<Function*> forward;
  for (const auto& function : module_.functions())
    if (function->gradient && function->gradient->mode == Mode::forward) forward.push_back(function.get());
  for (Function* function : forward) {
    GradientDeclaration reverse = *function->gradient;
    reverse.mode = Mode::reverse;
    reverse.seedable = true;
    std::string why;
    const auto type = gradient_type(reverse, why);
    if (!type) continue;
    Function* added = module_.add_function(module_.fresh_name(function->name() + ".reverse"), *type);
    added->gradient = std::move(reverse);
    added->location = function->location;
    reverse_of_[function] = added;
  }
}

/// Returns the name of what the program declares: of a function that `declare_reverse_functions` added, that
/// of the function in forward mode.
const std::string& Differentiation::name_in_messages(const Function& function) const {
  for (const auto& [declared, reverse] : reverse_of_)
    if (reverse == &function) return declared->name();
  return function.name();
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
  diagnostics_.report(differentiation::too_large, function.place(), name_in_messages(function),
                      options_.max_instructions);
  return false;
}

Differentiation::Body Differentiation::build(Builder& builder, const Function& of,
                                             const std::vector<Value*>& arguments,
                                             const std::vector<bool>& wrt, const Extent::Substitution& names,
                                             const std::vector<Value*>& seeds,
                                             const std::vector<Value*>& onto) {
  if (of.adjoint != nullptr) return call_adjoint(builder, of, arguments, wrt, seeds, onto);
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

/// The type that the declaration declares; nothing after reporting that it is not legal.
std::optional<Type> Differentiation::declared_type(const GradientDeclaration& declaration,
                                                   const Function& declared) {
  std::string why;
  auto type = gradient_type(declaration, why);
  if (type && !declares(declared.type(), *type))
    why = fmt::format("it is declared {}, and should be {}", declared.type().text(), type->text());
  if (why.empty()) why = hidden_values(*declaration.of);
  if (why.empty()) return type;
  diagnostics_.report(differentiation::illegal, declaration.place(), name_in_messages(declared), why);
  return std::nullopt;
}

bool Differentiation::canonicalise(Function& declared) {
  return declared.gradient->mode == Mode::reverse ? canonicalise_reverse(declared)
                                                  : canonicalise_forward(declared);
}

bool Differentiation::canonicalise_forward(Function& declared) {
  const GradientDeclaration declaration = *declared.gradient;
  const auto type = declared_type(declaration, declared);
  if (!type || !check_transposable(declared, diagnostics_)) return false;
  const Function &primal = *declaration.of, &reverse = *reverse_of_.at(&declared);
  const Integers wrt = differentiated_arguments(declaration);
  const auto seed = static_cast<std::int64_t>(primal.type().parameters().size());
  for (std::size_t i = 0; i < wrt.size(); ++i) {
    GradientDeclaration step;
    step.of = &reverse;
    step.from = static_cast<std::int64_t>(i);
    step.wrt = Integers{seed};
    step.warned = true;
    step.location = declaration.location;
    step.written = declaration.written;
    if (!report_paths(step, dependence_, diagnostics_)) return false;
  }

  Extent::Substitution names;
  for (std::size_t i = 0; i < type->parameters().size(); ++i)
    unify(type->parameters()[i], declared.type().parameters()[i], names);
  declared.set_type(Type::function(declared.type().parameters(), type->result().substitute(names)));
  std::vector<std::string> argument_names;
  for (const auto& argument : primal.entry().arguments()) argument_names.push_back(argument->name());
  for (const std::int64_t i : wrt) {
    const std::string& of = argument_names[static_cast<std::size_t>(i)];
    argument_names.push_back(of.empty() ? of : of + ".tangent");
  }
  BasicBlock* entry = declared.add_entry(argument_names);
  Builder b(*entry);
  std::vector<Value*> arguments, seeds;
  for (std::size_t i = 0; i < primal.type().parameters().size(); ++i)
    arguments.push_back(entry->arguments()[i].get());
  for (std::size_t i = arguments.size(); i < entry->arguments().size(); ++i)
    append_leaves(b, entry->arguments()[i].get(), seeds);
  const Type tangent = reverse.type().parameters().back().substitute(names);
  // The derivative by the seed does not depend on the seed, which may be zero. But a literal has no
  // cotangent, so an instruction stands for it until there is one.
  Value* zero_seed = zeros(b, tangent);
  Instruction* seed_value = as_instruction(b.unary(Opcode::detach, zero_seed));
  arguments.push_back(seed_value);
  seeds.resize(leaf_count(reverse.type().result()));
  const std::vector<std::size_t> offsets = leaf_offsets(reverse.type().parameters());
  const Body body = build(b, reverse, arguments, leaf_mask(offsets, {seed}), names, seeds,
                          std::vector<Value*>(offsets.back()));

  b.set_locations({});
  Value* result = body.cotangents.back();
  std::vector<Value*> out{result != nullptr ? result : zeros(b, tangent)};
  for (std::size_t k = 0; k < declaration.keeping.size(); ++k)
    out.push_back(element_of(b, body.result, wrt.size() + k));
  b.return_(b.tuple(std::move(out)));
  replace_all_uses(*seed_value, *zero_seed);
  copy_requirements(declared, reverse, names);
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
  if (of.adjoint != nullptr) erase_unused(body.result);
  copy_requirements(declared, of, names);
  remove_unused(declared);
  declared.gradient.reset();
  return small_enough(declared);
}

const Function* Differentiation::adjoint(const Wanted& wanted) {
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

void Differentiation::build_adjoint(const Adjoint& adjoint) {
  const Wanted& wanted = adjoint.wanted;
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
  if (of.adjoint != nullptr) erase_unused(body.result);
  copy_requirements(*adjoint.function, of, {});
  remove_unused(*adjoint.function);
}

}  // namespace

bool differentiate(Module& module, Diagnostics& diagnostics, const DifferentiationOptions& options) {
  return Differentiation(module, diagnostics, options).run();
}

}  // namespace dlvm
