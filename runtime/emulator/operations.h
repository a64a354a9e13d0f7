#pragma once

#include "runtime/abi.h"

/// What emulated kernels call (`codegen/emulator` puts these calls into them): the device operations of
/// `codegen/intrinsics/operations.h`, a function each, and what says which memory an instruction touches.
/// Only a thread of a grid that the emulator runs may call them; a call does not return where it finds a
/// fault, and may let other threads of the block run before it returns.
///
/// Operands and results are the operation's, i1 as bool; several results are written through a pointer that
/// follows the operands. What names the place in the program comes last.
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

/// Before an instruction touches `site->bytes` bytes of memory that other threads may reach.
void tel_emulator_access(const void* address, const runtime::Site* site);
/// Likewise, where `active`: one element of a masked, gathering or scattering instruction.
void tel_emulator_access_if(bool active, const void* address, const runtime::Site* site);
/// Likewise, for a number of bytes known when it runs.
void tel_emulator_access_bytes(const void* address, int64_t bytes, const runtime::Site* site);
/// Before an instruction touches `site->bytes` bytes of a variable or table of `size` bytes that no other
/// thread writes.
void tel_emulator_access_local(const void* address, const void* variable, int64_t size,
                               const runtime::Site* site);

}  // extern "C"
