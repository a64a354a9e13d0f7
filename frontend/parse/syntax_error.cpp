#include "frontend/parse/syntax_error.h"

#include "frontend/ast/ast.h"
#include "frontend/parse/declaration_fix.h"
#include "frontend/parse/declared_type_errors.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/parse/expectation.h"
#include "frontend/parse/grammar.h"
#include "frontend/parse/habit_fix.h"
#include "frontend/parse/likely_fix.h"
#include "frontend/parse/net_array_fix.h"
#include "frontend/parse/optimizer_fix.h"
#include "frontend/parse/place_text.h"
#include "frontend/parse/python_fix.h"
#include "frontend/parse/shape_fix.h"
#include "frontend/parse/statement_errors.h"
#include "frontend/python/translate.h"

namespace frontend::syntax {
namespace {

class Explainer : Expectation {
 public:
  Explainer(const Failure& failure, const Resolved& resolved, const Chunk& chunk,
            std::set<std::string_view>& reserved_names, Diagnostics& diagnostics)
      : Expectation(failure, resolved, chunk), reserved_names_(reserved_names), diagnostics_(diagnostics) {}

  void report() {
    if (at_end()) {
      auto& report = report_expected();
      if (previous() && previous()->kind == Grammar::IF)
        report.fix("a condition stands before 'then': if condition then a else b");
      if (const std::string fix = fix_of_missing_role(); !fix.empty()) report.fix(fix);
      if (wants(Grammar::ELSE)) report.fix("an 'if' has a value in both cases: if condition then a else b");
      if (!equals_ && open_.empty() && wants(Grammar::LEFT_PARENTHESIS) && previous()->kind == Grammar::NAME)
        report.fix(fmt::format("an instance of a net has parentheses: {}(...)", previous()->text));
      return;
    }
    const Token& token = found();
    const Place place = here();
    if (const std::string nets = fix_of_array_of_nets(place); !nets.empty()) {
      auto& report =
          token.kind == Grammar::FOR ? diagnostics_.report(misplaced_for, token.location) : report_expected();
      return void(report.fix(nets));
    }
    if (token.kind == Grammar::FOR && previous() && ends_operand(*previous()))
      return void(diagnostics_.report(misplaced_for, token.location).fix(fix_of_for(place)));
    if (auto fix = fix_of_shape_elsewhere(place))
      return void(report_expected().fixes.push_back(*std::move(fix)));
    const bool member = equals_ && token.kind == Grammar::ELEMENT_TYPE && previous()->kind == Grammar::DOT;
    const std::string conversion = fix_of_conversion(place);
    if (member || !conversion.empty()) {
      auto& report = report_expected();
      if (!(member && add_translation(report, place)) && !conversion.empty()) report.fix(conversion);
      return;
    }
    const bool never_operand =
        token.kind == Grammar::RESERVED || token.kind == Grammar::AUTO || token.kind == Grammar::FOR;
    if (is_keyword(token) && (wants(Grammar::NAME) || never_operand)) {
      if (never_operand || !wants_operand()) return report_reserved_word(place);
    }
    if (token.kind == Grammar::DOT && previous() && previous()->kind == Grammar::STRING &&
        position_ + 1 < chunk_.last && code_[position_ + 1].text == "T")
      return void(report_expected().fix(
          "a tensor that is stored transposed: ^T",
          {token.location.source, offset_of(token), offset_of(code_[position_ + 1]) + 1, "^T"}));
    const Token& first = code_[chunk_.first];
    if (shape_behind_name()) {
      diagnostics_.report(name_is_no_declaration, first.location, first.text)
          .fix(fmt::format("{}: hidden[…] = …", first.text));
      return;
    }
    if (token.kind == Grammar::COMMA && in_shape() && open_.size() > 1 &&
        code_[open_.back()].kind == Grammar::LEFT_PARENTHESIS)
      return void(report_expected().fix(
          fmt::format("a dimension of a net is one number, without parentheses: {}", previous()->text)));
    if (token.kind == Grammar::COMMA && in_shape())
      return void(diagnostics_.report(comma_in_shape, token.location).fixes.push_back(fix_of_shape(place)));
    if (is_type_declaration(place)) return report_fixed(fix_of_type_declaration(place));
    if (in_block(place) && open_.empty()) return report_statement(place);
    if (token.kind == Grammar::EQUALS && (equals_ || !open_.empty())) {
      auto& report = diagnostics_.report(equals_in_expression, token.location);
      if (const std::string fix = fix_of_results(place); !fix.empty()) return void(report.fix(fix));
      if (add_translation(report, place)) return;
      if (names_argument())
        report.fix(fix_of_named_argument(place));
      else
        report.fix("a comparison: ==");
      return;
    }
    auto& report = report_expected();
    if (const auto fix = fix_of_declared_parts(place)) report.fixes.push_back(*fix);
    if (const std::string fix = fix_of_next_member(place); !fix.empty()) report.fix(fix);
    if (equals_ && is_of_python(token) && add_translation(report, place)) return;
    if (open_.empty() && add_advice_of_line(report, place)) return;
    if (!equals_ && token.kind == Grammar::DOT && add_translation(report, place)) return;
    if (const std::string fix = fix_of_results(place); open_.empty() && !fix.empty())
      return void(report.fix(fix));
    if (const auto layer = name_of_layer())
      if (const auto advice = python::advice_for_layer(layer_at(*layer)); !advice.empty())
        return void(report.fix(advice));
    const bool conditional = token.kind == Grammar::IF || token.kind == Grammar::QUESTION;
    if (equals_ && open_.empty() && conditional && add_translation_of_value(report, place)) return;
    if (const std::string fix = fix_of_tuple(place); !fix.empty()) report.fix(fix);
    if (const std::string fix = fix_of_habit(place); !fix.empty()) report.fix(fix);
    if (token.kind == Grammar::EQUALS && previous() && previous()->kind == Grammar::COLON)
      report.fix(fmt::format("{} = ...", first.text));
    if (token.kind == Grammar::RIGHT_BRACKET && previous() && previous()->kind == Grammar::LEFT_BRACKET)
      report.fix("the whole axis is [:]");
    if (token.kind == Grammar::STAR && previous() && previous()->kind == Grammar::STAR)
      report.fix("a power is written ^", edit_of(place, position_ - 1, position_, "^"));
    if (token.text == "..." && previous() && !open_.empty() &&
        code_[open_.back()].kind == Grammar::LEFT_BRACKET && ends_operand_before(open_.back()) &&
        (previous()->kind == Grammar::LEFT_BRACKET || previous()->kind == Grammar::COMMA))
      report.fix(
          "axes without a subscript stay whole, and others have one each: x[:, :, 0]; an axis of extent 1 is "
          "added by "
          "the whole shape: x as [n x m x 1]");
    const bool is_power = token.text == "^" && in_extent();
    if (is_power) report.fix("an extent is made of numbers, dimensions and + - * /");
    if (token.kind == Grammar::SEMICOLON && open_.empty())
      report.fix("a declaration needs no ';' behind it: leave it out", dlvm::replacement(token.location, ""));
    if (failure_.rule == Grammar::RuleNetArguments && token.kind == Grammar::LEFT_PARENTHESIS &&
        previous()->kind == Grammar::NAME)
      report.fix(fmt::format("an argument that is a net is its name alone: {}", previous()->text));
    if (token.kind == Grammar::LEFT_BRACE && previous() && previous()->kind == Grammar::EQUALS &&
        code_[chunk_.first].kind == Grammar::FUNC)
      report.fix("a body of statements has no '=' before it: { ... return ... }");
    if (failure_.rule == Grammar::RuleNetHeader && !is_power) report.fix(fix_of_net_header());
    if (token.kind == Grammar::RANGE && failure_.rule == Grammar::RuleRecurrentHeader &&
        position_ + 1 < chunk_.last)
      report.fix(
          fmt::format("steps count from 0, and their number stands alone: recurrent {} in {} {{ ... }}",
                      code_[chunk_.first + 1].text, code_[position_ + 1].text));
    else if (failure_.rule == Grammar::RuleRecurrentHeader && !is_power)
      report.fix(
          "recurrent t in T backward over x = e { ... }, where what stands between t and { may be left "
          "out");
    if (failure_.rule == Grammar::RuleSequence && previous()->kind == Grammar::NAME)
      report.fix(is_declared(previous()->text) ? fmt::format("over {0}_t = {0}", previous()->text)
                                               : fmt::format("so many steps: in {}", previous()->text));
    if (wants(Grammar::RANGE)) report.fixes.push_back(fix_of_range(place));
    if (failure_.rule == Grammar::RuleGradient) report.fix("gradient NAME of y wrt x keeping z");
    if (failure_.rule == Grammar::RuleCustomGradient)
      report.fix(
          "custom gradient f(x, dy) { return ... }, which names the arguments of f, then the cotangent "
          "of its result");
    if (failure_.rule == Grammar::RuleOptimize) report.fix(fix_of_optimize(place));
    if (failure_.rule == Grammar::RuleParameter) report.fix(fix_of_parameter(place));
    if (token.kind == Grammar::QUESTION || wants(Grammar::THEN)) report.fix("if condition then a else b");
    if (auto fix = fix_of_dots(place); fix && report.fixes.empty()) report.fixes.push_back(*std::move(fix));
    if (auto fix = fix_of_operands(place); fix && report.fixes.empty())
      report.fixes.push_back(*std::move(fix));
  }

