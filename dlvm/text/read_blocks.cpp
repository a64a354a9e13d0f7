// The blocks of a body: their labels, the order in which they are read, and the branches between them.
#include <algorithm>
#include <utility>

#include "dlvm/ir/builder.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/text/names.h"
#include "dlvm/text/reader.h"

namespace dlvm::reading {
namespace {

constexpr std::size_t most_listed = 8;

bool is_anonymous(const Token& value) { return value.text[1] >= '0' && value.text[1] <= '9'; }

}  // namespace

void BodyReader::begin(Function& function, const Erased& erased) {
  erased_ = erased;
  function_ = &function;
  block_ = nullptr;
  skipping_ = false;
  blocks_.clear();
  labels_.clear();
  values_.clear();
  definitions_.clear();
}

void BodyReader::add_statement(const Chunk& chunk) {
  if (skipping_) return;
  const Token& first = cut_.tokens[chunk.first];
  if (blocks_.empty()) {
    diagnostics_.report(misplaced, first.location, "a body begins with a block, as in 'entry(%x: f32):");
    blocks_.push_back({function_->add_block("entry"), first.location, {}});
  }
  blocks_.back().statements.push_back(chunk);
  if (first.kind == Grammar::VALUE) definitions_.emplace(key(first), first.location);
}

void BodyReader::add_block(Grammar::LabelContext& tree, const Chunk& chunk) {
  first_ = chunk.first;
  skipping_ = false;
  const Token& word = token(tree.LABEL());
  const std::string label = name(word);
  if (!labels_.emplace(label, blocks_.size()).second)
    diagnostics_.report(duplicate, word.location, word.text);
  const bool entry = blocks_.empty();
  block_ = function_->add_block(is_anonymous_block(label) ? "" : label);
  blocks_.push_back({block_, word.location, {}});
  const auto& parameters = function_->type().parameters();
  const auto arguments = tree.parameter();
  if (entry && arguments.size() != parameters.size()) {
    diagnostics_.report(bad_type, span(tree),
                        fmt::format("the entry block takes {} arguments, the function {}", arguments.size(),
                                    parameters.size()));
    for (auto* each : arguments) values_.emplace(key(token(each->VALUE())), nullptr);
    return;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Token& value = token(arguments[i]->VALUE());
    auto written = type(*arguments[i]->type());
    if (written && entry && !fits(*written, parameters[i])) {
      diagnostics_.report(wrong_use, span(*arguments[i]), value.text, parameters[i].text(), written->text());
      written.reset();
    }
    Value* argument = written ? block_->add_argument(entry ? parameters[i] : *written,
                                                     is_anonymous(value) ? "" : name(value))
                              : nullptr;
    define(value, argument);
  }
}

SuccessorNumbers BodyReader::successor_numbers() {
  SuccessorNumbers successors(blocks_.size());
  times_named_.clear();
  for (std::size_t i = 0; i < blocks_.size(); ++i)
    for (const Chunk& chunk : blocks_[i].statements)
      for (std::size_t t = chunk.first; t < chunk.last; ++t) {
        if (cut_.tokens[t].kind != Grammar::LABEL) continue;
        const auto found = labels_.find(name(cut_.tokens[t]));
        if (found == labels_.end()) continue;
        successors[i].push_back(found->second);
        ++times_named_[blocks_[found->second].block];
      }
  return successors;
}

/// The first block may be gone back to, as the header of a loop: then an entry stands before it.
void BodyReader::separate_entry(const SuccessorNumbers& successors) {
  const auto goes_back = [](const auto& list) { return std::ranges::find(list, 0U) != list.end(); };
  if (std::ranges::none_of(successors, goes_back)) return;
  BasicBlock& first = function_->entry();
  std::vector<std::string> names;
  std::vector<Value*> passed;
  for (const auto& argument : first.arguments()) names.push_back(argument->name());
  const BasicBlock* entry = function_->add_entry(names);
  for (const auto& argument : entry->arguments()) passed.push_back(argument.get());
  Builder(function_->entry()).branch(first, std::move(passed));
}

void BodyReader::enter(const BlockText& text) {
  block_ = text.block;
  failed_ = false;
}

void BodyReader::read(Grammar::StatementContext* tree, const Chunk& chunk) {
  if (tree == nullptr) {
    failed_ = true;
    const Token& first = cut_.tokens[chunk.first];
    if (first.kind == Grammar::VALUE) values_.emplace(key(first), nullptr);
    return;
  }
  first_ = chunk.first;
  const Token& word = opcode_word(*tree->instruction());
  if (block_->terminator() != nullptr && !std::exchange(failed_, true))
    diagnostics_.report(behind_terminator, word.location, word.text, printed_label());
  instruction(*tree->instruction());
}

void BodyReader::leave(const BlockText& text) {
  if (failed_ || block_->terminator() != nullptr) return;
  std::string known;
  for (std::size_t i = 0; i < opcode_count; ++i) {
    const InstructionDefinition& each = definition(static_cast<Opcode>(i));
    if (each.is(Trait::terminator)) known += (known.empty() ? "" : ", ") + std::string(each.name);
  }
  diagnostics_.report(unterminated, text.label, printed_label(), known);
}

std::string BodyReader::printed_label() const { return std::string(BodyNames(*function_).of(block_)); }

std::vector<std::string_view> BodyReader::value_names() const {
  std::vector<std::string_view> names = names_of(values_);
  for (std::string_view& name : names) name.remove_prefix(1);
  return names;
}

void BodyReader::unknown(const Token& value) {
  const auto found = definitions_.find(key(value));
  if (found == definitions_.end())
    suggest(diagnostics_.report(unknown_value, value.location, value.text), value.text.substr(1),
            value_names(), "%");
  else
    diagnostics_.report(not_before, value.location, value.text).note(found->second, "it is defined here");
}

BasicBlock* BodyReader::block_named(const Token& label) {
  const auto found = labels_.find(name(label));
  if (found != labels_.end()) return blocks_[found->second].block;
  const BodyNames names(*function_);
  std::string known;
  for (std::size_t i = 0; i < blocks_.size() && i <= most_listed; ++i)
    known += (i == 0 ? "" : ", ") + (i == most_listed ? "…" : std::string(names.of(blocks_[i].block)));
  suggest(diagnostics_.report(unknown_block, label.location, label.text, known), name(label),
          names_of(labels_));
  return nullptr;
}

bool BodyReader::take_successor(const Part& part, Parts& parts, Group* group) {
  const auto list = group != nullptr ? rest(part, *group) : std::vector<Grammar::ArgumentContext*>{};
  if (list.size() != 1 || list[0]->LABEL() == nullptr) {
    const std::string clause =
        part.clause == Clause::none ? "" : fmt::format(" behind '{}'", word(part.clause));
    bad(parts, list.empty() ? parts.word->location : span(*list.back()),
        fmt::format("takes one block{}, as in 'next(%x: f32)", clause));
    return false;
  }
  const Token& label = token(list[0]->LABEL());
  BasicBlock* block = block_named(label);
  const auto passed = list[0]->arguments() != nullptr ? list[0]->arguments()->argument()
                                                      : std::vector<Grammar::ArgumentContext*>{};
  if (block == nullptr || !take_passed(*block, label, passed, parts)) return false;
  parts.successors.push_back({block, passed.size()});
  return true;
}

bool BodyReader::take_passed(const BasicBlock& block, const Token& label,
                             const std::vector<Grammar::ArgumentContext*>& list, Parts& parts) {
  const auto& arguments = block.arguments();
  if (list.size() != arguments.size()) {
    std::string types;
    for (const auto& argument : arguments) types += (types.empty() ? "" : ", ") + argument->type().text();
    diagnostics_.report(bad_branch, label.location, label.text,
                        fmt::format("is passed {} value{} for its arguments ({})", list.size(),
                                    list.size() == 1 ? "" : "s", types));
    return false;
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    Value* value = use(*list[i]);
    if (value == nullptr) return false;
    if (!(value->type() == arguments[i]->type())) {
      diagnostics_.report(bad_branch, span(*list[i]), label.text,
                          fmt::format("argument {} has type {}, not {}", i, arguments[i]->type().text(),
                                      value->type().text()));
      return false;
    }
    parts.passed.push_back(value);
  }
  return true;
}

/// Each case goes to a block of its own: where the block is also gone to from elsewhere, the payload is
/// passed on.
bool BodyReader::take_cases(Parts& parts) {
  const Type type = parts.operands[0]->type();
  if (parts.cases.empty() || !type.is_enumeration()) {
    bad(parts, parts.word->location,
        parts.cases.empty() ? "is written 'branchEnum %t: $T case ?leaf 'l case ?node 'n'"
                            : "takes an enum, not " + type.text());
    return false;
  }
  Integers cases;
  BasicBlock* last = block_;
  for (auto* each : parts.cases) {
    const Token& word = token(each->CASE());
    const Token& label = token(each->LABEL());
    const auto found = type.declaration().find(name(word));
    BasicBlock* block = block_named(label);
    if (!found) bad(parts, word.location, fmt::format("{} has no case {}", type.text(), word.text));
    if (!found || block == nullptr) return false;
    const auto& payload = type.declaration().members[*found].types;
    if (!takes_payload(*block, payload, label, word)) return false;
    cases.push_back(static_cast<std::int64_t>(*found));
    BasicBlock* own = times_named_[block] == 1 ? block : last = forward(*block, payload, *last);
    parts.successors.push_back({own, 0});
  }
  parts.attributes.emplace_back(std::move(cases));
  return true;
}

bool BodyReader::takes_payload(const BasicBlock& block, const std::vector<Type>& payload, const Token& label,
                               const Token& word) {
  const auto& arguments = block.arguments();
  bool same = arguments.size() == payload.size();
  for (std::size_t i = 0; same && i < payload.size(); ++i) same = arguments[i]->type() == payload[i];
  if (same) return true;
  std::string types, wanted;
  for (const auto& argument : arguments) types += (types.empty() ? "" : ", ") + argument->type().text();
  for (const Type& type : payload) wanted += (wanted.empty() ? "" : ", ") + type.text();
  diagnostics_.report(bad_branch, label.location, label.text,
                      fmt::format("takes ({}), and the payload of {} is ({})", types, word.text, wanted));
  return false;
}

BasicBlock* BodyReader::forward(BasicBlock& to, const std::vector<Type>& payload, const BasicBlock& after) {
  BasicBlock* made = function_->add_block("", &after);
  std::vector<Value*> passed;
  for (const Type& type : payload) passed.push_back(made->add_argument(type, ""));
  Builder(*made).branch(to, std::move(passed));
  return made;
}

}  // namespace dlvm::reading
