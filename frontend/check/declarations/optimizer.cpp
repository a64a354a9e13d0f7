// `optimize with adam(rate: 0.001)`: the call of the optimizer's function for each parameter, and the states
// that are its memory.
#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <unordered_map>

#include "frontend/check/calls/call.h"
#include "frontend/check/checker.h"
#include "frontend/check/declarations/optimizer_call.h"
#include "frontend/check/declarations/scaling.h"
#include "frontend/check/diagnostics/optimizer_diagnostics.h"
#include "frontend/check/diagnostics/scale_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/local_values.h"
#include "frontend/check/functions/signature.h"
#include "frontend/check/types/elements.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

/// The type in which a parameter is updated, and that of its memory.
ElementType wide(ElementType element) {
  return element == ElementType::f64 ? ElementType::f64 : ElementType::f32;
}

class OptimizerChecker {
 public:
  OptimizerChecker(Program& program, const ast::Optimize& syntax, dlvm::Diagnostics& diagnostics)
      : program_(program), scope_(program.main()), syntax_(syntax), diagnostics_(diagnostics) {}

  /// Fills `program.optimizer`. Returns the declarations to check, in order; none after an error.
  std::vector<Declaration*> run() {
    const bool trains = find_tensors();
    auto call = find_optimizer(scope_, syntax_, diagnostics_);
    if (!call || !trains) return {};
    call_ = std::move(*call);
    Optimizer& made = program_.optimizer.emplace();
    made.syntax = &syntax_;
    made.function = call_.function;
    make_numbers();
    std::vector<Declaration*> all{next_count_, step_};
    for (const ast::Argument* argument : call_.hyper) all.push_back(make_hyper(*argument));
    made.arguments.assign(all.begin() + 2, all.end());
    if (syntax_.scaling && !make_scaling(all)) return {};
    for (Declaration* parameter : parameters_) all.push_back(make_update(*parameter));
    return all;
  }

  /// Enters the states in the program, once it is known what is used.
  void finish() {
    Optimizer& made = *program_.optimizer;
    for (auto each = made.declarations.begin(); each != made.declarations.end(); ++each)
      places_.emplace(&*each, each);
    if (step_->used) {
      made.count = count_;
      made.arguments.push_back(step_);
      store(count_);
    }
    for (std::size_t i = 0; i < call_.form.memory.size(); ++i)
      for (Optimizer::Update& update : made.updates) store(update.memory[i]);
    if (made.dynamic) store(made.dynamic->factor), store(made.dynamic->steps);
  }

 private:
  void store(Declaration* state) {
    program_.declarations.splice(program_.declarations.end(), program_.optimizer->declarations,
                                 places_.at(state));
  }

  bool find_tensors() {
    bool loss = false, complete = true;
    std::string minimized = "L";  // what has the name of a loss, and not the role
    for (Declaration& d : program_.declarations) {
      if (!d.scope->main) continue;
      if ((d.name == "loss" || d.name == "Loss") && d.role() == ast::Role::hidden) minimized = d.name;
      loss = loss || d.role() == ast::Role::loss;
      if (d.role() == ast::Role::param) parameters_.push_back(&d);
      complete = complete && !(d.role() == ast::Role::param && d.failed);
    }
    const auto missing = [&](std::string_view role, std::string fix) {
      diagnostics_.report(nothing_to_optimize, syntax_.location, role).fix(std::move(fix));
      complete = false;
    };
    if (!loss) missing("loss", fmt::format("declare what is to be minimized: {}: loss = ...", minimized));
    // The params of nets are missing where these have mistakes.
    const bool has_all = std::ranges::all_of(
        program_.net_instances, [](const NetInstance& instance) { return instance.type != nullptr; });
    if (parameters_.empty() && !has_all) complete = false;
    if (parameters_.empty() && has_all)
      missing("param", "declare what is to be trained: W: param[4 x 3] = glorot()");
    const auto taken = [&](Location where) {
      diagnostics_.report(optimizer_name_taken, where, "optimizer")
          .note(syntax_.location, "'optimize' stands here")
          .fix("give it another name");
      complete = false;
    };
    if (const auto value = scope_.values.find("optimizer"); value != scope_.values.end())
      taken(value->second->location);
    if (const auto net = scope_.instances.find("optimizer"); net != scope_.instances.end())
      taken(net->second->location);
    return complete;
  }

