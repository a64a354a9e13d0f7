/* The network `mixed`, made by telc from standard input. This header is C11 and C++20.

   1. The C interface of the network: structs and functions that begin with mixed_.
   2. Its C++ interface, namespace mixed: what it takes and gives, and the functions to call.
   3. What the headers of all networks share: names that begin with tel_ in C, namespace tel in C++.
   4. The definitions of what part 2 declares. */
#ifndef TEL_MODULE_mixed_v8136e40d36931242
#define TEL_MODULE_mixed_v8136e40d36931242

#ifdef TEL_MODULE_mixed
#error "two different networks are called mixed: include them in different files, or rename one module"
#elif defined(__cplusplus) && __cplusplus <= 201703L
#error "the header of the network mixed needs C++20: compile with -std=c++20"
#else
#define TEL_MODULE_mixed

// (what all headers share)

#ifdef __cplusplus
extern "C" {
#endif

/* The parameters. The struct is aligned to 64 bytes; the bytes between tensors are 0. */
typedef struct mixed_parameters_v8136e40d36931242 {
  TEL_ALIGNED tel_bfloat16 w[3]; /* Weights, in two lines: * / / * \. */
  TEL_ALIGNED tel_bfloat16 class_[2];
  TEL_ALIGNED double scale;
} mixed_parameters;

/* The derivatives for the parameters. */
typedef mixed_parameters mixed_gradients;

/* The constants that are loaded. The struct is aligned to 64 bytes; the bytes between tensors are 0. */
typedef struct mixed_constants_v8136e40d36931242 {
  TEL_ALIGNED bool mask[3];
  TEL_ALIGNED tel_float16 flat_[3];
} mixed_constants;

/* What calls carry from one to the next. The struct is aligned to 64 bytes; the bytes between tensors are 0. */
typedef struct mixed_state_v8136e40d36931242 {
  TEL_ALIGNED float average[2]; /* What has been seen. */
  TEL_ALIGNED int64_t copy_;
} mixed_state;

/* Sets all parameters to their initial values. The same seed gives the same bits. */
int32_t mixed_initialize(mixed_parameters* parameters, uint64_t seed, tel_error* error)
    __asm__("tel.initialize.mixed.8136e40d36931242");
/* Computes to = a * to + b * from, of parameters or gradients in the memory that the execution uses
   (null: that of the processor). A term whose factor is 0 is not read, and `from` may then be null. */
int32_t mixed_combine(mixed_parameters* to, double a, const mixed_parameters* from, double b,
    const tel_execution* execution, tel_error* error)
    __asm__("tel.combine.mixed.8136e40d36931242");
/* `mixed_freeze` copies matrices of the parameters into `frozen`, memory that is aligned to 64 bytes and has
   `mixed_frozen_size()` bytes, in the order in which kernels for processors read them. Calls that are given
   both are faster, and have the same results. The parameters must not change afterwards. If the size is 0,
   nothing is gained, and `frozen` may be null. */
size_t mixed_frozen_size(void)
    __asm__("tel.frozen_size.mixed.8136e40d36931242");
int32_t mixed_freeze(const mixed_parameters* parameters, void* frozen, tel_error* error)
    __asm__("tel.freeze.mixed.8136e40d36931242");
/* Sets the state to its initial value. The same seed gives the same bits. */
int32_t mixed_initialize_state(mixed_state* state, uint64_t seed, tel_error* error)
    __asm__("tel.initialize_state.mixed.8136e40d36931242");
/* Load and save a safetensors file. Saving replaces the whole file, or leaves it as it was. */
int32_t mixed_load(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.load.mixed.8136e40d36931242");
int32_t mixed_save(tel_file_arguments* arguments, tel_error* error)
    __asm__("tel.save.mixed.8136e40d36931242");

/* The entry points. They are thread-safe and allocate no memory. Inputs and outputs are row-major,
   without gaps. An output that is null is placed in the workspace: the call then sets its pointer and
   its extents. An input that is null is not set, which is an error: where it has no elements, give any
   other pointer. Each function returns a status, TEL_OK or an error, and writes the text of an error to
   `error` unless that is null. */

/* Computes y, rows and total. */
typedef struct mixed_forward_arguments_v8136e40d36931242 {
  size_t size; /* sizeof(mixed_forward_arguments) */
  const tel_float16* x; /* [2*N + 1 x 3]: An odd number of rows. */
  int64_t x_extents[2];
  tel_float16 bias;
  bool on;
  const int64_t* size_; /* [?] */
  int64_t size__extents[1];
  int64_t M; /* a dimension that no input gives */
  const mixed_parameters* parameters;
  const mixed_constants* constants;
  tel_float16* y; /* [2*N + 1 x 3] */
  int64_t y_extents[2];
  int32_t* rows; /* [M] */
  int64_t rows_extents[1];
  tel_bfloat16 total;
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
  const void* frozen; /* what mixed_freeze has made of the same parameters, or null */
} mixed_forward_arguments;

int32_t mixed_forward(mixed_forward_arguments* arguments, tel_error* error)
    __asm__("mixed.forward.8136e40d36931242");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t mixed_forward_prepare(mixed_forward_arguments* arguments, tel_error* error)
    __asm__("mixed.forward.prepare.8136e40d36931242");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t mixed_forward_wait(mixed_forward_arguments* arguments, tel_error* error)
    __asm__("mixed.forward.wait.8136e40d36931242");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t mixed_forward_workspace(int64_t N, int64_t size_0, int64_t M, const tel_options* options)
    __asm__("mixed.forward.workspace.8136e40d36931242");

/* Computes the derivatives for the parameters, and y. */
typedef struct mixed_gradient_arguments_v8136e40d36931242 {
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
  const tel_options* options; /* null: every option has its default */
} mixed_gradient_arguments;

int32_t mixed_gradient(mixed_gradient_arguments* arguments, tel_error* error)
    __asm__("mixed.gradient.8136e40d36931242");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t mixed_gradient_prepare(mixed_gradient_arguments* arguments, tel_error* error)
    __asm__("mixed.gradient.prepare.8136e40d36931242");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t mixed_gradient_wait(mixed_gradient_arguments* arguments, tel_error* error)
    __asm__("mixed.gradient.wait.8136e40d36931242");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t mixed_gradient_workspace(int64_t N, const tel_options* options)
    __asm__("mixed.gradient.workspace.8136e40d36931242");

/* Computes the derivatives for x, and L. */
typedef struct mixed_new__arguments_v8136e40d36931242 {
  size_t size; /* sizeof(mixed_new__arguments) */
  const double* x; /* [4] */
  double* gradient_x; /* [4] */
  double L;
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
} mixed_new__arguments;

int32_t mixed_new_(mixed_new__arguments* arguments, tel_error* error)
    __asm__("mixed.new.8136e40d36931242");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t mixed_new__prepare(mixed_new__arguments* arguments, tel_error* error)
    __asm__("mixed.new.prepare.8136e40d36931242");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t mixed_new__wait(mixed_new__arguments* arguments, tel_error* error)
    __asm__("mixed.new.wait.8136e40d36931242");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t mixed_new__workspace(const tel_options* options)
    __asm__("mixed.new.workspace.8136e40d36931242");

/* Computes before; updates the state. */
typedef struct mixed_count_arguments_v8136e40d36931242 {
  size_t size; /* sizeof(mixed_count_arguments) */
  const float* x; /* [2] */
  mixed_state* state; /* updated when the call succeeds */
  float* before; /* [2] */
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
} mixed_count_arguments;

int32_t mixed_count(mixed_count_arguments* arguments, tel_error* error)
    __asm__("mixed.count.8136e40d36931242");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t mixed_count_prepare(mixed_count_arguments* arguments, tel_error* error)
    __asm__("mixed.count.prepare.8136e40d36931242");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t mixed_count_wait(mixed_count_arguments* arguments, tel_error* error)
    __asm__("mixed.count.wait.8136e40d36931242");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t mixed_count_workspace(const tel_options* options)
    __asm__("mixed.count.workspace.8136e40d36931242");

/* Computes times. */
typedef struct mixed_counted_arguments_v8136e40d36931242 {
  size_t size; /* sizeof(mixed_counted_arguments) */
  const mixed_state* state;
  int64_t times;
  void* workspace; /* aligned to 64 bytes */
  size_t workspace_size;
  const tel_options* options; /* null: every option has its default */
} mixed_counted_arguments;

int32_t mixed_counted(mixed_counted_arguments* arguments, tel_error* error)
    __asm__("mixed.counted.8136e40d36931242");
/* Sets the extents of the outputs, and workspace_size to the bytes that the call needs. */
int32_t mixed_counted_prepare(mixed_counted_arguments* arguments, tel_error* error)
    __asm__("mixed.counted.prepare.8136e40d36931242");
/* Ends a call whose execution is `later`: waits for it, and sets the results that are scalars. */
int32_t mixed_counted_wait(mixed_counted_arguments* arguments, tel_error* error)
    __asm__("mixed.counted.wait.8136e40d36931242");
/* Returns the bytes of workspace for these dimensions, SIZE_MAX if they are too many. */
size_t mixed_counted_workspace(const tel_options* options)
    __asm__("mixed.counted.workspace.8136e40d36931242");

#ifdef __cplusplus
}  // extern "C"
#endif