 private:
  /// Returns the position of `Sequential` where the failure is in `net: nn.Sequential(…`.
  std::optional<std::size_t> name_of_layer() const {
    std::size_t i = chunk_.first + 2;
    if (equals_ || i >= position_ || code_[i - 1].kind != Grammar::COLON) return std::nullopt;
    while (i < position_ && (code_[i].kind == Grammar::NAME || code_[i].kind == Grammar::DOT)) ++i;
    const bool is_call = i < position_ && code_[i].kind == Grammar::LEFT_PARENTHESIS;
    return is_call && code_[i - 1].kind == Grammar::NAME ? std::optional(i - 1) : std::nullopt;
  }

  /// Returns the call of a layer as it is written; only its name where the call is not closed.
  std::string layer_at(std::size_t name) const {
    const std::size_t end = end_of_part(here(), name + 2, false);
    const std::size_t begin = offset_of(code_[name]);
    if (end == chunk_.last) return fmt::format("{}()", code_[name].text);
    return code_[name].location.source->text()->substr(begin, offset_of(code_[end]) + 1 - begin);
  }

  /// Whether the bracket at the position stands behind an operand, whose subscripts it holds.
  bool ends_operand_before(std::size_t position) const {
    return position > chunk_.first && ends_operand(code_[position - 1]);
  }

