#include <utility>

#include "dlvm/ir/builtin.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/text/reader.h"

namespace dlvm::reading {

void BodyReader::define(const Token& word, Value* value) {
  if (!values_.emplace(word.text.substr(1), value).second)
    diagnostics_.report(duplicate, word.location, word.text);
}

const Function* BodyReader::callee(Node* node) {
  const auto found = functions_.find(name(token(node)));
  if (found != functions_.end()) return found->second;
  diagnostics_.report(unknown_function, token(node).location, token(node).text);
  return nullptr;
}

const Token& BodyReader::opcode_word(Grammar::InstructionContext& tree) {
  return tree.word() != nullptr ? token(tree.word()) : token(tree.property()->getStart());
}

void BodyReader::instruction(Grammar::InstructionContext& tree) {
  const Token& word = opcode_word(tree);
  const auto opcode = opcode_named(word.text);
  Value* value = nullptr;
  if (word.text == "builtin")
    value = build_builtin(tree, word);
  else if (opcode)
    value = build(tree, word, *opcode);
  else
    diagnostics_.report(unknown_instruction, word.location, word.text);
  failed_ = failed_ || value == nullptr;
  if (tree.VALUE() == nullptr) return;
  const Token& result = token(tree.VALUE());
  define(result, value);
  const bool anonymous = result.text[1] >= '0' && result.text[1] <= '9';
  if (value != nullptr && as_instruction(value) != nullptr && !anonymous) value->set_name(name(result));
}

Value* BodyReader::build(Grammar::InstructionContext& tree, const Token& word, Opcode opcode) {
  const InstructionDefinition& definition = dlvm::definition(opcode);
  if (!gives_value(definition) && tree.VALUE() != nullptr) {
    diagnostics_.report(bad_part, word.location, definition.name, "has no result to name");
    return nullptr;
  }
  Parts parts = split(tree, word, definition);
  if (opcode == Opcode::literal) {
    const auto& list = parts.groups[0].arguments;
    const bool tuple = list.size() == 1 && list[0]->VALUE() == nullptr && list[0]->GLOBAL() == nullptr &&
                       list[0]->dense() == nullptr && list[0]->shape() == nullptr &&
                       list[0]->LABEL() == nullptr && list[0]->STRING() == nullptr &&
                       list[0]->bracketed() == nullptr;
    if (list.size() == 1 && !tuple && parts.groups.size() == 1 && list[0]->VALUE() == nullptr)
      return use(*list[0]);
    if (!tuple || parts.groups.size() > 1) {
      bad(parts, word.location, "takes one constant with its type, or a tuple of values");
      return nullptr;
    }
    if (list[0]->arguments() != nullptr)
      for (auto* each : list[0]->arguments()->argument()) {
        parts.operands.push_back(use(*each));
        if (parts.operands.back() == nullptr) return nullptr;
      }
    return insert(parts, tree);
  }
  std::optional<Type> written;
  if (opcode == Opcode::apply) {
    if (!take_apply(tree, parts, written)) return nullptr;
  } else {
    for (const Part& part : definition.parts)
      if (!take(part, parts)) return nullptr;
    if (!all_used(parts)) return nullptr;
  }
  Value* value = insert(parts, tree);
  if (value == nullptr || !written || fits(*written, value->type())) return value;
  diagnostics_.report(wrong_use, word.location, "the result", value->type().text(), written->text());
  return nullptr;
}

Value* BodyReader::build_builtin(Grammar::InstructionContext& tree, const Token& word) {
  const auto list =
      tree.arguments() != nullptr ? tree.arguments()->argument() : std::vector<Grammar::ArgumentContext*>{};
  if (list.size() != 1 || list[0]->STRING() == nullptr || !tree.clause().empty()) {
    diagnostics_.report(bad_part, word.location, "builtin", "is written 'builtin \"softmax\"(%x: T) -> T'");
    return nullptr;
  }
  const auto written = type(*list[0]->type());
  if (!written) return nullptr;
  std::vector<Value*> operands;
  if (list[0]->arguments() != nullptr)
    for (auto* each : list[0]->arguments()->argument()) {
      operands.push_back(use(*each));
      if (operands.back() == nullptr) return nullptr;
    }
  std::vector<Location> locations;
  for (auto* each : tree.location()) {
    const auto read = location(*each);
    if (!read) return nullptr;
    locations.push_back(*read);
  }
  Builder builder(*block_);
  builder.set_locations(std::move(locations));
  const std::string name = string(token(list[0]->STRING()));
  std::string why;
  Value* value = dlvm::build_builtin(builder, name, operands, *written, why);
  if (value == nullptr) {
    diagnostics_.report(ill_typed, span(tree), "builtin \"" + name + "\"", why);
    return nullptr;
  }
  if (fits(*written, value->type())) return value;
  diagnostics_.report(wrong_use, word.location, "the result", value->type().text(), written->text());
  return nullptr;
}

/// `@f(%x: T) -> U`, or `@f(%x): (T) -> U` where the uses may stand without their types.
bool BodyReader::take_apply(Grammar::InstructionContext& tree, Parts& parts, std::optional<Type>& written) {
  auto* call = parts.groups[0].arguments.size() == 1 ? parts.groups[0].arguments[0] : nullptr;
  if (call == nullptr || call->GLOBAL() == nullptr || parts.groups.size() > 1 || call->type() == nullptr) {
    bad(parts, span(tree), "is written '@f(%x: T) -> U'");
    return false;
  }
  written = type(*call->type());
  const bool trailing = call->arrow == nullptr;
  const Function* function = callee(call->GLOBAL());
  if (!written || function == nullptr) return false;
  std::vector<Type> types;
  if (trailing) {
    if (written->kind() != Type::Kind::function) {
      bad(parts, span(*call->type()), "behind ':' stands the function's type, behind '->' the result's");
      return false;
    }
    types = written->parameters();
    written = Type(written->result());
  }
  const auto list =
      call->arguments() != nullptr ? call->arguments()->argument() : std::vector<Grammar::ArgumentContext*>{};
  if (trailing && types.size() != list.size()) {
    bad(parts, span(*call), fmt::format("{} arguments for {} types", list.size(), types.size()));
    return false;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    Value* value = use(*list[i], trailing);
    if (value == nullptr) return false;
    if (trailing && !fits(types[i], value->type())) {
      diagnostics_.report(wrong_use, span(*list[i]), "the argument", value->type().text(), types[i].text());
      return false;
    }
    parts.operands.push_back(value);
  }
  parts.attributes.emplace_back(function);
  return true;
}

Value* BodyReader::use(Grammar::ArgumentContext& tree, bool untyped) {
  if (tree.VALUE() == nullptr) {
    const bool number = tree.dense() != nullptr || (tree.shape() != nullptr && tree.type() != nullptr);
    if (number) return literal(tree);
    diagnostics_.report(syntax, span(tree), "a use with its type, as in '%x: f32' or '1: f32'",
                        "'" + source_text(tree).substr(0, 40) + "'");
    return nullptr;
  }
  const Token& word = token(tree.VALUE());
  const auto found = values_.find(std::string(word.text.substr(1)));
  if (found == values_.end()) {
    unknown(word);
    return nullptr;
  }
  if (found->second == nullptr) return nullptr;  // its definition has been reported
  if (tree.type() == nullptr) {
    if (untyped) return found->second;
    diagnostics_.report(syntax, word.location, "the type behind a use, as in '%x: f32'", "none");
    return nullptr;
  }
  const auto written = type(*tree.type());
  if (!written) return nullptr;
  if (fits(*written, found->second->type())) return found->second;
  diagnostics_.report(wrong_use, span(tree), word.text, found->second->type().text(), written->text());
  return nullptr;
}

namespace {

/// `slice`: the axes that the text does not name are whole.
void fill_defaults(Opcode opcode, const std::vector<Value*>& operands, std::vector<Attribute>& attributes) {
  if (opcode != Opcode::slice || !operands[0]->type().is_tensor()) return;
  const Shape& whole = operands[0]->type().shape();
  auto &from = std::get<Shape>(attributes[0]), &upto = std::get<Shape>(attributes[1]);
  if (from.size() != upto.size()) return;
  for (std::size_t i = from.size(); i < whole.size(); ++i) {
    from.emplace_back(0);
    upto.push_back(whole[i]);
    if (auto* steps = std::get_if<Integers>(&attributes[2])) steps->push_back(1);
  }
}

}  // namespace

Value* BodyReader::insert(Parts& parts, Grammar::InstructionContext& tree) {
  std::vector<Location> locations;
  for (auto* each : tree.location()) {
    const auto read = location(*each);
    if (!read) return nullptr;
    locations.push_back(*read);
  }
  fill_defaults(parts.definition->opcode, parts.operands, parts.attributes);
  parts.operands.insert(parts.operands.end(), parts.passed.begin(), parts.passed.end());
  std::vector<Type> types;
  for (const Value* operand : parts.operands) types.push_back(operand->type());
  std::string why;
  auto type = infer_type(parts.definition->opcode, {types, parts.attributes}, why);
  if (!type) {
    diagnostics_.report(ill_typed, span(tree), parts.definition->name, why);
    return nullptr;
  }
  auto instruction =
      std::make_unique<Instruction>(parts.definition->opcode, std::move(*type), std::move(parts.operands),
                                    std::move(parts.attributes), std::move(parts.successors));
  instruction->set_locations(std::move(locations));
  return block_->insert(std::move(instruction));
}

}  // namespace dlvm::reading
