#include "frontend/check/functions/statements.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/check/checker.h"
#include "frontend/check/declarations/state_changes.h"
#include "frontend/check/diagnostics/name_diagnostics.h"
#include "frontend/check/diagnostics/statement_diagnostics.h"
#include "frontend/check/diagnostics/type_diagnostics.h"
#include "frontend/check/expressions/expression.h"
#include "frontend/check/expressions/values.h"
#include "frontend/check/functions/local_values.h"
#include "frontend/check/functions/locals.h"
#include "frontend/check/functions/matches.h"
#include "frontend/check/types/broadcast.h"
#include "frontend/check/types/spelling.h"

namespace frontend::check {
namespace {

bool has_return(const std::vector<Statement>& statements) {
  bool found = false;
  for_each_statement(statements,
                     [&](const Statement& each) { found = found || each.kind == Statement::Kind::result; });
  return found;
}

bool is_true(const Node* x) {
  return x != nullptr && x->is_constant() && x->values.size() == 1 && !x->values[0].is_zero();
}

class StatementChecker {
 public:
  StatementChecker(BodyContext& context, Results& results) : context_(context), results_(results) {}

  bool complete() const { return complete_; }

  /// Checks the statements of a block. Returns whether what follows the block is reached.
  bool block(const ast::Block& syntax, std::vector<Statement>& into) {
    context_.locals->open_block();
    bool reached = true, warned = false;
    for (const ast::Statement& each : syntax.statements) {
      if (!reached && !std::exchange(warned, true))
        context_.diagnostics.report(unreachable_statement, each.location).fix("delete it");
      Statement statement;
      statement.location = each.location;
      const std::size_t errors = context_.diagnostics.error_count();
      const bool ends = !check(each, statement);
      // A loop without end has been reported: it may end when it is mended.
      warned = warned || (ends && each.kind == ast::Statement::Kind::loop &&
                          context_.diagnostics.error_count() > errors);
      if (reached) into.push_back(std::move(statement));
      reached = reached && !ends;
    }
    const auto ended = context_.locals->close_block();
    if (complete_) warn_of_unused(context_, ended);  // else the call of what has a mistake may use them
    return reached;
  }

 private:
  /// Returns whether what follows the statement is reached.
  bool check(const ast::Statement& s, Statement& statement) {
    using Kind = ast::Statement::Kind;
    switch (s.kind) {
      case Kind::let:
      case Kind::var:
        declaration(s, statement);
        return true;
      case Kind::assignment:
        assignment(s, statement);
        return true;
      case Kind::next:
        next(s, statement);
        return true;
      case Kind::conditional:
        return conditional(s, statement);
      case Kind::counted:
        counted(s, statement);
        return true;
      case Kind::loop:
        return loop(s, statement);
      case Kind::result:
        result(s, statement);
        return false;
      case Kind::match:
        return match(s, statement);
    }
    return true;
  }

  void fail() { complete_ = false; }

  /// Computes something, and notes which nodes do.
  template <typename Compute>
  void compute(Computation& computation, const Compute& compute) {
    computation.first = context_.body.nodes.size();
    computation.values = compute();
    computation.last = context_.body.nodes.size();
    if (std::ranges::find(computation.values, nullptr) != computation.values.end()) fail();
  }

  void declaration(const ast::Statement& s, Statement& statement) {
    statement.kind = Statement::Kind::assignment;
    compute(statement.computation, [&] { return declared_values(context_, s); });
    if (statement.computation.values.size() != s.targets.size()) {
      fail();
      statement.computation.values.assign(s.targets.size(), nullptr);
    }
    for (std::size_t i = 0; i < s.targets.size(); ++i) {
      const Node* value = statement.computation.values[i];
      Variable variable;
      variable.kind = s.kind == ast::Statement::Kind::let ? Variable::Kind::let : Variable::Kind::var;
      if (value != nullptr) variable.type = value->type;
      if (variable.kind == Variable::Kind::let) variable.value = value;
      variable.failed = value == nullptr;
      if (s.targets[i].name.text == "_") {  // nothing can name it
        statement.variables.push_back(context_.body.variables.size());
        context_.body.variables.push_back(std::move(variable));
        continue;
      }
      const auto index = declare(context_, s.targets[i].name, std::move(variable));
      if (index) statement.variables.push_back(*index);
      if (!index) fail();
    }
  }

