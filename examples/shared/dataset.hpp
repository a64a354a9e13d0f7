// Labelled images of digits, 28 x 28, brightness 0 to 1: read from MNIST-format files, or drawn.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct Digits {
  static constexpr std::size_t side = 28, pixels = side * side;
  std::vector<float> images;  // row by row, `pixels` an image
  std::vector<std::int32_t> labels;
  std::size_t size() const { return labels.size(); }
};

struct Dataset {
  std::string source;  // where they are from, for people
  Digits train, test;
};

/// A small generator (SplitMix64) whose numbers are the same everywhere, unlike the standard library's.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double uniform(double low, double high) { return low + (high - low) * double(next() >> 11) * 0x1p-53; }
  std::size_t below(std::size_t n) { return std::size_t(next() % n); }

 private:
  std::uint64_t state_;
};

/// The numbers below `count` in a random order.
inline std::vector<std::size_t> shuffled(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

/// Makes `batch` the `count` digits of `set` at the positions from `position` on.
inline void pick(const Digits& set, const std::size_t* position, std::size_t count, Digits& batch) {
  batch.images.resize(count * Digits::pixels);
  batch.labels.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(&set.images[position[i] * Digits::pixels], Digits::pixels, &batch.images[i * Digits::pixels]);
    batch.labels[i] = set.labels[position[i]];
  }
}

namespace idx {

/// The file's bytes after its header: a magic number (of the type and `rank`), then `rank` extents,
/// big-endian.
inline std::vector<unsigned char> read(const std::string& path, std::size_t rank,
                                       std::vector<std::size_t>& extents) {
  std::ifstream file(path, std::ios::binary);
  if (!file && std::ifstream(path + ".gz"))
    throw std::runtime_error(path + " is still packed: run gunzip " + path + ".gz");
  if (!file) throw std::runtime_error("cannot open " + path);
  std::vector<unsigned char> bytes((std::istreambuf_iterator<char>(file)), {});
  const auto word = [&](std::size_t i) {
    return std::size_t(bytes[4 * i]) << 24 | std::size_t(bytes[4 * i + 1]) << 16 |
           std::size_t(bytes[4 * i + 2]) << 8 | std::size_t(bytes[4 * i + 3]);
  };
  const std::size_t header = 4 * (1 + rank);
  if (bytes.size() < header || word(0) != (0x0800 | rank))
    throw std::runtime_error(path + " is not an IDX file of bytes");
  std::size_t size = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    extents.push_back(word(1 + i));
    size *= extents.back();
  }
  if (bytes.size() != header + size) throw std::runtime_error(path + " is cut short");
  bytes.erase(bytes.begin(), bytes.begin() + std::ptrdiff_t(header));
  return bytes;
}

inline bool exists(const std::string& folder, const std::string& set) {
  return std::ifstream(folder + "/" + set + "-images-idx3-ubyte").good();
}

inline Digits load(const std::string& folder, const std::string& set) {
  std::vector<std::size_t> shape, count;
  const auto images = read(folder + "/" + set + "-images-idx3-ubyte", 3, shape);
  const auto labels = read(folder + "/" + set + "-labels-idx1-ubyte", 1, count);
  if (shape[0] != count[0] || shape[1] != Digits::side || shape[2] != Digits::side)
    throw std::runtime_error(folder + ": images are not 28 x 28, or not one a label");
  Digits digits;
  digits.images.reserve(images.size());
  for (const unsigned char pixel : images) digits.images.push_back(float(pixel) / 255.0f);
  digits.labels.assign(labels.begin(), labels.end());
  return digits;
}

}  // namespace idx

