#include "frontend/lower/entries.h"

#include <algorithm>
#include <unordered_set>

#include "dlvm/analysis/gradient_type.h"
#include "dlvm/support/internal_error.h"
#include "frontend/check/declarations/outer_parts.h"
#include "frontend/check/declarations/reach.h"
#include "frontend/lower/keys.h"
#include "frontend/lower/recurrence.h"
#include "frontend/lower/step.h"

namespace frontend::lower {
namespace {

using check::Entry;
using check::Program;
using dlvm::ElementType;
using dlvm::EntryKind;
using dlvm::EntryPoint;
using dlvm::Type;
using Declarations = std::vector<const Declaration*>;

dlvm::ArgumentRole argument_role(const Declaration& d) {
  if (d.role() == ast::Role::param) return dlvm::ArgumentRole::parameter;
  if (d.role() == ast::Role::state) return dlvm::ArgumentRole::state;
  return d.role() == ast::Role::constant ? dlvm::ArgumentRole::constant : dlvm::ArgumentRole::input;
}

dlvm::ResultRole result_role(const Entry& entry, const Declaration& d) {
  if (d.state != nullptr) return dlvm::ResultRole::next;
  if (entry.kind == EntryKind::named_gradient) return dlvm::ResultRole::kept;
  if (d.role() == ast::Role::metric) return dlvm::ResultRole::metric;
  return d.role() == ast::Role::loss ? dlvm::ResultRole::loss : dlvm::ResultRole::output;
}

/// The type that holds the sum of values of these types.
ElementType common_element(const Declarations& values) {
  ElementType element = values.front()->type.element.type;
  for (const Declaration* each : values) {
    const ElementType other = each->type.element.type;
    if (other == element) continue;
    const bool wide = element == ElementType::f64 || other == ElementType::f64;
    element = wide ? ElementType::f64 : ElementType::f32;
  }
  return element;
}

/// Makes one entry point.
class EntryLowering {
 public:
  EntryLowering(const Program& program, const Entry& entry, Functions& functions, dlvm::Module& module)
      : program_(program), entry_(entry), functions_(functions), module_(module) {
    // What the updates need is computed beside the losses.
    if (entry.optimizer != nullptr)
      entry_.results.insert(entry_.results.end(), entry.optimizer->arguments.begin(),
                            entry.optimizer->arguments.end());
  }

  void run() {
    find_needed();
    describe_arguments();
    const bool differentiates = !entry_.wrt.empty();
    if (differentiates && differentiated().empty()) return;
    dlvm::Function* function = primal(differentiates ? entry_.name + ".primal" : entry_.name);
    if (differentiates) function = gradient_of(*function);
    if (entry_.optimizer != nullptr)
      function = lower_step({*entry_.optimizer, entry_, *function, given_, draws_}, functions_);
    else
      for (const Declaration* d : entry_.wrt)
        point_.results.push_back({dlvm::ResultRole::derivative, d->name, d->syntax->doc});
    for (const Declaration* d : entry_.results)
      if (!is_argument_of_update(d))
        point_.results.push_back({result_role(entry_, *d), (d->state ? d->state : d)->name, d->syntax->doc,
                                  d->state ? std::vector<std::string>{} : check::types_around(*d)});
    if (entry_.optimizer != nullptr)
      for (const Declaration* d : updated(*entry_.optimizer))
        point_.results.push_back({dlvm::ResultRole::next, d->name, d->syntax->doc});
    point_.kind = entry_.kind;
    point_.name = entry_.name;
    point_.function = function->name();
    point_.doc = entry_.doc;
    point_.location = entry_.location;
    module_.entries.push_back(std::move(point_));
  }

 private:
  /// What the results depend on: the inputs, parameters, constants and states are the arguments.
  void find_needed() {
    Declarations roots;
    for (const Declarations* some : {&entry_.results, &entry_.losses, &entry_.seeded, &entry_.wrt})
      roots.insert(roots.end(), some->begin(), some->end());
    needed_ = check::reached(roots);
    // Callers give the whole struct of which a tensor is needed.
    for (const Declaration* d : needed_)
      if (d->structure != nullptr && d->is_given())
        roots.insert(roots.end(), d->structure->tensors.begin(), d->structure->tensors.end());
    needed_ = check::reached(roots);
    for (const dlvm::ArgumentRole role : {dlvm::ArgumentRole::input, dlvm::ArgumentRole::parameter,
                                          dlvm::ArgumentRole::constant, dlvm::ArgumentRole::state})
      for (const Declaration& d : program_.declarations)
        if (needed_.contains(&d) && d.is_given() && argument_role(d) == role) given_.push_back(&d);
    for (const Declaration* d : entry_.wrt)
      if (!d->is_given()) perturbed_.push_back(d);
    draws_ = std::ranges::any_of(needed_, [&](const Declaration* d) {
      return !d->is_given() && happens(lower::draws(d->body), entry_.training);
    });
  }