  void assignment(const ast::Statement& s, Statement& statement) {
    statement.kind = Statement::Kind::assignment;
    const auto index = assignable(context_, s.targets[0].name);
    compute(statement.computation, [&]() -> std::vector<Node*> {
      if (!index) return {check_expression(context_, *s.expressions[0])};
      return {assigned_value(context_, *s.expressions[0], *index)};
    });
    if (!index) return fail();
    statement.variables.push_back(*index);
  }

  void next(const ast::Statement& s, Statement& statement) {
    statement.kind = Statement::Kind::assignment;
    compute(statement.computation,
            [&] { return std::vector{check_state_change(context_, s.targets[0].name, *s.expressions[0])}; });
  }

  Node* condition(const ast::Expression& e) { return check_condition(context_, e); }

  bool conditional(const ast::Statement& s, Statement& statement) {
    statement.kind = Statement::Kind::conditional;
    bool reached = s.blocks.size() == s.expressions.size();
    std::optional<NoChange> no_change;
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
      Statement::Branch branch;
      if (i < s.expressions.size())
        compute(branch.condition, [&] { return std::vector{condition(*s.expressions[i])}; });
      no_change.emplace(context_, "in one way of an 'if'");
      if (block(s.blocks[i], branch.body)) reached = true;
      statement.branches.push_back(std::move(branch));
    }
    return reached;
  }

  void counted(const ast::Statement& s, Statement& statement) {
    statement.kind = Statement::Kind::counted;
    compute(statement.computation, [&] {
      return std::vector{check_bound(context_, *s.expressions[0]), check_bound(context_, *s.expressions[1])};
    });
    if (s.expressions.size() > 2) {
      const auto step = constant_integer(context_, *s.expressions[2], "the step of a loop");
      if (step && *step == 0) context_.diagnostics.report(zero_step, s.expressions[2]->location);
      if (!step || *step == 0) fail();
      statement.step = step.value_or(1);
    }
    const NoChange no_change(context_, "in a loop");
    context_.locals->open_block();
    Variable counter;
    counter.kind = Variable::Kind::counter;
    counter.type.element = ElementType::i64;
    counter.used = true;
    counter.not_negative = statement.step > 0 && is_at_least_zero(statement.computation.values[0]);
    const auto index = declare(context_, s.targets[0].name, std::move(counter));
    if (index) statement.variables.push_back(*index);
    if (!index) fail();
    block(s.blocks[0], statement.branches.emplace_back().body);
    context_.locals->close_block();
  }

  bool loop(const ast::Statement& s, Statement& statement) {
    statement.kind = Statement::Kind::loop;
    const NoChange no_change(context_, "in a loop");
    compute(statement.computation, [&] { return std::vector{condition(*s.expressions[0])}; });
    block(s.blocks[0], statement.branches.emplace_back().body);
    if (!is_true(statement.computation.values[0])) return true;
    if (!has_return(statement.branches[0].body) && complete_) {
      context_.diagnostics.report(endless_loop, s.location).fix("return from it: if done { return x }");
      fail();
    }
    return false;
  }

  void result(const ast::Statement& s, Statement& statement) {
    statement.kind = Statement::Kind::result;
    compute(statement.computation, [&]() -> std::vector<Node*> {
      std::vector<Node*> values = returned_values(s);
      auto taken = results_.take(std::move(values), s.location);
      if (!taken) fail();
      return taken.value_or(std::vector<Node*>());
    });
  }