  /// `f(…, name` before the failure.
  bool names_argument() const {
    if (open_.empty() || position_ < chunk_.first + 2 || previous()->kind != Grammar::NAME) return false;
    const std::size_t before = code_[position_ - 2].kind;
    return code_[open_.back()].kind == Grammar::LEFT_PARENTHESIS &&
           (before == Grammar::COMMA || before == Grammar::LEFT_PARENTHESIS);
  }

  bool is_declared(std::string_view name) const {
    for (std::size_t i = 0; i + 1 < code_.size(); ++i)
      if (code_[i].text == name &&
          (code_[i + 1].kind == Grammar::COLON || code_[i + 1].kind == Grammar::EQUALS))
        return true;
    return false;
  }

  /// Returns the head of the net as it is written, where a colon stands for the brace behind it.
  std::string fix_of_net_header() const {
    const Token& first = code_[chunk_.first];
    if (found().kind != Grammar::COLON) return "net NAME(n, m) { ... }";
    const char *begin = first.text.data(), *end = previous()->text.data() + previous()->text.size();
    if (previous()->kind == Grammar::NAME)
      return fmt::format("the dimensions of a net have no types: {}) {{ ... }}", std::string(begin, end));
    return std::string(begin, end) + " { ... }";
  }

  /// `x: float32[3]` and `x: [N x 3]`, a type without a role before it.
  std::string fix_of_missing_role() const {
    const std::size_t type = chunk_.first + 2;
    if (code_[chunk_.first].text == "type" && type < chunk_.last && code_[type].kind == Grammar::ELEMENT_TYPE)
      return fmt::format("the element type of the module has no colon: type {}", code_[type].text);
    if (equals_ || type + 1 >= chunk_.last || code_[type - 1].kind != Grammar::COLON) return "";
    const bool shape = code_[type].kind == Grammar::SHAPE_OPEN || code_[type].kind == Grammar::LEFT_BRACKET;
    if (shape && code_[chunk_.last - 1].kind != Grammar::RIGHT_BRACKET) return "";  // it is an array of nets
    if (!shape && code_[type].kind != Grammar::ELEMENT_TYPE) return "";
    const char *begin = code_[type].text.data(), *end = code_[chunk_.last - 1].text.data();
    return fmt::format("a role stands before the type: {}: in{}{}", code_[chunk_.first].text,
                       shape ? "" : " ", std::string(begin, end + code_[chunk_.last - 1].text.size()));
  }

