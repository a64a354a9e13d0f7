/* Made by telc from standard input. C11, and C++20 below. */
#ifndef TEL_MODULE_mixed
#define TEL_MODULE_mixed

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

// (what all headers share)

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters. Aligned to 64 bytes; what lies between tensors is 0. */
typedef struct mixed_parameters {
  TEL_ALIGNED tel_bfloat16 w[3];
  TEL_ALIGNED tel_bfloat16 class_[2];
  TEL_ALIGNED double scale;
} mixed_parameters;

/* The derivatives for the parameters. */
typedef mixed_parameters mixed_gradients;

/* The constants that are loaded. Aligned to 64 bytes; what lies between tensors is 0. */
typedef struct mixed_constants {
  TEL_ALIGNED bool mask[3];
  TEL_ALIGNED tel_float16 flat_[3];
} mixed_constants;

/* Sets all parameters to their initial values for this seed. */
int32_t mixed_initialize(mixed_parameters* parameters, uint64_t seed, tel_error* error)
    __asm__("tel.initialize.mixed.6a3563e446408654");
/* to = a * to + b * from, for parameters and gradients, where the execution has its memory (null: the
   processor's); a term whose factor is 0 is left out, and `from` may then be null. */
int32_t mixed_combine(mixed_parameters* to, double a, const mixed_parameters* from, double b,
    const tel_execution* execution, tel_error* error)
    __asm__("tel.combine.mixed.6a3563e446408654");
/* Safetensors files; saving replaces the file whole or not at all. */
int32_t mixed_load(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.load.mixed.6a3563e446408654");
int32_t mixed_save(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.save.mixed.6a3563e446408654");

/* Entry points. They are thread-safe, and allocate nothing. Inputs and outputs are row-major, without
   gaps; a function gives a status, and writes its text to `error`, which may be null. An output that
   is null is placed in the workspace: the call sets its pointer and its extents. */

typedef struct mixed_forward_arguments {
  size_t size; /* sizeof(mixed_forward_arguments) */
  const tel_float16* x; /* [2*N + 1 x 3]: An odd number of rows. */
  int64_t x_extents[2];
  tel_float16 bias;
  bool on;
  const int64_t* size_; /* [?] */
  int64_t size__extents[1];
  int64_t M; /* a dimension */
  const mixed_parameters* parameters;
  const mixed_constants* constants;
  tel_float16* y; /* [2*N + 1 x 3] */
  int64_t y_extents[2];
  int32_t* rows; /* [M] */
  int64_t rows_extents[1];
  tel_bfloat16 total;
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: the defaults */
} mixed_forward_arguments;

int32_t mixed_forward(mixed_forward_arguments* arguments, tel_error* error)
    __asm__("mixed.forward.6a3563e446408654");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t mixed_forward_prepare(mixed_forward_arguments* arguments, tel_error* error)
    __asm__("mixed.forward.prepare.6a3563e446408654");
/* Ends a call that was to return at once: waits, and sets the results that are scalars. */
int32_t mixed_forward_wait(mixed_forward_arguments* arguments, tel_error* error)
    __asm__("mixed.forward.wait.6a3563e446408654");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t mixed_forward_workspace(int64_t N, int64_t size_0, int64_t M, const tel_options* options)
    __asm__("mixed.forward.workspace.6a3563e446408654");

typedef struct mixed_gradient_arguments {
  size_t size; /* sizeof(mixed_gradient_arguments) */
  const float* x; /* [N] */
  int64_t x_extents[1];
  const float* cotangent_y; /* [N] */
  int64_t cotangent_y_extents[1];
  const mixed_parameters* parameters;
  mixed_gradients* gradients;
  float* y; /* [N] */
  int64_t y_extents[1];
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: the defaults */
} mixed_gradient_arguments;

int32_t mixed_gradient(mixed_gradient_arguments* arguments, tel_error* error)
    __asm__("mixed.gradient.6a3563e446408654");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t mixed_gradient_prepare(mixed_gradient_arguments* arguments, tel_error* error)
    __asm__("mixed.gradient.prepare.6a3563e446408654");
/* Ends a call that was to return at once: waits, and sets the results that are scalars. */
int32_t mixed_gradient_wait(mixed_gradient_arguments* arguments, tel_error* error)
    __asm__("mixed.gradient.wait.6a3563e446408654");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t mixed_gradient_workspace(int64_t N, const tel_options* options)
    __asm__("mixed.gradient.workspace.6a3563e446408654");

typedef struct mixed_new__arguments {
  size_t size; /* sizeof(mixed_new__arguments) */
  const double* x; /* [4] */
  double* gradient_x; /* [4] */
  double L;
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: the defaults */
} mixed_new__arguments;

int32_t mixed_new_(mixed_new__arguments* arguments, tel_error* error)
    __asm__("mixed.new.6a3563e446408654");
/* Sets the extents of the outputs, and workspace_size to what the call needs. */
int32_t mixed_new__prepare(mixed_new__arguments* arguments, tel_error* error)
    __asm__("mixed.new.prepare.6a3563e446408654");
/* Ends a call that was to return at once: waits, and sets the results that are scalars. */
int32_t mixed_new__wait(mixed_new__arguments* arguments, tel_error* error)
    __asm__("mixed.new.wait.6a3563e446408654");
/* The workspace for these dimensions, in bytes; SIZE_MAX where it cannot be held. */
size_t mixed_new__workspace(const tel_options* options)
    __asm__("mixed.new.workspace.6a3563e446408654");

#ifdef __cplusplus
}  // extern "C"
#endif

