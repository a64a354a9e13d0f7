#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel/ir/kernel.h"
#include "dlvm/support/token_reader.h"

/// The text of what kernels and schedules share: indices, accesses, bounds, scalars, reductions.
namespace codegen::kernel {

/// As it is, or in quotation marks where it is not one word.
std::string name_of(const std::string& name);
std::string tensor_type(ElementType element, const Shape& shape);
/// A scalar's value, so that reading it gives the same bits.
std::string number(const dlvm::Tensor& value);
/// An integer or a name as it is, all else in parentheses, so that it cannot be taken for a part of an index.
std::string part(const Extent& extent);
std::string scalar(ScalarId id);
std::string scalars(const std::vector<ScalarId>& ids);

struct ScalarPrinter {
  std::vector<std::string> axes;     ///< names by id
  std::vector<std::string> buffers;  ///< likewise

  std::string axis_text(AxisId id) const;
  std::string index(const Index& index) const;
  std::string atom(const Index::Atom& atom) const;
  std::string access(const Access& access) const;
  std::string bounds(const std::vector<Bound>& bounds) const;
  std::string definition(const Scalar& scalar) const;
};

using dlvm::Token;

/// Reads what kernels and schedules share.
class ScalarReader : protected dlvm::TokenReader {
 public:
  using TokenReader::TokenReader;

 protected:
  Extent extent(int depth = 0);
  Extent product(int depth);
  Extent factor(int depth = 0);
  ElementType element();
  /// `name: <N x 4 x f32>` or `name: f32`.
  Buffer typed_name();
  AxisId axis_id(const std::string& text);
  Index index(int depth = 0);
  void term(Index& into, bool minus, int depth);
  bool atom_follows() const;
  Index::Atom atom(int depth);
  ScalarId scalar() { return static_cast<ScalarId>(number_of(take(Token::Kind::scalar))); }
  std::vector<ScalarId> scalars();
  std::vector<Index> indices();
  Access access();
  std::vector<Bound> bounds();
  dlvm::Tensor literal(ElementType type);
  Scalar::Definition definition(ElementType type);
  /// `$i0 in N`.
  Axis axis_in();
  /// Lines `%n: type = …` in order from `first`.
  void body(std::vector<Scalar>& into, std::size_t first);
  /// `add (f32 from 0) of %1`, the last part optional.
  Reduction reduction();

  std::map<std::string, BufferId> buffers_;
};

}  // namespace codegen::kernel
