#include "dlvm/text/parse.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "dlvm/text/declaration_reader.h"
#include "dlvm/text/diagnostics.h"
#include "dlvm/text/erased_types.h"

namespace dlvm {
namespace reading {
namespace {

/// The members of an enumeration by their words.
template <typename Enumeration, std::size_t count>
struct Words {
  std::string_view what;
  Enumeration members[count];

  std::optional<Enumeration> find(const Token& token, Diagnostics& diagnostics) const {
    std::string known;
    for (const Enumeration member : members) {
      if (word(member) == token.text) return member;
      known += (known.empty() ? "" : ", ") + std::string(word(member));
    }
    diagnostics.report(unknown_word, token.location, what, token.text, known);
    return std::nullopt;
  }
};

constexpr Words<EntryKind, 5> entry_kinds{"kind of entry",
                                          {EntryKind::forward, EntryKind::evaluate, EntryKind::gradient,
                                           EntryKind::named_gradient, EntryKind::step}};
constexpr Words<ArgumentRole, 6> argument_roles{
    "role of an argument",
    {ArgumentRole::input, ArgumentRole::parameter, ArgumentRole::constant, ArgumentRole::state,
     ArgumentRole::cotangent, ArgumentRole::seed}};
constexpr Words<ResultRole, 6> result_roles{"role of a result",
                                            {ResultRole::output, ResultRole::loss, ResultRole::metric,
                                             ResultRole::kept, ResultRole::derivative, ResultRole::next}};

/// Reads the items; bodies wait until every function is declared.
class ModuleReader : TermReader {
 public:
  ModuleReader(const Cut& cut, Sources& sources, Diagnostics& diagnostics, Declared& declared)
      : TermReader(cut, sources, diagnostics, declared),
        parser_(cut, diagnostics),
        module_(std::make_unique<Module>("module")),
        own_(declared),
        types_(cut, sources, diagnostics, declared, *module_) {}

  std::unique_ptr<Module> run() {
    types_.declare(parser_);
    for (const Item& item : cut_.items)
      if (auto* tree = types_.is_alias(item) ? nullptr : parser_.item(item.header)) {
        first_ = item.header.first;
        read(*tree, item);
      }
    if (pending_.any) report_dangling(token_after_);
    types_.check();
    resolve_gradients();
    read_bodies();
    return std::move(module_);
  }

 private:
  /// The attributes and options that stand before a function and belong to it.
  struct Pending {
    bool any = false, external = false;
    std::optional<GradientDeclaration> gradient;
    std::string gradient_of;
    Location gradient_of_location;
    const Token* adjoint = nullptr;
    std::vector<std::string> attributes;
    std::vector<Requirement> requirements;
  };
  struct Body {
    const Item* item;
    Erased erased;
  };

  void read(Grammar::ItemContext& tree, const Item& item) {
    token_after_ = token(tree.getStart()).location;
    const bool prefix = tree.requireItem() || tree.attributeItem() || tree.externItem() ||
                        tree.gradientItem() || tree.derivativeItem();
    if (!prefix && !tree.functionItem() && pending_.any) report_dangling(token_after_);
    if (item.has_body && !tree.functionItem())
      diagnostics_.report(misplaced, token_after_, "only a function has a body");
    if (auto* t = tree.moduleItem()) return read(*t);
    if (auto* t = tree.stageItem()) return read(*t);
    if (auto* t = tree.tensorItem()) return read(*t);
    if (auto* t = tree.entryItem()) return read(*t);
    if (auto* t = tree.functionItem()) return read(*t, item);
    if (types_.read(tree, item.header)) return;
    pending_.any = true;
    if (auto* t = tree.requireItem()) return read(*t);
    if (auto* t = tree.attributeItem())
      return pending_.attributes.emplace_back(token(t->word()).text), void();
    if (auto* t = tree.gradientItem()) return read(*t);
    if (auto* t = tree.derivativeItem()) {
      if (pending_.adjoint != nullptr)
        diagnostics_.report(duplicate, token(t->GLOBAL()).location, "the derivative of the function");
      pending_.adjoint = &token(t->GLOBAL());
      return;
    }
    pending_.external = true;
  }

  void report_dangling(Location location) {
    diagnostics_.report(misplaced, location,
                        "what stands before here belongs to a function, and none follows");
    pending_ = {};
  }

  std::string doc(Grammar::DocumentationContext* tree) const {
    return tree != nullptr ? string(token(tree->STRING())) : "";
  }
  Location place(Grammar::LocationContext* tree) {
    return tree != nullptr ? location(*tree).value_or(Location{}) : Location{};
  }

  void read(Grammar::ModuleItemContext& tree) {
    if (std::exchange(named_, true))
      diagnostics_.report(duplicate, token(tree.getStart()).location, "the module's name");
    module_->set_name(string(token(tree.STRING())));
    module_->doc = doc(tree.documentation());
  }

