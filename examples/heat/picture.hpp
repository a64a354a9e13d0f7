// The solution and its error as an SVG: two maps over place and time, and the temperature along the rod at
// some times.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

/// Holds the network's values and the known ones at side x side points: for each time, one value for each
/// place.
struct Grid {
  static constexpr std::size_t side = 101;
  std::vector<double> network, known;
  double error = 0;  // the largest difference

  /// The places, and the times, of the points: 0 to 1.
  static std::vector<double> axis() {
    std::vector<double> values;
    for (std::size_t i = 0; i < side; ++i) values.push_back(double(i) / double(side - 1));
    return values;
  }
};

namespace picture {

using Colour = std::array<double, 3>;

inline std::string number(double value, const char* format = "%.1f") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

inline std::string text(double x, double y, const std::string& what, const char* style) {
  return "<text x='" + number(x) + "' y='" + number(y) + "' class='" + style + "'>" + what + "</text>\n";
}

/// The colour at `part`, 0 to 1, of a scale: the given colours at equal distances, and mixtures between them.
inline std::string colour(double part, const std::vector<Colour>& scale) {
  const double place = std::clamp(part, 0.0, 1.0) * double(scale.size() - 1);
  const std::size_t low = std::min(std::size_t(place), scale.size() - 2);
  const double rest = place - double(low);
  char code[8];
  const auto mixed = [&](std::size_t k) {
    return unsigned(std::lround(scale[low][k] * (1 - rest) + scale[low + 1][k] * rest)) & 255U;
  };
  std::snprintf(code, sizeof code, "#%02x%02x%02x", mixed(0), mixed(1), mixed(2));
  return code;
}

inline std::string rectangle(double x, double y, double width, double height, const std::string& fill) {
  return "<rect x='" + number(x, "%.2f") + "' y='" + number(y, "%.2f") + "' width='" + number(width, "%.2f") +
         "' height='" + number(height, "%.2f") + "' fill='" + fill + "'/>";
}

constexpr double size = 300;  // of a map or a diagram, in pixels

/// Draws the frame of a map or a diagram whose left upper corner is at (x, y).
inline std::string frame(double x, double y, const std::string& title, const std::string& down,
                         const char* top, const char* bottom) {
  return "<rect x='" + number(x) + "' y='" + number(y) + "' width='" + number(size) + "' height='" +
         number(size) + "' fill='none' stroke='#444'/>\n" + text(x, y - 14, title, "title") +
         text(x, y + size + 18, "0", "axis middle") + text(x + size, y + size + 18, "1", "axis middle") +
         text(x + size / 2, y + size + 18, "place x", "axis middle") + text(x - 8, y + 10, top, "axis end") +
         text(x - 8, y + size, bottom, "axis end") + text(x - 8, y + size / 2, down, "axis end");
}

/// A map of `values` from `low` to `high` in `levels` colours, time running down, with its scale beside it.
/// Neighbours of one colour are one rectangle.
inline std::string map(double x, double y, const std::vector<double>& values, double low, double high,
                       const std::vector<Colour>& scale, const std::string& title, const char* format) {
  constexpr int levels = 40;
  constexpr double cell = size / double(Grid::side);
  const auto level = [&](std::size_t i) {
    return std::clamp(int((values[i] - low) / (high - low) * levels), 0, levels - 1);
  };
  const auto fill = [&](int of) { return colour(of / double(levels - 1), scale); };
  std::string out = "<g shape-rendering='crispEdges'>\n";
  for (std::size_t row = 0; row < Grid::side; ++row) {
    for (std::size_t first = 0, last = 0; first < Grid::side; first = last) {
      const int here = level(row * Grid::side + first);
      while (last < Grid::side && level(row * Grid::side + last) == here) ++last;
      out += rectangle(x + double(first) * cell, y + double(row) * cell, double(last - first) * cell, cell,
                       fill(here));
    }
    out += '\n';
  }
  for (int i = 0; i < levels; ++i)
    out += rectangle(x + size + 12, y + size * (1 - (i + 1) / double(levels)), 14, size / levels, fill(i));
  out += "</g>\n" + frame(x, y, title, "time t", "0", "1");
  return out + text(x + size + 30, y + 10, number(high, format), "axis") +
         text(x + size + 30, y + size, number(low, format), "axis");
}

/// The temperature along the rod at five times: the network as lines, the known solution as dots.
inline std::string profiles(double x, double y, const Grid& grid) {
  constexpr double top = 1.05;
  const auto place = [&](std::size_t i) { return number(x + size * double(i) / double(Grid::side - 1)); };
  const auto height = [&](double u) { return number(y + size * (1 - u / top)); };
  std::string out = frame(x, y, "lines: network, dots: known", "u(x, t)", "1.05", "0");
  for (std::size_t k = 0; k <= 4; ++k) {
    const std::size_t row = k * (Grid::side - 1) / 4 * Grid::side;
    const std::string stroke = colour(double(k) / 4, {{192, 57, 43}, {36, 113, 163}});
    std::string line;
    for (std::size_t i = 0; i < Grid::side; ++i) line += place(i) + "," + height(grid.network[row + i]) + " ";
    out += "<polyline points='" + line + "' fill='none' stroke='" + stroke + "' stroke-width='1.5'/>\n";
    for (std::size_t i = 0; i < Grid::side; i += 5)
      out += "<circle cx='" + place(i) + "' cy='" + height(grid.known[row + i]) + "' r='2.5' fill='" +
             stroke + "'/>";
    const double middle = y + size * (1 - grid.known[row + Grid::side / 2] / top);
    out += text(x + size / 2, middle - 5, "t = " + number(double(k) / 4, "%.2f"), "axis middle");
  }
  return out;
}

}  // namespace picture

/// Writes the picture.
inline void draw(const Grid& grid, const std::string& path) {
  using namespace picture;
  const std::vector<Colour> warm{{13, 8, 60}, {130, 20, 120}, {230, 90, 60}, {252, 250, 180}},
      sign{{36, 113, 163}, {255, 255, 255}, {192, 57, 43}};
  std::vector<double> error;
  for (std::size_t i = 0; i < grid.network.size(); ++i) error.push_back(grid.network[i] - grid.known[i]);

  std::ofstream file(path);
  file << "<svg xmlns='http://www.w3.org/2000/svg' width='1300' height='390' font-family='sans-serif'>\n"
          "<style>.title{font-size:15px;font-weight:bold}.axis{font-size:11px;fill:#444}"
          ".end{text-anchor:end}.middle{text-anchor:middle}</style>\n"
          "<rect width='100%' height='100%' fill='#fff'/>\n"
       << map(60, 45, grid.network, 0, 1, warm, "temperature u(x, t) of the network", "%.1f")
       << map(500, 45, error, -grid.error, grid.error, sign, "network - known solution", "%.1e")
       << profiles(960, 45, grid) << "</svg>\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}
