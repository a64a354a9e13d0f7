// Expressions, extents, shapes, types and statements as text.
#include "frontend/ast/print.h"

#include <fmt/format.h>

#include "frontend/ast/statement.h"

namespace frontend::ast {
namespace {

/// Appends to one string, so that a deep tree is not copied at every level.
class Printer {
 public:
  std::string out;

  void print(const Expression& e) {
    switch (e.kind) {
      case Expression::Kind::number:
        out += to<Number>(e).text;
        return;
      case Expression::Kind::boolean:
        out += to<Boolean>(e).value ? "true" : "false";
        return;
      case Expression::Kind::name:
        out += to<NameReference>(e).text;
        return;
      case Expression::Kind::member:
        return print(to<Member>(e));
      case Expression::Kind::unary:
        return list(spelling(to<Unary>(e).op), to<Unary>(e).operand);
      case Expression::Kind::binary:
        return print(to<Binary>(e));
      case Expression::Kind::conditional:
        return print(to<If>(e));
      case Expression::Kind::match:
        return print(to<Match>(e));
      case Expression::Kind::call:
        return print(to<Call>(e));
      case Expression::Kind::pipe:
        return print(to<Pipe>(e));
      case Expression::Kind::index:
        return print(to<Index>(e));
      case Expression::Kind::as:
        return print(to<As>(e));
      case Expression::Kind::concatenation:
        return print(to<Concatenation>(e));
      case Expression::Kind::matrix:
        return print(to<Matrix>(e));
      case Expression::Kind::transpose:
        return list("^T", to<Transpose>(e).operand);
      case Expression::Kind::next:
        return list("'", to<Next>(e).operand);
      case Expression::Kind::shape:
        return print(to<ShapeLiteral>(e).shape);
      case Expression::Kind::reduction:
        return print(to<Reduction>(e));
      case Expression::Kind::tuple:
        return print(to<Tuple>(e));
    }
  }

  void print(const Shape& shape) {
    out += '[';
    for (std::size_t i = 0; i < shape.extents.size(); ++i) {
      if (i > 0) out += " x ";
      print(shape.extents[i]);
    }
    out += ']';
  }

  void print(const Extent& extent) {
    switch (extent.kind) {
      case Extent::Kind::number:
      case Extent::Kind::name:
      case Extent::Kind::member:
        out += extent.text;
        return;
      case Extent::Kind::unknown:
        out += '?';
        return;
      case Extent::Kind::rest:
        out += extent.text + "...";
        return;
      case Extent::Kind::negate:
        out += "(- ";
        print(extent.operands.front());
        out += ')';
        return;
      case Extent::Kind::chain:
        out += '(';
        for (std::size_t i = 0; i < extent.operands.size(); ++i) {
          if (i > 0) out += fmt::format(" {} ", extent.operators[i - 1].symbol);
          print(extent.operands[i]);
        }
        out += ')';
    }
  }

  void print(const Type& type) {
    if (type.declared) out += spelling(*type.declared);
    if (type.element) out += spelling(*type.element);
    if (type.shape) print(*type.shape);
    if (type.is_automatic()) out += "[auto]";
  }

  void print(const Block& block) {
    out += '{';
    for (const Statement& statement : block.statements) {
      out += ' ';
      print(statement);
    }
    out += " }";
  }

  void print(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::let:
      case Statement::Kind::var:
        out += s.kind == Statement::Kind::let ? "(let" : "(var";
        targets(s);
        break;
      case Statement::Kind::assignment:
        out += "(=";
        targets(s);
        break;
      case Statement::Kind::next:
        out += "(='";
        targets(s);
        break;
      case Statement::Kind::conditional:
        out += "(if";
        break;
      case Statement::Kind::counted:
        out += "(for";
        targets(s);
        break;
      case Statement::Kind::loop:
        out += "(while";
        break;
      case Statement::Kind::result:
        out += "(return";
        break;
      case Statement::Kind::match:
        out += "(match";
        break;
    }
    for (const auto& e : s.expressions) child(e);
    for (std::size_t i = 0; i < s.blocks.size(); ++i) {
      out += ' ';
      if (i < s.cases.size()) print(s.cases[i]);
      print(s.blocks[i]);
    }
    out += ')';
  }

