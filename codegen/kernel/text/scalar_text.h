#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel/ir/kernel.h"
#include "dlvm/support/token_reader.h"

/// Prints and reads the parts that the texts of kernels and schedules share: indices, accesses, bounds,
/// scalars, reductions.
namespace codegen::kernel {

/// Returns the name, in quotation marks if it is not one word.
std::string name_of(const std::string& name);
/// Returns the type as text: `<N x 4 x f32>`, or `f32` for a scalar.
std::string tensor_type(ElementType element, const Shape& shape);
/// Returns a scalar's value as text from which the same bits are read back.
std::string number(const dlvm::Tensor& value);
/// Returns the extent as part of an index: an integer or a name as it is, and anything else in parentheses.
std::string part(const Extent& extent);
/// Returns ` when (N from 0 upto 9)`, or nothing if there are no guards.
std::string guards(const std::vector<Guard>& guards);
/// Return `%3`, and `%3, %4`.
std::string scalar(ScalarId id);
std::string scalars(const std::vector<ScalarId>& ids);

/// Returns the instructions that combine a reduction's components, if it is just these, and the components:
/// `add (f32 from 0)`, `add, max (f32 from 0, f32 from -inf)`, `unordered (f32 from 0, i32 from 0)`.
std::string monoid(const Reduction& reduction);

/// Prints indices and scalars with the names of one kernel or schedule.
struct ScalarPrinter {
  std::vector<std::string> axes;     ///< names by id
  std::vector<std::string> buffers;  ///< the buffers' names, by id

  /// Return the text of each part, as kernel/text/text.h describes.
  std::string axis_text(AxisId id) const;
  std::string index(const Index& index) const;
  std::string atom(const Index::Atom& atom) const;
  std::string access(const Access& access) const;
  std::string bounds(const std::vector<Bound>& bounds) const;
  std::string definition(const Scalar& scalar) const;
};

using dlvm::Token;

/// Reads the parts that the texts of kernels and schedules share. After an error the results mean nothing.
class ScalarReader : protected dlvm::TokenReader {
 public:
  using TokenReader::TokenReader;

 protected:
  Extent extent(int depth = 0);
  Extent product(int depth);
  Extent factor(int depth = 0);
  ElementType element();
  /// Reads `name: <N x 4 x f32>` or `name: f32`.
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
  /// Reads `when (N from 0 upto 9)`, which may be absent.
  std::vector<Guard> guards();
  dlvm::Tensor literal(ElementType type);
  Scalar::Definition definition(ElementType type);
  /// Reads `$i0 in N`.
  /// Reads `$i3`, and `reduced $i3 in 64`.
  Axis axis_name();
  Axis axis_in();
  /// Appends the scalars of lines `%n: type = …`, numbered from `first` on.
  void body(std::vector<Scalar>& into, std::size_t first);
  /// Reads `add, max (f32 from 0, f32 from -inf) of %1, %2`; the last part is optional.
  Reduction reduction();

  std::map<std::string, BufferId> buffers_;
  std::set<std::string> dimensions_;  ///< those read so far
};

}  // namespace codegen::kernel
