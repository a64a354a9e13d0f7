#include <fmt/format.h>

#include <cmath>

#include "codegen/kernel/text.h"

namespace codegen::kernel {
namespace {

std::string name_of(const std::string& name) {
  bool plain = !name.empty() && !(name[0] >= '0' && name[0] <= '9');
  for (const char c : name)
    plain = plain && (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.');
  return plain ? name : "\"" + name + "\"";
}

std::string tensor_type(ElementType element, const Shape& shape) {
  return dlvm::Type::tensor(element, shape).text();
}

std::string number(const dlvm::Tensor& value) {
  if (value.element() == ElementType::boolean) return value.integer(0) != 0 ? "true" : "false";
  if (!dlvm::is_floating(value.element())) {
    if (value.element() == ElementType::u64)
      return fmt::format("{}", static_cast<std::uint64_t>(value.integer(0)));
    return fmt::format("{}", value.integer(0));
  }
  const double real = value.real(0);
  if (std::isnan(real)) return "nan";
  if (std::isinf(real)) return real < 0 ? "-inf" : "inf";
  return value.element() == ElementType::f64 ? fmt::format("{}", real)
                                             : fmt::format("{}", static_cast<float>(real));
}

/// An integer as it is, all else in parentheses, so that it cannot be taken for a part of an index.
std::string part(const Extent& extent) {
  const std::string text = extent.text();
  return extent.constant() || extent.name() ? text : "(" + text + ")";
}

std::string scalar(ScalarId id) { return fmt::format("%{}", id); }

std::string scalars(const std::vector<ScalarId>& ids) {
  std::string out;
  for (const ScalarId id : ids) out += (out.empty() ? "" : ", ") + scalar(id);
  return out;
}

class Printer {
 public:
  explicit Printer(const Kernel& kernel) : kernel_(kernel) { name_axes(kernel.root); }

  std::string kernel() {
    std::string arguments;
    for (const Buffer& buffer : kernel_.buffers)
      if (buffer.space == Buffer::Space::argument)
        arguments += fmt::format("{}{}: {}{}", arguments.empty() ? "" : ", ", name_of(buffer.name),
                                 tensor_type(buffer.element, buffer.shape), buffer.written ? " written" : "");
    line(fmt::format("kernel @{}({}) {{", name_of(kernel_.name), arguments));
    ++indent_;
    for (const Buffer& buffer : kernel_.buffers)
      if (buffer.space == Buffer::Space::local)
        line(fmt::format("local {}: {} depth {}", name_of(buffer.name),
                         tensor_type(buffer.element, buffer.shape), buffer.depth));
    block(kernel_.root);
    --indent_;
    line("}");
    return std::move(out_);
  }

  std::string index(const Index& index) const {
    std::string out;
    const auto append = [&](const std::string& piece, bool negative) {
      if (out.empty())
        out = (negative ? "-" : "") + piece;
      else
        out += (negative ? " - " : " + ") + piece;
    };
    for (const auto& term : index.terms) {
      const auto constant = term.coefficient.constant();
      const bool negative = constant && *constant < 0;
      const Extent size = negative ? Extent(-1) * term.coefficient : term.coefficient;
      append(size.is(1) ? atom(term.atom) : part(size) + "*" + atom(term.atom), negative);
    }
    const auto constant = index.constant.constant();
    const bool negative = constant && *constant < 0;
    if (!index.constant.is(0) || out.empty())
      append(part(negative ? Extent(-1) * index.constant : index.constant), negative);
    return out;
  }

 private:
  void name_axes(const Block& block) {
    for (const Axis& axis : block.axes) name_axis(axis);
    for (const auto& child : block.children) {
      if (const auto* inner = std::get_if<Block>(&child))
        name_axes(*inner);
      else
        for (const Axis& axis : std::get<Stage>(child).axes) name_axis(axis);
    }
  }

  void name_axis(const Axis& axis) {
    if (axis_names_.size() <= axis.id) axis_names_.resize(axis.id + 1);
    axis_names_[axis.id] = axis.name;
  }

  std::string axis_text(AxisId id) const {
    return fmt::format("${}{}", id < axis_names_.size() ? axis_names_[id] : "?", id);
  }

  std::string atom(const Index::Atom& atom) const {
    if (const auto* axis = std::get_if<AxisId>(&atom)) return axis_text(*axis);
    if (const auto* loaded = std::get_if<Loaded>(&atom)) return scalar(loaded->scalar);
    const auto& quotient = *std::get<std::shared_ptr<const Index::Quotient>>(atom);
    return fmt::format("{}({} / {})", quotient.kind == Index::Quotient::Kind::floor ? "floor" : "mod",
                       index(quotient.index), part(quotient.divisor));
  }

  std::string access(const Access& access) const {
    std::string indices;
    for (const Index& i : access.indices) indices += (indices.empty() ? "" : ", ") + index(i);
    return name_of(kernel_.buffers[access.buffer].name) + "[" + indices + "]";
  }

  std::string bounds(const std::vector<Bound>& bounds) const {
    std::string out;
    for (const Bound& bound : bounds)
      out +=
          fmt::format("{}({} of {})", out.empty() ? " within " : ", ", index(bound.index), part(bound.end));
    return out;
  }

  std::string definition(const Scalar& s) const {
    struct {
      const Printer& p;
      std::string operator()(const Scalar::Literal& l) const { return "literal " + number(l.value); }
      std::string operator()(const Scalar::Position& i) const { return "position " + p.index(i.index); }
      std::string operator()(const Scalar::Load& l) const {
        const std::string guard = l.bounds.empty() ? "" : p.bounds(l.bounds) + " else " + scalar(l.fill);
        return "load " + p.access(l.access) + guard;
      }
      std::string operator()(const Scalar::Operation& o) const {
        return fmt::format("{} {}", dlvm::definition(o.opcode).name, scalars(o.operands));
      }
      std::string operator()(const Scalar::State& s) const { return fmt::format("state {}", s.component); }
      std::string operator()(const Scalar::Check& c) const {
        std::string position;
        for (const Index& i : c.position) position += (position.empty() ? "" : ", ") + p.index(i);
        return fmt::format("check {} from {} upto {} site {} at [{}]", scalar(c.operand), part(c.first),
                           part(c.end), c.site, position);
      }
      std::string operator()(const Scalar::Random& r) const {
        return fmt::format("random {} at {}", scalars({r.low, r.high, r.key, r.counter}), p.index(r.index));
      }
    } visitor{*this};
    return std::visit(visitor, s.definition);
  }

  void body(const std::vector<Scalar>& all, std::size_t first) {
    for (std::size_t i = 0; i < all.size(); ++i)
      line(fmt::format("{}: {} = {}", scalar(static_cast<ScalarId>(first + i)), dlvm::info(all[i].type).name,
                       definition(all[i])));
  }

  void reduction(const Reduction& r) {
    std::string states;
    for (std::size_t i = 0; i < r.types.size(); ++i)
      states +=
          fmt::format("{}{} from {}", i == 0 ? "" : ", ", dlvm::info(r.types[i]).name, number(r.identity[i]));
    const std::string name = r.named ? fmt::format("{} ", dlvm::definition(*r.named).name) : "";
    const std::string head = fmt::format("reduce {}({}) of {}", name, states, scalars(r.inputs));
    if (r.named) return line(head);
    line(head + " by {");
    ++indent_;
    body(r.combine, 0);
    line("yield " + scalars(r.results));
    --indent_;
    line("}");
  }

  void stage(const Stage& stage) {
    std::string over;
    for (const Axis& axis : stage.axes) {
      constexpr std::string_view kinds[]{"", "reduced ", "ordered "};
      over += fmt::format("{}{}{} in {}", over.empty() ? " over " : ", ",
                          kinds[static_cast<std::size_t>(axis.kind)], axis_text(axis.id), part(axis.extent));
    }
    line(fmt::format("stage {}{} {{", name_of(stage.name), over));
    ++indent_;
    body(stage.body, 0);
    if (stage.contraction) contraction(*stage.contraction);
    if (stage.reduction) reduction(*stage.reduction);
    body(stage.epilogue, stage.body.size());
    for (const Store& store : stage.stores)
      line(fmt::format("store {} to {}{}{}", scalar(store.value), access(store.access), bounds(store.bounds),
                       combined(store)));
    --indent_;
    line("}");
  }

  static std::string combined(const Store& store) {
    if (!store.combine) return "";
    if (store.combine->function != nullptr) return " by @" + store.combine->function->name();
    return fmt::format(" by {}", dlvm::definition(store.combine->opcode).name);
  }

  void contraction(const Contraction& c) {
    const auto axes = [&](const std::vector<AxisId>& ids) {
      std::string out;
      for (const AxisId id : ids) out += (out.empty() ? "" : ", ") + axis_text(id);
      return "[" + out + "]";
    };
    line(fmt::format("contract batch {} m {} n {} k {} of {}, {}", axes(c.batch), axes(c.m), axes(c.n),
                     axes(c.k), scalar(c.left), scalar(c.right)));
  }

  void block(const Block& block) {
    if (!block.axes.empty()) {
      std::string over;
      for (const Axis& axis : block.axes)
        over += fmt::format("{}{} in {}", over.empty() ? "" : ", ", axis_text(axis.id), part(axis.extent));
      line("for " + over + " {");
      ++indent_;
    }
    for (const auto& child : block.children) {
      if (const auto* inner = std::get_if<Block>(&child))
        this->block(*inner);
      else
        stage(std::get<Stage>(child));
    }
    if (!block.axes.empty()) {
      --indent_;
      line("}");
    }
  }

  void line(const std::string& text) { out_ += std::string(2 * indent_, ' ') + text + "\n"; }

  const Kernel& kernel_;
  std::vector<std::string> axis_names_;
  std::string out_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string print(const Kernel& kernel) { return Printer(kernel).kernel(); }

std::string text(const Index& index, const Kernel& kernel) { return Printer(kernel).index(index); }

std::string print(const Program& program) {
  constexpr std::string_view places[]{"input", "output", "literal", "arena"};
  std::string out = fmt::format("program @{}\n", program.name);
  for (const Value& value : program.values)
    out += fmt::format("  {} {}: {}\n", places[static_cast<std::size_t>(value.place)], name_of(value.name),
                       tensor_type(value.element, value.shape));
  for (const Launch& launch : program.launches) {
    std::string values;
    for (const auto value : launch.values)
      values += (values.empty() ? "" : ", ") + name_of(program.values[value].name);
    out += fmt::format("  launch @{}({})\n", name_of(program.kernels[launch.kernel].name), values);
  }
  for (const Kernel& kernel : program.kernels) out += "\n" + print(kernel);
  return out;
}

}  // namespace codegen::kernel
