#include "dlvm/text/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "dlvm/text/names.h"
#include "dlvm/text/number.h"

namespace dlvm {
namespace {

using Numbering = Extent::Substitution;

/// The erased dimensions of a function that its text must tell apart, because they stand in several places or
/// in attributes, numbered: `_1`. All others print as `_`.
class ErasedNumbers {
 public:
  explicit ErasedNumbers(const Function& function) {
    for (const Type& type : function.type().parameters()) count(type);
    count(function.type().result());
    for (const Requirement& requirement : function.requirements) {
      count(requirement.left, 2);
      count(requirement.right, 2);
    }
    for (const auto& block : function.blocks()) {
      // The arguments of the entry block are the parameters.
      if (block.get() != &function.entry())
        for (const auto& argument : block->arguments()) count(argument->type(), 2);
      for (const auto& instruction : block->instructions())
        for (const Attribute& attribute : instruction->attributes()) count(attribute);
    }
  }
  const Numbering& numbers() const { return numbers_; }

 private:
  void count(const Extent& extent, int times = 1) {
    std::set<std::string> names;
    extent.collect_names(names);
    for (const std::string& name : names) {
      if (!name.starts_with('_')) continue;
      if ((seen_[name] += times) > 1)
        numbers_.try_emplace(name, Extent::dimension(fmt::format("_#{}", numbers_.size() + 1)));
    }
  }
  void count(const Type& type, int times = 1) {
    if (type.is_tensor())
      for (const Extent& extent : type.shape()) count(extent, times);
    else
      for (const Type& part : type.parts()) count(part, times);
  }
  void count(const Attribute& attribute) {
    if (const auto* shape = std::get_if<Shape>(&attribute))
      for (const Extent& extent : *shape) count(extent, 2);
    if (const auto* type = std::get_if<Type>(&attribute)) count(*type, 2);
    if (const auto* pairs = std::get_if<ExtentPairs>(&attribute))
      for (const auto& [before, after] : *pairs) {
        count(before, 2);
        count(after, 2);
      }
  }

