#include "dlvm/analysis/memory_peaks.h"

#include <fmt/format.h>

#include "tests/dlvm/analysis/parsed.h"

using namespace dlvm;

namespace {

/// A line of these many elementwise instructions `%s0`, `%s1`, … between those in `parts`, each of which is
/// text of its own.
std::string line(const std::vector<std::string>& parts, int between) {
  std::string text = "func @f: (<1000 x f32>, f32) -> f32 {\n'entry(%x: <1000 x f32>, %s: f32):\n";
  int number = 0;
  for (const std::string& part : parts) {
    text += part;
    for (int i = 0; i < between; ++i) text += fmt::format("    %s{} = negate %s: f32\n", number++);
  }
  return text + "    return %s: f32\n}\n";
}
std::string make(const std::string& name) { return "    %" + name + " = exp %x: <1000 x f32>\n"; }
std::string use(const std::string& name) { return "    %" + name + ".u = sin %" + name + ": <1000 x f32>\n"; }

/// "first second; …": the instructions of each peak.
std::string peaks(const std::string& text) {
  const parsed::Text parsed(text);
  std::string all;
  for (const MemoryPeak& peak : memory_peaks(parsed.function()))
    all += peak.first->name() + " " + peak.second->name() + "; ";
  return all;
}

}  // namespace

TEST_CASE("where nothing lives for long there is no peak") {
  CHECK(peaks(line({make("a"), use("a")}, 0)) == "");
  CHECK(peaks(line({""}, 40)) == "");
}

TEST_CASE("a peak is the first place at which the most bytes live that are used far behind") {
  CHECK(peaks(line({make("a"), make("b"), use("b"), use("a")}, 20)) == "a s20; ");
}

TEST_CASE("two peaks have a valley of half their bytes between them") {
  const std::vector<std::string> apart{make("a"), make("b"), use("a") + use("b"),
                                       make("c"), make("d"), use("c") + use("d")};
  CHECK(peaks(line(apart, 20)) == "a s20; b.u s80; ");
  const std::vector<std::string> high{make("k"), make("a"), use("a"), make("b"), use("b"), use("k")};
  CHECK(peaks(line(high, 20)) == "k s20; a.u s60; ");
  const std::vector<std::string> shallow{make("k"), make("l"), make("a"),          use("a"),
                                         make("b"), use("b"),  use("k") + use("l")};
  CHECK(peaks(line(shallow, 20)) == "k s40; ");
}

TEST_CASE("a line is that of all blocks, without the branches that only go on") {
  const parsed::Text text(R"(
func @f: (f32) -> f32 {
'entry(%x: f32):
    %a = negate %x: f32
    branch 'b(%a: f32)
'b(%y: f32):
    %b = negate %y: f32
    return %b: f32
}
)");
  std::string names;
  for (const Instruction* instruction : straight_line(text.function()))
    names += instruction->name().empty() ? "return " : instruction->name() + " ";
  CHECK(names == "a b return ");
}
