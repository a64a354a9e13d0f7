#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "dlvm/ir/builtin.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/text/names.h"
#include "dlvm/text/reader.h"

namespace dlvm::reading {

std::string BodyReader::key(const Token& token) {
  const bool anonymous = token.text[1] >= '0' && token.text[1] <= '9';
  return anonymous ? std::string(token.text) : written_name('%', name(token));
}

void BodyReader::define(const Token& word, Value* value) {
  if (!values_.emplace(key(word), value).second) diagnostics_.report(duplicate, word.location, word.text);
}

const Function* BodyReader::callee(Node* node) {
  const auto found = declared_.functions.find(name(token(node)));
  if (found != declared_.functions.end()) return found->second;
  suggest(diagnostics_.report(unknown_function, token(node).location, token(node).text), name(token(node)),
          names_of(declared_.functions), "@");
  return nullptr;
}

const Token& BodyReader::opcode_word(Grammar::InstructionContext& tree) {
  if (tree.word() != nullptr) return token(tree.word());
  return token(tree.property() != nullptr ? tree.property()->getStart() : tree.typed()->getStart());
}

void BodyReader::instruction(Grammar::InstructionContext& tree) {
  const Token& word = opcode_word(tree);
  const auto opcode = opcode_named(word.text);
  Value* value = nullptr;
  locations_.clear();
  for (auto* each : tree.location())
    if (const auto read = location(*each))
      locations_.push_back(*read);
    else
      failed_ = true;
  if (word.text == "builtin")
    value = build_builtin(tree, word);
  else if (opcode)
    value = build(tree, word, *opcode);
  else
    suggest_instruction(diagnostics_.report(unknown_instruction, word.location, word.text), word.text);
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
  if (opcode == Opcode::literal) return build_literal(parts);
  if (opcode == Opcode::extract) return build_extract(parts);
  if (opcode == Opcode::insert) return build_insert(parts);
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
  if (list.size() != 1 || list[0]->arrow == nullptr || list[0]->STRING() == nullptr ||
      !tree.clause().empty()) {
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
  Builder builder(*block_);
  builder.set_locations(locations_);
  const std::string name = string(token(list[0]->STRING()));
  std::string why;
  Value* value = dlvm::build_builtin(builder, name, operands, *written, why);
  if (value == nullptr) {
    Diagnostic& report = diagnostics_.report(ill_typed, span(tree), "builtin \"" + name + "\"", why);
    if (std::ranges::find(builtin_names, name) == std::end(builtin_names))
      suggest(report, name, {std::begin(builtin_names), std::end(builtin_names)});
    return nullptr;
  }
  if (fits(*written, value->type())) return value;
  diagnostics_.report(wrong_use, word.location, "the result", value->type().text(), written->text());
  return nullptr;
}

/// `@f(%x: T) -> U`, or `@f(%x): (T) -> U` where the uses may stand without their types; `%f` is a value.
bool BodyReader::take_apply(Grammar::InstructionContext& tree, Parts& parts, std::optional<Type>& written) {
  auto* call = parts.groups[0].arguments.size() == 1 ? parts.groups[0].arguments[0] : nullptr;
  const bool names_callee = call != nullptr && (call->GLOBAL() != nullptr || call->is_call != nullptr);
  if (!names_callee || parts.groups.size() > 1 || call->type() == nullptr) {
    bad(parts, span(tree), "is written '@f(%x: T) -> U'");
    return false;
  }
  written = type(*call->type());
  const bool trailing = call->arrow == nullptr;
  const Function* function = call->GLOBAL() != nullptr ? callee(call->GLOBAL()) : nullptr;
  Value* value = call->GLOBAL() == nullptr ? named(token(call->VALUE())) : nullptr;
  if (!written || (function == nullptr && value == nullptr)) return false;
  if (value != nullptr) parts.operands.push_back(value);
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
  if (trailing) parts.attributes.emplace_back(Integers{});
  return true;
}

Value* BodyReader::use(Grammar::ArgumentContext& tree, bool untyped) {
  if (tree.VALUE() == nullptr || tree.is_call != nullptr || tree.arrow != nullptr) {
    if (tree.composite() != nullptr) return composite(tree);
    if (tree.is_tuple != nullptr) return tuple(tree);
    if (tree.GLOBAL() != nullptr && tree.arguments() == nullptr && tree.type() != nullptr)
      return address(tree);
    const bool number = tree.dense() != nullptr || (tree.shape() != nullptr && tree.type() != nullptr);
    if (number) return literal(tree);
    diagnostics_.report(syntax, span(tree), "a use with its type, as in '%x: f32' or '1: f32'",
                        "'" + source_text(tree).substr(0, 40) + "'");
    return nullptr;
  }
  const Token& word = token(tree.VALUE());
  if (tree.type() != nullptr) {
    const auto written = type(*tree.type());
    return written ? typed(word, *written, span(tree)) : nullptr;
  }
  Value* value = named(word);
  if (value == nullptr || untyped) return value;
  diagnostics_.report(syntax, word.location, "the type behind a use, as in '%x: f32'", "none");
  return nullptr;
}

Value* BodyReader::named(const Token& word) {
  const auto found = values_.find(key(word));
  if (found == values_.end()) unknown(word);
  return found == values_.end() ? nullptr : found->second;  // null where its definition has been reported
}

Value* BodyReader::typed(const Token& word, const Type& type, Location location) {
  Value* value = named(word);
  if (value == nullptr || fits(type, value->type())) return value;
  diagnostics_.report(wrong_use, location, word.text, value->type().text(), type.text());
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

/// Makes scans along all axes but the last: a scan along several is one along each, in order.
bool BodyReader::scan_first_axes(Parts& parts, Location location) {
  auto& axes = std::get<Integers>(parts.attributes[1]);
  const bool are_different = std::set(axes.begin(), axes.end()).size() == axes.size();
  for (; are_different && axes.size() > 1; axes.erase(axes.begin())) {
    parts.operands[0] =
        create(Opcode::scan, {parts.operands[0]}, {parts.attributes[0], Integers{axes[0]}}, location);
    if (parts.operands[0] == nullptr) return false;
  }
  return true;
}

Value* BodyReader::insert(Parts& parts, Grammar::InstructionContext& tree) {
  fill_defaults(parts.definition->opcode, parts.operands, parts.attributes);
  parts.operands.insert(parts.operands.end(), parts.passed.begin(), parts.passed.end());
  if (parts.definition->opcode == Opcode::scan && !scan_first_axes(parts, span(tree))) return nullptr;
  Value* value =
      create(parts.definition->opcode, std::move(parts.operands), std::move(parts.attributes), span(tree));
  if (value != nullptr) as_instruction(value)->set_successors(std::move(parts.successors));
  return value;
}

Value* BodyReader::create(Opcode opcode, std::vector<Value*> operands, std::vector<Attribute> attributes,
                          Location location) {
  std::vector<Type> types;
  for (const Value* operand : operands) types.push_back(operand->type());
  std::string why;
  auto type = infer_type(opcode, {types, attributes}, why);
  if (!type) {
    diagnostics_.report(ill_typed, location, definition(opcode).name, why);
    return nullptr;
  }
  auto instruction =
      std::make_unique<Instruction>(opcode, std::move(*type), std::move(operands), std::move(attributes));
  instruction->set_locations(locations_);
  instruction->set_written(location);
  return block_->insert(std::move(instruction));
}

}  // namespace dlvm::reading
