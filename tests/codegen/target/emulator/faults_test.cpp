#include <doctest/doctest.h>

#include <span>

#include "planted.h"

/// Kernels of every family with one mistake each. The emulator finds it, or, where it moves values alone, the
/// results do.
namespace test {
namespace {

using enum Level;

/// The program without a fault, then with each.
void finds_all(const Planting& program, std::span<const Fault> faults, const std::string& more = "") {
  CHECK(program.wrong() == "");
  for (const Fault& fault : faults) {
    INFO(std::string(fault.name));
    CHECK(program.missed(fault, more) == "");
  }
}

/// What is reported. A reader that is not ordered comes before the writer or after it.
constexpr const char *values = "", *race = "a race|that nobody has written",
                     *beyond_row = "a race|that nobody has written|outside of the kernel's memory",
                     *in_warp = "a race within the warp|that nobody has written",
                     *between_blocks = "a race between blocks", *early = "before a copy there was waited for",
                     *outside = "outside of the kernel's memory", *unwritten = "that nobody has written",
                     *missing = "no kernel writes byte", *misaligned = "misaligned", *divergent = "divergent",
                     *read_only = "which is read only";

// Functions that kernels call in the place of an operation.

constexpr const char* barrier_of_some = R"(
define internal void @barrier_of_some(i32 %id, i32 %threads) {
  %thread = call i32 @tel.device.thread()
  %some = icmp ult i32 %thread, 40
  br i1 %some, label %meets, label %done
meets:
  call void @tel.device.barrier(i32 %id, i32 %threads)
  br label %done
done:
  ret void
}
)";

constexpr const char* shuffle_without_a_lane = R"(
define internal i32 @shuffle_without_a_lane(i32 %value, i32 %mask) {
  %thread = call i32 @tel.device.thread()
  %lane = and i32 %thread, 31
  %there = icmp ne i32 %lane, 7
  br i1 %there, label %meets, label %done
meets:
  %other = call i32 @tel.device.shuffle_xor(i32 %value, i32 %mask)
  br label %done
done:
  %result = phi i32 [ %other, %meets ], [ %value, %0 ]
  ret i32 %result
}
)";

/// Products on tensor cores of which two registers have changed places: of the sums, of the left operand.
std::string exchanged(const char* operation) {
  const std::string text = R"(
define internal { float, float, float, float } @results_exchanged(
    i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, float %c0, float %c1, float %c2, float %c3) {
  %d = call { float, float, float, float } @OPERATION(
      i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, float %c0, float %c1, float %c2, float %c3)
  %d1 = extractvalue { float, float, float, float } %d, 1
  %d2 = extractvalue { float, float, float, float } %d, 2
  %e = insertvalue { float, float, float, float } %d, float %d2, 1
  %f = insertvalue { float, float, float, float } %e, float %d1, 2
  ret { float, float, float, float } %f
}
define internal { float, float, float, float } @operands_exchanged(
    i32 %a0, i32 %a1, i32 %a2, i32 %a3, i32 %b0, i32 %b1, float %c0, float %c1, float %c2, float %c3) {
  %d = call { float, float, float, float } @OPERATION(
      i32 %a0, i32 %a2, i32 %a1, i32 %a3, i32 %b0, i32 %b1, float %c0, float %c1, float %c2, float %c3)
  ret { float, float, float, float } %d
}
)";
  return planted(text, {"", kernels, "OPERATION", operation, "", -1});
}