  void read(Grammar::StageItemContext& tree) {
    const Token& word = token(tree.word());
    if (word.text != "raw" && word.text != "canonical" &&
        word.text != "optimizable")  // as DLVM Core calls it
      diagnostics_.report(unknown_word, word.location, "stage", word.text, "raw, canonical");
    module_->stage = word.text == "raw" ? Module::Stage::raw : Module::Stage::canonical;
  }

  void read(Grammar::TensorItemContext& tree) {
    StoredTensor tensor;
    for (const auto role :
         {StoredTensor::Role::parameter, StoredTensor::Role::constant, StoredTensor::Role::state})
      if (token(tree.role).text == word(role)) tensor.role = role;
    tensor.name = string(token(tree.name));
    auto written = type(*tree.type());
    if (!written) return;
    tensor.type = std::move(*written);
    if (tree.file != nullptr) tensor.file_name = string(token(tree.file));
    tensor.transposed_in_file = tree.transposed != nullptr;
    if (tree.GLOBAL() != nullptr) tensor.initializer = name(token(tree.GLOBAL()));
    if (tree.INTEGER() != nullptr) {
      const auto stream = unsigned_integer(token(tree.INTEGER()));
      if (!stream) return;
      tensor.stream = *stream;
    }
    tensor.doc = doc(tree.documentation());
    tensor.location = place(tree.location());
    tensor.written = token(tree.name).location;
    module_->tensors.push_back(std::move(tensor));
  }

  template <typename Slot, typename Roles>
  std::optional<std::vector<Slot>> slots(Grammar::InterfaceContext& tree, const Roles& roles) {
    std::vector<Slot> all;
    for (auto* each : tree.slot()) {
      const auto role = roles.find(token(each->word()), diagnostics_);
      if (!role) return std::nullopt;
      all.push_back({*role, string(token(each->name)), doc(each->documentation())});
      Slot& slot = all.back();
      for (auto* name : each->structs) slot.structs.push_back(string(token(name)));
      const auto dots = static_cast<std::size_t>(std::ranges::count(slot.name, '.'));
      if (!each->enumeration.empty() && slot.structs.size() != dots)
        diagnostics_.report(
            misplaced, token(each->enumeration.front()).location,
            "an enum behind structs that are not one for each part of the name before the last");
      for (auto* name : each->enumeration) slot.structs.push_back(string(token(name)));
    }
    return all;
  }

  void read(Grammar::EntryItemContext& tree) {
    EntryPoint entry;
    const auto kind = entry_kinds.find(token(tree.word()), diagnostics_);
    auto arguments = slots<EntryPoint::Argument>(*tree.interface(0), argument_roles);
    auto results = slots<EntryPoint::Result>(*tree.interface(1), result_roles);
    if (!kind || !arguments || !results) return;
    entry.kind = *kind;
    entry.name = string(token(tree.STRING()));
    entry.function = name(token(tree.GLOBAL()));
    entry.arguments = std::move(*arguments);
    entry.results = std::move(*results);
    entry.doc = doc(tree.documentation());
    entry.location = place(tree.location());
    entry.written = token(tree.STRING()).location;
    module_->entries.push_back(std::move(entry));
  }

  void read(Grammar::RequireItemContext& tree) {
    const auto left = extent(*tree.extent(0)), right = extent(*tree.extent(1));
    if (!left || !right) return;
    const auto relation =
        token(tree.relation).text == "==" ? Requirement::Relation::equal : Requirement::Relation::at_most;
    pending_.requirements.push_back(
        {*left, relation, *right, string(token(tree.STRING())), place(tree.location())});
  }

  void read(Grammar::GradientItemContext& tree) {
    GradientDeclaration gradient;
    if (token(tree.what).text == "jvp") gradient.mode = GradientDeclaration::Mode::forward;
    for (auto* clause : tree.gradientClause()) {
      Integers list;
      for (auto* node : clause->INTEGER()) {
        const auto value = integer(token(node));
        if (!value) return;
        list.push_back(*value);
      }
      const Token& what = token(clause->what);
      if (what.text == "seedable")
        gradient.seedable = true;
      else if (what.text == "wrt")
        gradient.wrt = std::move(list);
      else if (what.text == "keeping")
        gradient.keeping = std::move(list);
      else if (list.size() == 1)
        gradient.from = list[0];
      else
        diagnostics_.report(misplaced, what.location, "a gradient is taken from one result");
    }
    gradient.location = place(tree.location());
    gradient.written = token(tree.what).location;
    pending_.gradient = std::move(gradient);
    pending_.gradient_of = name(token(tree.GLOBAL()));
    pending_.gradient_of_location = token(tree.GLOBAL()).location;
  }

