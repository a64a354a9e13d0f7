#include <fmt/format.h>

#include "codegen/kernel/text/scalar_text.h"
#include "codegen/schedule/ir/walk.h"
#include "codegen/schedule/text/text.h"

namespace codegen::schedule {
namespace {

using kernel::name_of;
using kernel::part;
using kernel::scalar;

template <typename Range, typename Text>
std::string joined(const Range& range, Text text) {
  std::string out;
  for (const auto& element : range) out += (out.empty() ? "" : ", ") + text(element);
  return out;
}

constexpr std::string_view spaces[]{"argument", "arena", "panel", "shared", "registers"};
constexpr std::string_view kinds[]{"for",  "unrolled", "vector",   "thread", "block",
                                   "warp", "role",     "pipeline", "core"};

/// After the limits of a product.
constexpr std::string_view arithmetics[]{"", " apart", " on tensor_cores", " on tensor_cores split"};

class Printer {
 public:
  explicit Printer(const Schedule& schedule) : schedule_(schedule) {
    for (const Buffer& buffer : schedule.buffers) names_.buffers.push_back(buffer.name);
    for (const Variant& variant : schedule.variants) name_loops(variant.body);
  }

  std::string print() {
    std::string arguments;
    for (std::uint32_t i = 0; i < schedule_.arguments; ++i)
      arguments += (i == 0 ? "" : ", ") + declaration(schedule_.buffers[i]);
    line(fmt::format("schedule @{}({}) {{", name_of(schedule_.name), arguments));
    ++indent_;
    for (std::size_t i = schedule_.arguments; i < schedule_.buffers.size(); ++i)
      line(fmt::format("{} {}", spaces[static_cast<std::size_t>(schedule_.buffers[i].space)],
                       declaration(schedule_.buffers[i])));
    for (const Variant& variant : schedule_.variants) {
      line("variant" + kernel::guards(variant.guards) + " {");
      print(variant.body);
      line("}");
    }
    --indent_;
    line("}");
    return std::move(out_);
  }

 private:
  void name_loops(const Body& body) {
    walk<Loop>(body, [this](const Loop& loop) {
      if (names_.axes.size() <= loop.id) names_.axes.resize(loop.id + 1);
      names_.axes[loop.id] = loop.name;
      if (!loop.range_end) return;
      if (names_.axes.size() <= *loop.range_end) names_.axes.resize(*loop.range_end + 1);
      names_.axes[*loop.range_end] = loop.name + "_end";
    });
  }

  static std::string declaration(const Buffer& buffer) {
    std::string text = name_of(buffer.name) + ": " + kernel::tensor_type(buffer.element, buffer.shape);
    if (buffer.written) text += " written";
    if (buffer.layout.strides != dense_layout(buffer.shape).strides)
      text += " strides [" + joined(buffer.layout.strides, part) + "]";
    if (const auto& swizzle = buffer.layout.swizzle)
      text += fmt::format(" swizzle {}, {}, {}", swizzle->bits, swizzle->base, swizzle->shift);
    if (buffer.linear_layout)
      text += fmt::format(" linear_layout {} {} {}", basis(buffer.linear_layout->registers),
                          basis(buffer.linear_layout->lanes), basis(buffer.linear_layout->warps));
    return text;
  }
  static std::string basis(const LinearLayout::Bases& basis) {
    const auto vector = [](const std::vector<std::int64_t>& v) {
      return "[" + joined(v, [](std::int64_t i) { return std::to_string(i); }) + "]";
    };
    return "[" + joined(basis, vector) + "]";
  }

  void print(const Body& body) {
    ++indent_;
    for (const Statement& statement : body)
      std::visit([this](const auto& node) { print(node); }, statement.node);
    --indent_;
  }