  bool match(const ast::Statement& s, Statement& statement) {
    statement.kind = Statement::Kind::match;
    compute(statement.computation,
            [&] { return std::vector{check_matched(context_, *s.expressions[0], CaseForm::block)}; });
    const Node* value = statement.computation.values[0];
    const DeclaredType* type = value != nullptr ? value->type.declared : nullptr;
    const auto order = type != nullptr ? order_of_cases(context_, s.cases, s.location, *type, CaseForm::block)
                                       : std::nullopt;
    if (!order) fail();
    if (order) statement.branches.resize(s.cases.size());
    bool reached = false;
    for (std::size_t i = 0; i < s.cases.size(); ++i) {
      Statement::Branch ignored;
      Statement::Branch& branch = order ? statement.branches[(*order)[i]] : ignored;
      if (branch_of(s, i, type, branch)) reached = true;
    }
    return reached;
  }

  /// The block of case `i`. Its payload has names there.
  bool branch_of(const ast::Statement& s, std::size_t i, const DeclaredType* type,
                 Statement::Branch& branch) {
    context_.locals->open_block();
    const NoChange no_change(context_, "in one case of a 'match'");
    if (!declare_payload(context_, s.cases[i], type, branch.payload)) fail();
    const bool reached = block(s.blocks[i], branch.body);
    const auto ended = context_.locals->close_block();
    if (complete_) warn_of_unused(context_, ended);  // else the call of what has a mistake may use them
    return reached;
  }

  std::vector<Node*> returned_values(const ast::Statement& s) {
    std::vector<Node*> values;
    if (s.expressions.size() == 1) {
      context_.several_allowed = true;
      Node* value = check_any_expression(context_, *s.expressions[0], results_.hint(0));
      if (value != nullptr && has_several_results(*value)) return parts_of(context_, value);
      return {value};
    }
    for (const auto& e : s.expressions)
      values.push_back(check_any_expression(context_, *e, results_.hint(values.size())));
    return values;
  }

  BodyContext& context_;
  Results& results_;
  bool complete_ = true;
};

/// `= e` is `{ return e }`.
bool check_single(BodyContext& context, Results& results, const ast::Expression& e) {
  Statement statement;
  statement.location = e.location;
  context.several_allowed = true;
  Node* value = check_any_expression(context, e, results.hint(0));
  std::vector<Node*> values{value};
  if (value != nullptr && has_several_results(*value)) values = parts_of(context, value);
  const auto taken = results.take(std::move(values), e.location);
  if (!taken) return false;
  statement.computation = {0, context.body.nodes.size(), *taken};
  context.body.statements.push_back(std::move(statement));
  return true;
}

}  // namespace

bool check_function_body(BodyContext& context, Results& results) {
  const ast::Function& syntax = *context.instance->function->syntax;
  if (!syntax.block) return check_single(context, results, *syntax.body);
  Locals locals;
  context.locals = &locals;
  StatementChecker checker(context, results);
  const bool reached = checker.block(*syntax.block, context.body.statements);
  context.locals = nullptr;
  if (!reached || !checker.complete()) return checker.complete();
  auto& report = context.diagnostics.report(missing_return, syntax.block->end, syntax.name.text);
  const auto& statements = syntax.block->statements;
  if (statements.empty()) return false;
  const ast::Statement& last = statements.back();
  if (last.kind == ast::Statement::Kind::match)
    report.note(last.location, "the block of one of its cases goes on");
  else if (last.kind == ast::Statement::Kind::conditional)
    report.note(last.location, "one of its ways goes on, or no condition is true");
  else if (last.kind == ast::Statement::Kind::counted || last.kind == ast::Statement::Kind::loop)
    report.note(last.location, "the loop ends here, or has no round at all");
  else
    report.fix(fmt::format("return {}", last.targets[0].name.text));
  return false;
}

std::vector<Node*> needed_values(const std::vector<Statement>& statements) {
  std::vector<Node*> needed;
  const auto add = [&](const Computation& computation) {
    needed.insert(needed.end(), computation.values.begin(), computation.values.end());
  };
  for_each_statement(statements, [&](const Statement& each) {
    add(each.computation);
    for (const Statement::Branch& branch : each.branches) add(branch.condition);
  });
  return needed;
}

}  // namespace frontend::check