  void read(Grammar::FunctionItemContext& tree, const Item& item) {
    Pending pending = std::exchange(pending_, {});
    const Token& word = token(tree.GLOBAL());
    const auto written = type(*tree.type());
    if (!written) return;
    if (written->kind() != Type::Kind::function)
      return void(
          diagnostics_.report(bad_type, span(*tree.type()), "a function's type is written '(T, U) -> V'"));
    if (own_.functions.contains(name(word)) || own_.globals.contains(name(word)))
      return void(diagnostics_.report(duplicate, word.location, word.text));
    if (item.has_body && (pending.gradient || pending.external))
      diagnostics_.report(misplaced, word.location,
                          "a gradient declaration or an external function has no body");
    Function* function = module_->add_function(name(word), *written);
    own_.functions.emplace(name(word), function);
    function->location = place(tree.location());
    function->written = word.location;
    function->attributes = std::move(pending.attributes);
    function->requirements = std::move(pending.requirements);
    if (pending.gradient) {
      function->gradient = std::move(pending.gradient);
      gradients_.push_back({function, std::move(pending.gradient_of), pending.gradient_of_location});
    }
    if (pending.adjoint != nullptr) adjoints_.emplace_back(function, pending.adjoint);
    if (item.has_body) bodies_.emplace(function, Body{&item, std::exchange(erased_, {})});
    erased_.clear();
  }

  const Function* named(const std::string& text, Location where) {
    const auto found = own_.functions.find(text);
    if (found != own_.functions.end()) return found->second;
    suggest(diagnostics_.report(unknown_function, where, "@" + text), text, names_of(own_.functions), "@");
    return nullptr;
  }

  void resolve_gradients() {
    for (const auto& [function, of, where] : gradients_)
      if (const Function* found = named(of, where))
        function->gradient->of = found;
      else
        function->gradient.reset();
    for (const auto& [function, word] : adjoints_) function->adjoint = named(name(*word), word->location);
  }

  /// The functions whose types must be known before the body of the function is read, or its own type: those
  /// of erased extents that it names.
  std::vector<Function*> needed_by(const Function& function) const {
    std::vector<Function*> needed;
    const auto need = [&](const Function& other) {
      if (has_erased(other.type())) needed.push_back(module_->function(other.name()));
    };
    if (function.gradient && function.gradient->of != nullptr) need(*function.gradient->of);
    const auto body = bodies_.find(&function);
    if (body == bodies_.end()) return needed;
    for (const Chunk& chunk : body->second.item->statements)
      for (std::size_t i = chunk.first; i < chunk.last; ++i) {
        const Token& word = cut_.tokens[i];
        const auto found =
            word.kind == Grammar::GLOBAL ? own_.functions.find(name(word)) : own_.functions.end();
        if (found != own_.functions.end()) need(*found->second);
      }
    return needed;
  }

  void read_bodies() {
    BodyReader reader(cut_, sources_, diagnostics_, own_);
    std::vector<Function*> functions;
    for (const auto& function : module_->functions()) functions.push_back(function.get());
    if (std::ranges::any_of(functions, [](const Function* each) { return has_erased(each->type()); }))
      functions = ordered_by_need(functions, [&](const Function& each) { return needed_by(each); });
    for (Function* function : functions) {
      const auto body = bodies_.find(function);
      if (body != bodies_.end()) read_body(reader, *function, body->second);
      resolve_erased_type(*function);
    }
  }

  void read_body(BodyReader& reader, Function& function, const Body& body) {
    const auto parse = [&](const Chunk& chunk) {
      return diagnostics_.error_count() > Diagnostics::error_limit ? nullptr : parser_.statement(chunk);
    };
    reader.begin(function, body.erased);
    for (const Chunk& chunk : body.item->statements) {
      if (chunk.first == chunk.last) continue;
      if (cut_.tokens[chunk.first].kind != Grammar::LABEL)
        reader.add_statement(chunk);
      else if (auto* tree = parse(chunk))
        reader.add_block(*tree->label(), chunk);
      else
        reader.skip_block();
    }
    reader.read(parse);
    if (!function.has_body())
      diagnostics_.report(misplaced, cut_.tokens[body.item->header.first].location, "a body without a block");
  }

  struct Gradient {
    Function* function;
    std::string of;
    Location where;
  };

  ChunkParser parser_;
  std::unique_ptr<Module> module_;
  Declared& own_;  ///< what has been read so far
  DeclarationReader types_;
  std::unordered_map<const Function*, Body> bodies_;
  std::vector<Gradient> gradients_;
  std::vector<std::pair<Function*, const Token*>> adjoints_;
  Pending pending_;
  Location token_after_;
  bool named_ = false;
};

}  // namespace
}  // namespace reading

std::unique_ptr<Module> parse(const Source& source, Sources& sources, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.error_count();
  const reading::Cut cut = reading::cut(source, diagnostics);
  if (cut.tokens.empty()) return nullptr;
  reading::Declared declared;
  auto module = reading::ModuleReader(cut, sources, diagnostics, declared).run();
  return diagnostics.error_count() == errors ? std::move(module) : nullptr;
}

}  // namespace dlvm
