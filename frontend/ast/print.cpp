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

  /// `node(l, r) ` before its block.
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

std::string joined(const std::vector<Name>& names) {
  std::string text;
  for (const Name& name : names) text += (text.empty() ? "" : ", ") + name.text;
  return text;
}

std::string typed(const Declaration& declaration) {
  const std::string type = printed(declaration.type);
  return type.empty() ? "" : " " + type;
}

std::string printed_function(const Function& function) {
  std::string text = "func " + function.name.text + "(";
  for (const Parameter& parameter : function.parameters) {
    if (&parameter != &function.parameters.front()) text += ", ";
    text += parameter.name.text + ": " +
            (parameter.is_value() ? printed(parameter.type) : std::string(spelling(parameter.kind)));
    if (parameter.value) text += " = " + printed(*parameter.value);
  }
  text += ")";
  for (const Type& result : function.results)
    text += (&result == &function.results.front() ? " -> " : ", ") + printed(result);
  if (function.block) return text + " " + printed(*function.block) + "\n";
  return text + " = " + printed(*function.body) + "\n";
}

std::string printed_declaration(const Declaration& declaration) {
  return fmt::format("{} {}{}", spelling(declaration.role), joined(declaration.names), typed(declaration)) +
         (declaration.indices.empty() ? "" : " at " + joined(declaration.indices)) +
         (declaration.value ? " = " + printed(*declaration.value) + "\n" : "\n");
}

std::string printed_instance(const NetInstance& instance) {
  std::string text = "instance " + joined(instance.names) + " ";
  if (instance.count) text += "[" + printed(*instance.count) + "] ";
  if (instance.file) text += instance.file->text + ".";
  text += instance.net.text + "(";
  for (const NetArgument& argument : instance.arguments) {
    if (&argument != &instance.arguments.front()) text += ", ";
    text += (argument.name ? argument.name->text + ": " : "") + printed(argument.value);
  }
  return text + ")\n";
}

std::string printed_recurrence(const Recurrence& recurrence, std::size_t indent = 0) {
  const std::string margin(indent, ' ');
  std::string text = margin + "recurrent " + recurrence.counter.names.front().text;
  if (recurrence.length) text += " in " + printed(*recurrence.length);
  if (recurrence.backward) text += " backward";
  for (const Declaration& each : recurrence.sequences)
    text += (&each == &recurrence.sequences.front() ? " over " : ", ") + joined(each.names) + " = " +
            printed(*each.value);
  text += " {\n";
  for (const Declaration& each : recurrence.declarations) text += margin + "  " + printed_declaration(each);
  for (const InitialValue& each : recurrence.initial_values) {
    text += margin + "  initial " + joined(each.declaration.names);
    for (const auto& step : each.steps) text += " " + printed(*step);
    text += " = " + printed(*each.declaration.value) + "\n";
  }
  for (const Recurrence& each : recurrence.recurrences) text += printed_recurrence(each, indent + 2);
  return text + margin + "}\n";
}

std::string printed_type(const TypeDeclaration& type) {
  std::string text = fmt::format("{} {} {{", spelling(type.kind), type.name.text);
  for (const TypeDeclaration::Member& member : type.members) {
    const bool field = type.kind == TypeDeclaration::Kind::structure;
    text += " " + member.name.text + (field ? ": " : member.types.empty() ? "" : "(");
    for (const Type& each : member.types)
      text += (&each == &member.types.front() ? "" : ", ") + printed(each);
    if (!field && !member.types.empty()) text += ")";
  }
  return text + " }\n";
}

std::string printed_net(const Net& net) {
  std::string text = "net " + net.name.text + "(";
  for (const Dimension& parameter : net.parameters) {
    if (&parameter != &net.parameters.front()) text += ", ";
    text += parameter.name.text + (parameter.value ? " = " + printed(*parameter.value) : "");
  }
  text += ") {\n";
  for (const Declaration& declaration : net.declarations) text += "  " + printed_declaration(declaration);
  for (const NetInstance& instance : net.instances) text += "  " + printed_instance(instance);
  for (const Function& function : net.functions) text += "  " + printed_function(function);
  return text + "}\n";
}

}  // namespace

std::string print(const Expression& e) { return printed(e); }
std::string print(const Extent& extent) { return printed(extent); }
std::string print(const Shape& shape) { return printed(shape); }
std::string print(const Type& type) { return printed(type); }

std::string print(const Module& module) {
  std::string text = "module " + (module.name ? module.name->text : "?") + "\n";
  if (module.element_type) text += fmt::format("type {}\n", spelling(*module.element_type));
  for (const Import& import : module.imports) text += "import " + import.module.text + "\n";
  for (const Dimension& dimension : module.dimensions)
    text += "dim " + dimension.name.text + (dimension.value ? " = " + print(*dimension.value) : "") + "\n";
  for (const TypeDeclaration& type : module.types) text += printed_type(type);
  for (const Declaration& declaration : module.declarations) text += printed_declaration(declaration);
  for (const Declaration& next : module.next_values)
    text += fmt::format("{}' = {}\n", joined(next.names), print(*next.value));
  for (const Recurrence& each : module.recurrences) text += printed_recurrence(each);
  for (const NetInstance& instance : module.instances) text += printed_instance(instance);
  for (const Function& function : module.functions) text += printed_function(function);
  for (const Net& net : module.nets) text += printed_net(net);
  for (const Gradient& gradient : module.gradients) {
    text += fmt::format("gradient {} of {}", gradient.name.text, joined(gradient.of));
    if (gradient.from) text += " from " + gradient.from->text;
    text += " wrt " + joined(gradient.wrt);
    if (!gradient.keeping.empty()) text += " keeping " + joined(gradient.keeping);
    text += gradient.seedable ? " seedable\n" : "\n";
  }
  for (const Optimize& optimize : module.optimizers) text += "optimize with " + print(*optimize.call) + "\n";
  return text;
}

}  // namespace frontend::ast
