// Pictures in shades of grey as PNG files.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// A picture of `width` x `height` pixels, each from 0, black, to 1, white.
struct Grey {
  std::size_t width, height;
  std::vector<float> pixels;

  Grey(std::size_t width, std::size_t height, float fill)
      : width(width), height(height), pixels(width * height, fill) {}

  /// Puts a picture with its left upper corner at (x, y); each of its pixels becomes a square of `scale`.
  void put(const float* picture, std::size_t columns, std::size_t rows, std::size_t x, std::size_t y,
           std::size_t scale) {
    for (std::size_t i = 0; i < rows * scale; ++i)
      for (std::size_t k = 0; k < columns * scale; ++k)
        pixels[(y + i) * width + x + k] = picture[i / scale * columns + k / scale];
  }
};

namespace png {

inline std::string word(std::uint32_t value) {
  return {char(value >> 24), char(value >> 16 & 255), char(value >> 8 & 255), char(value & 255)};
}

/// A chunk of the file: its length, its name, what it holds, and a check sum (CRC-32) of the last two.
inline std::string chunk(std::string_view name, const std::string& bytes) {
  std::uint32_t sum = ~0U;
  const std::string body = std::string(name) + bytes;
  for (const char c : body) {
    sum ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320U : 0);
  }
  return word(std::uint32_t(bytes.size())) + body + word(~sum);
}

/// `bytes` in the format of zlib, in blocks that are stored as they are.
inline std::string stored(const std::string& bytes) {
  constexpr std::size_t largest = 65535;
  std::string out = "\x78\x01";
  for (std::size_t at = 0; at < bytes.size(); at += largest) {
    const std::size_t size = std::min(largest, bytes.size() - at);
    out += char(at + size == bytes.size());
    for (const std::size_t half : {size, ~size}) out += {char(half & 255), char(half >> 8 & 255)};
    out.append(bytes, at, size);
  }
  std::uint32_t a = 1, b = 0;  // Adler-32
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return out + word(b << 16 | a);
}

}  // namespace png

inline void write_png(const Grey& picture, const std::string& path) {
  std::string rows;
  for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
    if (i % picture.width == 0) rows += '\0';  // the filter of the row: none
    rows += char(std::lround(std::clamp(picture.pixels[i], 0.0f, 1.0f) * 255));
  }
  const std::string header = png::word(std::uint32_t(picture.width)) +
                             png::word(std::uint32_t(picture.height)) +
                             std::string{8, 0, 0, 0, 0};  // 8 bits of grey
  std::ofstream file(path, std::ios::binary);
  file << "\x89PNG\r\n\x1a\n"
       << png::chunk("IHDR", header) << png::chunk("IDAT", png::stored(rows)) << png::chunk("IEND", "");
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}
