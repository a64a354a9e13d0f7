/* Every form of extent, in inputs and outputs, with every wrong value, in C. */
#include "extents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linear.h"

#define CHECK(condition) \
  if (!(condition)) fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)

enum { N = 1, M = 2 }; /* what an extent is made of */

/* Rounded down, of a positive divisor. */
static int64_t floored(int64_t a, int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

/* One axis of the argument struct: what it must be, and what from. */
typedef struct axis {
  const char* tensor;
  int number;
  int64_t* extent;
  int64_t right;
  int of;
} axis;

enum { axes_of_inputs = 14, axes_of_outputs = 14, largest = 512 };
static float memory[(axes_of_inputs + axes_of_outputs + 2) * largest]; /* no output overlaps another tensor */
static _Alignas(64) char workspace[1 << 20];
static extents_forward_arguments arguments;

static void fill(int64_t n, int64_t m, axis* axes) {
  extents_forward_arguments empty = {
      .size = sizeof arguments, .workspace = workspace, .workspace_size = sizeof workspace};
  arguments = empty;
  int count = 0;
#define AXIS(name, number, right, of)        \
  arguments.name = memory + count * largest; \
  axes[count++] = (axis){#name, number, &arguments.name##_extents[number], right, of};
#define FORMS(prefix)                                     \
  AXIS(prefix##twice, 0, 2 * n, N)                        \
  AXIS(prefix##plus, 0, n + 2, N)                         \
  AXIS(prefix##minus, 0, n - 1, N)                        \
  AXIS(prefix##product, 0, (n * m), N | M)                \
  AXIS(prefix##half, 0, floored(n, 2), N)                 \
  AXIS(prefix##windows, 0, floored(n - 3, 2) + 1, N)      \
  AXIS(prefix##blocks, 0, (n + m) / (m + 1), N | M)       \
  AXIS(prefix##sum, 0, n + m, N | M)                      \
  AXIS(prefix##polynomial, 0, (n * m) + 2 * n + 3, N | M) \
  AXIS(prefix##cube, 0, m, M)                             \
  AXIS(prefix##cube, 1, 2 * n, N)                         \
  AXIS(prefix##cube, 2, 3, 0)
  AXIS(n, 0, n, 0)
  AXIS(m, 0, m, 0)
  FORMS()
  CHECK(count == axes_of_inputs);
  AXIS(sliced, 0, n, N)
  AXIS(y_m, 0, m, M)
  FORMS(y_)
  arguments.five = memory + count * largest;
  arguments.y_five = memory + (count + 1) * largest;
  for (int i = 0; i < count; ++i) *axes[i].extent = axes[i].right;
}

static const char* message(const axis* wrong, int64_t value, int64_t n, int64_t m) {
  static char text[600];
  int at = snprintf(text, sizeof text, "extents::forward: axis %d of '%s' is %lld, expected %lld",
                    wrong->number, wrong->tensor, (long long)value, (long long)wrong->right);
  const char* before = " for ";
  if (wrong->of & N)
    at += snprintf(text + at, sizeof text - (size_t)at, "%sN = %lld (axis 0 of 'n')", before, (long long)n),
        before = ", ";
  if (wrong->of & M)
    snprintf(text + at, sizeof text - (size_t)at, "%sM = %lld (axis 0 of 'm')", before, (long long)m);
  return text;
}

/* One wrong value: the call and the preparation before it say which, and nothing is written. */
static void try_value(const axis* wrong, int binds, int64_t value, int64_t n, int64_t m) {
  tel_error error;
  *wrong->extent = value;
  CHECK(extents_forward_prepare(&arguments, &error) == TEL_EXTENT);
  CHECK(extents_forward(&arguments, NULL) == TEL_EXTENT);
  CHECK(extents_forward(&arguments, &error) == TEL_EXTENT);
  if (!binds && strcmp(error.text, message(wrong, value, n, m)) != 0)
    fprintf(stderr, "%s\n%s\n", error.text, message(wrong, value, n, m)), exit(1);
  if (value < 0 && binds) CHECK(strstr(error.text, "but an extent is at least 0"));
  CHECK(strncmp(error.text, "extents::forward: ", 18) == 0);
  *wrong->extent = wrong->right;
}

static void test_extents(int64_t n, int64_t m) {
  static const int64_t large[] = {1000000,   INT64_C(1) << 45, INT64_C(1) << 62,
                                  INT64_MAX, INT64_MIN,        -1000000};
  axis axes[axes_of_inputs + axes_of_outputs];
  tel_error error;
  fill(n, m, axes);
  if (n == 0) { /* N - 1 elements: none has them */
    CHECK(extents_forward(&arguments, &error) == TEL_EXTENT);
    CHECK(strcmp(error.text, "extents::forward: axis 0 of 'minus' would be -1 for N = 0 (axis 0 of 'n')") ==
          0);
    return;
  }
  CHECK(extents_forward(&arguments, &error) == TEL_OK);
  for (int i = 0; i < axes_of_inputs + axes_of_outputs; ++i) {
    const int binds = i < 2;
    for (int64_t value = -3; value <= 48; ++value)
      if (value != axes[i].right) try_value(&axes[i], binds, value, n, m);
    for (int k = 0; k < 6; ++k) try_value(&axes[i], binds, large[k], n, m);
  }
  CHECK(extents_forward(&arguments, &error) == TEL_OK);
}

/* Dimensions that follow from linear extents: which values have a solution. */
static void test_linear(void) {
  linear_forward_arguments a = {.size = sizeof a, .workspace = workspace, .workspace_size = sizeof workspace};
  a.even = a.longer = a.shorter = a.turned = a.both = memory;
  tel_error error;
  for (int64_t even = -3; even < 8; ++even)
    for (int64_t longer = -3; longer < 8; ++longer)
      for (int64_t both = -3; both < 12; ++both) {
        a.even_extents[0] = even;
        a.longer_extents[0] = longer;
        a.both_extents[0] = both;
        a.shorter_extents[0] = 2;
        a.turned_extents[0] = 1;
        a.y = NULL;
        const int good =
            even >= 0 && even % 2 == 0 && longer >= 2 && both >= longer - 2 && (both - longer + 2) % 3 == 0;
        CHECK(linear_forward(&a, &error) == (good ? TEL_OK : TEL_EXTENT));
        if (good) CHECK(a.y_extents[0] == even / 2 + (longer - 2) + 3 + 4 + (both - longer + 2) / 3);
      }
  a.even_extents[0] = 5;
  CHECK(linear_forward(&a, &error) == TEL_EXTENT);
  CHECK(
      strcmp(error.text,
             "linear::forward: axis 0 of 'even' is 5, expected 2 * N with a whole number N of at least 0") ==
      0);
  a.even_extents[0] = 4, a.longer_extents[0] = 1;
  CHECK(linear_forward(&a, &error) == TEL_EXTENT);
  CHECK(strcmp(
            error.text,
            "linear::forward: axis 0 of 'longer' is 1, expected M + 2 with a whole number M of at least 0") ==
        0);
  a.longer_extents[0] = 4, a.both_extents[0] = 4;
  CHECK(linear_forward(&a, &error) == TEL_EXTENT);
  CHECK(
      strcmp(error.text,
             "linear::forward: axis 0 of 'both' is 4, expected 3 * I + 2 with a whole number I of at least 0 "
             "and M = 2 (axis 0 of 'longer')") == 0);
  a.both_extents[0] = 5;
  for (int64_t shorter = -3; shorter < 8; ++shorter)
    for (int64_t turned = -3; turned < 8; ++turned) {
      a.shorter_extents[0] = shorter, a.turned_extents[0] = turned, a.y = NULL;
      CHECK(linear_forward(&a, &error) == (shorter >= 0 && turned >= 0 && turned <= 5 ? TEL_OK : TEL_EXTENT));
    }
}

int main(void) {
  for (int64_t n = 0; n < 8; ++n)
    for (int64_t m = 0; m < 4; ++m) test_extents(n, m);
  test_linear();
  return 0;
}
