#include "tests/language/random_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <vector>

namespace test {
namespace {

constexpr std::int64_t batch = 0;     ///< stands for N among extents
constexpr std::int64_t most = 40000;  ///< elements of a value
using Extents = std::vector<std::int64_t>;

struct Value {
  std::string name;
  Extents extents;
};

std::string text(const Extents& extents) {
  std::string all;
  for (const std::int64_t extent : extents)
    all += (all.empty() ? "" : " x ") + (extent == batch ? "N" : std::to_string(extent));
  return all;
}

class Network {
 public:
  explicit Network(std::uint64_t seed) : random_(seed) {}

  std::string write(std::uint64_t seed) {
    type_ = one_of<std::string>({"float32", "float32", "float32", "float64", "float16", "bfloat16"});
    text_ = fmt::format("// differences: none\nmodule random_{}\ntype {}\n", seed, type_);
    for (std::size_t i = 0, count = 1 + below(2); i < count; ++i) add_input();
    for (std::size_t i = 0, count = 3 + below(8); i < count; ++i) step();
    finish();
    return text_;
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  template <typename T>
  T one_of(std::vector<T> all) {
    return all[below(all.size())];
  }
  /// Both sides of the edges of vectors, warps and tiles.
  std::int64_t extent() {
    return one_of<std::int64_t>(
        {1, 2, 3, 4, 5, 7, 8, 9, 10, 15, 16, 17, 24, 31, 32, 33, 48, 64, 65, 100, 129});
  }
  std::int64_t long_extent() { return one_of<std::int64_t>({200, 256, 257, 520, 1030}); }
  const Value& any() { return pool_[std::max(below(pool_.size()), below(pool_.size()))]; }

  void add_input() {
    Extents extents{batch};
    for (std::size_t rank = below(3); rank > 0; --rank) extents.push_back(extent());
    extents.push_back(below(6) == 0 ? long_extent() : extent());
    while (elements(extents) > most / 4) extents.erase(extents.begin() + 1);
    declare("in", extents, "");
  }
  /// `initial`: the expression behind the equals sign, or nothing.
  Value declare(const char* role, const Extents& extents, const std::string& initial) {
    const std::string name = fmt::format("{}{}", role[0], next_++);
    text_ += fmt::format("{}: {}[{}]{}\n", name, role, text(extents), initial.empty() ? "" : " = " + initial);
    if (role[0] == 'i') pool_.push_back({name, extents});
    return {name, extents};
  }
  /// Of a batch of 7.
  static std::int64_t elements(const Extents& extents) {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) count *= extent == batch ? 7 : extent;
    return count;
  }
  /// Values so large that a program of them would be slow to interpret are not made.
  void define(const std::string& expression, Extents extents) {
    if (elements(extents) > most || extents.size() > 4) return;
    const std::string name = fmt::format("v{}", next_++);
    text_ += fmt::format("{} = {}\n", name, expression);
    pool_.push_back({name, std::move(extents)});
  }

  void step() {
    using Step = void (Network::*)();
    constexpr Step steps[]{&Network::linear, &Network::linear, &Network::product, &Network::activation,
                           &Network::row,    &Network::row,    &Network::reduce,  &Network::sum,
                           &Network::moved,  &Network::moved,  &Network::joined,  &Network::table,
                           &Network::scale,  &Network::mixed};
    (this->*steps[below(std::size(steps))])();
  }

  void linear() {
    const Value x = any();
    const std::int64_t k = x.extents.back();
    if (k == batch) return;
    const std::int64_t n = k < 200 && below(6) == 0 ? long_extent() : extent();
    Extents result = x.extents;
    result.back() = n;
    const Value w =
        below(4) == 0 ? declare("param", {n, k}, "glorot()") : declare("param", {k, n}, "glorot()");
    const bool transposed = w.extents[0] == n && w.extents[1] == k && (n != k || below(2) == 0);
    std::string expression = fmt::format("{} • {}{}", x.name, w.name, transposed ? "^T" : "");
    if (below(2) == 0) expression += " + " + declare("param", {n}, "random(-1, 1)").name;
    if (below(2) == 0)
      expression = fmt::format("{}({})", one_of<std::string>({"relu", "tanh", "gelu"}), expression);
    define(expression, result);
  }

  /// Of a value with itself, transposed: every pair of its rows.
  void product() {
    const Value x = any();
    if (x.extents.size() < 2) return;
    Extents result = x.extents;
    result.back() = x.extents[x.extents.size() - 2];
    if (x.extents.back() == batch || x.extents.size() == 2) return;
    define(fmt::format("tanh({0} • {0}^T)", x.name), result);
  }

  void activation() {
    const Value x = any();
    define(fmt::format(
               "{}({})",
               one_of<std::string>({"tanh", "sin", "relu", "gelu", "sigmoid", "softplus", "silu", "elu"}),
               x.name),
           x.extents);
  }

