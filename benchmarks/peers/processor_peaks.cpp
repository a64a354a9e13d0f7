// The limits of one core for peaks.py: medians of several runs after one that does not count.
#include "../measure.hpp"

namespace {

/// Units of `work` a second: `once` does some work and gives how much it was.
template <class Once>
double rate(Once once) {
  std::vector<double> rates;
  for (int run = -1; run < measure::runs; ++run) {
    double work = 0;
    const double taken = measure::seconds([&] {
      for (int i = 0; i < 20; ++i) work += once();
    });
    if (run >= 0) rates.push_back(work / taken);
  }
  return measure::median(rates);
}

}  // namespace

/// Operations a second, float32.
extern "C" double peak_fma() { return rate(measure::multiply_add_loop); }

/// Bytes a second, read and written.
extern "C" double peak_copy() {
  std::vector<char> from(64 << 20, 1), to(64 << 20, 2);
  return rate([&] { return measure::copy_once(to, from); });
}
