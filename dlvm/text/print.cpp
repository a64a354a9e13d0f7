#include "dlvm/text/print.h"

#include <fmt/format.h>

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
    if (type.is_tuple())
      for (const Type& element : type.elements()) count(element, times);
  }
  void count(const Attribute& attribute) {
    if (const auto* type = std::get_if<Type>(&attribute)) count(*type, 2);
    if (const auto* shape = std::get_if<Shape>(&attribute))
      for (const Extent& extent : *shape) count(extent, 2);
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

std::string literal_text(const Literal& literal, const Numbering& numbers) {
  std::size_t next = 0;
  const std::string value = literal.data().extents().empty()
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

class InstructionPrinter {
 public:
  InstructionPrinter(const Instruction& instruction, const BodyNames& names, const Numbering& numbers)
      : instruction_(instruction), names_(names), numbers_(numbers) {}

  std::string text() {
    if (gives_value(instruction_.definition())) out_ = std::string(names_.of(instruction_)) + " = ";
    out_ += instruction_.definition().name;
    if (instruction_.opcode() == Opcode::literal)
      out_ += " (" + uses(instruction_.operands().size()) + ")";
    else if (instruction_.opcode() == Opcode::apply)
      out_ +=
          fmt::format(" {}({}) -> {}", attribute_text(instruction_.attributes()[0], Clause::none),
                      uses(instruction_.operands().size()), numbered(instruction_.type(), numbers_).text());
    else
      for (const Part& part : instruction_.definition().parts) add(part);
    for (const Location& location : instruction_.locations()) out_ += location_text(location);
    return std::move(out_);
  }

 private:
  void add(const Part& part) {
    const std::string text = part.kind == PartKind::successor ? successor_part()
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
  if (!module.tensors.empty() || !module.entries.empty()) out += "\n";
  for (const StoredTensor& tensor : module.tensors) out += tensor_text(tensor);
  for (const EntryPoint& entry : module.entries) out += entry_text(entry);
  for (const auto& function : module.functions()) out += "\n" + print(*function);
  return out;
}

}  // namespace dlvm
