// What training did, as an SVG: the loss and accuracy of each epoch, and digits that were misread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "dataset.hpp"

struct Epoch {
  double loss;      // mean over the training set
  double accuracy;  // of the test set, 0 to 1
};

struct Misread {
  std::size_t image;  // position in the test set
  int label, read_as;
  float probability;  // of `read_as`, 0 to 1
};

namespace picture {

inline std::string number(double value, const char* format = "%.1f") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

inline std::string text(double x, double y, const std::string& what, const char* style) {
  return "<text x='" + number(x) + "' y='" + number(y) + "' class='" + style + "'>" + what + "</text>\n";
}

/// A line through `values` over the epochs, in a frame with its left upper corner at (x, y).
inline std::string curve(double x, double y, double width, double height, const std::vector<double>& values,
                         double low, double high, const char* colour, const std::string& title,
                         const char* format) {
  std::string points, dots;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double px = x + width * (values.size() > 1 ? double(i) / double(values.size() - 1) : .5);
    const double py = y + height * (1 - (values[i] - low) / (high - low));
    points += number(px) + "," + number(py) + " ";
    dots += "<circle cx='" + number(px) + "' cy='" + number(py) + "' r='2.5' fill='" + colour + "'/>";
  }
  std::string out = text(x, y - 12, title, "title");
  for (int i = 0; i <= 4; ++i) {
    const double py = y + height * i / 4;
    out += "<line x1='" + number(x) + "' x2='" + number(x + width) + "' y1='" + number(py) + "' y2='" +
           number(py) + "' stroke='#ddd'/>\n";
    out += text(x - 8, py + 4, number(high + (low - high) * i / 4, format), "axis end");
  }
  out += text(x, y + height + 18, "1", "axis middle");
  if (values.size() > 1)
    out += text(x + width, y + height + 18, std::to_string(values.size()), "axis middle");
  out += text(x + width / 2, y + height + 18, "epoch", "axis middle");
  return out + "<polyline points='" + points + "' fill='none' stroke='" + colour + "' stroke-width='2'/>" +
         dots + "\n";
}

inline std::string digit(double x, double y, double scale, const float* image) {
  std::string out = "<g transform='translate(" + number(x) + " " + number(y) + ") scale(" + number(scale) +
                    ")' shape-rendering='crispEdges'><rect width='28' height='28' fill='#000'/>\n";
  for (std::size_t i = 0; i < Digits::pixels; ++i) {
    const int grey = int(std::lround(double(image[i]) * 255));
    if (grey < 12) continue;
    char cell[96];
    std::snprintf(cell, sizeof cell, "<rect x='%zu' y='%zu' width='1' height='1' fill='#%02x%02x%02x'/>",
                  i % 28, i / 28, grey, grey, grey);
    out += cell;
  }
  return out + "</g>\n";
}

}  // namespace picture

/// Writes the picture; of the misread digits it shows the 24 of the highest probability, the highest first.
/// False where the file cannot be written.
inline bool draw_training(const std::string& path, const std::vector<Epoch>& epochs, const Digits& test,
                          std::vector<Misread> misread) {
  using namespace picture;
  std::ranges::sort(misread, std::ranges::greater{}, &Misread::probability);
  std::vector<double> losses, accuracies;
  for (const Epoch& epoch : epochs) {
    losses.push_back(epoch.loss);
    accuracies.push_back(100 * epoch.accuracy);
  }
  const double top = *std::max_element(losses.begin(), losses.end()) * 1.05;
  const double bottom = std::floor(*std::min_element(accuracies.begin(), accuracies.end()) / 5) * 5;
  const std::size_t shown = std::min<std::size_t>(misread.size(), 24), columns = 8;
  const double height = 330 + 125.0 * double((shown + columns - 1) / columns);

  std::string svg =
      "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='" + number(height) +
      "' font-family='sans-serif'>\n<style>.title{font-size:15px;font-weight:bold}"
      ".axis{font-size:11px;fill:#666}.end{text-anchor:end}.middle{text-anchor:middle}"
      ".note{font-size:12px;text-anchor:middle}</style>\n<rect width='100%' height='100%' fill='#fff'/>\n";
  svg += curve(70, 50, 350, 180, losses, 0, top, "#c0392b", "training loss", "%.2f");
  svg += curve(510, 50, 350, 180, accuracies, std::min(bottom, 95.0), 100, "#2471a3", "test accuracy, %",
               "%.1f");
  svg += text(70, 290,
              std::to_string(misread.size()) + " of " + std::to_string(test.size()) + " test digits misread" +
                  (shown < misread.size() ? "; the " + std::to_string(shown) + " most confident:"
                                          : ", the most confident first:"),
              "title");
  for (std::size_t i = 0; i < shown; ++i) {
    const double x = 70 + 100.0 * double(i % columns), y = 305 + 125.0 * double(i / columns);
    svg += digit(x, y, 2.8, &test.images[misread[i].image * Digits::pixels]);
    svg += text(x + 39, y + 93,
                std::to_string(misread[i].label) + " read as " + std::to_string(misread[i].read_as), "note");
    svg += text(x + 39, y + 107, number(100 * double(misread[i].probability)) + " %", "axis middle");
  }
  std::ofstream file(path);
  file << svg << "</svg>\n";
  return bool(file.flush());
}