  void describe_arguments() {
    for (const Declaration* d : given_)
      point_.arguments.push_back(
          {argument_role(*d), d->name, d->syntax->doc,
           d->role() == ast::Role::param ? std::vector<std::string>{} : check::types_around(*d)});
    if (entry_.optimizer != nullptr)
      for (const Declaration* d : memory_of(*entry_.optimizer))
        point_.arguments.push_back({argument_role(*d), d->name, d->syntax->doc});
    if (draws_) point_.arguments.push_back({dlvm::ArgumentRole::seed, "seed", ""});
    for (const Declaration* d : entry_.seeded)
      point_.arguments.push_back({dlvm::ArgumentRole::cotangent, d->name, d->syntax->doc});
  }

  // What is differentiated is one value: the loss, the sum of the losses, the one seeded out, or (where there
  // are several) the sum of the outs' products with their cotangents, which are then arguments of the primal.
  // An intermediate value that is differentiated by has an argument, zero, that is added to it.
  dlvm::Function* primal(const std::string& name) {
    std::vector<Type> parameters, results;
    std::vector<std::string> names;
    const auto parameter = [&](std::string argument, Type type) {
      names.push_back(std::move(argument));
      parameters.push_back(std::move(type));
    };
    for (const Declaration* d : given_) parameter(d->name, d->type.dlvm());
    for (const Declaration* d : perturbed_) parameter("change_of_" + d->name, d->type.dlvm());
    if (draws_) parameter("seed", Type::scalar(ElementType::u64));
    if (seeds_inside())
      for (const Declaration* d : entry_.seeded) parameter("cotangent_of_" + d->name, d->type.dlvm());

    const bool differentiates = !entry_.wrt.empty();
    const bool sums =
        differentiates && (entry_.losses.size() > 1 || seeds_inside() || factor_of_loss() != nullptr);
    if (differentiates && !sums) {
      const auto found = std::find(entry_.results.begin(), entry_.results.end(), differentiated().front());
      extra_ = found == entry_.results.end();
      from_ = extra_ ? 0 : found - entry_.results.begin();
    }
    if (sums) extra_ = true;
    if (sums)
      results.push_back(Type::scalar(common_element(differentiated())));
    else if (extra_)
      results.push_back(differentiated().front()->type.dlvm());
    for (const Declaration* d : entry_.results) results.push_back(d->type.dlvm());

    dlvm::Function* function = functions_.add(name, Type::function(parameters, Type::tuple(results)));
    function->location = entry_.location;
    function->add_entry(names);
    BodyLowering body(functions_, *function, entry_.training);
    const auto argument = [&](std::size_t i) { return function->entry().arguments()[i].get(); };
    for (std::size_t i = 0; i < given_.size(); ++i) body.set(*given_[i], argument(i));
    // Loops of the network may take nodes of a tree.
    for (const Declaration* d : program_.order)
      if (needed_.contains(d) && !d->is_given()) body.build_trees(d->body);
    RecurrenceLowering recurrences(program_, needed_, body,
                                   draws_ ? argument(given_.size() + perturbed_.size()) : nullptr);
    for (const Declaration* d : program_.order) {
      if (!needed_.contains(d) || d->is_given()) continue;
      require(*function, d->body);
      if (d->recurrence != nullptr) continue;  // a value of each step, which its block computes
      if (!d->is_computed_constant() || is_named(d)) recurrences.build(*d);
      const auto change = std::find(perturbed_.begin(), perturbed_.end(), d);
      if (change == perturbed_.end()) continue;
      const auto index = given_.size() + static_cast<std::size_t>(change - perturbed_.begin());
      body.set(*d, body.builder().add(body.value(*d), argument(index)));
    }
    std::vector<dlvm::Value*> values;
    if (sums)
      values.push_back(
          sum(body, differentiated(), given_.size() + perturbed_.size() + (draws_ ? 1 : 0), argument));
    else if (extra_)
      values.push_back(body.value(*differentiated().front()));
    for (const Declaration* d : entry_.results) values.push_back(body.value(*d));
    body.builder().set_locations({});
    body.builder().return_(body.builder().tuple(std::move(values)));
    body.finish();
    return function;
  }

  /// The losses, and the values that a cotangent is given for; empty where there is neither.
  Declarations differentiated() const {
    Declarations all = entry_.losses;
    all.insert(all.end(), entry_.seeded.begin(), entry_.seeded.end());
    return all;
  }
  /// Whether the cotangents are arguments of what is differentiated.
  bool seeds_inside() const {
    return entry_.seeded.size() > 1 || (!entry_.seeded.empty() && !entry_.losses.empty());
  }

  /// What the loss is multiplied by before it is differentiated; null for 1.
  const Declaration* factor_of_loss() const {
    return entry_.optimizer != nullptr ? entry_.optimizer->factor : nullptr;
  }

  bool is_argument_of_update(const Declaration* d) const {
    return entry_.optimizer != nullptr &&
           std::ranges::find(entry_.optimizer->arguments, d) != entry_.optimizer->arguments.end();
  }

  /// Returns whether the entry point returns the value, differentiates it, or differentiates by it.
  bool is_named(const Declaration* d) const {
    const auto holds = [&](const Declarations& all) { return std::ranges::find(all, d) != all.end(); };
    return holds(entry_.results) || holds(entry_.losses) || holds(entry_.seeded) || holds(entry_.wrt);
  }

