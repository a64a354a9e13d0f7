// The errors of extents that do not go together name the slice, index or reshape, and every value once.
#include "relations.hpp"

#include <string>
#include <vector>

#include "check.h"

namespace {

std::string message(std::size_t n, std::size_t t, std::size_t m) {
  const std::vector<float> memory(4096);
  const auto done = relations::try_forward({.tokens = {memory.data(), n, t}, .other = {memory.data(), m}},
                                           relations::Parameters(1));
  return done ? "ok" : done.error().text;
}

void check(std::size_t n, std::size_t t, std::size_t m, const std::string& expected) {
  const std::string text = message(n, t, m);
  if (text != expected) std::fprintf(stderr, "%s\n", text.c_str());
  CHECK(text == expected);
}

}  // namespace

int main() {
  check(6, 5, 10, "ok");
  check(2, 100, 10,
        "relations::forward: the slice pos[0:T] ends at 100, but axis 0 has extent 64, where T = 100 (axis 1 "
        "of "
        "'tokens')");
  check(6, 1, 4,
        "relations::forward: the slice other[-5:] begins at position -1 of axis 0, whose first position is "
        "0, where "
        "M = 4 (axis 0 of 'other')");
  check(6, 1, 6,
        "relations::forward: the slice other[7::-1] begins at position 7 of axis 0, whose last position is "
        "5, where "
        "M = 6 (axis 0 of 'other')");
  check(6, 20, 12,
        "relations::forward: the slice pos[0:M][0:T] ends at 20, but axis 0 has extent 12, where T = 20 "
        "(axis 1 of "
        "'tokens'), M = 12 (axis 0 of 'other')");
  check(12, 1, 12,
        "relations::forward: the index N of other needs an extent of at least 13 on axis 0, but it is 12, "
        "where N = "
        "12 (axis 0 of 'tokens'), M = 12 (axis 0 of 'other')");
  check(6, 6, 10,
        "relations::forward: a reshape keeps the number of elements, but [N x T] has 36 and [M x 3] has 30, "
        "where N "
        "= 6 (axis 0 of 'tokens'), T = 6 (axis 1 of 'tokens'), M = 10 (axis 0 of 'other')");
}
