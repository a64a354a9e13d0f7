#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "dlvm/text/number.h"
#include "tests/dlvm/analysis/parsed.h"

/// Single instructions, and what a pass makes of them.
namespace expressions {

using namespace dlvm;

/// The value as an expression: `add(x, 1)`.
inline std::string expression(const Value& value) {
  if (const Literal* literal = as_literal(&value))
    return literal->is_splat() ? number_text(literal->data(), 0) : "literal";
  const Instruction* instruction = as_instruction(&value);
  if (instruction == nullptr) return value.name();
  std::string operands;
  for (const Value* operand : instruction->operands())
    operands += (operands.empty() ? "" : ", ") + expression(*operand);
  return std::string(instruction->definition().name) + "(" + operands + ")";
}

/// What a pass makes of the last of these instructions, which are %p, %q, %r and %z, and whose operands stand
/// without types. Their arguments are %x, %y: f32, %h: f16, %i, %j: i32, %u: u8, %s: i8, %b, %c: bool, %v: <3
/// x f32>, %w: <2 x 3 x f32>, %k: <3 x i32>, %n: <N x f32> and %t: (f32, i32).
inline std::string rewritten(void (*pass)(Module&), std::initializer_list<std::string> list) {
  const std::vector<std::string> instructions = list;
  std::vector<std::pair<std::string, std::string>> known{
      {"%x", "f32"},       {"%y", "f32"},           {"%h", "f16"},
      {"%i", "i32"},       {"%j", "i32"},           {"%u", "u8"},
      {"%s", "i8"},        {"%b", "bool"},          {"%c", "bool"},
      {"%v", "<3 x f32>"}, {"%w", "<2 x 3 x f32>"}, {"%k", "<3 x i32>"},
      {"%n", "<N x f32>"}, {"%t", "(f32, i32)"}};
  const std::vector<std::pair<std::string, std::string>> arguments = known;
  std::string types, entry, body, last = "%x";
  for (const auto& [name, type] : arguments) {
    types += (types.empty() ? "" : ", ") + type;
    entry += (entry.empty() ? "" : ", ") + name + ": " + type;
  }
  const auto parse = [&](const std::string& result) {
    return parsed::Text("stage canonical\nfunc @f: (" + types + ") -> " + result + " {\n'entry(" + entry +
                        "):\n" + body + "    return " + last + ": " + result + "\n}\n");
  };
  const std::string names[]{"%p", "%q", "%r", "%z"};
  for (std::size_t at = 0; at < instructions.size(); ++at) {
    std::string instruction = instructions[at];
    for (const auto& [name, type] : known)
      for (auto place = instruction.find(name); place != std::string::npos;
           place = instruction.find(name, place + name.size()))
        instruction.insert(place + name.size(), ": " + type);
    body += "    " + names[at] + " = " + instruction + "\n";
    last = "%x";
    const parsed::Text probe = parse("f32");
    known.emplace_back(names[at],
                       (*std::next(probe.function().entry().instructions().rbegin()))->type().text());
    last = names[at];
  }
  const parsed::Text text = parse(known.back().second);
  pass(const_cast<Module&>(text.module()));
  return expression(*text.function().entry().terminator()->operand(0));
}

}  // namespace expressions
