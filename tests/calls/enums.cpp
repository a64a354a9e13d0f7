// Enums of a network without payloads are enums in C++, in inputs and results and in structs of them.
#include "enums.hpp"

#include <string>
#include <vector>

#include "check.h"

namespace {

using enums::Side;
using enums::Size;

void check_values() {
  const std::vector<float> x{1, 2}, width{3, 4};
  const enums::Box box{.width = width, .size = Size::large, .side = Side::right};
  const auto first = enums::forward({.x = x, .size = Size::double_, .box = box});
  CHECK(first.y(0) == 2 && first.y(1) == 4);
  CHECK(first.rest.width(0) == 30 && first.rest.size == Size::double_ && first.rest.side == Side::top);
  const auto second = enums::forward({.x = x, .size = Size::small, .box = first.rest});
  CHECK(second.rest.width(1) == 80 && second.rest.size == Size::small && second.rest.side == Side::left);
  // The first case is the value of a member that is not set.
  CHECK(enums::forward({.x = x, .box = {.width = width}}).rest.width(0) == 3);
  const auto third = enums::evaluate({.x = x, .size = Size::large, .box = box});
  CHECK(third.number == 7 && third.side == Side::right && third.L == 30 * 1 + 40 * 2);
}

/// Results are written to where the views of a struct point.
void check_views() {
  const std::vector<float> x{1, 2}, width{3, 4};
  float written[2] = {};
  tel::Workspace workspace(enums::forward_workspace());
  const auto done =
      enums::forward({.x = x, .size = Size::large, .box = {.width = width, .size = Size::double_}},
                     {.rest = {.width = written}}, workspace);
  CHECK(written[0] == 6 && done.rest.size == Size::large && done.rest.side == Side::left);
}

void check_gradients() {
  const std::vector<float> x{1, 2}, width{3, 4};
  const auto result =
      enums::by_width({.x = x, .size = Size::small, .box = {.width = width, .size = Size::large}});
  CHECK(result.gradient.box_width(0) == 10 && result.gradient.box_width(1) == 20);
  CHECK(result.rest.side == Side::left);
}

std::string error_of(Size size, Side side) {
  const std::vector<float> x{1, 2}, width{3, 4};
  const auto result = enums::try_forward({.x = x, .size = size, .box = {.width = width, .side = side}});
  CHECK(!result && result.status() == tel::Status::index);
  return result.error().text;
}

/// A number that no case has is told from others, with the name of the input.
void check_numbers() {
  CHECK(error_of(static_cast<Size>(3), Side::top) == "enums::forward: size is 3, expected 0 to 2");
  CHECK(error_of(static_cast<Size>(-1), Side::top) == "enums::forward: size is -1, expected 0 to 2");
  CHECK(error_of(Size::small, static_cast<Side>(2147483647)) ==
        "enums::forward: box.side is 2147483647, expected 0 to 2");
  // Also of an enum whose one case would need no number.
  const std::vector<float> x{1, 2}, width{3, 4};
  const auto only =
      enums::try_evaluate({.x = x, .box = {.width = width}, .only = static_cast<enums::Only>(1)});
  CHECK(!only && std::string(only.error().text) == "enums::evaluate: only is 1, expected 0 to 0");
}

}  // namespace

int main() {
  static_assert(std::is_same_v<enums::Network::Side, Side> && sizeof(Side) == 4);
  check_values();
  check_views();
  check_gradients();
  check_numbers();
}
