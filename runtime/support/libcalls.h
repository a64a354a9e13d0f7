#pragma once

#include <stdint.h>

/// What LLVM's code generator calls where the processor has no instruction for it: functions of libm and
/// libgcc, so that an object needs neither. `codegen/object` takes the prefix away and keeps what may be
/// called. All round to nearest, raise no exceptions of the floating-point environment on purpose, and give
/// the results of IEEE 754.
extern "C" {

double tel_libcall_floor(double x);
double tel_libcall_ceil(double x);
double tel_libcall_trunc(double x);
double tel_libcall_rint(double x);
double tel_libcall_nearbyint(double x);
double tel_libcall_round(double x);
double tel_libcall_roundeven(double x);
double tel_libcall_fmod(double x, double y);
double tel_libcall_fma(double x, double y, double z);

float tel_libcall_floorf(float x);
float tel_libcall_ceilf(float x);
float tel_libcall_truncf(float x);
float tel_libcall_rintf(float x);
float tel_libcall_nearbyintf(float x);
float tel_libcall_roundf(float x);
float tel_libcall_roundevenf(float x);
float tel_libcall_fmodf(float x, float y);
float tel_libcall_fmaf(float x, float y, float z);

#ifdef __clang__
float tel_libcall___extendhfsf2(_Float16 x);
_Float16 tel_libcall___truncsfhf2(float x);
_Float16 tel_libcall___truncdfhf2(double x);
__bf16 tel_libcall___truncsfbf2(float x);
__bf16 tel_libcall___truncdfbf2(double x);
#endif

}  // extern "C"