  // ------------------------------------------------------------------------------------- declarations

  Declaration& declare(std::string name, ast::Role role, std::string doc = "") {
    Optimizer& made = *program_.optimizer;
    ast::Declaration& syntax = made.syntaxes.emplace_back();
    syntax.location = syntax.type.location = syntax_.location;
    syntax.role = role;
    syntax.doc = std::move(doc);
    Declaration& d = made.declarations.emplace_back();
    d.name = std::move(name);
    d.location = syntax_.location;
    d.syntax = &syntax;
    d.scope = &scope_;
    return d;
  }

  /// A value that the compiler supplies, or stores.
  Declaration& given(std::string name, ast::Role role, Type type, std::string doc = "") {
    Declaration& d = declare(std::move(name), role, std::move(doc));
    d.type = std::move(type);
    d.done = true;
    return d;
  }

  ElementType widest() const {
    const bool any = std::ranges::any_of(
        parameters_, [](const Declaration* p) { return p->type.element.type == ElementType::f64; });
    return any ? ElementType::f64 : ElementType::f32;
  }

  /// The count of steps, its next value, and that as a floating-point number; the norm.
  void make_numbers() {
    count_ = &given("optimizer.step", ast::Role::state, {ElementType::i64, {}}, "The number of steps taken.");
    next_count_ = &declare("optimizer.step'", ast::Role::hidden);
    next_count_->state = count_;
    count_->next = next_count_;
    next_count_->make = [count = count_](BodyContext& context, Declaration& d) {
      Node* before = make_reference(context, *count, d.location);
      Node* one = make_constant(context, Number(1), ElementType::i64, d.location);
      Node* sum = make_operation(context, dlvm::Opcode::add, {before, one}, {}, d.location);
      if (finish_body(context, sum, ElementType::i64)) d.type = sum->type, d.body = std::move(context.body);
    };
    step_ = &declare("optimizer.number", ast::Role::hidden);
    step_->make = [next = next_count_, type = widest()](BodyContext& context, Declaration& d) {
      Node* number = make_reference(context, *next, d.location);
      if (number == nullptr) return;
      number = make_conversion(context, number, type, d.location);
      if (finish_body(context, number, type)) d.type = number->type, d.body = std::move(context.body);
    };
    if (call_.form.norm != nullptr)
      program_.optimizer->norm = &given("optimizer.norm", ast::Role::in, {widest(), {}});
  }

  /// Reports a body that draws random numbers, for which the update of a parameter has no key.
  static bool report_draws(BodyContext& context, const std::string& name, Location where) {
    const bool draws = std::ranges::any_of(context.body.nodes, [](const auto& node) {
      return node->draws != Draws::never || (node->callee != nullptr && node->callee->draws != Draws::never);
    });
    if (draws) context.diagnostics.report(optimizer_draws, where, name);
    return draws;
  }

  Declaration* make_hyper(const ast::Argument& argument) {
    Declaration& made = declare("optimizer." + argument.name->text, ast::Role::hidden);
    made.location = argument.value->location;
    const auto& declared = call_.form.find(argument.name->text)->type.element;
    const bool typed = declared && *declared != ast::ElementType::any_integer;
    const ElementType type = !declared ? widest() : typed ? element_of(*declared) : ElementType::i64;
    made.make = [&argument, type, step = step_](BodyContext& context, Declaration& d) {
      context.step = step;
      Node* value = check_expression(context, *argument.value, type);
      if (value == nullptr || !finish_body(context, value, type)) return;
      if (!value->type.is_scalar()) {
        context.diagnostics.report(hyper_parameter_not_scalar, value->location, argument.name->text,
                                   spelling(value->type));
        return;
      }
      if (report_draws(context, argument.name->text, value->location)) return;
      d.type = value->type;
      d.body = std::move(context.body);
    };
    return &made;
  }

