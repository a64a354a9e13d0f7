/* What the headers of all networks share. */
#ifndef TEL_C_V1
#define TEL_C_V1

#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#define TEL_INLINE inline
extern "C" {
#else
#define TEL_INLINE static inline
#endif

/* What went wrong. The text ends in NUL. */
struct tel_error {
  int32_t code; /* one of those below */
  char text[512];
};

/* The status of a call. */
enum {
  TEL_OK = 0,
  TEL_INVALID_ARGUMENT = 1, /* a null or misaligned pointer, a wrong size of a struct, an unknown option */
  TEL_EXTENT = 2,           /* an extent does not fit the network or the other tensors */
  TEL_INDEX = 3,            /* a label or an index is outside its range */
  TEL_WORKSPACE = 4,        /* the workspace is too small or misaligned */
  TEL_MEMORY = 5,           /* there is not enough memory */
  TEL_FILE = 6,             /* a file cannot be opened, read or written */
  TEL_FORMAT = 7,           /* the file is not a safetensors file */
  TEL_TENSORS = 8,          /* tensors of the file are missing, unknown, or of another type or shape */
  TEL_DEVICE = 9            /* no driver, no such device, no code for it or for this processor; or the device failed */
};

/* The options of a call. Zero is the default of each but `size`. */
struct tel_options {
  size_t size;                    /* sizeof(tel_options) */
  const tel_execution* execution; /* null: the environment variable TEL_DEVICE decides; if unset, TEL_SERIAL */
  uint64_t seed;                  /* the seed of the random numbers */
  int32_t accumulate;             /* 1: the derivatives are added to the gradients instead of replacing them */
};

/* The outcome of a load for one tensor. */
enum {
  TEL_LOADED = 0,     /* it was read from the file */
  TEL_KEPT = 1,       /* the file lacks it, and it keeps its value */
  TEL_PASSED_OVER = 2 /* it is in the file, but not in what is loaded */
};

/* A safetensors file to load or to save. */
struct tel_file_arguments {
  size_t size; /* sizeof(tel_file_arguments) */
  const char* path;
  void* parameters; /* null: the parameters are neither loaded nor saved */
  void* constants;  /* null: the constants are neither loaded nor saved */
  void* state;      /* null: the state is neither loaded nor saved */
  int32_t partial;  /* loading: 1 keeps the values of tensors that the file lacks, and ignores tensors that the
                       network does not have; 0 makes both an error */
  /* loading: called with the name of each tensor after all are read; null: not called */
  void (*report)(void* context, int32_t what, const char* name);
  void* context; /* the first argument of `report` */
};

/* A GPU of this machine. */
typedef struct tel_device {
  size_t size; /* sizeof(tel_device) */
  int32_t number;       /* what tel_execution.device takes */
  int32_t architecture; /* 90 for sm_90 */
  uint64_t memory;      /* in bytes */
  char name[128];
} tel_device;

/* The functions of the GPU runtime, which the functions below call. The table exists where an object of the
   program was compiled for GPUs; its address is null in other programs. */
typedef struct tel_cuda_functions {
  size_t size;
  int32_t (*count)(int32_t* count, tel_error* error);
  int32_t (*describe)(int32_t number, tel_device* device, tel_error* error);
  int32_t (*allocate)(const tel_execution* execution, size_t bytes, void** memory, tel_error* error);
  int32_t (*free)(const tel_execution* execution, void* memory, tel_error* error);
  int32_t (*copy)(const tel_execution* execution, void* to, const void* from, size_t bytes, tel_error* error);
  int32_t (*clear)(const tel_execution* execution, void* memory, size_t bytes, tel_error* error);
  int32_t (*wait)(const tel_execution* execution, tel_error* error);
} tel_cuda_functions;
extern const tel_cuda_functions tel_cuda_table __asm__("tel.cuda.functions.1") __attribute__((weak));

TEL_INLINE int32_t tel_done(tel_error* error) {
  if (error) error->code = TEL_OK, error->text[0] = 0;
  return TEL_OK;
}
TEL_INLINE int32_t tel_no_gpus(tel_error* error) {
  if (error) error->code = TEL_DEVICE, strcpy(error->text, "no object of this program was compiled for GPUs");
  return TEL_DEVICE;
}
TEL_INLINE int32_t tel_on_gpu(const tel_execution* execution) {
  return execution && execution->kind == TEL_CUDA;
}

/* Count the GPUs of this machine, and describe one of them. */
TEL_INLINE int32_t tel_count_devices(int32_t* count, tel_error* error) {
  *count = 0;
  return &tel_cuda_table ? tel_cuda_table.count(count, error) : tel_no_gpus(error);
}
TEL_INLINE int32_t tel_describe_device(int32_t number, tel_device* device, tel_error* error) {
  return &tel_cuda_table ? tel_cuda_table.describe(number, device, error) : tel_no_gpus(error);
}

#ifdef __linux__
/* `madvise`, without its header, whose macros would take names from networks. */
int tel_advise(void* memory, size_t bytes, int advice) __asm__("madvise");
#endif
/* Asks Linux for pages of 2 MiB where the memory has several MiB, and returns it. Products of large matrices read
   so many small pages at once that the processor would wait for their addresses. */
TEL_INLINE void* tel_with_large_pages(void* memory, size_t bytes) {
#ifdef __linux__
  const uintptr_t page = 65536; /* the largest of the small pages that processors have */
  const uintptr_t least = 4 << 20;
  const int large_pages = 14; /* MADV_HUGEPAGE */
  if (memory && bytes >= least) {
    const uintptr_t first = ((uintptr_t)memory + page - 1) / page * page;
    (void)tel_advise((void*)first, ((uintptr_t)memory + bytes - first) / page * page, large_pages);
  }
#else
  (void)bytes;
#endif
  return memory;
}

/* The functions below take an execution, and work on the memory that calls with this execution use: that of the
   GPU for TEL_CUDA, otherwise (for null, too) that of the processor.

   tel_allocate gives memory that is aligned to 64 bytes. Only calls and these functions may access the memory
   of a GPU; reading or writing it directly crashes the program. tel_copy copies between any two places, each in
   the memory of the processor or of a GPU. On a GPU, copying and clearing are put into the stream of the
   execution; the functions wait for them unless `later` is set. */
TEL_INLINE int32_t tel_allocate(const tel_execution* execution, size_t bytes, void** memory,
                                tel_error* error) {
  *memory = NULL;
  if (tel_on_gpu(execution))
    return &tel_cuda_table ? tel_cuda_table.allocate(execution, bytes, memory, error) : tel_no_gpus(error);
  if (bytes < SIZE_MAX - 64) *memory = tel_with_large_pages(aligned_alloc(64, (bytes / 64 + 1) * 64), bytes);
  if (*memory) return tel_done(error);
  if (error) error->code = TEL_MEMORY, strcpy(error->text, "no memory");
  return TEL_MEMORY;
}
TEL_INLINE int32_t tel_free(const tel_execution* execution, void* memory, tel_error* error) {
  if (tel_on_gpu(execution))
    return &tel_cuda_table ? tel_cuda_table.free(execution, memory, error) : tel_no_gpus(error);
  free(memory);
  return tel_done(error);
}
TEL_INLINE int32_t tel_copy(const tel_execution* execution, void* to, const void* from, size_t bytes,
                            tel_error* error) {
  if (tel_on_gpu(execution))
    return &tel_cuda_table ? tel_cuda_table.copy(execution, to, from, bytes, error) : tel_no_gpus(error);
  if (bytes > 0) memcpy(to, from, bytes);
  return tel_done(error);
}
TEL_INLINE int32_t tel_clear(const tel_execution* execution, void* memory, size_t bytes, tel_error* error) {
  if (tel_on_gpu(execution))
    return &tel_cuda_table ? tel_cuda_table.clear(execution, memory, bytes, error) : tel_no_gpus(error);
  if (bytes > 0) memset(memory, 0, bytes);
  return tel_done(error);
}
/* Waits until everything in the stream of the execution is done. */
TEL_INLINE int32_t tel_wait(const tel_execution* execution, tel_error* error) {
  if (tel_on_gpu(execution))
    return &tel_cuda_table ? tel_cuda_table.wait(execution, error) : tel_no_gpus(error);
  return tel_done(error);
}

#ifdef __cplusplus
}
#endif
#endif /* TEL_C_V1 */
