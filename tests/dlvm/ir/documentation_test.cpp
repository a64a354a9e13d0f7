#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "dlvm/differentiate/rules.h"
#include "dlvm/interpret/interpret.h"
#include "dlvm/ir/builder.h"
#include "dlvm/text/parse.h"
#include "dlvm/text/print.h"
#include "dlvm/verify/verify.h"
#include "tests/dlvm/ir/instruction_examples.h"

using namespace dlvm;

namespace {

std::string placeholder(const Part& part) {
  std::string name(part.name);
  for (char& c : name)
    if (c == ' ') c = '_';
  if (part.kind == PartKind::cases) return "?case 'block…";
  if (part.kind == PartKind::successor) return fmt::format("'{}(%values…)", name);
  if (!is_operand(part.kind)) return name;
  return part.kind == PartKind::operands ? fmt::format("%{}…", name) : fmt::format("%{}", name);
}

std::string syntax(const InstructionDefinition& definition) {
  if (definition.opcode == Opcode::literal) return "literal (%elements…)";
  if (definition.opcode == Opcode::apply) return "apply @callee(%arguments…) -> type";
  std::string out(definition.name);
  bool first = true;
  for (const Part& part : definition.parts) {
    const std::string before = part.kind == PartKind::result_type ? ":"
                               : part.clause == Clause::none      ? (first ? "" : ",")
                                                                  : fmt::format(" {}", word(part.clause));
    const std::string text = before + " " + placeholder(part);
    out += part.optional ? " [" + text.substr(text.find_first_not_of(' ')) + "]" : text;
    first = false;
  }
  return out;
}

std::string elements(Accepts accepts) {
  constexpr std::string_view names[]{"",     "floating",       "integer",       "numeric",
                                     "bool", "floating, bool", "integer, bool", "any"};
  return std::string(names[static_cast<std::size_t>(accepts)]);
}

/// A formula of the table as the page writes it.
std::string formula(std::string_view source) {
  std::string out(source);
  const auto remove = [&](std::string_view word) {
    for (auto at = out.find(word); at != std::string::npos; at = out.find(word)) out.erase(at, word.size());
  };
  remove("partials::");
  remove("(primal)");
  for (auto at = out.find("* "); at != std::string::npos; at = out.find("* ", at + 2))
    if (at > 0 && out[at - 1] != ' ') out.insert(at++, " ");
  return "`" + out + "`";
}

std::string derivative_text(const InstructionExample& example) {
  constexpr std::string_view kinds[]{
      "partials", "linear", "own rule", "piecewise constant", "none, by declaration", "–", "not known"};
  const auto& rule = derivative_row(example.opcode).rule;
  if (const auto* partials = std::get_if<Partials>(&rule))
    return formula(partials->text[0]) +
           (partials->by[1] == nullptr ? "" : " and " + formula(partials->text[1]));
  const std::string kind(kinds[rule.index()]);
  return example.derivative.empty() ? kind : kind + ": " + std::string(example.derivative);
}

/// Returns the module in which the function `example` returns what the instruction gives, or the body.
std::unique_ptr<Module> module_of(const InstructionExample& example, Sources& sources) {
  std::string text(example.text);
  const bool is_body = text.starts_with("'"), is_module = text.find("func @example") != std::string::npos;
  if (!is_body && !is_module) text = "'entry():\n    %r = " + text + "\n    trap";
  if (!is_module) text = "func @example: () -> () {\n" + text + "\n}\n";
  Diagnostics diagnostics;
  auto module = parse(*sources.add("example.dl", text), sources, diagnostics);
  REQUIRE_MESSAGE(module, render(diagnostics));
  Function& function = *module->function("example");
  if (!is_body && !is_module) {
    BasicBlock& block = function.entry();
    block.erase(block.terminator());
    Builder(block).return_(block.instructions().back().get());
  }
  for (const auto& block : function.blocks())
    if (block->terminator()->opcode() == Opcode::return_)
      function.set_type(Type::function({}, block->terminator()->operand(0)->type()));
  CHECK_MESSAGE(verify(*module, diagnostics), render(diagnostics));
  return module;
}

/// Returns a value as the text writes it.
std::string value_text(const RuntimeValue& value) {
  if (value.is_tensor()) {
    const Tensor& tensor = value.tensor();
    Function function("f", Type::function({}, Type()));
    Builder builder(*function.add_entry());
    const Type type = Type::tensor(tensor.element(), Shape(tensor.extents().begin(), tensor.extents().end()));
    const std::string text = print(*builder.return_(function.literal(type, tensor)));
    return text.substr(text.find(' ') + 1);
  }
  std::string out = "(";
  for (const RuntimeValue& element : value.elements())
    out += (out.size() > 1 ? ", " : "") + value_text(element);
  return out + ")";
}

std::string result_text(const InstructionExample& example) {
  Sources sources;
  const auto module = module_of(example, sources);
  const Interpretation done = interpret(*module->function("example"), {});
  return done ? fmt::format("gives `{}`", value_text(done.value)) : "fails: " + done.error->text;
}

/// Returns all that the page says of an instruction.
std::string section(const InstructionExample& example) {
  const auto& entry = definition(example.opcode);
  std::string out = fmt::format("**`{}`** — {}.\n", syntax(entry), entry.summary);
  const std::string accepted = elements(entry.accepts);
  if (!accepted.empty()) out += fmt::format("Elements: {}. ", accepted);
  out += fmt::format("Type: {}. Derivative: {}.\n", example.type, derivative_text(example));
  const bool is_line = example.text.find('\n') == std::string_view::npos;
  out += is_line ? fmt::format("`{}` {}.\n\n", example.text, result_text(example))
                 : fmt::format("```\n{}\n```\n{}.\n\n", example.text, result_text(example));
  return out;
}

}  // namespace

TEST_CASE("docs/ir.md describes each instruction as the tables do, with an example that runs") {
  std::string sections = "\n";
  std::size_t next = 0;
  for (const InstructionExample& example : instruction_examples()) {
    const auto opcode = static_cast<Opcode>(next++);
    REQUIRE_MESSAGE(example.opcode == opcode,
                    definition(opcode).name << " needs a row in instruction_examples.cpp");
    sections += section(example);
  }
  REQUIRE_MESSAGE(next == opcode_count, "instruction_examples.cpp lacks rows");
  const std::string path = TEST_FOLDER "/../../docs/ir.md";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::string page = text.str();
  const std::string begin = "<!-- instructions -->\n", end = "<!-- end of instructions -->";
  const std::size_t from = page.find(begin), upto = page.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(upto != std::string::npos);
  const std::string written = page.substr(from + begin.size(), upto - from - begin.size());
  if (std::getenv("TEL_UPDATE_GOLDEN") != nullptr)
    std::ofstream(path) << page.replace(from + begin.size(), written.size(), sections);
  CHECK_MESSAGE(written == sections, "with TEL_UPDATE_GOLDEN=1 the test writes what docs/ir.md should hold");
}