namespace drawn {

using Point = std::pair<double, double>;  // x to the right, y down, the digit within [0, 1] x [0, 1]
using Stroke = std::vector<Point>;

inline Stroke arc(double x, double y, double rx, double ry, double from, double to) {
  Stroke stroke;
  for (int i = 0; i <= 24; ++i) {
    const double t = (from + (to - from) * i / 24) * std::numbers::pi / 180;
    stroke.emplace_back(x + rx * std::cos(t), y - ry * std::sin(t));
  }
  return stroke;
}

/// How a hand writes each digit; some in two ways.
inline std::vector<Stroke> strokes(int digit, bool other) {
  switch (digit) {
    case 0:
      return {arc(.5, .5, .3, .45, 0, 360)};
    case 1:
      return other ? std::vector<Stroke>{{{.5, .05}, {.5, .95}}}
                   : std::vector<Stroke>{{{.3, .25}, {.55, .05}, {.55, .95}}};
    case 2: {
      Stroke top = arc(.5, .3, .28, .25, 160, -40);
      top.insert(top.end(), {{.2, .95}, {.82, .95}});
      return {top};
    }
    case 3:
      return {arc(.45, .28, .28, .23, 150, -90), arc(.45, .72, .32, .23, 90, -150)};
    case 4:
      return other ? std::vector<Stroke>{{{.25, .05}, {.2, .55}, {.8, .55}}, {{.7, .05}, {.7, .95}}}
                   : std::vector<Stroke>{{{.65, .95}, {.65, .05}, {.15, .65}, {.85, .65}}};
    case 5: {
      Stroke body{{.78, .05}, {.28, .05}, {.25, .45}};
      const Stroke belly = arc(.45, .66, .33, .28, 110, -150);
      body.insert(body.end(), belly.begin(), belly.end());
      return {body};
    }
    case 6: {
      Stroke body{{.65, .05}, {.35, .35}, {.22, .65}};
      const Stroke belly = arc(.5, .7, .28, .24, 180, -180);
      body.insert(body.end(), belly.begin(), belly.end());
      return {body};
    }
    case 7: {
      std::vector<Stroke> seven{{{.18, .05}, {.8, .05}, {.4, .95}}};
      if (other) seven.push_back({{.35, .5}, {.75, .5}});
      return seven;
    }
    case 8:
      return {arc(.5, .27, .24, .22, 0, 360), arc(.5, .72, .3, .24, 0, 360)};
    default: {
      Stroke nine = arc(.5, .3, .27, .25, 0, 360);
      nine.insert(nine.end(), {{.77, .3}, {.68, .95}});
      return {nine};
    }
  }
}

inline double distance(Point p, Point a, Point b) {
  const double dx = b.first - a.first, dy = b.second - a.second, length = dx * dx + dy * dy;
  double t = length > 0 ? ((p.first - a.first) * dx + (p.second - a.second) * dy) / length : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return std::hypot(p.first - a.first - t * dx, p.second - a.second - t * dy);
}

/// One digit: turned, slanted, stretched, moved, in a pen of some width, with noise.
inline void draw(int digit, Random& random, std::vector<float>& images) {
  const double turn = random.uniform(-.3, .3), slant = random.uniform(-.35, .35);
  const double width = random.uniform(9, 15), height = random.uniform(15, 20);
  const double x0 = 14 + random.uniform(-2.5, 2.5), y0 = 14 + random.uniform(-2.5, 2.5),
               pen = random.uniform(.6, 1.5);
  auto shape = strokes(digit, random.below(2) == 1);
  for (auto& stroke : shape)
    for (auto& [px, py] : stroke) {
      const double y = (py - .5 + random.uniform(-.015, .015)) * height;
      const double x = (px - .5 + random.uniform(-.015, .015)) * width - slant * y;
      px = x0 + x * std::cos(turn) - y * std::sin(turn);
      py = y0 + x * std::sin(turn) + y * std::cos(turn);
    }
  for (std::size_t row = 0; row < Digits::side; ++row)
    for (std::size_t column = 0; column < Digits::side; ++column) {
      double nearest = 1e9;
      for (const auto& stroke : shape)
        for (std::size_t i = 1; i < stroke.size(); ++i)
          nearest =
              std::fmin(nearest, distance({double(column) + .5, double(row) + .5}, stroke[i - 1], stroke[i]));
      const double ink = std::fmax(0, std::fmin(1, pen + .5 - nearest)) + random.uniform(-.08, .08);
      images.push_back(float(std::fmax(0, std::fmin(1, ink))));
    }
}

inline Digits digits(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Digits set;
  set.images.reserve(count * Digits::pixels);
  for (std::size_t i = 0; i < count; ++i) {
    const int digit = int(random.below(10));
    draw(digit, random, set.images);
    set.labels.push_back(digit);
  }
  return set;
}

}  // namespace drawn

/// The train and t10k sets of `folder`; of the t10k set alone all but the last fifth trains.
inline Dataset load(const std::string& folder) {
  if (idx::exists(folder, "train")) return {folder, idx::load(folder, "train"), idx::load(folder, "t10k")};
  Digits train = idx::load(folder, "t10k"), test;
  const auto split = std::ptrdiff_t(train.size() - train.size() / 5);
  const auto pixel = split * std::ptrdiff_t(Digits::pixels);
  test.images.assign(train.images.begin() + pixel, train.images.end());
  test.labels.assign(train.labels.begin() + split, train.labels.end());
  train.images.resize(std::size_t(pixel));
  train.labels.resize(std::size_t(split));
  return {folder, std::move(train), std::move(test)};
}

inline Dataset draw() { return {"drawn by this program", drawn::digits(4000, 1), drawn::digits(1000, 2)}; }
