#pragma once

#include "runtime/abi.h"

/// The functions that emulated kernels call; `codegen/target/emulator` inserts the calls. There is one for
/// each device operation of `codegen/intrinsics/operations.h`, and several that announce which memory an
/// instruction accesses. Only a thread of a grid that the emulator runs may call them. A call that finds a
/// fault does not return, and any call may let other threads of the block run before it returns.
///
/// Operands and results are the operation's, with i1 as bool. Several results are written through a pointer
/// that follows the operands. The last parameter names the site in the program.
extern "C" {

int32_t tel_device_thread();
int32_t tel_device_block();
void* tel_device_shared();

void tel_device_barrier(int32_t id, int32_t threads, const runtime::Site* site);
void tel_device_warp_barrier(const runtime::Site* site);
int32_t tel_device_shuffle(int32_t value, int32_t lane, const runtime::Site* site);
int32_t tel_device_shuffle_xor(int32_t value, int32_t mask, const runtime::Site* site);
bool tel_device_any(bool value, const runtime::Site* site);
int32_t tel_device_ballot(bool value, const runtime::Site* site);

void tel_device_copy_async_4(void* shared, const void* global, int32_t bytes, const runtime::Site* site);
void tel_device_copy_async_8(void* shared, const void* global, int32_t bytes, const runtime::Site* site);
void tel_device_copy_async_16(void* shared, const void* global, int32_t bytes, const runtime::Site* site);
void tel_device_copy_commit(const runtime::Site* site);
void tel_device_copy_wait(int32_t groups, const runtime::Site* site);

int32_t tel_device_load_matrix(const void* row, const runtime::Site* site);
void tel_device_load_matrix_2(const void* row, int32_t* results, const runtime::Site* site);
void tel_device_load_matrix_4(const void* row, int32_t* results, const runtime::Site* site);
int32_t tel_device_load_matrix_transposed(const void* row, const runtime::Site* site);
void tel_device_load_matrix_transposed_2(const void* row, int32_t* results, const runtime::Site* site);
void tel_device_load_matrix_transposed_4(const void* row, int32_t* results, const runtime::Site* site);

void tel_device_multiply_f16(int32_t a0, int32_t a1, int32_t a2, int32_t a3, int32_t b0, int32_t b1, float c0,
                             float c1, float c2, float c3, float* results, const runtime::Site* site);
void tel_device_multiply_bf16(int32_t a0, int32_t a1, int32_t a2, int32_t a3, int32_t b0, int32_t b1,
                              float c0, float c1, float c2, float c3, float* results,
                              const runtime::Site* site);
void tel_device_multiply_tf32(int32_t a0, int32_t a1, int32_t a2, int32_t a3, int32_t b0, int32_t b1,
                              float c0, float c1, float c2, float c3, float* results,
                              const runtime::Site* site);

/// Announces an access to `site->bytes` bytes of memory that other threads may reach. It comes before the
/// instruction.
void tel_emulator_access(const void* address, const runtime::Site* site);
/// Announces one element of a masked, gathering or scattering instruction if `active`.
void tel_emulator_access_if(bool active, const void* address, const runtime::Site* site);
/// Announces an access to a number of bytes that is known only at run time.
void tel_emulator_access_bytes(const void* address, int64_t bytes, const runtime::Site* site);
/// Announces an access to `site->bytes` bytes of a variable or table of `size` bytes that no other thread
/// writes.
void tel_emulator_access_local(const void* address, const void* variable, int64_t size,
                               const runtime::Site* site);

}  // extern "C"