  /// The factor of the loss, and the states of one that follows the derivatives. Returns false after an
  /// error.
  bool make_scaling(std::vector<Declaration*>& all) {
    Optimizer& made = *program_.optimizer;
    const bool dynamic = is_dynamic_scaling(scope_, *syntax_.scaling);
    if (dynamic && !(made.dynamic = find_dynamic_scaling(*syntax_.scaling, diagnostics_))) return false;
    made.factor = &declare("optimizer.factor", ast::Role::hidden);
    made.factor->location = syntax_.scaling->location;
    made.arguments.push_back(made.factor);
    if (dynamic) all.push_back(make_dynamic_factor(*made.dynamic));
    all.push_back(made.factor);
    made.factor->make = [this](BodyContext& context, Declaration& d) { check_factor(context, d); };
    return true;
  }

  Declaration* make_dynamic_factor(DynamicScaling& dynamic) {
    dynamic.steps = &given("optimizer.scale_steps", ast::Role::state, {ElementType::i64, {}},
                           "The number of steps since the scale has changed.");
    dynamic.factor = &declare("optimizer.scale", ast::Role::state, "The factor of the loss.");
    dynamic.steps->next = dynamic.factor->next = program_.optimizer->factor;
    dynamic.factor->make = [initial = dynamic.initial](BodyContext& context, Declaration& d) {
      Node* value = make_constant(context, initial, ElementType::f32, d.location);
      if (finish_body(context, value, ElementType::f32))
        d.type = value->type, d.body = std::move(context.body);
    };
    return dynamic.factor;
  }

  void check_factor(BodyContext& context, Declaration& d) {
    const auto& dynamic = program_.optimizer->dynamic;
    context.step = step_;
    Node* value = dynamic ? make_reference(context, *dynamic->factor, d.location)
                          : check_expression(context, *syntax_.scaling, widest());
    if (value == nullptr || !finish_body(context, value, widest())) return;
    if (!value->type.is_scalar() || !dlvm::is_floating(value->type.element.type)) {
      context.diagnostics.report(scaling_type, value->location, spelling(value->type));
      return;
    }
    if (report_draws(context, "scaling", value->location)) return;
    if (value->is_constant() && value->values.size() == 1 &&
        (value->values[0].is_negative() || value->values[0].is_zero())) {
      context.diagnostics.report(scaling_not_positive, syntax_.scaling->location, value->values[0].text())
          .fix("scaling 1024, scaling dynamic, or leave 'scaling' out");
      return;
    }
    d.type = value->type;
    d.body = std::move(context.body);
  }

  Declaration* make_update(Declaration& parameter) {
    Optimizer::Update& update = program_.optimizer->updates.emplace_back();
    const Type type{wide(parameter.type.element.type), parameter.type.shape};
    update.parameter = &parameter;
    update.derivative = &given("optimizer.derivative." + parameter.name, ast::Role::in,
                               syntax_.scaling ? type : parameter.type);
    update.value = &declare(parameter.name + "'", ast::Role::hidden);
    for (const ast::Name* name : call_.form.memory) {
      update.memory.push_back(
          &given(fmt::format("optimizer.{}.{}", name->text, parameter.name), ast::Role::state, type));
      update.memory.back()->next = update.value;
    }
    update.value->make = [this, &update](BodyContext& context, Declaration& d) {
      check_update(context, update, d);
    };
    return update.value;
  }

