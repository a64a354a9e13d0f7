// Parse trees to the module. Every method that gives an optional or a pointer has reported an error where it
// gives nothing.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "dlvm/analysis/block_order.h"
#include "dlvm/ir/module.h"
#include "dlvm/text/chunk_parser.h"

namespace dlvm::reading {

/// The declarations of a module's items, by names without their first character.
struct Declared {
  std::unordered_map<std::string, Function*> functions;
  std::unordered_map<std::string, Global*> globals;
  std::unordered_map<std::string, TypeDeclaration*> types;
};

/// Reads types, extents, numbers and names, which need no scope.
class TermReader {
 public:
  TermReader(const Cut& cut, Sources& sources, Diagnostics& diagnostics, const Declared& declared)
      : cut_(cut), sources_(sources), diagnostics_(diagnostics), declared_(declared) {}

 protected:
  using Node = antlr4::tree::TerminalNode;

  const Token& token(const antlr4::Token* t) const { return cut_.tokens[first_ + t->getTokenIndex()]; }
  const Token& token(Node* node) const { return token(node->getSymbol()); }
  const Token& token(Grammar::WordContext* tree) const { return token(tree->getStart()); }
  /// Returns the location from the first to the last token, within the first one's line.
  Location span(antlr4::ParserRuleContext& tree) const;
  std::string source_text(antlr4::ParserRuleContext& tree) const;

  /// Returns the name without sigil, quotes and escapes.
  static std::string name(const Token& token);
  static std::string string(const Token& token);

  /// Returns whether the components of a value can be listed; reports the type if not.
  bool has_bounded_size(const Type& type, Location location);
  std::optional<Type> type(Grammar::TypeContext& tree);
  std::optional<Type> type(Grammar::OtherContext& tree);
  std::optional<Type> type(Grammar::TensorContext& tree);
  std::optional<Type> type(Grammar::WordContext& tree);
  std::optional<Type> type(Grammar::BracketedContext& tree);
  std::optional<Type> tuple(const std::vector<Grammar::TypeContext*>& trees);
  std::optional<Extent> extent(Grammar::ExtentContext& tree);
  std::optional<Extent> factor(Grammar::ExtentFactorContext& tree);
  std::optional<ElementType> element(Grammar::WordContext& tree);
  std::optional<std::int64_t> integer(const Token& token);
  std::optional<std::uint64_t> unsigned_integer(const Token& token);
  template <typename Number>
  std::optional<Number> number(const Token& token, std::string_view type);
  std::optional<Location> location(Grammar::LocationContext& tree);

  /// Returns the word of a shape that is a single extent of one word, as `add` or `f16`.
  static Grammar::WordContext* lone_word(Grammar::ShapeContext& tree);

  /// `_1`: the same within a function; `_` is another one each time.
  using Erased = std::unordered_map<std::string, Extent>;

  const Cut& cut_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  const Declared& declared_;
  Erased erased_;          ///< the erased dimensions of the current function
  std::size_t first_ = 0;  ///< token of the chunk at hand
};

/// The bodies, one function at a time. Blocks are declared first and read in an order in which each stands
/// behind those that dominate it, so that a value is known before it is used.
class BodyReader : protected TermReader {
 public:
  using TermReader::TermReader;

  void begin(Function& function, const Erased& erased);
  /// Adds the block that a label begins; its statements are the chunks that are added until the next one.
  void add_block(Grammar::LabelContext& tree, const Chunk& chunk);
  /// Leaves out the statements behind a label that cannot be read.
  void skip_block() { skipping_ = true; }
  void add_statement(const Chunk& chunk);
  /// Reads what has been added; `parse` gives the tree of a statement, or null after an error.
  template <typename Parse>
  void read(Parse parse) {
    const SuccessorNumbers successors = successor_numbers();
    separate_entry(successors);
    for (const std::size_t number : block_order(successors).order) {
      enter(blocks_[number]);
      for (const Chunk& chunk : blocks_[number].statements) read(parse(chunk), chunk);
      leave(blocks_[number]);
    }
  }

