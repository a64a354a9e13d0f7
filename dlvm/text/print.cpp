#include "dlvm/text/print.h"

#include <fmt/format.h>

#include <algorithm>

#include "dlvm/text/print_parts.h"

namespace dlvm {
namespace {

using namespace printing;

std::string doc_text(const std::string& doc) { return doc.empty() ? "" : " doc " + quoted_text(doc); }

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
    out += "    " + instruction_text(*instruction, names, numbers) + "\n";
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
  if (tensor.stream != 0) out += fmt::format(" stream {}", tensor.stream);
  if (!tensor.file_name.empty()) out += " from " + quoted_text(tensor.file_name);
  if (tensor.transposed_in_file) out += " transposed";
  return out + doc_text(tensor.doc) + location_text(tensor.location) + "\n";
}

std::string entry_text(const EntryPoint& entry) {
  const auto slot = [](const auto& each) {
    const auto dots = static_cast<std::size_t>(std::ranges::count(each.name, '.'));
    std::string types;
    for (std::size_t i = 0; i < each.structs.size(); ++i)
      types += (i == dots ? " enum " : i == 0 ? " struct " : " ") + quoted_text(each.structs[i]);
    return fmt::format("{} {}{}{}", word(each.role), quoted_text(each.name), types, doc_text(each.doc));
  };
  return fmt::format("entry {} {} {}({}) -> ({}){}{}\n", word(entry.kind), quoted_text(entry.name),
                     written_name('@', entry.function), joined(entry.arguments, ", ", slot),
                     joined(entry.results, ", ", slot), doc_text(entry.doc), location_text(entry.location));
}

}  // namespace

std::string print(const Instruction& instruction) {
  if (instruction.block() == nullptr) return std::string(instruction.definition().name);
  const BodyNames names(instruction.block()->function());
  return instruction_text(instruction, names, {});
}

std::string printed_name(const BasicBlock& block) {
  return std::string(BodyNames(block.function()).of(&block));
}

std::string print(const Function& function) {
  std::string out;
  const Numbering numbers = erased_numbers(function);
  for (const Requirement& requirement : function.requirements) out += requirement_text(requirement, numbers);
  for (const std::string& attribute : function.attributes) out += "!" + attribute + "\n";
  if (function.gradient)
    out += gradient_text(*function.gradient);
  else if (!function.has_body())
    out += "[extern]\n";
  if (function.adjoint != nullptr)
    out += fmt::format("[derivative {}]\n", written_name('@', function.adjoint->name()));
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
