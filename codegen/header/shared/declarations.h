#include <stddef.h>
#include <stdint.h>
#ifndef __cplusplus
#include <stdbool.h>
#endif

/* The types that the network's interface is written with. All headers of telc share them; those that are only
   named here are defined behind the network. */
#ifndef TEL_DECLARATIONS_C_V1
#define TEL_DECLARATIONS_C_V1

#ifdef __cplusplus
#define TEL_ALIGNED alignas(64)
extern "C" {
#else
#define TEL_ALIGNED _Alignas(64)
#endif

typedef struct tel_error tel_error;                   /* what went wrong: a status and a text */
typedef struct tel_options tel_options;               /* the options of a call */
typedef struct tel_file_arguments tel_file_arguments; /* a file to load or to save */

/* The bits of 16-bit floats. */
typedef struct tel_float16 {
  uint16_t bits;
} tel_float16;
typedef struct tel_bfloat16 {
  uint16_t bits;
} tel_bfloat16;

/* Where a call computes. If the object was not compiled for that device, the call returns TEL_DEVICE. */
enum {
  TEL_SERIAL = 0,  /* on the calling thread */
  TEL_CUDA = 1,    /* on an NVIDIA GPU */
  TEL_EMULATOR = 2, /* on the processor, which runs and checks the code for GPUs */
  TEL_THREADS = 3,  /* on the calling thread and those of a pool, which all networks of a program share */
  TEL_PARALLEL_FOR = 4 /* on the threads on which your function runs the parts */
};
typedef struct tel_execution {
  size_t size;    /* sizeof(tel_execution) */
  int32_t kind;   /* one of those above */
  int32_t device; /* TEL_CUDA: the number of the GPU */
  void* stream;   /* TEL_CUDA: a CUstream, or null for the default stream */
  uint64_t order; /* TEL_EMULATOR: 0 runs blocks and threads in order; another number shuffles them by this seed */
  int32_t later;  /* TEL_CUDA: 0 waits for the stream before the call returns; 1 returns at once, and the entry
                     point's …_wait ends the call */
  int32_t threads; /* TEL_THREADS, TEL_PARALLEL_FOR: how many threads compute, up to 256; 0 for TEL_THREADS: as many
                      as the environment variable TEL_THREADS says, or else as there are processors */
  /* TEL_PARALLEL_FOR: calls body(data, i) once for each 0 <= i < count <= threads, on any threads, and returns when
     all calls have returned. */
  void (*parallel_for)(void* user, int64_t count, void (*body)(void* data, int64_t i), void* data);
  void* user; /* what parallel_for gets */
} tel_execution;

#ifdef __cplusplus
}
#endif
#endif /* TEL_DECLARATIONS_C_V1 */
