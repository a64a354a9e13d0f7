// Random loops that add up products of integers, whose sums have one value in any order.
#include "dlvm/transform/contraction_sinking.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "dlvm/transform/dead_code_elimination.h"
#include "dlvm/verify/verify.h"
#include "tests/dlvm/analysis/parsed.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/same_values.h"

using namespace dlvm;

namespace {

using Operands = std::vector<std::string>;  ///< names with their types, as instructions are written with

constexpr std::string_view left_type = "<2 x 4 x i32>", right_type = "<2 x 5 x i32>";
constexpr std::string_view left_rows = "<T + 4 x 2 x 4 x i32>", right_rows = "<T + 5 x 2 x 5 x i32>";
constexpr std::array<std::string_view, 4> sum_types{"<4 x 5 x i32>", "<2 x 4 x 5 x i32>", "<5 x 7 x i32>",
                                                    "<20 x i32>"};

std::string type_of(const std::string& operand) { return operand.substr(operand.find(':') + 2); }
std::string list(const Operands& operands) { return fmt::format("{}", fmt::join(operands, ", ")); }
Operands renamed(const Operands& operands, std::string_view prefix) {
  Operands all;
  for (const std::string& each : operands) all.push_back(fmt::format("%{}{}", prefix, each.substr(1)));
  return all;
}

/// The text of a loop that counts up or down, also in steps of several rows. Rows come from several counters,
/// which may wrap around or leave the tensor. Operands are gathered, computed, carried, or from outside. A
/// round may skip what it adds, end the loop early, or go round an inner loop; and another loop may be around
/// all. The same seed gives the same.
class RandomLoop : fuzz::Draw {
 public:
  explicit RandomLoop(std::uint64_t seed) : Draw(seed) {}

  std::string text() {
    const bool is_nested = one_in(3), down = one_in(3);
    const std::string type = one_in(3) ? "i32" : "i64",
                      row_type = std::array{"i64", "i32", "i8", "u8"}[below(4)];
    const std::string high = "%high: " + type, low = fmt::format("{}: {}", below(2), type);
    const std::string counter = "%i: " + type, row = "%row: " + row_type;
    Operands first;
    for (std::size_t s = 0, count = 1 + below(3); s < count; ++s) {
      const std::string_view sum_type = sum_types[below(sum_types.size())];
      sums_.push_back(fmt::format("%sum{}: {}", s, sum_type));
      first.push_back(fmt::format("{}: {}", below(3), sum_type));
    }
    const Operands sums = sums_, outer = renamed(sums, "outer_");

    line(one_in(4) ? fmt::format("%length = literal {}: {}", below(3), type) : "%length = extent T: " + type);
    line(fmt::format("%high = add %length: {0}, {1}: {0}", type, static_cast<int>(below(3)) - 1));
    left_.push_back(value("broadcast 2: i32 to 2 x 4", left_type));
    right_.push_back(value("broadcast 3: i32 to 2 x 5", right_type));
    if (is_nested) {
      line(fmt::format("branch 'outer(0: i64, 0: {}, {})", type, list(first)));
      begin(fmt::format("'outer(%o: i64, %last: {}, {})", type, list(outer)));
      line("%again = lessThan %o: i64, 2: i64");
      line("conditional %again: bool then 'before() else 'behind()");
      begin("'before()");
      left_.push_back(gathered("%x", left_rows, "%o: i64", left_type));
    }
    line(fmt::format("branch 'loop({}, {}: {}, 1: {}, {})", down ? high : low, below(2), row_type, left_type,
                     list(is_nested ? outer : first)));
    begin(fmt::format("'loop({}, {}, %state: {}, {})", counter, row, left_type, list(sums)));
    left_.push_back(fmt::format("%state: {}", left_type));
    rows_ = {counter, counter, row};
    if (one_in(8)) left_.push_back(gathered("%x", left_rows, counter, left_type));
    if (one_in(8)) add_product(below(sums.size()));
    const std::string &larger = down ? counter : high, &smaller = down ? low : counter;
    line("%more = " + (one_in(2) ? fmt::format("greaterThanOrEqual {}, {}", larger, smaller)
                                 : fmt::format("lessThan {}, {}", smaller, larger)));
    line("conditional %more: bool then 'body() else 'end()");
    begin("'body()");
    line(fmt::format("%next = {} {}, {}: {}", down ? "subtract" : "add", counter,
                     one_in(3) ? 1 + below(3) : 1, type));
    line(fmt::format("%next_row = {} {}, 1: {}", one_in(4) ? "subtract" : "add", row, row_type));
    rows_.push_back("%next: " + type);
    left_.push_back(gathered("%x", left_rows, any(rows_), left_type));
    right_.push_back(gathered("%y", right_rows, any(rows_), right_type));
    for (std::size_t parts = 3 + below(8); parts > 0; --parts) add_part(counter);
    add_product(below(sums.size()));
    end_round(counter, fmt::format("'loop(%next: {}, %next_row: {}, {}, {})", type, row_type, any(left_),
                                   list(sums_)));
    begin("'end()");
    if (is_nested) {
      line("%next_o = add %o: i64, 1: i64");
      line(fmt::format("branch 'outer(%next_o: i64, {}, {})", counter, list(sums)));
      begin("'behind()");
    }
    line(fmt::format("%all = literal ({}, {})", is_nested ? "%last: " + type : counter,
                     list(is_nested ? outer : sums)));
    Operands types{type};
    for (const std::string& sum : sums) types.push_back(type_of(sum));
    line(fmt::format("return %all: ({})", list(types)));
    return fmt::format("func @f: ({0}, {1}) -> ({2}) {{\n'entry(%x: {0}, %y: {1}):\n{3}}}\n", left_rows,
                       right_rows, list(types), text_);
  }