  /// What keeps rows together.
  void row() {
    const Value x = any();
    const std::size_t axis = below(3) == 0 ? below(x.extents.size()) : x.extents.size() - 1;
    Extents kept = x.extents;
    kept[axis] = 1;
    const std::string form = one_of<std::string>(
        {"softmax({0}, along: {1})", "log_softmax({0} * 0.5, along: {1})", "cumsum({0} * 0.1, along: {1})",
         "({0} - mean({0}, along: {1}, keep: true)) * rsqrt(variance({0}, along: {1}, keep: true) + 0.1)",
         "{0} - max({0}, along: {1}, keep: true)", "{0} / ((norm({0}, along: {1}) + 1) as [{2}])",
         "reverse({0}, along: {1})"});
    define(fmt::format(fmt::runtime(form), x.name, axis, text(kept)), x.extents);
  }

  void reduce() {
    const Value x = any();
    if (x.extents.size() < 2) return;
    const std::size_t axis = below(x.extents.size());
    Extents result = x.extents;
    result.erase(result.begin() + static_cast<std::ptrdiff_t>(axis));
    if (x.extents[axis] == batch && below(2) == 0) return;
    const std::string by =
        one_of<std::string>({"sum({} * 0.1", "mean({}", "logsumexp({}", "product(tanh({})", "max({}"});
    // The largest of no element is not finite.
    if (x.extents[axis] == batch && by != "sum({} * 0.1") return;
    define(fmt::format(fmt::runtime(by), x.name) + fmt::format(", along: {})", axis), result);
  }

  void sum() {
    const Value x = any(), y = any();
    if (x.extents == y.extents)
      define(fmt::format("{} {} {}", x.name, one_of<std::string>({"+", "-"}), y.name), x.extents);
    else
      define(fmt::format("{0} * 0.5 + tanh({0})", x.name), x.extents);
  }

  void scale() {
    const Value x = any();
    if (x.extents.back() == batch) return;
    const Value p = declare("param", {x.extents.back()}, "random(-1, 1)");
    define(fmt::format("{} * {}", x.name, p.name), x.extents);
  }

  void moved() {
    const Value x = any();
    const std::size_t rank = x.extents.size();
    switch (below(4)) {
      case 0: {
        if (rank < 2) return;
        std::vector<std::size_t> by(rank);
        for (std::size_t i = 0; i < rank; ++i) by[i] = i;
        std::shuffle(by.begin(), by.end(), random_);
        Extents result;
        for (const std::size_t axis : by) result.push_back(x.extents[axis]);
        return define(fmt::format("transpose({}, [{}])", x.name, fmt::join(by, ", ")), result);
      }
      case 1: {
        if (x.extents.back() == batch || x.extents.back() < 3) return;
        Extents result = x.extents;
        result.back() -= 2;
        return define(fmt::format("{}[{}1:-1]", x.name, repeated(":, ", rank - 1)), result);
      }
      case 2: {
        Extents result = x.extents;
        if (result.back() == batch) return;
        result.back() += 3;
        return define(fmt::format("pad({}, [{}1, 2])", x.name, repeated("0, 0; ", rank - 1)), result);
      }
      default: {
        if (rank < 2 || x.extents[rank - 1] == batch || x.extents[rank - 2] == batch) return;
        Extents result = x.extents;
        std::swap(result[rank - 1], result[rank - 2]);
        return define(fmt::format("{} as [{}]", x.name, text(result)), result);
      }
    }
  }
  static std::string repeated(const char* text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
  }

  void joined() {
    const Value x = any();
    Extents result = x.extents;
    if (result.back() == batch) return;
    result.back() *= 2;
    define(fmt::format("[{0}, tanh({0})] along {1}", x.name, x.extents.size() - 1), result);
  }

  /// Rows of a table by index.
  void table() {
    const std::int64_t rows = extent(), width = extent(), count = 1 + static_cast<std::int64_t>(below(4));
    const std::string index = fmt::format("j{}", next_++);
    text_ += fmt::format("{}: in int32[N x {}]\n", index, count);
    const Value entries = declare("param", {rows, width}, "random(-1, 1)");
    define(fmt::format("{}[{}]", entries.name, index), {batch, count, width});
  }

  /// Through another element type.
  void mixed() {
    const Value x = any();
    const std::string other = one_of<std::string>({"float32", "float16", "bfloat16"});
    define(fmt::format("((tanh({}) as {}) * 1.5) as {}", x.name, other, type_), x.extents);
  }
  /// The last values are results; the loss depends on all that nothing else does.
  void finish() {
    std::string loss;
    for (const Value& value : pool_)
      if (value.name[0] == 'v' &&
          text_.find(value.name, text_.find(value.name + " =") + value.name.size()) == text_.npos)
        loss += fmt::format("{0}mean(square(sin({1})))", loss.empty() ? "" : " + ", value.name);
    if (loss.empty()) loss = fmt::format("mean(square({}))", pool_.back().name);
    text_ += fmt::format("L: loss = {}\n", loss);
    for (std::size_t i = pool_.size() - std::min<std::size_t>(pool_.size(), 2); i < pool_.size(); ++i)
      text_ += fmt::format("y{}: out[{}] = {}\n", i, text(pool_[i].extents), pool_[i].name);
  }

  std::mt19937_64 random_;
  std::string type_, text_;
  std::vector<Value> pool_;
  std::size_t next_ = 0;
};

}  // namespace

std::string random_network(std::uint64_t seed) { return Network(seed).write(seed); }

}  // namespace test