  void print(const Origin& origin) {
    line("stage " + name_of(origin.stage));
    if (!origin.plan.empty()) line("plan " + name_of(origin.plan));
  }
  void print(const Let& let) {
    line(fmt::format("{}: {} = {}", scalar(let.id), dlvm::info(let.scalar.type).name,
                     names_.definition(let.scalar)));
  }
  void print(const Store& store) {
    const std::string by =
        store.combine ? fmt::format(" by {}", dlvm::definition(store.combine->opcode).name) : "";
    line("store " + scalar(store.value) + " to " + names_.access(store.access) + names_.bounds(store.bounds) +
         by);
  }
  void print(const Prefetch& prefetch) {
    line("prefetch " + names_.access(prefetch.access) + (prefetch.is_written ? " to write" : ""));
  }
  void print(const Allocate& allocate) { line("allocate " + name_of(names_.buffers[allocate.buffer])); }
  void print(const Loop& loop) {
    std::string text =
        fmt::format("{} {}", kinds[static_cast<std::size_t>(loop.kind)], names_.axis_text(loop.id));
    if (loop.range_end) text += " to " + names_.axis_text(*loop.range_end);
    text += " in " + part(loop.extent);
    if (loop.step != 1) text += fmt::format(" step {}", loop.step);
    if (loop.kind == LoopKind::pipeline) text += fmt::format(" depth {}", loop.depth);
    if (!loop.work.is(0)) text += " work " + part(loop.work);
    line(text + names_.bounds(loop.bounds) + " {");
    print(loop.body);
    line("}");
  }
  void print(const Fill& fill) {
    line(fmt::format("fill {} with {} {}", tile(fill.to), dlvm::info(fill.value.element()).name,
                     kernel::number(fill.value)));
  }
  void print(const Copy& copy) {
    line("copy " + tile(copy.from) + " to " + tile(copy.to) + (copy.asynchronous ? " asynchronous" : "") +
         names_.bounds(copy.bounds));
  }
  void print(const Commit&) { line("commit"); }
  void print(const Wait& wait) { line(fmt::format("wait {}", wait.pending)); }
  void print(const Barrier&) { line("barrier"); }
  void print(const MultiplyAccumulate& multiply) {
    line("multiply " + tile(multiply.left) + " by " + tile(multiply.right) + " into " + tile(multiply.to) +
         " upto (" + names_.index(multiply.rows) + ", " + names_.index(multiply.columns) + ", " +
         names_.index(multiply.count) + ")" + (multiply.ahead ? " ahead " + tile(*multiply.ahead) : "") +
         std::string(arithmetics[static_cast<std::size_t>(multiply.arithmetic)]) +
         (multiply.anew ? " anew" + names_.bounds({*multiply.anew}) : ""));
  }
  void print(const Reduce& reduce) {
    std::string text;
    for (std::size_t i = 0; i < reduce.from.size(); ++i)
      text += (i == 0 ? "" : ", ") + tile(reduce.from[i]) + " to " + names_.access(reduce.to[i]);
    const kernel::Reduction& r = reduce.reduction;
    const std::string head = fmt::format("reduce {} by {}", text, kernel::monoid(r));
    if (!r.named.empty()) return line(head);
    line(head + " by {");
    ++indent_;
    for (std::size_t i = 0; i < r.combine.size(); ++i)
      line(fmt::format("{}: {} = {}", scalar(static_cast<ValueId>(i)), dlvm::info(r.combine[i].type).name,
                       names_.definition(r.combine[i])));
    line("yield " + kernel::scalars(r.results));
    --indent_;
    line("}");
  }
  void print(const Sort& sort) {
    std::string text = "sort " + tile(sort.keys) + " positions " + tile(sort.positions);
    if (sort.descending) text += " descending";
    if (!sort.scratch.empty())
      text += " with " + joined(sort.scratch, [this](const Tile& scratch) { return tile(scratch); });
    line(text);
  }
  void print(const Convert& convert) { line("convert " + tile(convert.from) + " to " + tile(convert.to)); }

  std::string tile(const Tile& tile) const {
    const std::string text = names_.access({tile.buffer, tile.origin}) + "(" + joined(tile.sizes, part) + ")";
    return tile.strides.empty() ? text : text + " strides [" + joined(tile.strides, part) + "]";
  }

  void line(const std::string& text) { out_ += std::string(2 * indent_, ' ') + text + "\n"; }

  const Schedule& schedule_;
  kernel::ScalarPrinter names_;
  std::string out_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string print(const Schedule& schedule) { return Printer(schedule).print(); }

}  // namespace codegen::schedule
