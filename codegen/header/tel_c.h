/* What all headers of telc share. */
#ifndef TEL_C_V1
#define TEL_C_V1

#ifdef __cplusplus
#define TEL_ALIGNED alignas(64)
extern "C" {
#else
#define TEL_ALIGNED _Alignas(64)
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
  void* stream;   /* TEL_CUDA: a CUstream; null: the default stream. It is waited for */
  uint64_t order; /* TEL_EMULATOR: 0 runs blocks and threads in order, else a seed that shuffles them */
} tel_execution;

/* Options of a call. Zeros are the defaults. */
typedef struct tel_options {
  size_t size;                    /* sizeof(tel_options) */
  const tel_execution* execution; /* null: what the environment's TEL_DEVICE says, else serial */
  uint64_t seed;                  /* of random numbers */
  int32_t accumulate;             /* 1: derivatives are added to the gradients */
} tel_options;

/* A safetensors file. */
typedef struct tel_file_arguments {
  size_t size; /* sizeof(tel_file_arguments) */
  const char* path;
  void* parameters; /* null: not loaded or saved */
  void* constants;  /* likewise */
  int32_t partial;  /* loading: 1 leaves what the file does not have, and passes over what is unknown */
} tel_file_arguments;

#ifdef __cplusplus
}
#endif
#endif /* TEL_C_V1 */
