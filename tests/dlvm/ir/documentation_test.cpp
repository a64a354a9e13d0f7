#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "dlvm/differentiate/rules.h"

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

std::string derivative_column(Opcode opcode) {
  constexpr std::string_view names[]{
      "partials", "linear", "own rule", "piecewise constant", "none, by declaration", "–", "not known"};
  return std::string(names[derivative_row(opcode).rule.index()]);
}

}  // namespace

TEST_CASE("docs/ir.md lists the instructions as the tables have them") {
  std::string table = "| written | elements | is | derivative |\n| --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const auto& entry = definition(static_cast<Opcode>(i));
    std::string summary(entry.summary);
    for (std::size_t at = summary.find('|'); at != std::string::npos; at = summary.find('|', at + 2))
      summary.insert(at, "\\");
    table += fmt::format("| `{}` | {} | {} | {} |\n", syntax(entry), elements(entry.accepts), summary,
                         derivative_column(entry.opcode));
  }
  std::ifstream file(TEST_FOLDER "/../../docs/ir.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string page = text.str(), begin = "<!-- instructions -->\n",
                    end = "<!-- end of instructions -->";
  const std::size_t from = page.find(begin), upto = page.find(end);
  REQUIRE(from != std::string::npos);
  REQUIRE(upto != std::string::npos);
  const std::string written = page.substr(from + begin.size(), upto - from - begin.size());
  CHECK_MESSAGE(written == table, "docs/ir.md should hold, between its two marks:\n" << table);
}
