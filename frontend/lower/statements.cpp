// A variable is the value that it was given last. Where several ways meet, and at the start of each round of
// a loop, the block takes the variables as arguments that have different values on these ways.
#include "frontend/lower/statements.h"

#include <algorithm>

#include "frontend/check/functions/statements.h"
#include "frontend/lower/keys.h"

namespace frontend::lower {
namespace {

using check::Statement;
using Values = std::vector<dlvm::Value*>;

class StatementLowering {
 public:
  StatementLowering(const Body& body, BodyLowering& lowering) : body_(body), lowering_(lowering) {}

  /// Builds the statements of a block. Returns whether what follows them is reached.
  bool lower(const std::vector<Statement>& statements) {
    for (const Statement& each : statements)
      if (!lower(each)) return false;
    return true;
  }

 private:
  bool lower(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::assignment:
        assign(s);
        return true;
      case Statement::Kind::conditional:
        return conditional(s);
      case Statement::Kind::counted:
        counted(s);
        return true;
      case Statement::Kind::loop:
        return loop(s);
      case Statement::Kind::match:
        return match(s);
      case Statement::Kind::result:
        break;
    }
    const Values results = lowering_.build(body_, s.computation);
    at(s);
    builder().return_(results.size() == 1 ? results[0] : builder().tuple(results));
    return false;
  }

  dlvm::Builder& builder() { return lowering_.builder(); }
  Values& variables() { return lowering_.variables; }
  void at(const Statement& s) { builder().set_locations({s.location}); }

  void assign(const Statement& s) {
    const Values values = lowering_.build(body_, s.computation);
    // The next value of a state has no variable.
    for (std::size_t i = 0; i < s.variables.size(); ++i) {
      const std::size_t index = s.variables[i];
      if (values[i]->kind() == dlvm::Value::Kind::instruction && values[i]->name().empty())
        values[i]->set_name(body_.variables[index].name);
      variables()[index] = body_.variables[index].differentiated_by ? lowering_.named(values[i]) : values[i];
    }
  }

  // --------------------------------------------------------------------------------------------- branches

  /// The end of one way, which goes on behind the statement.
  struct Way {
    dlvm::BasicBlock* block;
    Values variables;
  };

  bool conditional(const Statement& s) {
    std::vector<Way> ways;
    const auto end = [&](bool reached) {
      if (reached) ways.push_back({&builder().block(), variables()});
    };
    bool always = false;
    for (const Statement::Branch& branch : s.branches) {
      if (branch.condition.values.empty()) {
        end(lower(branch.body));
        always = true;
        break;
      }
      const Values condition = lowering_.build(body_, branch.condition);
      dlvm::BasicBlock &then = lowering_.add_block("then"), &otherwise = lowering_.add_block("else");
      at(s);
      builder().conditional(condition[0], then, {}, otherwise, {});
      const Values before = variables();
      lowering_.continue_in(then);
      end(lower(branch.body));
      variables() = before;
      lowering_.continue_in(otherwise);
    }
    if (!always) end(true);
    join(s, ways);
    return !ways.empty();
  }

  bool match(const Statement& s) {
    const Values value = lowering_.build(body_, s.computation);
    const Cases cases = lowering_.branch_by_case(
        value[0], s.location, [&](std::size_t i) { return names_of(body_, s.branches[i].payload); });
    std::vector<Way> ways;
    const Values before = variables();
    for (std::size_t i = 0; i < cases.blocks.size(); ++i) {
      variables() = before;
      lowering_.continue_in(*cases.blocks[i]);
      const auto& named = s.branches[i].payload;
      for (std::size_t j = 0; j < named.size(); ++j)
        if (named[j]) variables()[*named[j]] = own(*named[j], cases.payloads[i][j]);
      if (lower(s.branches[i].body)) ways.push_back({&builder().block(), variables()});
    }
    variables() = before;
    join(s, ways);
    return !ways.empty();
  }

  /// Goes on in a block where the ways meet.
  void join(const Statement& s, std::vector<Way>& ways) {
    if (ways.empty()) return;
    if (ways.size() == 1) {
      lowering_.continue_in(*ways[0].block);
      variables() = std::move(ways[0].variables);
      return;
    }
    dlvm::BasicBlock& joined = lowering_.add_block("end");
    std::vector<std::size_t> different;
    for (std::size_t i = 0; i < variables().size(); ++i)
      if (has_value(ways, i) &&
          std::ranges::any_of(ways, [&](const Way& way) { return way.variables[i] != ways[0].variables[i]; }))
        different.push_back(i);
    for (const Way& way : ways) {
      lowering_.continue_in(*way.block);
      at(s);
      builder().branch(joined, chosen(way.variables, different));
    }
    variables() = ways[0].variables;
    take(joined, different);
  }

  /// The variable lives behind the statement: every way has a value of it.
  static bool has_value(const std::vector<Way>& ways, std::size_t variable) {
    return std::ranges::all_of(ways, [&](const Way& way) { return way.variables[variable] != nullptr; });
  }

  static Values chosen(const Values& all, const std::vector<std::size_t>& indices) {
    Values values;
    for (const std::size_t i : indices) values.push_back(all[i]);
    return values;
  }

