#include <fmt/format.h>

#include <cmath>

#include "codegen/kernel/text/scalar_text.h"
#include "dlvm/support/overloaded.h"

namespace codegen::kernel {

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

std::string guards(const std::vector<Guard>& guards) {
  std::string text;
  for (const Guard& guard : guards)
    text += fmt::format("{}({} from {}{})", text.empty() ? " when " : ", ", part(guard.value), guard.first,
                        guard.end ? fmt::format(" upto {}", *guard.end) : "");
  return text;
}

std::string scalars(const std::vector<ScalarId>& ids) {
  std::string out;
  for (const ScalarId id : ids) out += (out.empty() ? "" : ", ") + scalar(id);
  return out;
}

std::string monoid(const Reduction& reduction) {
  std::string names = reduction.named.empty() && reduction.any_order ? "unordered " : "", states;
  for (const dlvm::Opcode opcode : reduction.named)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", dlvm::definition(opcode).name);
  if (!reduction.named.empty()) names += " ";
  for (std::size_t i = 0; i < reduction.types.size(); ++i)
    states += fmt::format("{}{} from {}", i == 0 ? "" : ", ", dlvm::info(reduction.types[i]).name,
                          number(reduction.identity[i]));
  return names + "(" + states + ")";
}

std::string ScalarPrinter::index(const Index& index) const {
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

std::string ScalarPrinter::axis_text(AxisId id) const {
  return fmt::format("${}{}", id < axes.size() ? axes[id] : "?", id);
}

std::string ScalarPrinter::atom(const Index::Atom& atom) const {
  return std::visit(dlvm::Overloaded{
                        [&](AxisId axis) { return axis_text(axis); },
                        [](Loaded loaded) { return scalar(loaded.scalar); },
                        [&](const std::shared_ptr<const Index::Quotient>& quotient) {
                          return fmt::format("{}({} / {})",
                                             quotient->kind == Index::Quotient::Kind::floor ? "floor" : "mod",
                                             index(quotient->index), part(quotient->divisor));
                        },
                    },
                    atom);
}

std::string ScalarPrinter::access(const Access& access) const {
  std::string indices;
  for (const Index& i : access.indices) indices += (indices.empty() ? "" : ", ") + index(i);
  return name_of(buffers[access.buffer]) + "[" + indices + "]";
}

std::string ScalarPrinter::bounds(const std::vector<Bound>& bounds) const {
  std::string out;
  for (const Bound& bound : bounds)
    out += fmt::format("{}({} of {})", out.empty() ? " within " : ", ", index(bound.index), part(bound.end));
  return out;
}

std::string ScalarPrinter::definition(const Scalar& s) const {
  struct {
    const ScalarPrinter& p;
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
      return fmt::format("check {} from {} upto {} site {} at [{}]{}", scalar(c.operand), part(c.first),
                         part(c.end), c.site, position, p.bounds(c.bounds));
    }
    std::string operator()(const Scalar::Random& r) const {
      return fmt::format("random {} at {}", scalars({r.low, r.high, r.key, r.counter}), p.index(r.index));
    }
  } visitor{*this};
  return std::visit(visitor, s.definition);
}

}  // namespace codegen::kernel
