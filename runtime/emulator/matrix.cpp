#include <string.h>

#include "runtime/emulator/access.h"
#include "runtime/emulator/banks.h"
#include "runtime/emulator/operations.h"
#include "runtime/emulator/report.h"
#include "runtime/emulator/warp_rendezvous.h"
#include "runtime/support/float16.h"

/// Matrices of the warp, spread over its lanes as NVIDIA's instruction manual defines ("Warp-level matrix
/// instructions").
namespace runtime::emulator {
namespace {

template <typename Operand>
Operand& operand_of(const Warp& warp, int lane) {
  return *static_cast<Operand*>(warp.rendezvous.operands[lane]);
}

[[noreturn]] void report_not_shared(Worker& worker, int64_t thread, const Site* site) {
  Report report(worker, thread, site);
  report << "loads a row of a matrix from what is not shared memory";
  report.leave();
}

constexpr int rows = 8;
constexpr int row_bytes = 16;

struct Load {
  const void* row;
  int32_t results[4];
};

/// Rows of `count` matrices, from the lanes that give their addresses: offsets in shared memory. A row is
/// read by the lanes that get its elements, so they are whom a race is with.
template <int count, bool transposed>
void load(Worker& worker, Thread& thread, Warp& warp) {
  const int first = thread.number - thread.number % warp_size;
  const Site* site = warp.rendezvous.site;
  for (int matrix = 0; matrix < count; ++matrix) {
    uint32_t offsets[warp_size];
    for (int row = 0; row < rows; ++row) {
      const int lane = matrix * rows + row;
      uint64_t offset;
      if (locate(worker, worker.threads[first + lane], operand_of<Load>(warp, lane).row, row_bytes, row_bytes,
                 access_read, site, offset))
        report_not_shared(worker, first + lane, site);
      offsets[row] = static_cast<uint32_t>(offset);
    }
    count_wavefronts(worker.counters, (uint32_t{1} << rows) - 1, offsets, row_bytes, row_bytes);
    for (int row = 0; row < rows; ++row) {
      for (int pair = 0; pair < 4; ++pair) {
        const int reader = transposed ? 8 * pair + row / 2 : 4 * row + pair;
        const auto other = static_cast<uint16_t>(transposed ? first + reader + 4 : no_thread);
        read_shared(worker, first + reader, other, offsets[row] + static_cast<uint32_t>(4 * pair), 4, site);
      }
    }
    for (int lane = 0; lane < warp_size; ++lane) {
      const int major = lane / 4, minor = 2 * (lane % 4);
      uint16_t elements[2];
      for (int i = 0; i < 2; ++i) {
        const int row = transposed ? minor + i : major;
        const int column = transposed ? major : minor + i;
        memcpy(&elements[i], worker.shared + offsets[row] + 2 * column, 2);
      }
      memcpy(&operand_of<Load>(warp, lane).results[matrix], elements, 4);
    }
  }
}

template <int count, bool transposed>
void load(const void* row, int32_t* results, const Site* site) {
  Load own{row, {}};
  warp_rendezvous("a load of matrices", site, &own, load<count, transposed>);
  memcpy(results, own.results, sizeof(int32_t) * count);
}

/// Products: 16 x k by k x 8, added to 16 x 8.
struct Multiply {
  int32_t a[4], b[2];
  float c[4];
};

/// Elements of a register of two, the first in the low half.
template <float (*widen)(uint16_t)>
struct Halves {
  static constexpr int k = 16;
  static constexpr int elements = 2;
  static float element(int32_t bits, int i) {
    return widen(static_cast<uint16_t>(static_cast<uint32_t>(bits) >> 16 * i));
  }
};

/// A float of which the hardware reads the upper 19 bits.
struct Tf32 {
  static constexpr int k = 8;
  static constexpr int elements = 1;
  static float element(int32_t bits, int) {
    return __builtin_bit_cast(float, static_cast<uint32_t>(bits) & 0xffffe000);
  }
};

/// Row r (of 8 lanes of four) and column of each register's elements; the registers of a: rows r and r + 8,
/// then those of the upper half of k. Products are exact in float; they are added in the order of k.
template <typename Format>
void multiply(Worker& worker, Thread&, Warp& warp) {
  constexpr int k = Format::k, n = 8, elements = Format::elements;
  float a[16][k], b[k][n];
  for (int lane = 0; lane < warp_size; ++lane) {
    const auto& own = operand_of<Multiply>(warp, lane);
    const int group = lane / 4, first = lane % 4 * elements;
    for (int half = 0; half < 2; ++half)
      for (int i = 0; i < elements; ++i) {
        const int at = first + i + half * (k / 2);
        a[group][at] = Format::element(own.a[2 * half], i);
        a[group + 8][at] = Format::element(own.a[2 * half + 1], i);
        b[at][group] = Format::element(own.b[half], i);
      }
  }
  for (int lane = 0; lane < warp_size; ++lane) {
    auto& own = operand_of<Multiply>(warp, lane);
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
      float sum = own.c[i];
      for (int at = 0; at < k; ++at) {
        const float product = a[row][at] * b[at][column];
        sum += product;
      }
      own.c[i] = sum;
    }
  }
  worker.counters.products += 16 * n * k;
}

template <typename Format>
void multiply(const Multiply& operands, float* results, const Site* site) {
  Multiply own = operands;
  warp_rendezvous("a product of matrices", site, &own, multiply<Format>);
  memcpy(results, own.c, sizeof own.c);
}

}  // namespace
}  // namespace runtime::emulator

using namespace runtime;
using namespace runtime::emulator;

extern "C" {

int32_t tel_device_load_matrix(const void* row, const Site* site) {
  int32_t result;
  load<1, false>(row, &result, site);
  return result;
}
void tel_device_load_matrix_2(const void* row, int32_t* results, const Site* site) {
  load<2, false>(row, results, site);
}
void tel_device_load_matrix_4(const void* row, int32_t* results, const Site* site) {
  load<4, false>(row, results, site);
}
int32_t tel_device_load_matrix_transposed(const void* row, const Site* site) {
  int32_t result;
  load<1, true>(row, &result, site);
  return result;
}
void tel_device_load_matrix_transposed_2(const void* row, int32_t* results, const Site* site) {
  load<2, true>(row, results, site);
}
void tel_device_load_matrix_transposed_4(const void* row, int32_t* results, const Site* site) {
  load<4, true>(row, results, site);
}

void tel_device_multiply_f16(int32_t a0, int32_t a1, int32_t a2, int32_t a3, int32_t b0, int32_t b1, float c0,
                             float c1, float c2, float c3, float* results, const Site* site) {
  multiply<Halves<float16_to_float>>({{a0, a1, a2, a3}, {b0, b1}, {c0, c1, c2, c3}}, results, site);
}
void tel_device_multiply_bf16(int32_t a0, int32_t a1, int32_t a2, int32_t a3, int32_t b0, int32_t b1,
                              float c0, float c1, float c2, float c3, float* results, const Site* site) {
  multiply<Halves<bfloat16_to_float>>({{a0, a1, a2, a3}, {b0, b1}, {c0, c1, c2, c3}}, results, site);
}
void tel_device_multiply_tf32(int32_t a0, int32_t a1, int32_t a2, int32_t a3, int32_t b0, int32_t b1,
                              float c0, float c1, float c2, float c3, float* results, const Site* site) {
  multiply<Tf32>({{a0, a1, a2, a3}, {b0, b1}, {c0, c1, c2, c3}}, results, site);
}

}  // extern "C"
