// Images are packed in the object and unpacked by the runtime.
#include "codegen/target/gpu/compress.h"

#include <doctest/doctest.h>

#include <random>

#include "runtime/support/unpack.h"

namespace {

bool unpacks(const std::string& packed, std::string& to) {
  return runtime::unpack(packed.data(), static_cast<std::int64_t>(packed.size()), to.data(),
                         static_cast<std::int64_t>(to.size()));
}

void check_round_trip(const std::string& text) {
  std::string back(text.size(), '?');
  REQUIRE(unpacks(codegen::target::gpu::compress(text), back));
  CHECK(back == text);
}

/// Text with repetitions near and far.
std::string sample(std::size_t size, unsigned letters, std::mt19937& random) {
  std::string text;
  while (text.size() < size) {
    if (text.size() > 20 && random() % 3 == 0)
      text += text.substr(random() % text.size(), random() % 300);
    else
      text += static_cast<char>(random() % letters);
  }
  text.resize(size);
  return text;
}

}  // namespace

TEST_CASE("what is packed is unpacked to the same bytes") {
  std::mt19937 random(7);
  for (std::size_t size = 0; size < 80; ++size) {
    check_round_trip(sample(size, 2, random));
    check_round_trip(sample(size, 256, random));
    check_round_trip(std::string(size, 'x'));
  }
  for (const unsigned letters : {2U, 30U, 256U}) check_round_trip(sample(200'000, letters, random));
  const std::string far = sample(70'000, 256, random);
  check_round_trip(far + far);
  CHECK(codegen::target::gpu::compress(std::string(100'000, 'x')).size() < 500);
}

TEST_CASE("bytes that are cut off or changed are refused or unpack to something else, inside of the memory") {
  std::mt19937 random(8);
  const std::string text = sample(3000, 4, random), packed = codegen::target::gpu::compress(text);
  std::string to(text.size(), '?');
  for (std::size_t size = 0; size < packed.size(); ++size) CHECK(!unpacks(packed.substr(0, size), to));
  std::string shorter(text.size() - 1, '?'), longer(text.size() + 1, '?');
  CHECK(!unpacks(packed, shorter));
  CHECK(!unpacks(packed, longer));
  for (int i = 0; i < 3000; ++i) {
    std::string changed = packed;
    changed[random() % changed.size()] = static_cast<char>(random());
    (void)unpacks(changed, to);
  }
}