 private:
  const std::string& any(const Operands& operands) { return operands[below(operands.size())]; }

  void begin(const std::string& block) { text_ += block + ":\n"; }
  void line(const std::string& instruction) { text_ += "    " + instruction + "\n"; }
  std::string value(const std::string& instruction, std::string_view type) {
    line(fmt::format("%v{} = {}", values_, instruction));
    return fmt::format("%v{}: {}", values_++, type);
  }
  std::string gathered(std::string_view input, std::string_view rows, std::string index,
                       std::string_view type) {
    const std::string of = type_of(index);
    if (one_in(4)) index = value(fmt::format("add {}, {}: {}", index, below(3), of), of);
    return value(fmt::format("gather {}: {} at {} along 0", input, rows, index), type);
  }

  std::string product(std::string_view type) {
    const std::string left = any(left_), right = any(right_);
    if (type == sum_types[1])
      return value(fmt::format("dot {}, {} contract () with () batch 0 with 0", left, right), type);
    std::string found;
    if (one_in(3)) {
      found = value(fmt::format("dot {}, {} contract 0 with 0", right, left), "<5 x 4 x i32>");
      found = value("transpose " + found + " by 1, 0", sum_types[0]);
    } else {
      found = value(fmt::format("dot {}, {} contract 0 with 0", left, right), sum_types[0]);
    }
    if (type == sum_types[2])
      return value(fmt::format("pad {} by (1, 0), (0, 2) with {}: i32", found, one_in(8) ? 1 : 0), type);
    return type == sum_types[3] ? value("shapeCast " + found + " to 20", type) : found;
  }

  void add_to(std::size_t s, const std::string& addend) {
    const std::string sum = sums_[s];
    sums_[s] =
        value(one_in(2) ? fmt::format("add {}, {}", sum, addend) : fmt::format("add {}, {}", addend, sum),
              type_of(sum));
  }
  void add_product(std::size_t s) {
    const std::string found = product(type_of(sums_[s]));
    add_to(s, found);
    if (one_in(12)) add_to(s, found);
  }

