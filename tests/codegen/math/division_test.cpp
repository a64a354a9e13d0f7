// Division by a number that a row shares has the bits of division: of random numbers, of extreme ones, and of
// the quotients nearest to the middle between two numbers.
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <random>

#include "forward.h"

namespace {

__extension__ typedef unsigned __int128 Wide;

/// a for which a / b is as near to the middle between two numbers of `precision` bits as can be: a 2^s = b m
/// + c for an odd m of one bit more. `b` is odd and has `precision` bits; 0 where there is none.
double nearest_to_middle(std::uint64_t b, int precision, int s, int c) {
  std::uint64_t inverse = b;  // modulo 2^64, by Newton's iteration
  for (int i = 0; i < 6; ++i) inverse *= 2 - b * inverse;
  const std::uint64_t m = (static_cast<std::uint64_t>(-c) * inverse) & ((std::uint64_t{1} << s) - 1);
  for (std::uint64_t candidate = m; candidate >> (precision + 1) == 0; candidate += std::uint64_t{1} << s) {
    const auto product = static_cast<Wide>(b) * candidate + static_cast<Wide>(c);
    const auto a = static_cast<std::uint64_t>(product >> s);
    if ((candidate >> precision) == 1 && candidate % 2 == 1 && (a >> (precision - 1)) == 1)
      return static_cast<double>(a);
  }
  return 0;
}

template <typename T>
void check(const char* type, const std::string& cpu, std::size_t rows) {
  constexpr int precision = std::numeric_limits<T>::digits;
  constexpr std::size_t columns = 37;
  const test::Forward program(
      fmt::format("type {}\nx: in[N x {}]\ns: in[N x 1]\ny: out = x / s\n", type, columns), cpu);
  std::mt19937_64 engine(5);
  const auto any_bits = [&] {
    typename std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t> bits =
        static_cast<decltype(bits)>(engine());
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  };
  const T special[] = {0,
                       -T(0),
                       1,
                       -1,
                       3,
                       std::numeric_limits<T>::infinity(),
                       -std::numeric_limits<T>::infinity(),
                       std::numeric_limits<T>::quiet_NaN(),
                       std::numeric_limits<T>::max(),
                       std::numeric_limits<T>::min(),
                       std::numeric_limits<T>::denorm_min()};
  std::vector<T> x, s;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t odd = (engine() >> (64 - precision)) | 1 | (std::uint64_t{1} << (precision - 1));
    const int kind = static_cast<int>(row % 4);
    const T scale = std::ldexp(T(1), static_cast<int>(engine() % 40) - 20);
    s.push_back(kind == 0   ? std::ldexp(static_cast<T>(odd), -precision)
                : kind == 1 ? static_cast<T>(odd) * scale
                : kind == 2 ? any_bits()
                            : special[row / 4 % std::size(special)]);
    for (std::size_t i = 0; i < columns; ++i) {
      const int c = static_cast<int>(engine() % 4) - 2;
      if (kind == 0)
        x.push_back(static_cast<T>(
            nearest_to_middle(odd, precision, precision + static_cast<int>(i % 2), c < 0 ? c : c + 1)));
      else if (kind == 1)
        x.push_back(std::exp(static_cast<T>(engine() % 1000) / -10));
      else
        x.push_back(i % 3 == 0 ? special[engine() % std::size(special)] : any_bits());
    }
  }
  dlvm::Tensor left(program.function().type().parameters()[0].element(),
                    {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)}),
      right(left.element(), {static_cast<std::int64_t>(rows), 1});
  std::memcpy(left.data(), x.data(), x.size() * sizeof(T));
  std::memcpy(right.data(), s.data(), s.size() * sizeof(T));
  const auto result = program.run({left, right}, static_cast<std::int64_t>(rows));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const volatile T divisor = s[i / columns];
    const T exact = x[i] / divisor;
    T value;
    std::memcpy(&value, result.data() + i * sizeof(T), sizeof(T));
    const bool same = std::isnan(exact) ? std::isnan(value) : std::memcmp(&value, &exact, sizeof(T)) == 0;
    if (!same && wrong++ == 0) {
      INFO(cpu, " ", type, ": ", static_cast<double>(x[i]), " / ", static_cast<double>(divisor));
      CHECK(value == exact);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("division by a number that a row shares has the bits of division") {
  for (const char* cpu : {"native", "x86-64-v3", "x86-64"}) {
    check<float>("float32", cpu, 4000);
    check<double>("float64", cpu, 4000);
  }
}