  template <typename ArgumentOf>
  dlvm::Value* sum(BodyLowering& body, const Declarations& parts, std::size_t first_cotangent,
                   ArgumentOf argument) {
    dlvm::Builder& builder = body.builder();
    const ElementType element = common_element(parts);
    dlvm::Value* total = nullptr;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      builder.set_locations({parts[i]->location});
      const auto widened = [&](dlvm::Value* x) {
        return x->type().element() == element ? x : builder.cast(x, element);
      };
      dlvm::Value* part = widened(body.value(*parts[i]));
      if (i >= entry_.losses.size()) {
        part = builder.multiply(part, widened(argument(first_cotangent + i - entry_.losses.size())));
        dlvm::Integers axes;
        for (std::size_t axis = 0; axis < part->type().rank(); ++axis)
          axes.push_back(static_cast<std::int64_t>(axis));
        part = builder.sum(part, axes);
      }
      total = total == nullptr ? part : builder.add(total, part);
    }
    if (const Declaration* factor = factor_of_loss()) {
      dlvm::Value* by = builder.unary(dlvm::Opcode::detach, body.value(*factor));
      if (by->type().element() != element) by = builder.cast(by, element);
      total = builder.multiply(total, by);
    }
    return total;
  }

  static void require(dlvm::Function& function, const Body& body) {
    for (const dlvm::Requirement& requirement : body.requirements)
      dlvm::add_requirement(function.requirements, requirement);
  }

  dlvm::Function* declare(const dlvm::Function& primal, const std::string& name) {
    dlvm::GradientDeclaration declaration;
    declaration.of = &primal;
    declaration.from = from_;
    declaration.location = entry_.location.valid() ? entry_.location : differentiated().front()->location;
    declaration.seedable = entry_.seeded.size() == 1 && !seeds_inside();
    dlvm::Integers wrt;
    for (const Declaration* d : entry_.wrt) {
      const Declarations& list = d->is_given() ? given_ : perturbed_;
      const auto index = std::find(list.begin(), list.end(), d) - list.begin();
      wrt.push_back(d->is_given() ? index : static_cast<std::ptrdiff_t>(given_.size()) + index);
    }
    declaration.wrt = std::move(wrt);
    for (std::size_t i = 0; i < entry_.results.size(); ++i)
      declaration.keeping.push_back(static_cast<std::int64_t>(i + (extra_ ? 1 : 0)));
    std::string why;
    const auto type = dlvm::gradient_type(declaration, why);
    if (!type) dlvm::internal_error("lowered gradient declaration: " + why);
    dlvm::Function* function = functions_.add(name, *type);
    function->location = entry_.location;
    function->gradient = std::move(declaration);
    return function;
  }

  /// The gradient's function; where intermediate values are differentiated by, one around it that passes
  /// zeros.
  dlvm::Function* gradient_of(const dlvm::Function& primal) {
    if (perturbed_.empty())
      return declare(primal, entry_.optimizer != nullptr ? entry_.name + ".gradient" : entry_.name);
    std::vector<Type> parameters;
    std::vector<std::string> names;
    for (const Declaration* d : given_) parameters.push_back(d->type.dlvm()), names.push_back(d->name);
    if (draws_) parameters.push_back(Type::scalar(ElementType::u64)), names.emplace_back("seed");
    for (const Declaration* d : entry_.seeded)
      parameters.push_back(d->type.dlvm()), names.push_back("cotangent_of_" + d->name);
    dlvm::Function* derivative = declare(primal, entry_.name + ".derivative");
    dlvm::Function* function =
        functions_.add(entry_.name, Type::function(std::move(parameters), derivative->type().result()));
    function->location = entry_.location;
    function->requirements = primal.requirements;
    function->add_entry(names);
    dlvm::Builder builder(function->entry());
    builder.set_locations({entry_.location});
    std::vector<dlvm::Value*> arguments;
    for (std::size_t i = 0; i < given_.size(); ++i)
      arguments.push_back(function->entry().arguments()[i].get());
    for (const Declaration* d : perturbed_) arguments.push_back(function->splat(d->type.dlvm(), 0));
    for (std::size_t i = given_.size(); i < function->entry().arguments().size(); ++i)
      arguments.push_back(function->entry().arguments()[i].get());
    builder.return_(builder.apply(derivative, std::move(arguments)));
    return function;
  }

  const Program& program_;
  Entry entry_;
  Functions& functions_;
  dlvm::Module& module_;
  std::unordered_set<const Declaration*> needed_;
  Declarations given_;      ///< arguments
  Declarations perturbed_;  ///< intermediate values that are differentiated by
  bool draws_ = false;      ///< random numbers: it takes a seed
  bool extra_ = false;      ///< what is differentiated is no result: it is returned before them
  std::int64_t from_ = 0;
  EntryPoint point_;
};

}  // namespace

void lower_entry(const Program& program, const Entry& entry, Functions& functions, dlvm::Module& module) {
  EntryLowering(program, entry, functions, module).run();
}

}  // namespace frontend::lower