 private:
  struct BlockText {
    BasicBlock* block;
    Location label;
    std::vector<Chunk> statements;
  };
  /// The arguments behind one clause word; the first group is what stands before any.
  struct Group {
    Clause clause = Clause::none;
    Location location;
    std::vector<Grammar::ArgumentContext*> arguments;
    std::size_t taken = 0;
    bool used = false;
  };
  struct Parts {
    const Token* word;
    const InstructionDefinition* definition;
    std::vector<Group> groups;
    Grammar::TypeContext* result_type = nullptr;  ///< taken off the last argument
    Grammar::TypeContext* allocated = nullptr;    ///< stands behind the name
    std::vector<Grammar::ClauseContext*> cases;
    std::vector<Value*> operands;
    std::vector<Attribute> attributes;
    std::vector<Value*> passed;  ///< behind the operands
    std::vector<Successor> successors;
    bool skipped = false;  ///< an optional operand was left out
  };

  SuccessorNumbers successor_numbers();
  void separate_entry(const SuccessorNumbers& successors);
  void enter(const BlockText& text);
  void read(Grammar::StatementContext* tree, const Chunk& chunk);
  void leave(const BlockText& text);
  std::string printed_label() const;
  void unknown(const Token& value);
  /// Returns the names of the values so far, without the `%`.
  std::vector<std::string_view> value_names() const;
  BasicBlock* block_named(const Token& label);
  /// Returns the token that names the instruction.
  const Token& opcode_word(Grammar::InstructionContext& tree);
  void instruction(Grammar::InstructionContext& tree);
  Value* build(Grammar::InstructionContext& tree, const Token& word, Opcode opcode);
  /// Builds what `builtin "softmax"(%x: T) -> T` stands for.
  Value* build_builtin(Grammar::InstructionContext& tree, const Token& word);
  Value* build_literal(Parts& parts);
  Value* build_extract(Parts& parts);
  Value* build_insert(Parts& parts);
  bool take_apply(Grammar::InstructionContext& tree, Parts& parts, std::optional<Type>& written);
  bool scan_first_axes(Parts& parts, Location location);
  Value* insert(Parts& parts, Grammar::InstructionContext& tree);
  /// Inserts an instruction of the statement at hand, or reports why its type rule does not hold.
  Value* create(Opcode opcode, std::vector<Value*> operands, std::vector<Attribute> attributes,
                Location location);
  /// Returns the name of a value as it is printed: quotes that a name does not need make no difference.
  static std::string key(const Token& token);
  void define(const Token& token, Value* value);

  Parts split(Grammar::InstructionContext& tree, const Token& word, const InstructionDefinition& definition);
  bool take(const Part& part, Parts& parts);
  bool take_operands(const Part& part, Parts& parts, Group* group);
  bool take_successor(const Part& part, Parts& parts, Group* group);
  bool take_path(const Part& part, Parts& parts, Group* group);
  bool take_cases(Parts& parts);
  bool takes_payload(const BasicBlock& block, const std::vector<Type>& payload, const Token& label,
                     const Token& word);
  /// Adds a block that passes the payload on.
  BasicBlock* forward(BasicBlock& to, const std::vector<Type>& payload, const BasicBlock& after);
  bool take_passed(const BasicBlock& block, const Token& label,
                   const std::vector<Grammar::ArgumentContext*>& list, Parts& parts);
  std::optional<Attribute> attribute(const Part& part, Parts& parts, Group& group);
  Group* group_of(Clause clause, Parts& parts);
  std::vector<Grammar::ArgumentContext*> rest(const Part& part, Group& group);
  bool all_used(const Parts& parts);
  std::nullopt_t bad(const Parts& parts, Location location, const std::string& reason);

  std::optional<Attribute> read_integers(const Parts& parts,
                                         const std::vector<Grammar::ArgumentContext*>& list);
  std::optional<Attribute> read_extents(const Parts& parts,
                                        const std::vector<Grammar::ArgumentContext*>& list);
  std::optional<Attribute> read_extent_pairs(const Parts& parts,
                                             const std::vector<Grammar::ArgumentContext*>& list);
  std::optional<Attribute> read_window_padding(const Parts& parts,
                                               const std::vector<Grammar::ArgumentContext*>& list);
  std::optional<Attribute> read_axis_pairs(Parts& parts, const std::vector<Grammar::ArgumentContext*>& list);
  std::optional<Attribute> read_combinator(const Parts& parts, Grammar::ArgumentContext& tree);
  std::optional<Attribute> read_builtin_combinator(const Parts& parts, Grammar::ArgumentContext& tree);
  std::optional<Attribute> read_function_combinator(Grammar::ArgumentContext& tree);
  std::optional<Attribute> read_failure(const Parts& parts, Grammar::ArgumentContext& tree);
  std::optional<Attribute> read_element(const Parts& parts, Grammar::ArgumentContext& tree);
  const Function* callee(Node* node);