 private:
  void list(std::string_view head, const ExpressionPointer& operand) {
    out += '(';
    out += head;
    child(operand);
    out += ')';
  }
  void child(const ExpressionPointer& e) {
    out += ' ';
    print(*e);
  }

  void targets(const Statement& s) {
    for (const Target& target : s.targets) {
      out += " " + target.name.text;
      if (!target.type.is_written()) continue;
      out += ": ";
      print(target.type);
    }
  }

  /// `node(l, r) ` before its block or value.
  void print(const Case& written) {
    out += written.name.text;
    for (const Name& name : written.payload)
      out += (&name == &written.payload.front() ? "(" : ", ") + name.text;
    out += written.payload.empty() ? " " : ") ";
  }

  void print(const Member& e) {
    out += '(';
    out += '.';
    child(e.object);
    out += " " + e.member.text + ")";
  }

  /// One operator all through: `(+ a b c)`; a mixed chain: `(a + b - c)`.
  void print(const Binary& e) {
    bool same = true;
    for (const auto& op : e.operators) same = same && op.op == e.operators.front().op;
    out += '(';
    if (same) out += spelling(e.operators.front().op);
    for (std::size_t i = 0; i < e.operands.size(); ++i) {
      if (!same && i > 0) out += fmt::format(" {} ", spelling(e.operators[i - 1].op));
      if (same) out += ' ';
      print(*e.operands[i]);
    }
    out += ')';
  }

  void print(const If& e) {
    for (const auto& branch : e.branches) {
      out += "(if";
      child(branch.condition);
      child(branch.value);
      out += ' ';
    }
    print(*e.otherwise);
    out.append(e.branches.size(), ')');
  }

  void print(const Match& e) {
    out += "(match";
    child(e.value);
    for (std::size_t i = 0; i < e.cases.size(); ++i) {
      out += ' ';
      print(e.cases[i]);
      out += "=>";
      child(e.results[i]);
    }
    out += ')';
  }

  void print(const Call& e) {
    out += "(call";
    child(e.callee);
    for (const Argument& argument : e.arguments) {
      out += ' ';
      if (argument.name) out += argument.name->text + ": ";
      print(*argument.value);
    }
    out += ')';
  }

  void print(const Reduction& e) {
    out += "(" + e.function.text;
    child(e.element);
    for (const Binder& binder : e.binders) {
      out += " for " + binder.name.text;
      if (!binder.first) continue;
      out += " in";
      child(binder.first);
      child(binder.stop);
    }
    out += ')';
  }

  void print(const Pipe& e) {
    out += "(|>";
    child(e.input);
    for (const auto& stage : e.stages) child(stage);
    out += ')';
  }

  void print(const Index& e) {
    out += "(index";
    child(e.object);
    for (const Subscript& subscript : e.subscripts) {
      out += ' ';
      if (!subscript.slice) print(*subscript.index);
      if (subscript.slice) {
        if (subscript.start) print(*subscript.start);
        out += ':';
        if (subscript.stop) print(*subscript.stop);
        if (subscript.step) out += ':', print(*subscript.step);
      }
    }
    out += ')';
  }

  void print(const As& e) {
    out += "(as";
    child(e.operand);
    out += ' ';
    print(e.type);
    out += ')';
  }

  void print(const Concatenation& e) {
    out += "(concatenate";
    for (const auto& element : e.elements) child(element);
    if (e.along) out += fmt::format(" along {}", e.along->value);
    out += ')';
  }

  void print(const Tuple& e) {
    out += "(tuple";
    for (const auto& element : e.elements) child(element);
    out += ')';
  }

  void print(const Matrix& e) {
    out += "(matrix";
    for (const auto& row : e.rows) {
      if (&row != &e.rows.front()) out += ';';
      for (const auto& element : row) child(element);
    }
    out += ')';
  }
};

template <typename Node>
std::string printed(const Node& node) {
  Printer printer;
  printer.print(node);
  return std::move(printer.out);
}

}  // namespace

std::string print(const Expression& e) { return printed(e); }
std::string print(const Extent& extent) { return printed(extent); }
std::string print(const Shape& shape) { return printed(shape); }
std::string print(const Type& type) { return printed(type); }

std::string print(const Block& block) { return printed(block); }

}  // namespace frontend::ast
