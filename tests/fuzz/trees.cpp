#include "tests/fuzz/trees.h"

#include <fmt/format.h>

#include <vector>

#include "tests/fuzz/draw.h"

namespace fuzz {
namespace {

/// A part of a payload: its type, how it is made of %x, %row and %n as `%p_`, and the number `%u_` that it
/// adds to the sum. `_` stands for the part's number, and NEXT for some value of %x.
struct Part {
  std::string_view type, made, used;
};

constexpr Part parts[]{
    {"f64", "    %p_ = NEXT\n", "    %u_ = multiply %p_: f64, %w: f64\n"},
    {"<3 x f64>", "    %y_ = NEXT\n    %p_ = multiply %row: <3 x f64>, %y_: f64\n",
     "    %s_ = tanh %p_: <3 x f64>\n    %t_ = multiply %s_: <3 x f64>, %w: f64\n"
     "    %u_ = reduce %t_: <3 x f64> by add init 0: f64 along 0\n"},
    {"i32", "    %p_ = add %n: i32, 2: i32\n",
     "    %c_ = dataTypeCast %p_: i32 to f64\n    %u_ = multiply %c_: f64, %w: f64\n"},
    {"bool", "    %p_ = greaterThan %n: i32, 1: i32\n", "    %u_ = select %w: f64, 0.5: f64 by %p_: bool\n"},
    {"(f64, i32)", "    %y_ = NEXT\n    %p_ = literal (%y_: f64, %n: i32)\n",
     "    %y_ = extract 0 from %p_: (f64, i32)\n    %u_ = square %y_: f64\n"},
    {"$Kind", "    %y_ = NEXT\n    %p_ = apply @kind(%y_: f64, %n: i32) -> $Kind\n",
     "    %u_ = apply @ofKind(%p_: $Kind, %w: f64) -> f64\n"},
    {"$Tree",
     "    %m_ = subtract %n: i32, 1: i32\n    %y_ = NEXT\n"
     "    %p_ = apply @make(%y_: f64, %row: <3 x f64>, %m_: i32) -> $Tree\n",
     "    %v_ = multiply %w: f64, 0.5: f64\n    %u_ = apply @fold(%p_: $Tree, %v_: f64) -> f64\n"},
    {"$Both",
     "    %m_ = subtract %n: i32, 2: i32\n    %y_ = NEXT\n"
     "    %q_ = apply @make(%y_: f64, %row: <3 x f64>, %m_: i32) -> $Tree\n"
     "    %p_ = literal {#tree = %q_: $Tree, #scale = %x: f64}: $Both\n",
     "    %q_ = extract #tree from %p_: $Both\n    %z_ = extract #scale from %p_: $Both\n"
     "    %v_ = multiply %w: f64, %z_: f64\n    %u_ = apply @fold(%q_: $Tree, %v_: f64) -> f64\n"},
};
constexpr std::size_t flat_parts = 6;  ///< those without a tree

constexpr std::string_view nexts[]{"multiply %x: f64, 0.8: f64", "tanh %x: f64", "add %x: f64, 0.3: f64"};

constexpr std::string_view kinds = R"(
struct $Both { #tree: $Tree  #scale: f64 }
enum $Kind { ?none ?scaled(f64) }
func @kind: (f64, i32) -> $Kind {
'entry(%x: f64, %n: i32):
    %even = modulo %n: i32, 2: i32
    %is = equal %even: i32, 0: i32
    conditional %is: bool then 'none else 'scaled
'none():
    return ?none(): $Kind
'scaled():
    %y = tanh %x: f64
    return ?scaled(%y: f64): $Kind
}
func @ofKind: ($Kind, f64) -> f64 {
'entry(%k: $Kind, %w: f64):
    branchEnum %k: $Kind case ?scaled 'scaled case ?none 'none
'none():
    return %w: f64
'scaled(%x: f64):
    %y = multiply %x: f64, %w: f64
    return %y: f64
}
)";

/// A chain of nodes that a loop makes.
constexpr std::string_view chain = R"(
func @chain: (f64, <3 x f64>, i32) -> $Tree {
'entry(%x: f64, %row: <3 x f64>, %n: i32):
    %first = apply @make(%x: f64, %row: <3 x f64>, 1: i32) -> $Tree
    branch 'test(0: i32, %x: f64, %first: $Tree)
'test(%i: i32, %y: f64, %t: $Tree):
    %more = lessThan %i: i32, END: i32
    conditional %more: bool then 'link else 'done
'link():
    %z = tanh %y: f64
    %longer = literal ?link(%y: f64, %t: $Tree): $Tree
    %next = add %i: i32, 1: i32
    branch 'test(%next: i32, %z: f64, %longer: $Tree)
'done():
    return %t: $Tree
}
)";

/// Trees on a stack, and one that two others share.
constexpr std::string_view heap = R"(
func @heap: (f64, <3 x f64>, i32) -> $Tree {
'entry(%x: f64, %row: <3 x f64>, %n: i32):
    %s = createStack
    %one = apply @make(%x: f64, %row: <3 x f64>, %n: i32) -> $Tree
    push %one: $Tree to %s: stack
    push ?link(%x: f64, %one: $Tree): $Tree to %s: stack
    %top = pop $Tree from %s: stack
    %y = square %x: f64
    push ?link(%y: f64, %top: $Tree): $Tree to %s: stack
    %last = pop $Tree from %s: stack
    %first = pop $Tree from %s: stack
    destroyStack %s: stack
    return ?fork(%last: $Tree, %first: $Tree): $Tree
}
)";