TEST_CASE("faults: a product of halves, in a ring of copies, on tensor cores") {
  const Planting product("module p\ntype float16\nx: in[13 x 150]\nW: in[150 x 72]\ny: out = relu(x • W)\n",
                         1);
  const Fault faults[] = {
      {"no barrier", schedule, "barrier\n", "\n", race},
      {"no wait", schedule, "wait 2\n", "\n", early},
      {"waits for one group fewer", schedule, "wait 2\n", "wait 3\n", early},
      {"no commit before the loop", schedule, "commit\n", "\n", early},
      {"no commit in the loop", schedule, "commit\n", "\n", early, 1},
      {"reads the next slot", schedule, "multiply dot.left[mod(floor($k# / 32) / 4)",
       "multiply dot.left[mod(floor($k#1 / 32) + 1 / 4)", early},
      {"reads the slot before", schedule, "multiply dot.left[mod(floor($k# / 32) / 4)",
       "multiply dot.left[mod(floor($k#1 / 32) + 3 / 4)", early},
      {"reads always the first slot", schedule, "multiply dot.left[mod(floor($k# / 32) / 4)",
       "multiply dot.left[0", early},
      {"fills another slot", schedule, "to dot.right[mod(floor($k# / 32) + 3 / 4)",
       "to dot.right[mod(floor($k#1 / 32) + 2 / 4)", early},
      {"one slot fewer", schedule, "/ 4), ", "/ 3), ", early, -1},
      {"the last panel is left out", schedule, "for $k# in 150 step 32", "for $k#1 in 128 step 32", values},
      {"a panel is read transposed", schedule, "(32, 16) strides [1, 32]", "(32, 16) strides [16, 1]",
       values},
      {"a tail of summed points that is one too long", schedule, "of 150), (64*", "of 151), (64*", outside,
       1},
      {"a tail of columns that is one too long", schedule, "of 72) {", "of 73) {", outside},
      {"a tail of columns that is two too short", schedule, "of 72) {", "of 70) {", missing},
      {"a tail of rows that is one too long", schedule, "of 13) {", "of 14) {", outside},
      {"a tail of copied rows that is one too long", schedule, "of 13)\n", "of 14)\n", outside},
      {"a swizzle of parts of what is copied", schedule, "swizzle 2, 3, 3", "swizzle 2, 2, 3", misaligned},
      {"the reader's swizzle has a bit fewer", kernels, "and i32 %#, 56,", "and i32 %#1, 24,", values},
      {"no reader swizzles", kernels, "and i32 %#, 56,", "and i32 %#1, 0,", values, -1},
      {"a writer's swizzle is shifted by one more", kernels, "lshr i64 %#, 3,", "lshr i64 %#1, 4,", values},
      {"registers of the sums in another order", schedule, "[[0, 1], [8, 0], [0, 8]]",
       "[[8, 0], [0, 1], [0, 8]]", values},
      {"warps of the sums in another order", schedule, "[[0, 16], [0, 32]]", "[[0, 32], [0, 16]]", values},
      {"results of a product exchanged", kernels, "} @tel.device.multiply_f16(i32 %",
       "} @results_exchanged(i32 %", values},
      {"operands of a product exchanged", kernels, "} @tel.device.multiply_f16(i32 %",
       "} @operands_exchanged(i32 %", values},
      {"matrices are not transposed", kernels, "@tel.device.load_matrix_transposed_4(",
       "@tel.device.load_matrix_4(", values},
      {"matrices are transposed", kernels, "@tel.device.load_matrix_4(",
       "@tel.device.load_matrix_transposed_4(", values},
      {"a barrier for fewer threads", kernels, "@tel.device.barrier(i32 0, i32 128)",
       "@tel.device.barrier(i32 0, i32 96)", race},
      {"a barrier for more threads", kernels, "@tel.device.barrier(i32 0, i32 128)",
       "@tel.device.barrier(i32 0, i32 160)", divergent},
      {"a barrier that depends on the thread", kernels, "@tel.device.barrier(i32 0", "@barrier_of_some(i32 0",
       divergent},
      {"a copy of too few bytes", kernels, "i32 16, i32 0,", "i32 12, i32 0,", values},
      {"the launch has the operands exchanged", host, "[i32 1, i32 2, i32 3]", "[i32 2, i32 1, i32 3]",
       outside},
      {"the launch has an operand for the result", host, "[i32 1, i32 2, i32 3]", "[i32 1, i32 2, i32 2]",
       read_only},
  };
  finds_all(product, faults, barrier_of_some + exchanged("tel.device.multiply_f16"));
}

TEST_CASE("faults: a product of transposed bfloat16 operands") {
  const Planting product("module p\ntype bfloat16\nx: in[70 x 13]\nW: in[72 x 70]\ny: out = x^T • W^T\n", 1);
  const Fault faults[] = {
      {"no barrier", schedule, "barrier\n", "\n", race},
      {"waits for one group fewer", schedule, "wait 1\n", "wait 2\n", early},
      {"results of a product exchanged", kernels, "} @tel.device.multiply_bf16(i32 %",
       "} @results_exchanged(i32 %", values},
      {"operands of a product exchanged", kernels, "} @tel.device.multiply_bf16(i32 %",
       "} @operands_exchanged(i32 %", values},
      {"matrices are not transposed", kernels, "@tel.device.load_matrix_transposed_4(",
       "@tel.device.load_matrix_4(", values},
      {"an evaluated panel in another slot", schedule, "to dot.left[mod(floor($k# / 32) + 2 / 3)",
       "to dot.left[mod(floor($k#1 / 32) + 1 / 3)", race, -1},
  };
  finds_all(product, faults, exchanged("tel.device.multiply_bf16"));
}