  void add_part(const std::string& counter) {
    const std::size_t s = below(sums_.size());
    switch (below(9)) {
      case 0:
        return left_.push_back(gathered("%x", left_rows, any(rows_), left_type));
      case 1:
        return right_.push_back(gathered("%y", right_rows, any(rows_), right_type));
      case 2:
        return left_.push_back(value(fmt::format("multiply {}, {}", any(left_), any(left_)), left_type));
      case 3:
        return right_.push_back(value(fmt::format("add {}, 1: i32", any(right_)), right_type));
      case 4:
        return add_to(s, fmt::format("{}: i32", below(3)));
      case 5:
        return one_in(2) ? add_two_ways(counter, s) : add_product(s);
      case 6:
        return inner_ || !one_in(4) ? add_product(s) : begin_inner();
      default:
        return add_product(s);
    }
  }

  /// One of two ways may add a product, and each has its own operand.
  void add_two_ways(const std::string& counter, std::size_t s) {
    const std::size_t n = values_++;
    const std::string test = value(fmt::format("lessThan {}, 2: {}", counter, type_of(counter)), "bool");
    const std::string sum = sums_[s], operand = any(left_);
    line(fmt::format("conditional {} then 'adds{}() else 'meets{}({}, {})", test, n, n, sum, operand));
    begin(fmt::format("'adds{}()", n));
    if (one_in(2)) add_product(s);
    const std::string other = value("negate " + operand, left_type);
    line(fmt::format("branch 'meets{}({}, {})", n, sums_[s], other));
    const std::string met = fmt::format("%met_sum{}: {}", n, type_of(sum));
    left_.push_back(fmt::format("%met{}: {}", n, left_type));
    begin(fmt::format("'meets{}({}, {})", n, met, left_.back()));
    sums_[s] = one_in(2) ? met : sum;
  }

  /// Lets what is left of the round run twice.
  void begin_inner() {
    inner_ = true;
    line("branch 'inner(0: i64)");
    begin("'inner(%n: i64)");
  }

  void end_round(const std::string& counter, const std::string& next) {
    if (inner_) {
      const std::string n = value("add %n: i64, 1: i64", "i64"),
                        again = value("lessThan " + n + ", 2: i64", "bool");
      line(fmt::format("conditional {} then 'inner({}) else {}", again, n, next));
    } else if (one_in(8)) {
      const std::string ends = value(fmt::format("equal {}, 3: {}", counter, type_of(counter)), "bool");
      line(fmt::format("conditional {} then 'end() else {}", ends, next));
    } else {
      line("branch " + next);
    }
  }

  std::string text_;
  Operands left_, right_, rows_, sums_;  ///< the operands of products, indices, and what is carried so far
  std::size_t values_ = 0;
  bool inner_ = false;
};

Tensor numbers(std::vector<std::int64_t> extents) {
  Tensor all(ElementType::i32, std::move(extents));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto k = static_cast<std::int64_t>(i);
    all.set(i, (k * 7 + k * k) % 19 - 9);
  }
  return all;
}

/// Checks that the results and errors of the text's function stay; returns whether a product was sunk.
bool check(const std::string& text) {
  CAPTURE(text);
  const parsed::Text before(text);
  parsed::Text after(text);
  if (!contraction_sinking(after.module(), 1)) return false;
  remove_dead_instructions(after.function());
  Diagnostics diagnostics;
  REQUIRE_MESSAGE(verify(after.module(), diagnostics), render(diagnostics));
  for (const std::int64_t rounds : {0, 1, 2, 5, 260}) {  // the last are more than 8 bits count
    CAPTURE(rounds);
    const RuntimeValue arguments[]{numbers({rounds + 4, 2, 4}), numbers({rounds + 5, 2, 5})};
    const Interpretation expected = interpret(before.function(), arguments);
    const Interpretation found = interpret(after.function(), arguments);
    REQUIRE(expected.error.has_value() == found.error.has_value());
    if (expected.error)
      CHECK(expected.error->text == found.error->text);
    else
      CHECK(fuzz::same(expected.value, found.value));
  }
  return true;
}

}  // namespace

TEST_CASE("random loops keep the sums of their products") {
  int sunk = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    sunk += check(RandomLoop(seed).text());
  }
  CHECK(sunk > 10);
}