  /// The call of the function for one parameter.
  void check_update(BodyContext& context, Optimizer::Update& update, Declaration& d) {
    const ElementType type = wide(update.parameter->type.element.type);
    std::vector<Argument> arguments;
    const auto add = [&](const ast::Name* name, Declaration* value, Location where, bool converts) {
      Node* node = make_reference(context, *value, where);
      if (node != nullptr && converts && dlvm::is_floating(node->type.element.type))
        node = make_conversion(context, node, type, where);
      arguments.push_back({name, nullptr, node, true, where});
    };
    add(call_.form.parameter, update.parameter, d.location, true);
    add(call_.form.derivative, update.derivative, d.location, true);
    for (std::size_t i = 0; i < call_.form.memory.size(); ++i)
      add(call_.form.memory[i], update.memory[i], d.location, true);
    if (call_.form.step != nullptr) add(call_.form.step, step_, d.location, true);
    if (call_.form.norm != nullptr) add(call_.form.norm, program_.optimizer->norm, d.location, true);
    for (std::size_t i = 0; i < call_.hyper.size(); ++i)
      add(&*call_.hyper[i]->name, program_.optimizer->arguments[i], call_.hyper[i]->value->location,
          !call_.form.find(call_.hyper[i]->name->text)->type.element);
    if (call_.written != nullptr)
      for (const ast::Argument& each : call_.written->arguments)
        if (!call_.form.find(each.name->text)->is_value())
          arguments.push_back({&*each.name, &*each.value, nullptr, false, each.value->location});
    if (std::ranges::any_of(arguments, [](const Argument& a) { return a.checked && a.value == nullptr; }))
      return;
    const Location where = syntax_.call->location;
    Node* result =
        check_call(context, {call_.function}, call_.function->syntax->name.text, arguments, where, type);
    if (result == nullptr) return;
    std::vector<Node*> values{result};
    if (has_several_results(*result)) values = parts_of(context, result);
    if (!check_results(context, values, {type, update.parameter->type.shape})) return;
    values[0] = make_conversion(context, values[0], update.parameter->type.element.type, where);
    if (!finish_body(context, values, type) ||
        report_draws(context, call_.function->syntax->name.text, where))
      return;
    d.type = update.parameter->type;
    update.results = values;
    context.body.result = values[0];
    d.body = std::move(context.body);
  }

  /// Where the function does not declare its results, they are known now.
  bool check_results(BodyContext& context, const std::vector<Node*>& values, const Type& wanted) {
    const auto wrong = [&](const std::string& why) {
      context.diagnostics
          .report(not_an_optimizer, syntax_.call->location, call_.function->syntax->name.text, why)
          .note(call_.function->syntax->name.location,
                fmt::format("the function is {}", signature(*call_.function->syntax)));
      return false;
    };
    if (values.size() != 1 + call_.form.memory.size())
      return wrong(fmt::format("it has {} result{} for a parameter and {} of memory", values.size(),
                               values.size() == 1 ? "" : "s", call_.form.memory.size()));
    for (const Node* value : values)
      if (const Type type = type_of(context, value);
          type.element.type != wanted.element.type || type.shape != wanted.shape)
        return wrong(
            fmt::format("a result is {} for a parameter that is {}", spelling(type), spelling(wanted)));
    return true;
  }

  Program& program_;
  Scope& scope_;
  const ast::Optimize& syntax_;
  dlvm::Diagnostics& diagnostics_;
  std::vector<Declaration*> parameters_;
  OptimizerCall call_;
  std::unordered_map<const Declaration*, std::list<Declaration>::iterator> places_;
  Declaration *count_ = nullptr, *next_count_ = nullptr, *step_ = nullptr;
};

}  // namespace

void Checker::check_optimizer() {
  const auto& all = program_.main().syntax->optimizers;
  for (std::size_t i = 1; i < all.size(); ++i)
    diagnostics_.report(optimized_twice, all[i].location).note(all[0].location, "the first time is here");
  if (all.empty()) return;
  OptimizerChecker optimizer(program_, all.front(), diagnostics_);
  const auto declarations = optimizer.run();
  for (Declaration* declaration : declarations) complete({declaration});
  if (!declarations.empty()) optimizer.finish();
}

}  // namespace frontend::check