TEST_CASE("faults: a product of float32 in three terms") {
  const Planting product("module p\nx: in[13 x 150]\nW: in[150 x 71]\ny: out = x • W\n", 1);
  const Fault faults[] = {
      {"no barrier", schedule, "barrier\n", "\n", race},
      {"no wait", schedule, "wait 2\n", "\n", early},
      {"in one term", schedule, "tensor_cores split", "tensor_cores", values},
      {"results of a product exchanged", kernels, "} @tel.device.multiply_tf32(i32 %",
       "} @results_exchanged(i32 %", values, -1},
      {"operands of a product exchanged", kernels, "} @tel.device.multiply_tf32(i32 %",
       "} @operands_exchanged(i32 %", values, -1},
      {"a copy of too many bytes", kernels, "i32 8, i32 0,", "i32 9, i32 0,",
       "copies an impossible number of bytes: 9"},
      {"a tail of columns that is one too long", schedule, "of 71) {", "of 72) {", outside},
  };
  finds_all(product, faults, exchanged("tel.device.multiply_tf32"));
}

TEST_CASE("faults: a product without tensor cores") {
  const Planting product("module p\nx: in[N x 37]\nW: in[37 x 10]\ny: out = x • W\n", 5);
  const Fault faults[] = {
      {"no barrier", schedule, "barrier\n", "\n", race},
      {"no wait", schedule, "wait 1\n", "\n", early},
      {"the next thread's row", schedule, "[mod(floor($k# / 16) / 3), 0, $thread_row#](",
       "[mod(floor($k#1 / 16) / 3), 0, mod($thread_row#2 + 1 / 8)](", values},
      {"a tail of rows that is one too long", schedule, "$row# of N) {", "$row#1 of (N + 1)) {", outside},
  };
  finds_all(product, faults);
}

TEST_CASE("faults: a product in parts") {
  const Planting product("module p\nx: in[700 x 70]\nz: in[700 x 66]\ny: out = x^T • z\n", 1);
  const Fault faults[] = {
      {"parts in one place", schedule, "to dot.partial[$part#,", "to dot.partial[0,", between_blocks},
      {"a part more than there is", schedule, "for $part# in 11 {", "for $part#1 in 12 {", outside},
      {"a part fewer", schedule, "for $part# in 11 {", "for $part#1 in 10 {", values},
      {"a part that is not computed", schedule, "block $part# in 11 {", "block $part#1 in 10 {", unwritten},
  };
  finds_all(product, faults);
}

TEST_CASE("faults: rows of a warp") {
  const Planting rows("module p\nx: in[N x 100]\ny: out = softmax(x)\n", 13);
  const Fault faults[] = {
      {"a lane is missing at a shuffle", kernels, "@tel.device.shuffle_xor(", "@shuffle_without_a_lane(",
       divergent},
      {"a shuffle with the wrong lane", kernels, "@tel.device.shuffle_xor(i32 %#, i32 8)",
       "@tel.device.shuffle_xor(i32 %#1, i32 4)", values, 1},
      {"a tail that is one too long", schedule, "of 50) {", "of 51) {", outside, 0},
      {"a tail of what is written that is one too long", schedule, "of 50) {", "of 51) {", race, 4},
      {"a tail that is one too short", schedule, "of 50) {", "of 49) {", values, 0},
      {"a tail of what is written that is one too short", schedule, "of 50) {", "of 49) {", missing, 4},
      {"a register of another step", schedule, "load x.row[2*$step# + ", "load x.row[-2*$step#1 + 2 + ",
       values, 1},
      {"a row more than there is", schedule, "of N) {", "of (N + 1)) {", outside},
  };
  finds_all(rows, faults, shuffle_without_a_lane);
}

TEST_CASE("faults: rows whose points go to other lanes") {
  const Planting rows(
      "module p\nx: in[N x 100]\ne = exp(x - max(x, along: 1, keep: true))\n"
      "y: out = reverse(e, along: 1) / sum(e, along: 1, keep: true)\n",
      13);
  const Fault faults[] = {
      {"no barrier", schedule, "barrier\n", "\n", in_warp},
      {"a tail that is one too long", schedule, "of 100) {", "of 101) {", beyond_row},
      {"a value that no lane has written", schedule, "of 50) {", "of 49) {", unwritten, 2},
      {"a row of another warp", schedule, "load e[$warp#, ", "load e[mod($warp#1 + 1 / 8), ", race},
  };
  finds_all(rows, faults);
}

