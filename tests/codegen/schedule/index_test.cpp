#include "codegen/schedule/ir/index.h"

#include <doctest/doctest.h>

#include "codegen/schedule/common/axis_group.h"

namespace {

using codegen::kernel::quotient_index;
using codegen::schedule::AxisGroup;
using codegen::schedule::constant_index;
using codegen::schedule::stride;
using codegen::schedule::variable;
using dlvm::Extent;
using Kind = codegen::schedule::Index::Quotient::Kind;

TEST_CASE("a group of axes that was taken apart is one axis again") {
  const Extent N = Extent::dimension("N");
  const std::vector<codegen::kernel::Axis> axes{{0, "i", N}, {1, "j", 3}, {2, "k", 5}};
  AxisGroup group;
  for (const auto& axis : axes) group.add(axis);
  codegen::schedule::Renaming apart;
  const auto point = variable(7) * 4 + variable(8) + constant_index(2);
  group.bind(point, apart);
  const auto place = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    return apart.axes.at(0) * i + apart.axes.at(1) * j + apart.axes.at(2) * k;
  };
  const auto whole = place(30, 10, 2);
  CHECK(stride(whole, 7) == Extent(8));
  CHECK(stride(whole, 8) == Extent(2));
  CHECK(whole.constant == Extent(4));
  CHECK(whole.terms.size() == 2);
  CHECK((place(30, 10, 2) + variable(9)).terms.size() == 3);
  // Other steps: what does not belong together stays.
  CHECK(place(15, 5, 2).terms.size() == 2);  // i and j are one
  CHECK(place(16, 6, 1).terms.size() == 3);
  CHECK(!stride(place(1, 0, 1), 8).has_value());
  const auto other =
      quotient_index({Kind::floor, variable(7), 5}) * 5 + quotient_index({Kind::modulo, variable(8), 5});
  CHECK(other.terms.size() == 2);
}

}  // namespace
