#include <doctest/doctest.h>

#include "codegen/schedule/ir/scheduled_program.h"

namespace {

using codegen::schedule::Buffer;
using codegen::schedule::element_count;
using dlvm::Extent;

Buffer buffer(dlvm::Shape shape, std::vector<Extent> strides) {
  Buffer result;
  result.shape = std::move(shape);
  result.layout.strides = std::move(strides);
  return result;
}

}  // namespace

TEST_CASE("a buffer takes the memory that its layout spans") {
  const Extent N = Extent::dimension("N");
  CHECK(element_count(buffer({}, {})) == Extent(1));
  CHECK(element_count(buffer({N, 4}, {4, 1})) == N * 4);
  CHECK(element_count(buffer({16, 128}, {132, 1})) == Extent(15 * 132 + 128));  // rows lie apart
  CHECK(element_count(buffer({0, 128}, {132, 1})) == Extent(0));
  CHECK(element_count(buffer({8, 8}, {1, 8})) == Extent(64));  // columns first
  CHECK(codegen::schedule::bytes_of(buffer({2, 3}, {4, 1})) == Extent(4 * 7));
  Buffer moved = buffer({5, 8}, {8, 1});
  moved.layout.swizzle = {3, 1, 3};
  CHECK(element_count(moved) == Extent(48));  // in runs of 16
}