  std::map<std::string, int> seen_;
  Numbering numbers_;
};

Type numbered(const Type& type, const Numbering& numbers) {
  return numbers.empty() ? type : type.substitute(numbers);
}
Extent numbered(const Extent& extent, const Numbering& numbers) {
  return numbers.empty() ? extent : extent.substitute(numbers);
}

std::string location_text(const Location& location) {
  if (!location.valid()) return "";
  return fmt::format(" at {}:{}:{}", quoted_text(location.source->name()), location.line, location.column);
}

std::string doc_text(const std::string& doc) { return doc.empty() ? "" : " doc " + quoted_text(doc); }

template <typename List, typename Text>
std::string joined(const List& list, std::string_view separator, Text text) {
  std::string out;
  bool first = true;
  for (const auto& element : list) {
    if (!first) out += separator;
    first = false;
    out += text(element);
  }
  return out;
}

std::string number(std::int64_t value) { return fmt::format("{}", value); }

/// Elements from `next` on, of the axes from `axis` on, as nested lists with their types.
std::string dense_text(const Type& type, const Tensor& data, std::size_t axis, std::size_t& next) {
  const std::string scalar(info(data.element()).name);
  std::string out = "<";
  for (std::int64_t i = 0; i < data.extents()[axis]; ++i) {
    if (i > 0) out += ", ";
    if (axis + 1 == data.extents().size()) {
      out += number_text(data, next++) + ": " + scalar;
    } else {
      const Shape rest(type.shape().begin() + static_cast<std::ptrdiff_t>(axis) + 1, type.shape().end());
      out += dense_text(type, data, axis + 1, next) + ": " + type.with_shape(rest).text();
    }
  }
  return out + ">";
}

/// The words of literals without data, in the order of their forms; an address is written by its name.
constexpr std::string_view literal_words[]{"", "zero", "undefined", "null", ""};

std::string literal_text(const Literal& literal, const Numbering& numbers) {
  std::size_t next = 0;
  const std::string value = literal.global() != nullptr ? written_name('@', literal.global()->name)
                            : literal.form() != Literal::Form::data
                                ? std::string(literal_words[static_cast<std::size_t>(literal.form())])
                            : literal.data().extents().empty()
                                ? number_text(literal.data(), 0)
                                : dense_text(literal.type(), literal.data(), 0, next);
  return value + ": " + numbered(literal.type(), numbers).text();
}

/// Extents are a list in `slice` and a shape everywhere else.
std::string_view separator(Clause clause) {
  return clause == Clause::from || clause == Clause::upto ? ", " : " x ";
}

std::string combinator_text(const Combinator& combinator) {
  if (combinator.function != nullptr) return written_name('@', combinator.function->name());
  return std::string(definition(combinator.opcode).name);
}

std::string pairs_text(const AxisPairs& pairs) {
  if (pairs.empty()) return "() with ()";
  const auto left = [](const auto& pair) { return number(pair.first); };
  const auto right = [](const auto& pair) { return number(pair.second); };
  return joined(pairs, ", ", left) + " with " + joined(pairs, ", ", right);
}

std::string attribute_text(const Attribute& attribute, Clause clause, const Numbering& numbers = {}) {
  struct Text {
    Clause clause;
    const Numbering& numbers;
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(const Integers& list) const {
      return list.empty() ? "()" : joined(list, ", ", number);
    }
    std::string operator()(const Shape& shape) const {
      if (shape.empty()) return "scalar";
      return joined(shape, separator(clause),
                    [this](const Extent& extent) { return numbered(extent, numbers).text(); });
    }
    std::string operator()(const ExtentPairs& pairs) const {
      if (pairs.empty()) return "()";
      return joined(pairs, ", ", [this](const auto& pair) {
        return fmt::format("({}, {})", numbered(pair.first, numbers).text(),
                           numbered(pair.second, numbers).text());
      });
    }
    std::string operator()(const AxisPairs& pairs) const { return pairs_text(pairs); }
    std::string operator()(ElementType element) const { return std::string(info(element).name); }
    std::string operator()(const Combinator& combinator) const { return combinator_text(combinator); }
    std::string operator()(WindowPadding padding) const { return std::string(word(padding)); }
    std::string operator()(const Type& type) const { return numbered(type, numbers).text(); }
    std::string operator()(const Function* function) const { return written_name('@', function->name()); }
  };
  return std::visit(Text{clause, numbers}, attribute);
}

/// The member of a declared type at the position; what the verifier refuses is printed as well.
std::string member_name(const Type& type, std::int64_t at) {
  const bool declared = type.is_structure() || type.is_enumeration();
  if (!declared || at < 0 || at >= static_cast<std::int64_t>(type.declaration().members.size()))
    return number(at);
  return type.declaration().members[static_cast<std::size_t>(at)].name;
}

class InstructionPrinter {
 public:
  InstructionPrinter(const Instruction& instruction, const BodyNames& names, const Numbering& numbers)
      : instruction_(instruction), names_(names), numbers_(numbers) {}

  std::string text() {
    if (gives_value(instruction_.definition())) out_ = std::string(names_.of(instruction_)) + " = ";
    out_ += instruction_.definition().name;
    if (instruction_.opcode() == Opcode::literal)
      out_ += " " + composite();
    else if (instruction_.opcode() == Opcode::apply)
      out_ += call();
    else
      for (const Part& part : instruction_.definition().parts) add(part);
    for (const Location& location : instruction_.locations()) out_ += location_text(location);
    return std::move(out_);
  }

 private:
  /// A call with its result's type, or, where it was written so, with its arguments' types as well.
  std::string call() {
    const std::string result = " -> " + numbered(instruction_.type(), numbers_).text();
    std::string types;
    if (instruction_.attributes().size() > 1)
      types = ": (" +
              joined(instruction_.operands(), ", ",
                     [&](const Value* operand) { return numbered(operand->type(), numbers_).text(); }) +
              ")";
    return fmt::format(" {}({}){}{}", attribute_text(instruction_.attributes()[0], Clause::none),
                       uses(instruction_.operands().size()), types, result);
  }

  std::string composite() {
    const Type& type = instruction_.type();
    const std::size_t count = instruction_.operands().size();
    if (type.is_tuple()) return "(" + uses(count) + ")";
    const std::string behind = ": " + numbered(type, numbers_).text();
    if (type.kind() == Type::Kind::array) return "[" + uses(count) + "]" + behind;
    if (type.is_structure()) {
      std::string fields;
      for (std::size_t i = 0; i < count; ++i)
        fields += fmt::format("{}#{} = {}", fields.empty() ? "" : ", ",
                              member_name(type, static_cast<std::int64_t>(i)), uses(1));
      return "{" + fields + "}" + behind;
    }
    next_attribute_ = 1;
    const Integers at = positions();
    return fmt::format("?{}({}){}", at.empty() ? "" : member_name(type, at[0]), uses(count), behind);
  }