  Value* use(Grammar::ArgumentContext& tree, bool untyped = false);
  /// Returns the only argument of the group, which is to be a value.
  Value* only_use(Parts& parts, Clause clause, std::string_view what);
  Value* address(Grammar::ArgumentContext& tree);
  Value* composite(Grammar::ArgumentContext& tree);
  Value* tuple(Grammar::ArgumentContext& tree);
  Value* structure(Grammar::CompositeContext& tree, const Type& type, Location location);
  Value* enumerator(Grammar::CompositeContext& tree, const Type& type, Location location);
  std::optional<std::vector<Value*>> uses(Grammar::ArgumentsContext* tree);
  bool is_stacked(Grammar::DenseContext& tree);
  Value* stacked(Grammar::DenseContext& tree, const Type& type, Location location);
  Value* named(const Token& word);
  /// Returns the value of that name, which is to have the type.
  Value* typed(const Token& word, const Type& type, Location location);
  Value* constant(const std::string& text, const Type& type, Location location);
  /// Returns the position in the type that the argument names, with its range checked.
  std::optional<std::int64_t> position(Grammar::ArgumentContext& tree, const Type& type, const Parts& parts);
  Value* component(Value* aggregate, std::int64_t position, Location location);
  /// The component of an array or a tensor at a position that the run gives.
  Value* component_at(Value* aggregate, Value* position, Location location, const Parts& parts);
  Value* holder_at(Value* aggregate, Value* position, Location location);
  Value* chosen(const std::vector<Value*>& values, const std::vector<Value*>& conditions, Location location);
  /// A step into a value: to the component of that number, or where there is a value, to the one it says.
  struct Step {
    std::int64_t number;
    Value* value;
  };
  /// Returns the value with another component where the path leads.
  Value* replaced(Value* whole, std::span<const Step> path, Value* element, Location location,
                  const Parts& parts);
  Value* array_with(Value* array, Value* position, Value* element, Location location, const Parts& parts);
  Value* tensor_with(Value* tensor, const Step& step, Value* element, Location location);
  Value* literal(Grammar::ArgumentContext& tree);
  Value* literal_word(std::string_view word, const Type& type);
  Literal* dense(Grammar::DenseContext& tree, const Type& type, Location location);
  bool fill(Grammar::DenseContext& tree, const Type& type, std::size_t axis, Tensor& data, std::size_t& next);
  std::string number_text(antlr4::ParserRuleContext& tree) const;

  std::vector<Location> locations_;  ///< of the statement at hand
  Function* function_ = nullptr;
  BasicBlock* block_ = nullptr;
  bool failed_ = false;    ///< a statement of the block has been reported
  bool skipping_ = false;  ///< the last label could not be read
  std::vector<BlockText> blocks_;
  std::unordered_map<std::string, std::size_t> labels_;             ///< positions in `blocks_`
  std::unordered_map<const BasicBlock*, std::size_t> times_named_;  ///< by the terminators of the body
  /// The values by their keys; null if their instruction failed.
  std::unordered_map<std::string, Value*> values_;
  std::unordered_map<std::string, Location> definitions_;  ///< of results, read or not, by their keys
};

/// Returns whether a written type is that of the value, where `_` stands for any extent.
bool fits(const Type& written, const Type& actual);

/// Returns the keys, sorted.
template <typename T>
std::vector<std::string_view> names_of(const std::unordered_map<std::string, T>& map) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : map) names.push_back(name);
  std::ranges::sort(names);
  return names;
}
/// Asks whether the candidate closest to the name was meant, if one is close and the candidates are not too
/// many to look at; `sigil` stands before its name in the text.
void suggest(Diagnostic& report, std::string_view name, const std::vector<std::string_view>& candidates,
             std::string_view sigil = "");
/// Asks so for an instruction.
void suggest_instruction(Diagnostic& report, std::string_view name);

}  // namespace dlvm::reading