/// Trees that are made and folded again and again, and change with what was folded.
constexpr std::string_view rounds = R"(
func @rounds: (f64, <3 x f64>, i32) -> $Tree {
'entry(%x: f64, %row: <3 x f64>, %n: i32):
    branch 'round(0: i32, %x: f64)
'round(%i: i32, %y: f64):
    %t = apply @make(%y: f64, %row: <3 x f64>, %i: i32) -> $Tree
    %f = apply @fold(%t: $Tree, 0.3: f64) -> f64
    %z = tanh %f: f64
    %next = add %i: i32, 1: i32
    %more = lessThan %next: i32, END: i32
    conditional %more: bool then 'round(%next: i32, %z: f64) else 'done
'done():
    return ?fork(%t: $Tree, ?link(%y: f64, %t: $Tree): $Tree): $Tree
}
)";

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

class Generator : Draw {
 public:
  explicit Generator(std::uint64_t seed) : Draw(seed) {}

  std::string make(int order) {
    choose_cases();
    std::string text = "module \"trees\"\nstage " + std::string(order > 0 ? "raw" : "canonical") + "\n" +
                       std::string(kinds) + declaration() + make_function() + fold_function();
    const std::string makers[]{"make", "chain", "heap", "rounds"};
    const std::string_view bodies[]{chain, heap, rounds};
    for (const std::string_view body : bodies)
      text += replaced(std::string(body), "END", one_in(2) ? "%n" : std::to_string(1 + below(3)));
    return text + main_function(makers[below(4)], makers[below(4)]) + (order > 0 ? first_order : "") +
           (order > 1 ? second_order : "");
  }

 private:
  static constexpr const char* first_order = R"(
[gradient @f wrt 0, 1]
func @first: (f64, <3 x f64>, i32) -> (f64, <3 x f64>)
)";
  static constexpr const char* second_order = R"(