  /// The next attribute as a list; empty where it is none.
  Integers positions() {
    if (next_attribute_ >= instruction_.attributes().size()) return {};
    const auto* list = std::get_if<Integers>(&instruction_.attributes()[next_attribute_++]);
    return list == nullptr ? Integers() : *list;
  }

  std::string cases() {
    std::string out;
    const Integers cases = positions();
    for (std::size_t i = 0; i < std::min(cases.size(), instruction_.successors().size()); ++i)
      out += fmt::format("{}?{} {}", i == 0 ? "" : " case ",
                         member_name(instruction_.operand(0)->type(), cases[i]),
                         names_.of(instruction_.successors()[i].block));
    return out;
  }

  /// The path into the aggregate or what the pointer points to; a position in a struct is written as its
  /// field.
  std::string path() {
    if (instruction_.operands().empty()) return "";
    Type type = instruction_.operands().back()->type();  // of an extract or an insert
    if (instruction_.opcode() == Opcode::elementPointer) {
      const Type& pointer = instruction_.operand(0)->type();
      type = pointer.is_pointer() ? pointer.pointee() : Type();
    }
    return joined(positions(), ", ", [&](std::int64_t at) {
      const bool given = at == position_of_value && next_operand_ < instruction_.operands().size();
      std::string text = given ? uses(1) : (type.is_structure() ? "#" : "") + member_name(type, at);
      if (auto inner = component_type(type, at)) type = std::move(*inner);
      return text;
    });
  }

  void add(const Part& part) {
    const std::string text = part.kind == PartKind::successor ? successor_part()
                             : part.kind == PartKind::cases   ? cases()
                             : part.kind == PartKind::path    ? path()
                             : is_operand(part.kind)          ? operand_part(part)
                                                              : attribute_part(part);
    if (text.empty()) return;
    if (part.kind == PartKind::result_type)
      out_ += ": ";
    else if (part.clause != Clause::none)
      out_ += fmt::format(" {} ", word(part.clause));
    else
      out_ += some_ ? ", " : " ";
    some_ = true;
    out_ += text;
  }

  std::string attribute_part(const Part& part) {
    return next_attribute_ < instruction_.attributes().size()
               ? attribute_text(instruction_.attributes()[next_attribute_++], part.clause, numbers_)
               : "";
  }

  std::string operand_part(const Part& part) {
    const std::size_t left = instruction_.own_operands().size() - next_operand_;
    if (part.kind == PartKind::operands) {
      // All but what the operands behind this part take.
      std::size_t behind = 0;
      for (const Part& other : instruction_.definition().parts)
        if (&other > &part && other.kind == PartKind::operand && !other.optional) ++behind;
      return uses(left > behind ? left - behind : 0);
    }
    return uses(left > 0 ? 1 : 0);
  }

  std::string successor_part() {
    if (next_successor_ == instruction_.successors().size()) return "";
    const Successor& successor = instruction_.successors()[next_successor_++];
    return fmt::format("{}({})", names_.of(successor.block), uses(successor.passed));
  }

  std::string uses(std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out += ", ";
      const Value& value = *instruction_.operand(next_operand_++);
      const Literal* literal = as_literal(&value);
      out += literal != nullptr
                 ? literal_text(*literal, numbers_)
                 : fmt::format("{}: {}", names_.of(value), numbered(value.type(), numbers_).text());
    }
    return out;
  }