TEST_CASE("faults: rows of a block") {
  const Planting rows(
      "module p\nx: in[N x 1100]\ncentred = x - mean(x, along: 1, keep: true)\n"
      "y: out = centred * rsqrt(mean(square(centred), along: 1, keep: true) + 1e-5)\n",
      3);
  const Fault faults[] = {
      {"no barrier", schedule, "barrier\n", "\n", race},
      {"no second barrier", schedule, "barrier\n", "\n", race, 1},
      {"half of the threads' sums", schedule, "](256) to ", "](128) to ", values},
      {"a tail that is one too long", schedule, "of 275) {", "of 276) {", outside},
  };
  finds_all(rows, faults);
}

TEST_CASE("faults: a long sum") {
  const Planting sum("module p\nx: in[40000]\ny: out = sum(x * x)\n", 1);
  const Fault faults[] = {
      {"no barrier", schedule, "barrier\n", "\n", race},
      {"a sum that no thread has written", schedule, "thread $thread# in 256 {\n        %#: f32 = load",
       "thread $thread#1 in 255 {\n        %#2: f32 = load", unwritten},
      {"blocks write the same sum", schedule, "to reduce.partial0[$block#]", "to reduce.partial0[0]",
       between_blocks},
      {"a block fewer", schedule, "block $block# in 5 {", "block $block#1 in 4 {", unwritten},
      {"a sum fewer", schedule, "of 5) {", "of 4) {", values},
  };
  finds_all(sum, faults);
}

TEST_CASE("faults: a small network in one block, with a scatter") {
  const Planting network(
      "module p\nlabel: in int32[N]\nE: param[9 x 5] = 0.1\nz = tanh(E[label])\ny: out = z\nL: loss = sum(z "
      "* z)\n",
      11, "gradient");
  const Fault faults[] = {
      {"no barrier between what is written by a lane and read by its warp", schedule, "barrier\n", "\n",
       in_warp, 1},
      {"no barrier between stages", schedule, "barrier\n", "\n", race, 2},
      {"all threads add to one column", schedule, "to v[%#, $thread#] by add", "to v[%#1, 0] by add", race},
      {"not all is zero before", schedule, "of 45) {", "of 44) {", unwritten},
  };
  finds_all(network, faults);
}

TEST_CASE("faults: elementwise, 16 bytes at a time") {
  const Planting product("module p\nx: in[N x 9]\nz: in[N x 9]\ny: out = x * z\n", 150);
  const Fault faults[] = {
      {"a misaligned vector", kernels, "%# = load <4 x float>, ptr %#, align 16",
       "%beside = getelementptr i8, ptr %#2, i64 4\n  %#1 = load <4 x float>, ptr %beside, align 16",
       misaligned},
      {"a vector too many", schedule, "of (2*N + floor(N/4)))", "of (2*N + floor(N/4) + 1))", outside},
      {"a vector too few", schedule, "of (2*N + floor(N/4)))", "of (2*N + floor(N/4) - 1))", missing},
      {"blocks write the same", schedule, "to y[1024*$block#", "to y[512*$block#1", between_blocks},
      {"an element too many at the end", schedule, "of (9*N)) {", "of (9*N + 1)) {", outside},
      {"no block for the end", schedule, "(floor((9*N + 1023)/1024))", "(floor((9*N)/1024))", missing},
  };
  finds_all(product, faults);
  CHECK(product.missed_words_of(150, outside) == "");
}

TEST_CASE("faults: transposed, through a tile") {
  const Planting transposed("module p\nx: in[N x 70]\ny: out = x^T + 1\n", 37);
  const Fault faults[] = {
      {"no barrier", schedule, "barrier\n", "\n", race},
      {"the tile's rows and columns exchanged", schedule, "to add.tile[$thread_row# + 16*$part#, 2*$thread#",
       "to add.tile[2*$thread#3, $thread_row#1 + 16*$part#2", in_warp},
      {"rows of the tile overlap", schedule, "strides [33, 1]", "strides [31, 1]", race},
      {"a tail of the tile's rows that is one too short", schedule, "$part# of N) {", "$part#1 of (N - 1)) {",
       unwritten},
      {"a tail of columns that is one too long", schedule, "of 70) {", "of 71) {", unwritten, 1},
      {"written at another place", schedule, "to y[", "to y[1 + ", outside},
  };
  finds_all(transposed, faults);
}

TEST_CASE("a fault that has no place is no fault that was found") {
  const Planting product("module p\nx: in[N x 9]\ny: out = x + 1\n", 3);
  CHECK(product.missed({"none", schedule, "commit", "", values}) == "there is no place for it");
  CHECK(product.missed({"no change", schedule, "block", "block", values}) == "there is no place for it");
  CHECK(product.missed({"of no effect", schedule, "stage add", "stage sum", values}) ==
        "the results are right");
}

}  // namespace
}  // namespace test