  /// Returns where the token begins in its source.
  static std::size_t offset_of(const Token& token) {
    return static_cast<std::size_t>(token.text.data() - token.location.source->text()->data());
  }

  /// A word is reported once where the module declares it.
  void report_reserved_word(const Place& place) {
    if (position_ == chunk_.first)
      reserved_names_.insert(found().text);
    else if (reserved_names_.contains(found().text))
      return;
    auto& report = diagnostics_.report(reserved_word, found().location, found().text);
    if (found().text == "match" && place.equals)
      report.fix(
          "a match is a statement of a function, match t { leaf(v) { return sum(v) } ... }, or a value: y = "
          "match t { leaf(v) => sum(v) ... }");
    else if (const auto fix = fix_of_declared_parts(place); fix && fix->edit)
      report.fix(fix->text, *fix->edit);
    else if (found().text == "return" && previous() && previous()->kind == Grammar::EQUALS &&
             position_ + 1 < chunk_.last)
      report.fix("an expression stands without it; statements stand in braces, { return ... }",
                 {found().location.source, offset_of(found()), offset_of(code_[position_ + 1]), ""});
    else if (found().kind == Grammar::IN && previous() && previous()->kind == Grammar::ELEMENT_TYPE &&
             position_ == chunk_.first + 3)
      report.fix(fmt::format("the role stands before the type: {}: in {}", code_[chunk_.first].text,
                             previous()->text));
    else if ((found().text == "true" || found().text == "false") && !equals_ &&
             position_ == chunk_.first + 2 && previous()->kind == Grammar::COLON)
      report.fix(fmt::format("a value stands behind '=': {} = {}", code_[chunk_.first].text, found().text));
    else if (found().text == "auto" && in_block(place) && open_.empty() && position_ + 1 < chunk_.last)
      report.fix(fmt::format("declare it: let {} = ...", code_[position_ + 1].text));
    else if (found().text == "auto" && !open_.empty() && open_.back() + 1 == position_)
      report.fix("write the extents, or declare them with names: dim n = 8");
    else if (!add_translation(report, place) && position_ == chunk_.first)
      report.fix("give it another name");
  }

  /// `name[3x4]`, where the shape stands at the place of indices.
  bool shape_behind_name() const {
    return code_[chunk_.first].kind == Grammar::NAME && open_.size() == 1 && open_[0] == chunk_.first + 1 &&
           code_[open_[0]].kind == Grammar::LEFT_BRACKET &&
           (found().kind == Grammar::SEPARATOR || found().kind == Grammar::QUESTION);
  }

  void report_fixed(const std::string& fix) {
    auto& report = report_expected();
    if (!fix.empty()) report.fix(fix);
  }

  void report_statement(const Place& place) {
    const std::string fix = fix_of_match(place);
    report_fixed(fix.empty() ? fix_of_statement(place) : fix);
  }

  /// Whether expressions of Python have such a token where TEL has none.
  static bool is_of_python(const Token& token) {
    return token.kind == Grammar::COMMA || token.kind == Grammar::STAR || token.kind == Grammar::IF ||
           token.kind == Grammar::ELLIPSIS;
  }

  static bool is_keyword(const Token& token) {
    return token.kind >= Grammar::IF && token.kind <= Grammar::ELEMENT_TYPE;
  }

  dlvm::Diagnostic& report_expected() { return Expectation::report_expected(diagnostics_); }

  std::set<std::string_view>& reserved_names_;
  Diagnostics& diagnostics_;
};

}  // namespace

void report_syntax_error(const Failure& failure, const Resolved& resolved, const Chunk& chunk,
                         std::set<std::string_view>& reserved_names, Diagnostics& diagnostics) {
  Explainer(failure, resolved, chunk, reserved_names, diagnostics).report();
}

}  // namespace frontend::syntax
