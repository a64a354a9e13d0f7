/* Code checks what a call gives, and the tables are asked where something is unusual. Both must agree: each
   call is made with default options, and with options of a smaller size, which the code does not know. With
   CONSTANT, the extents are constants. */
#include "placed.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition) \
  if (!(condition)) fprintf(stderr, "%s:%d: %s in call %d\n", __FILE__, __LINE__, #condition, number), exit(1)

#ifdef CONSTANT
#define SIZES
#else
#define SIZES N, M,
#endif

enum { arena_size = 8192, large_size = 1 << 18 };

static _Alignas(64) unsigned char arena[arena_size], filled[arena_size], after[arena_size], large[large_size];
static uint64_t random_state = 1;
static int number, succeeded, refused;

static uint64_t draw(uint64_t below) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (random_state >> 33) % below;
}

/* Mostly a place of its own; else anywhere, misaligned, or null. */
static void* pointer(size_t own) {
  const uint64_t kind = draw(24);
  if (kind == 0) return NULL;
  if (kind == 1) return arena + draw(arena_size / 2);
  if (kind == 2) return arena + 64 * draw(arena_size / 128);
  if (kind == 3) return arena + own * 512 + draw(8);
  return arena + own * 512;
}

static void fill(void) {
  for (size_t i = 0; i < arena_size / 4; ++i) {
    const float value = (float)draw(1000) / 500 - 1;
    memcpy(filled + 4 * i, &value, 4);
  }
  for (size_t i = 0; i < 512 / 2; ++i) {
    const int16_t index = (int16_t)(draw(40) == 0 ? draw(7) : draw(4));
    memcpy(filled + 512 + 2 * i, &index, 2);
  }
}

typedef int32_t call(void* arguments, tel_error* error);
static int32_t forward(void* arguments, tel_error* error) { return placed_forward(arguments, error); }
static int32_t gradient(void* arguments, tel_error* error) { return placed_gradient(arguments, error); }

#ifndef CONSTANT
/* Mostly the expected extents. */
static void set(int64_t* extents, int64_t rows, int64_t columns) {
  extents[0] = draw(24) == 0 ? (int64_t)draw(9) - 1 : rows;
  if (columns >= 0) extents[1] = draw(40) == 0 ? (int64_t)draw(9) : columns;
  if (draw(200) == 0) extents[0] = INT64_MAX / (int64_t)(1 + draw(40));
}
#endif

/* `options` is the arguments' member. */
static void compare(call* function, void* arguments, size_t size, const tel_options** options) {
  unsigned char before[512], placed[512];
  tel_error first, second;
  const tel_options small = {.size = 2 * sizeof(size_t)};
  memcpy(before, arguments, size);
  memcpy(arena, filled, arena_size);
  first.code = function(arguments, &first);
  memcpy(after, arena, arena_size);
  memcpy(placed, arguments, size);
  memcpy(arguments, before, size);
  memcpy(arena, filled, arena_size);
  *options = &small;
  second.code = function(arguments, &second);
  *options = NULL;
  CHECK(first.code == second.code);
  CHECK(strcmp(first.text, second.text) == 0);
  ++*(first.code == TEL_OK ? &succeeded : &refused);
  if (first.code != TEL_OK) return; /* outputs are unspecified */
  CHECK(memcmp(arena, after, arena_size) == 0);
  CHECK(memcmp(arguments, placed, size) == 0);
}

/* Mostly enough, in the arena where it fits. */
static size_t place_workspace(void** workspace, size_t needed) {
  enum { free_size = 2048 };
  if (needed > large_size) fprintf(stderr, "a workspace of %zu bytes\n", needed), exit(1);
  *workspace = pointer(8);
  if (needed > free_size && draw(8) != 0) *workspace = large;
  const uint64_t kind = draw(16);
  const size_t all = *workspace == large ? large_size : free_size;
  const size_t size = kind == 0 ? 0 : kind == 1 ? needed : kind == 2 ? needed - needed % 128 : all;
  return size < all ? size : all;
}

int main(void) {
  for (number = 0; number < 20000; ++number) {
    if (number % 64 == 0) fill();
    placed_forward_arguments f;
    memset(&f, 0, sizeof f);
    f.size = sizeof f - (draw(64) == 0);
    f.x = pointer(0), f.i = pointer(1), f.more = pointer(0), f.scale = 0.5f;
    f.parameters = pointer(2), f.constants = pointer(3);
    f.y = pointer(4), f.z = pointer(5), f.n = pointer(6);
    if (draw(3) == 0) f.y = NULL;
    if (draw(3) == 0) f.z = NULL;
#ifndef CONSTANT
    const int64_t N = (int64_t)draw(5), M = draw(8) == 0 ? (int64_t)draw(6) : 3;
    set(f.x_extents, N, 7), set(f.i_extents, M, -1), set(f.more_extents, 2 * N + 1, M);
    set(f.y_extents, N, 6), set(f.z_extents, M, 6), set(f.n_extents, M, -1);
#endif
    f.workspace_size = place_workspace(&f.workspace, placed_forward_workspace(SIZES NULL));
    compare(forward, &f, sizeof f, &f.options);

    placed_gradient_arguments g;
    memset(&g, 0, sizeof g);
    g.size = sizeof g;
    g.x = pointer(0), g.i = pointer(1), g.more = pointer(0), g.scale = 0.5f;
    g.cotangent_y = pointer(7), g.cotangent_z = pointer(0), g.cotangent_total = 1;
    g.parameters = pointer(2), g.constants = pointer(3), g.gradients = pointer(13);
    g.y = pointer(4), g.z = pointer(5), g.n = pointer(6);
    if (draw(3) == 0) g.y = NULL;
#ifndef CONSTANT
    set(g.x_extents, N, 7), set(g.i_extents, M, -1), set(g.more_extents, 2 * N + 1, M);
    set(g.cotangent_y_extents, N, 6), set(g.cotangent_z_extents, M, 6);
    set(g.y_extents, N, 6), set(g.z_extents, M, 6), set(g.n_extents, M, -1);
#endif
    g.workspace_size = place_workspace(&g.workspace, placed_gradient_workspace(SIZES NULL));
    compare(gradient, &g, sizeof g, &g.options);
  }
  CHECK(succeeded > 2000);
  CHECK(refused > 2000);
  return 0;
}