  const Instruction& instruction_;
  const BodyNames& names_;
  const Numbering& numbers_;
  std::string out_;
  std::size_t next_operand_ = 0, next_attribute_ = 0, next_successor_ = 0;
  bool some_ = false;
};

std::string gradient_text(const GradientDeclaration& gradient) {
  const bool forward = gradient.mode == GradientDeclaration::Mode::forward;
  std::string out = (forward ? "[jvp " : "[gradient ") + written_name('@', gradient.of->name());
  if (gradient.from != 0) out += fmt::format(" from {}", gradient.from);
  if (gradient.wrt && !gradient.wrt->empty()) out += " wrt " + joined(*gradient.wrt, ", ", number);
  if (!gradient.keeping.empty()) out += " keeping " + joined(gradient.keeping, ", ", number);
  return out + (gradient.seedable ? " seedable]" : "]") + location_text(gradient.location) + "\n";
}

std::string requirement_text(const Requirement& requirement, const Numbering& numbers) {
  return fmt::format("require {} {} {} {}{}\n", numbered(requirement.left, numbers).text(),
                     requirement.relation == Requirement::Relation::equal ? "==" : "<=",
                     numbered(requirement.right, numbers).text(), quoted_text(requirement.text),
                     location_text(requirement.location));
}

std::string block_text(const BasicBlock& block, const BodyNames& names, const Numbering& numbers) {
  std::string out = std::string(names.of(&block)) + "(";
  out += joined(block.arguments(), ", ", [&](const auto& argument) {
    return fmt::format("{}: {}", names.of(*argument), numbered(argument->type(), numbers).text());
  });
  out += "):\n";
  for (const auto& instruction : block.instructions())
    out += "    " + InstructionPrinter(*instruction, names, numbers).text() + "\n";
  return out;
}

std::string type_text(const TypeDeclaration& type) {
  if (type.kind == TypeDeclaration::Kind::opaque) return "type $" + type.name + " = opaque\n";
  if (type.kind == TypeDeclaration::Kind::alias)
    return fmt::format("type ${} = {}\n", type.name, type.aliased.text());
  const bool fields = type.kind == TypeDeclaration::Kind::structure;
  std::string out = fmt::format("{} ${} {{\n", fields ? "struct" : "enum", type.name);
  const auto text = [](const Type& each) { return each.text(); };
  for (const auto& member : type.members)
    out += fields ? fmt::format("    #{}: {}\n", member.name, member.types[0].text())
                  : fmt::format("    ?{}({})\n", member.name, joined(member.types, ", ", text));
  return out + "}\n";
}

std::string tensor_text(const StoredTensor& tensor) {
  std::string out = fmt::format("{} {}: {}", word(tensor.role), quoted_text(tensor.name), tensor.type.text());
  if (!tensor.initializer.empty()) out += " initialized " + written_name('@', tensor.initializer);
  return out + doc_text(tensor.doc) + location_text(tensor.location) + "\n";
}

std::string entry_text(const EntryPoint& entry) {
  const auto slot = [](const auto& each) {
    return fmt::format("{} {}{}", word(each.role), quoted_text(each.name), doc_text(each.doc));
  };
  return fmt::format("entry {} {} {}({}) -> ({}){}{}\n", word(entry.kind), quoted_text(entry.name),
                     written_name('@', entry.function), joined(entry.arguments, ", ", slot),
                     joined(entry.results, ", ", slot), doc_text(entry.doc), location_text(entry.location));
}

}  // namespace

std::string print(const Instruction& instruction) {
  if (instruction.block() == nullptr) return std::string(instruction.definition().name);
  const BodyNames names(instruction.block()->function());
  const Numbering numbers;
  return InstructionPrinter(instruction, names, numbers).text();
}

std::string printed_name(const BasicBlock& block) {
  return std::string(BodyNames(block.function()).of(&block));
}

std::string print(const Function& function) {
  std::string out;
  const ErasedNumbers erased(function);
  const Numbering& numbers = erased.numbers();
  for (const Requirement& requirement : function.requirements) out += requirement_text(requirement, numbers);
  for (const std::string& attribute : function.attributes) out += "!" + attribute + "\n";
  if (function.gradient)
    out += gradient_text(*function.gradient);
  else if (!function.has_body())
    out += "[extern]\n";
  out += fmt::format("func {}: {}{}", written_name('@', function.name()),
                     numbered(function.type(), numbers).text(), location_text(function.location));
  if (!function.has_body()) return out + "\n";
  out += " {\n";
  const BodyNames names(function);
  for (const auto& block : function.blocks()) out += block_text(*block, names, numbers);
  return out + "}\n";
}

std::string print(const Module& module) {
  std::string out = fmt::format("module {}{}\nstage {}\n", quoted_text(module.name()), doc_text(module.doc),
                                module.stage == Module::Stage::raw ? "raw" : "canonical");
  for (const auto& type : module.types()) out += "\n" + type_text(*type);
  if (!module.globals().empty()) out += "\n";
  for (const auto& global : module.globals())
    out += fmt::format("var {}: {}{}\n", written_name('@', global->name), global->type.text(),
                       location_text(global->location));
  if (!module.tensors.empty() || !module.entries.empty()) out += "\n";
  for (const StoredTensor& tensor : module.tensors) out += tensor_text(tensor);
  for (const EntryPoint& entry : module.entries) out += entry_text(entry);
  for (const auto& function : module.functions()) out += "\n" + print(*function);
  return out;
}

}  // namespace dlvm
