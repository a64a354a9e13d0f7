/* What all headers of telc share. */
#ifndef TEL_C_V1
#define TEL_C_V1

#ifdef __cplusplus
#define TEL_ALIGNED alignas(64)
#define TEL_INLINE inline
extern "C" {
#else
#define TEL_ALIGNED _Alignas(64)
#define TEL_INLINE static inline
#endif

/* What went wrong: a status, and a text that ends in NUL. */
typedef struct tel_error {
  int32_t code;
  char text[512];
} tel_error;

enum {
  TEL_OK = 0,
  TEL_INVALID_ARGUMENT = 1, /* a null or misaligned pointer, a struct's size, an unknown option */
  TEL_EXTENT = 2,           /* an extent that does not fit */
  TEL_INDEX = 3,            /* a label or an index outside its range */
  TEL_WORKSPACE = 4,        /* the workspace is too small or misaligned */
  TEL_MEMORY = 5,           /* no memory */
  TEL_FILE = 6,             /* a file cannot be opened, read or written */
  TEL_FORMAT = 7,           /* the file is not a safetensors file */
  TEL_TENSORS = 8,          /* tensors of the file are missing, unknown, or of another type or shape */
  TEL_DEVICE = 9            /* no driver, no such device, no code for it, or it failed */
};

/* The bits of 16-bit floats. */
typedef struct tel_float16 {
  uint16_t bits;
} tel_float16;
typedef struct tel_bfloat16 {
  uint16_t bits;
} tel_bfloat16;

/* Where a call's work is done. An object that was not compiled for a device gives TEL_DEVICE. */
enum {
  TEL_SERIAL = 0,  /* on the calling thread */
  TEL_CUDA = 1,    /* on an NVIDIA GPU */
  TEL_EMULATOR = 2 /* the code for GPUs, run and checked by the processor */
};
typedef struct tel_execution {
  size_t size; /* sizeof(tel_execution) */
  int32_t kind;
  int32_t device; /* TEL_CUDA: its number */
  void* stream;   /* TEL_CUDA: a CUstream; null: the default stream. It is waited for, unless */
  uint64_t order; /* TEL_EMULATOR: 0 runs blocks and threads in order, else a seed that shuffles them */
  int32_t later;  /* TEL_CUDA: 1 returns when all is in the stream; the entry point's …_wait ends a call */
} tel_execution;

/* Options of a call. Zeros are the defaults. */
typedef struct tel_options {
  size_t size;                    /* sizeof(tel_options) */
  const tel_execution* execution; /* null: what the environment's TEL_DEVICE says, else serial */
  uint64_t seed;                  /* of random numbers */
  int32_t accumulate;             /* 1: derivatives are added to the gradients */
} tel_options;

/* What a load did with a tensor. */
enum {
  TEL_LOADED = 0,
  TEL_KEPT = 1,       /* it is not in the file, and is as it was */
  TEL_PASSED_OVER = 2 /* it is in the file alone, or in what is not loaded */
};

/* A safetensors file. */
typedef struct tel_file_arguments {
  size_t size; /* sizeof(tel_file_arguments) */
  const char* path;
  void* parameters; /* null: not loaded or saved */
  void* constants;  /* likewise */
  int32_t partial;  /* loading: 1 keeps what the file does not have, and passes over what is unknown */
  /* Loading: called with each tensor's name when all is read; null: not called. */
  void (*report)(void* context, int32_t what, const char* name);
  void* context;
} tel_file_arguments;

/* A GPU of this machine. */
typedef struct tel_device {
  size_t size; /* sizeof(tel_device) */
  int32_t number;
  int32_t architecture; /* 90 for sm_90 */
  uint64_t memory;      /* in bytes */
  char name[128];
} tel_device;

/* What the functions below call; null where no object of the program was compiled for GPUs. */
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

/* How many GPUs there are; of each what it is. */
TEL_INLINE int32_t tel_count_devices(int32_t* count, tel_error* error) {
  *count = 0;
  return &tel_cuda_table ? tel_cuda_table.count(count, error) : tel_no_gpus(error);
}
TEL_INLINE int32_t tel_describe_device(int32_t number, tel_device* device, tel_error* error) {
  return &tel_cuda_table ? tel_cuda_table.describe(number, device, error) : tel_no_gpus(error);
}

/* Memory where calls with an execution have theirs: a GPU's for TEL_CUDA, the processor's for others (null,
   too). It is aligned to 64 bytes. Memory of a GPU is for calls and these functions alone: a program that
   reads it ends. Copies go between any two of the processor's and the GPU's memory. They and zeros are put
   into the execution's stream, and waited for unless it is `later`. */
TEL_INLINE int32_t tel_allocate(const tel_execution* execution, size_t bytes, void** memory,
                                tel_error* error) {
  *memory = NULL;
  if (tel_on_gpu(execution))
    return &tel_cuda_table ? tel_cuda_table.allocate(execution, bytes, memory, error) : tel_no_gpus(error);
  if (bytes < SIZE_MAX - 64) *memory = aligned_alloc(64, (bytes / 64 + 1) * 64);
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
/* Until all in the execution's stream is done. */
TEL_INLINE int32_t tel_wait(const tel_execution* execution, tel_error* error) {
  if (tel_on_gpu(execution))
    return &tel_cuda_table ? tel_cuda_table.wait(execution, error) : tel_no_gpus(error);
  return tel_done(error);
}

#ifdef __cplusplus
}
#endif
#endif /* TEL_C_V1 */
