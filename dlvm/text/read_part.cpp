// The parts of an instruction, each as its table entry says.
#include <algorithm>
#include <utility>

#include "dlvm/text/diagnostics.h"
#include "dlvm/text/reader.h"

namespace dlvm::reading {
namespace {

using Argument = Grammar::ArgumentContext;

Clause clause_named(std::string_view text) {
  for (auto clause = Clause::to;; clause = static_cast<Clause>(static_cast<int>(clause) + 1))
    if (word(clause) == text || clause == last_clause) return clause;
}

/// `()`, how an empty list is written.
bool is_empty_list(const Argument& tree) {
  auto& argument = const_cast<Argument&>(tree);
  return argument.is_tuple != nullptr && argument.arguments() == nullptr && argument.type() == nullptr;
}

}  // namespace

std::nullopt_t BodyReader::bad(const Parts& parts, Location location, const std::string& reason) {
  diagnostics_.report(bad_part, location, parts.definition->name, reason);
  return std::nullopt;
}

BodyReader::Parts BodyReader::split(Grammar::InstructionContext& tree, const Token& word,
                                    const InstructionDefinition& definition) {
  Parts parts{&word, &definition, {}, nullptr, tree.type(), {}, {}, {}, {}, {}, false};
  parts.groups.push_back({Clause::none, word.location, {}, 0, false});
  if (tree.arguments() != nullptr) parts.groups[0].arguments = tree.arguments()->argument();
  for (auto* clause : tree.clause()) {
    if (clause->CASE() != nullptr) {
      parts.cases.push_back(clause);
      continue;
    }
    const Token& name = token(clause->clauseWord()->getStart());
    parts.groups.push_back(
        {clause_named(name.text), name.location, clause->arguments()->argument(), 0, false});
  }
  for (const Part& part : definition.parts)
    if (part.kind == PartKind::result_type && !parts.groups.back().arguments.empty()) {
      auto* last = parts.groups.back().arguments.back();
      if (last->shape() != nullptr && last->type() != nullptr) parts.result_type = last->type();
    }
  return parts;
}

BodyReader::Group* BodyReader::group_of(Clause clause, Parts& parts) {
  for (Group& group : parts.groups)
    if (group.clause == clause && (!group.used || clause == Clause::none)) return &group;
  return nullptr;
}

/// The arguments that the part takes: one, or all that are left where it is a list. Empty where none is left.
std::vector<Argument*> BodyReader::rest(const Part& part, Group& group) {
  const bool list =
      part.kind != PartKind::operand && part.kind != PartKind::function && part.kind != PartKind::successor;
  const std::size_t left = group.arguments.size() - group.taken;
  const std::size_t count = group.clause != Clause::none || list ? left : std::min<std::size_t>(left, 1);
  const auto begin = group.arguments.begin() + static_cast<std::ptrdiff_t>(group.taken);
  group.taken += count;
  group.used = true;
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

bool BodyReader::take(const Part& part, Parts& parts) {
  if (part.kind == PartKind::result_type) {
    if (parts.result_type == nullptr) {
      bad(parts, parts.word->location, fmt::format("ends in its {}, as in ': i32'", part.name));
      return false;
    }
    const auto written = type(*parts.result_type);
    if (written && !written->is_scalar())
      bad(parts, span(*parts.result_type), "the type behind ':' is an element type");
    if (!written || !written->is_scalar()) return false;
    parts.attributes.emplace_back(written->element());
    return true;
  }
  Group* group = group_of(part.clause, parts);
  if (is_operand(part.kind)) return take_operands(part, parts, group);
  if (part.kind == PartKind::successor) return take_successor(part, parts, group);
  if (part.kind == PartKind::cases) return take_cases(parts);
  if (part.kind == PartKind::path) return take_path(part, parts, group);
  if (part.kind == PartKind::type) {
    const auto written = parts.allocated != nullptr ? type(*parts.allocated) : std::nullopt;
    if (written) parts.attributes.emplace_back(*written);
    return written.has_value();
  }
  if (group == nullptr) {
    if (part.optional) parts.attributes.emplace_back();
    if (!part.optional)
      bad(parts, parts.word->location, fmt::format("lacks '{}' and its {}", word(part.clause), part.name));
    return part.optional;
  }
  auto value = attribute(part, parts, *group);
  if (value) parts.attributes.push_back(std::move(*value));
  return value.has_value();
}

bool BodyReader::take_operands(const Part& part, Parts& parts, Group* group) {
  const auto list = group != nullptr ? rest(part, *group) : std::vector<Argument*>{};
  if (part.kind == PartKind::operand && list.size() != 1) {
    if (list.empty() && part.optional) {
      parts.skipped = true;
      return true;
    }
    bad(parts, list.empty() ? parts.word->location : span(*list[1]),
        fmt::format("{} {}", list.empty() ? "lacks its" : "takes one", part.name));
    return false;
  }
  if (part.optional && parts.skipped) {
    bad(parts, span(*list[0]), fmt::format("'{}' needs the optional operands before it", word(part.clause)));
    return false;
  }
  for (auto* each : list) {
    Value* value = use(*each);
    if (value == nullptr) return false;
    parts.operands.push_back(value);
  }
  return true;
}

std::optional<Attribute> BodyReader::attribute(const Part& part, Parts& parts, Group& group) {
  const Location location = group.location;
  auto list = rest(part, group);
  if (list.empty()) return bad(parts, location, fmt::format("lacks its {}", part.name));
  const bool one = part.kind == PartKind::element || part.kind == PartKind::combinator ||
                   part.kind == PartKind::function || part.kind == PartKind::failure;
  if (one && list.size() > 1) return bad(parts, span(*list[1]), fmt::format("takes one {}", part.name));
  if (list.size() == 1 && is_empty_list(*list[0])) list.clear();
  if (one && list.empty()) return bad(parts, location, fmt::format("lacks its {}", part.name));
  switch (part.kind) {
    case PartKind::integers:
      return read_integers(parts, list);
    case PartKind::extents:
      return read_extents(parts, list);
    case PartKind::extent_pairs:
      return read_extent_pairs(parts, list);
    case PartKind::axis_pairs:
      return read_axis_pairs(parts, list);
    case PartKind::window_padding:
      return read_window_padding(parts, list);
    case PartKind::combinator:
      return read_combinator(parts, *list[0]);
    case PartKind::failure:
      return read_failure(parts, *list[0]);
    case PartKind::element:
      return read_element(parts, *list[0]);
    case PartKind::function: {
      if (list[0]->GLOBAL() == nullptr) return bad(parts, span(*list[0]), "takes a function");
      const Function* function = callee(list[0]->GLOBAL());
      if (function == nullptr) return std::nullopt;
      return Attribute(function);
    }
    case PartKind::operand:
    case PartKind::operands:
    case PartKind::result_type:
    case PartKind::successor:
    case PartKind::type:
    case PartKind::path:
    case PartKind::cases:
      break;
  }
  return std::nullopt;
}

std::optional<Attribute> BodyReader::read_integers(const Parts& parts, const std::vector<Argument*>& list) {
  const auto shape = read_extents(parts, list);
  if (!shape) return std::nullopt;
  Integers integers;
  for (const Extent& extent : std::get<Shape>(*shape)) {
    if (!extent.constant())
      return bad(parts, span(*list[0]), fmt::format("'{}' is not an integer", extent.text()));
    integers.push_back(*extent.constant());
  }
  return Attribute(std::move(integers));
}

std::optional<Attribute> BodyReader::read_extents(const Parts& parts, const std::vector<Argument*>& list) {
  Shape shape;
  for (auto* each : list) {
    const bool tail = each->type() != nullptr && each->type() == parts.result_type;
    if (each->shape() == nullptr || (each->type() != nullptr && !tail))
      return bad(parts, span(*each), "takes integers or extents here");
    auto* word = lone_word(*each->shape());
    if (word != nullptr && list.size() == 1 && token(word).text == "scalar") break;
    for (auto* tree : each->shape()->extent()) {
      auto next = extent(*tree);
      if (!next) return std::nullopt;
      shape.push_back(std::move(*next));
    }
  }
  return Attribute(std::move(shape));
}

std::optional<Attribute> BodyReader::read_extent_pairs(const Parts& parts,
                                                       const std::vector<Argument*>& list) {
  ExtentPairs pairs;
  for (auto* each : list) {
    const bool group = each->arguments() != nullptr && each->GLOBAL() == nullptr &&
                       each->VALUE() == nullptr && each->LABEL() == nullptr && each->type() == nullptr;
    const auto shape = group ? read_extents(parts, each->arguments()->argument()) : std::nullopt;
    if (group && !shape) return std::nullopt;
    if (!group || std::get<Shape>(*shape).size() != 2)
      return bad(parts, span(*each), "takes pairs of extents, as in '(1, 2), (0, 0)'");
    pairs.emplace_back(std::get<Shape>(*shape)[0], std::get<Shape>(*shape)[1]);
  }
  return Attribute(std::move(pairs));
}

/// `half`, or pairs.
std::optional<Attribute> BodyReader::read_window_padding(const Parts& parts,
                                                         const std::vector<Argument*>& list) {
  auto* word = list.size() == 1 && list[0]->shape() != nullptr && list[0]->type() == nullptr
                   ? lone_word(*list[0]->shape())
                   : nullptr;
  if (word == nullptr) return read_extent_pairs(parts, list);
  if (const auto padding = window_padding_named(token(word).text)) return Attribute(*padding);
  return bad(parts, span(*list[0]), "pads by none, half, full or pairs of extents");
}

std::optional<Attribute> BodyReader::read_failure(const Parts& parts, Argument& tree) {
  auto* word = tree.shape() != nullptr && tree.type() == nullptr ? lone_word(*tree.shape()) : nullptr;
  const auto failure = word != nullptr ? failure_named(token(word).text) : std::nullopt;
  if (failure) return Attribute(*failure);
  std::vector<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(last_failure); ++i)
    words.push_back(dlvm::word(static_cast<Failure>(i)));
  return bad(parts, span(tree), fmt::format("names what fails: {}", fmt::join(words, ", ")));
}

/// `1, 2 with 0, 1`: the group at hand, and the `with` that follows it.
std::optional<Attribute> BodyReader::read_axis_pairs(Parts& parts, const std::vector<Argument*>& list) {
  const auto here = std::find_if(parts.groups.begin(), parts.groups.end(), [&](const Group& group) {
    return group.used && group.clause != Clause::none &&
           (&group == &parts.groups.back() || !(&group + 1)->used) && (&group + 1 <= &parts.groups.back()) &&
           (&group + 1)->clause == Clause::with;
  });
  if (here == parts.groups.end()) return bad(parts, parts.word->location, "axes are paired as in '1 with 0'");
  Group& partner = *(here + 1);
  partner.used = true;
  partner.taken = partner.arguments.size();
  auto others = partner.arguments;
  if (others.size() == 1 && is_empty_list(*others[0])) others.clear();
  const auto left = read_integers(parts, list), right = read_integers(parts, others);
  if (!left || !right) return std::nullopt;
  const auto &l = std::get<Integers>(*left), &r = std::get<Integers>(*right);
  if (l.size() != r.size())
    return bad(parts, partner.location, fmt::format("pairs {} axes with {}", l.size(), r.size()));
  AxisPairs pairs;
  for (std::size_t i = 0; i < l.size(); ++i) pairs.emplace_back(l[i], r[i]);
  return Attribute(std::move(pairs));
}

/// `builtin "max"` or `builtin "min"`, which are instructions as well.
std::optional<Attribute> BodyReader::read_builtin_combinator(const Parts& parts, Argument& tree) {
  const std::string name = string(token(tree.STRING()));
  const bool known = token(tree.NAME()).text == "builtin" && (name == "max" || name == "min");
  if (!known) return bad(parts, span(tree), "combines by 'builtin \"max\"' or 'builtin \"min\"'");
  return Attribute(Combinator{name == "max" ? Opcode::max : Opcode::min, nullptr});
}

/// `@f`, or with its type as other uses are written: `@f: (f32, f32) -> f32`.
std::optional<Attribute> BodyReader::read_function_combinator(Argument& tree) {
  const Function* function = callee(tree.GLOBAL());
  if (function == nullptr) return std::nullopt;
  const auto written = tree.type() != nullptr ? type(*tree.type()) : function->type();
  if (!written) return std::nullopt;
  if (fits(*written, function->type())) return Attribute(Combinator{Opcode::add, function});
  diagnostics_.report(wrong_use, span(tree), token(tree.GLOBAL()).text, function->type().text(),
                      written->text());
  return std::nullopt;
}

std::optional<Attribute> BodyReader::read_combinator(const Parts& parts, Argument& tree) {
  if (tree.GLOBAL() != nullptr && tree.arguments() == nullptr && tree.arrow == nullptr)
    return read_function_combinator(tree);
  if (tree.NAME() != nullptr) return read_builtin_combinator(parts, tree);
  auto* word = tree.shape() != nullptr && tree.type() == nullptr ? lone_word(*tree.shape()) : nullptr;
  if (tree.VALUE() != nullptr)
    return bad(
        parts, span(tree),
        fmt::format("combines by a binary instruction or a function of the module, as in 'by @f'; a function "
                    "that is a value is called for one element after another in a loop: 'apply {}(…)'",
                    token(tree.VALUE()).text));
  if (word == nullptr) return bad(parts, span(tree), "combines by a binary instruction or a function");
  const auto opcode = opcode_named(token(word).text);
  if (!opcode) {
    suggest_instruction(diagnostics_.report(unknown_instruction, span(tree), token(word).text),
                        token(word).text);
    return std::nullopt;
  }
  return Attribute(Combinator{*opcode, nullptr});
}

/// `i32`, or `<4 x i32>` where the operand has that shape.
std::optional<Attribute> BodyReader::read_element(const Parts& parts, Argument& tree) {
  if (tree.bracketed() != nullptr) {
    const auto written = type(*tree.bracketed());
    if (!written) return std::nullopt;
    const Type given = parts.operands.empty() ? Type() : parts.operands[0]->type();
    if (given.is_tensor() && fits(*written, given.with_element(written->element())))
      return Attribute(written->element());
    return bad(parts, span(tree),
               fmt::format("keeps the shape of {}, which {} does not have", given.text(), written->text()));
  }
  auto* word = tree.shape() != nullptr && tree.type() == nullptr ? lone_word(*tree.shape()) : nullptr;
  if (word == nullptr)
    return bad(parts, span(tree), "takes an element type or the type of the result, as in 'to i32'");
  const auto read = element(*word);
  if (!read) return std::nullopt;
  return Attribute(*read);
}

bool BodyReader::all_used(const Parts& parts) {
  if (!parts.cases.empty() && parts.definition->opcode != Opcode::branchEnum) {
    bad(parts, span(*parts.cases.front()), "takes no 'case'");
    return false;
  }
  for (const Group& group : parts.groups) {
    if (group.clause != Clause::none && !group.used) {
      bad(parts, group.location, fmt::format("takes no '{}'", word(group.clause)));
      return false;
    }
    if (group.taken < group.arguments.size()) {
      bad(parts, span(*group.arguments[group.taken]), "takes nothing more here");
      return false;
    }
  }
  return true;
}

}  // namespace dlvm::reading