  /// Goes on in the block, which has an argument for each of these variables, their values from then on.
  void take(dlvm::BasicBlock& block, const std::vector<std::size_t>& indices) {
    for (const std::size_t i : indices)
      variables()[i] = block.add_argument(lowering_.type(body_.variables[i].type), body_.variables[i].name);
    lowering_.continue_in(block);
    for (const std::size_t i : indices) variables()[i] = own(i, variables()[i]);
  }

  /// Returns the argument of a block that is a value of the variable, or, if it is a struct by whose parts a
  /// gradient is taken, a struct of named parts.
  dlvm::Value* own(std::size_t variable, dlvm::Value* argument) {
    const check::Variable& of = body_.variables[variable];
    return of.differentiated_by && !of.type.is_tensor() ? lowering_.named(argument) : argument;
  }

  // ------------------------------------------------------------------------------------------------ loops

  /// The variables from outside a loop that it assigns.
  std::vector<std::size_t> assigned(const Statement& s) {
    std::vector<std::size_t> found;
    check::for_each_statement(s.branches[0].body, [&](const Statement& each) {
      if (each.kind != Statement::Kind::assignment) return;
      for (const std::size_t i : each.variables)
        if (variables()[i] != nullptr) found.push_back(i);
    });
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  bool loop(const Statement& s) {
    const std::vector<std::size_t> carried = assigned(s);
    dlvm::BasicBlock& test = lowering_.add_block("while");
    at(s);
    dlvm::Value* const key = lowering_.key();
    const bool counts =
        key != nullptr && draws(body_) != check::Draws::never;  // each round draws other numbers
    Values passed = chosen(variables(), carried);
    if (counts) passed.push_back(number(0));
    builder().branch(test, passed);
    take(test, carried);
    dlvm::Value* rounds = counts ? test.add_argument(passed.back()->type(), "rounds") : nullptr;
    const Values before = variables();
    if (counts) lowering_.set_key(key_of_step(rounds, key, builder()));
    const Values condition = lowering_.build(body_, s.computation);
    const dlvm::Literal* constant = dlvm::as_literal(condition[0]);
    const bool endless = constant != nullptr && constant->splat() == 1.0;
    dlvm::BasicBlock& round = lowering_.add_block("do");
    dlvm::BasicBlock* end = endless ? nullptr : &lowering_.add_block("end");
    at(s);
    if (endless)
      builder().branch(round);
    else
      builder().conditional(condition[0], round, {}, *end, {});
    lowering_.continue_in(round);
    if (lower(s.branches[0].body)) {
      at(s);
      Values next = chosen(variables(), carried);
      if (counts) next.push_back(builder().add(rounds, number(1)));
      builder().branch(test, next);
    }
    lowering_.set_key(key);
    variables() = before;
    if (endless) return false;
    lowering_.continue_in(*end);
    return true;
  }

  void counted(const Statement& s) {
    const Values bounds = lowering_.build(body_, s.computation);
    const std::vector<std::size_t> carried = assigned(s);
    const std::size_t counter = s.variables[0];
    dlvm::BasicBlock& test = lowering_.add_block("for");
    at(s);
    Values passed{bounds[0]};
    const Values values = chosen(variables(), carried);
    passed.insert(passed.end(), values.begin(), values.end());
    builder().branch(test, passed);
    test.add_argument(lowering_.type(body_.variables[counter].type), body_.variables[counter].name);
    variables()[counter] = test.arguments()[0].get();
    take(test, carried);
    const Values before = variables();
    dlvm::Value* count = variables()[counter];
    at(s);
    dlvm::Value* more =
        builder().binary(s.step > 0 ? dlvm::Opcode::lessThan : dlvm::Opcode::greaterThan, count, bounds[1]);
    dlvm::BasicBlock &round = lowering_.add_block("do"), &end = lowering_.add_block("end");
    builder().conditional(more, round, {}, end, {});
    lowering_.continue_in(round);
    dlvm::Value* const key = lowering_.key();
    if (key != nullptr && draws(body_) != check::Draws::never)
      lowering_.set_key(key_of_step(count, key, builder()));
    if (lower(s.branches[0].body)) {
      at(s);
      Values next{builder().add(count, number(s.step))};
      const Values changed = chosen(variables(), carried);
      next.insert(next.end(), changed.begin(), changed.end());
      builder().branch(test, next);
    }
    lowering_.set_key(key);
    variables() = before;
    variables()[counter] = nullptr;
    lowering_.continue_in(end);
  }

  dlvm::Value* number(std::int64_t value) {
    return builder().function().literal(dlvm::Type::scalar(dlvm::ElementType::i64),
                                        dlvm::Tensor::scalar(dlvm::ElementType::i64, value));
  }

  const Body& body_;
  BodyLowering& lowering_;
};

}  // namespace

void lower_statements(const Body& body, BodyLowering& lowering) {
  lowering.build_constants(body);
  lowering.variables.assign(body.variables.size(), nullptr);
  StatementLowering(body, lowering).lower(body.statements);
}

}  // namespace frontend::lower