[gradient @first wrt 0, 1]
func @second: (f64, <3 x f64>, i32) -> (f64, <3 x f64>)
[jvp @f wrt 0, 1]
func @forward: (f64, <3 x f64>, i32, f64, <3 x f64>) -> (f64)
)";

  struct Case {
    std::string name;
    std::vector<std::size_t> parts;
  };

  /// The first cases end a tree; `link` and `fork` are always there.
  void choose_cases() {
    const std::size_t ends = 1 + below(2), others = below(3);
    for (std::size_t i = 0; i < ends + others; ++i) {
      Case made{(i < ends ? "end" : "more") + std::to_string(i), {}};
      for (std::size_t count = below(4); count > 0; --count) made.parts.push_back(below(flat_parts));
      if (i >= ends)
        made.parts.insert(made.parts.begin() + static_cast<std::ptrdiff_t>(below(made.parts.size() + 1)),
                          flat_parts + below(2));
      cases_.push_back(std::move(made));
    }
    ends_ = ends;
    cases_.insert(cases_.begin() + static_cast<std::ptrdiff_t>(ends), {"link", {0, 6}});
    cases_.push_back({"fork", {6, 6}});
  }

  std::string declaration() const {
    std::string text = "\nenum $Tree {";
    for (const Case& each : cases_) {
      text += " ?" + each.name + "(";
      for (std::size_t i = 0; i < each.parts.size(); ++i)
        text += std::string(i == 0 ? "" : ", ") + std::string(parts[each.parts[i]].type);
      text += ")";
    }
    return replaced(text, "()", "") + " }\n";
  }

  std::string part(std::string_view text, std::size_t number) {
    return replaced(replaced(std::string(text), "_", std::to_string(number)), "NEXT", nexts[below(3)]);
  }

  /// Compares %n modulo a number of cases with each of them.
  std::string choice(std::size_t first, std::size_t end, const std::string& name) const {
    std::string text = fmt::format("    %{}k = modulo %n: i32, {}: i32\n", name, end - first);
    for (std::size_t i = first; i + 1 < end; ++i) {
      const bool last = i + 2 == end;
      text += fmt::format(
          "    %{0}{1} = equal %{0}k: i32, {2}: i32\n    conditional %{0}{1}: bool then '{3} else '{4}\n",
          name, i, i - first, cases_[i].name, last ? cases_[i + 1].name : name + std::to_string(i));
      if (!last) text += fmt::format("'{}{}():\n", name, i);
    }
    if (first + 1 == end) text += fmt::format("    branch '{}\n", cases_[first].name);
    return text;
  }

  std::string make_function() {
    std::string text = R"(
func @make: (f64, <3 x f64>, i32) -> $Tree {
'entry(%x: f64, %row: <3 x f64>, %n: i32):
    %small = lessThan %n: i32, 1: i32
    conditional %small: bool then 'small else 'large
'small():
)" + choice(0, ends_, "a") +
                       "'large():\n" + choice(ends_, cases_.size(), "b");
    std::size_t number = 0;
    for (const Case& each : cases_) {
      std::string made, payload;
      for (const std::size_t p : each.parts) {
        made += part(parts[p].made, number);
        payload += fmt::format("{}%p{}: {}", payload.empty() ? "" : ", ", number++, parts[p].type);
      }
      text += fmt::format("'{0}():\n{1}    return ?{0}({2}): $Tree\n", each.name, made, payload);
    }
    return text + "}\n";
  }

  std::string fold_function() {
    std::string text =
        "func @fold: ($Tree, f64) -> f64 {\n'entry(%t: $Tree, %w: f64):\n    branchEnum %t: $Tree";
    for (const Case& each : cases_) text += fmt::format(" case ?{0} '{0}", each.name);
    text += "\n";
    std::size_t number = 0;
    for (const Case& each : cases_) {
      std::string used, payload, sum = "0.25: f64";
      for (const std::size_t p : each.parts) {
        payload += fmt::format("{}%p{}: {}", payload.empty() ? "" : ", ", number, parts[p].type);
        used += part(parts[p].used, number);
        used += fmt::format("    %sum{0} = add {1}, %u{0}: f64\n", number, sum);
        sum = fmt::format("%sum{}: f64", number++);
      }
      text += fmt::format("'{0}({1}):\n{2}    %{0}.sum = tanh {3}\n    return %{0}.sum: f64\n", each.name,
                          payload, used, sum);
    }
    return text + "}\n";
  }

  static std::string main_function(const std::string& left, const std::string& right) {
    return fmt::format(R"(func @f: (f64, <3 x f64>, i32) -> f64 {{
'entry(%x: f64, %row: <3 x f64>, %n: i32):
    %l = apply @{}(%x: f64, %row: <3 x f64>, %n: i32) -> $Tree
    %y = square %x: f64
    %r = apply @{}(%y: f64, %row: <3 x f64>, 2: i32) -> $Tree
    %a = apply @fold(%l: $Tree, %x: f64) -> f64
    %b = apply @fold(%r: $Tree, %a: f64) -> f64
    %c = apply @fold(?fork(%r: $Tree, %l: $Tree): $Tree, 0.7: f64) -> f64
    %s = multiply %b: f64, %c: f64
    %z = add %s: f64, %a: f64
    return %z: f64
}}
)",
                       left, right);
  }

  std::vector<Case> cases_;
  std::size_t ends_ = 0;
};

}  // namespace

std::string random_trees(std::uint64_t seed, int order) { return Generator(seed).make(order); }

}  // namespace fuzz
