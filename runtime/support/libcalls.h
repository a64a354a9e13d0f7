#pragma once

#include <stdint.h>

/// The functions of libm and libgcc that LLVM's code generator calls if the processor has no instruction for
/// an operation. They are part of the runtime so that an object needs neither library. All round to nearest,
/// raise no exceptions of the floating-point environment on purpose, and give the results of IEEE 754.
///
/// In the runtime of an object their symbols have no prefix; in a program that also links libm they have one.
#ifdef TEL_RUNTIME_OF_OBJECT
#define TEL_LIBCALL(name) __asm__(name)
#else
#define TEL_LIBCALL(name)
#endif

extern "C" {

double tel_libcall_floor(double x) TEL_LIBCALL("floor");
double tel_libcall_ceil(double x) TEL_LIBCALL("ceil");
double tel_libcall_trunc(double x) TEL_LIBCALL("trunc");
double tel_libcall_rint(double x) TEL_LIBCALL("rint");
double tel_libcall_nearbyint(double x) TEL_LIBCALL("nearbyint");
double tel_libcall_round(double x) TEL_LIBCALL("round");
double tel_libcall_roundeven(double x) TEL_LIBCALL("roundeven");
double tel_libcall_fmod(double x, double y) TEL_LIBCALL("fmod");
double tel_libcall_fma(double x, double y, double z) TEL_LIBCALL("fma");

float tel_libcall_floorf(float x) TEL_LIBCALL("floorf");
float tel_libcall_ceilf(float x) TEL_LIBCALL("ceilf");
float tel_libcall_truncf(float x) TEL_LIBCALL("truncf");
float tel_libcall_rintf(float x) TEL_LIBCALL("rintf");
float tel_libcall_nearbyintf(float x) TEL_LIBCALL("nearbyintf");
float tel_libcall_roundf(float x) TEL_LIBCALL("roundf");
float tel_libcall_roundevenf(float x) TEL_LIBCALL("roundevenf");
float tel_libcall_fmodf(float x, float y) TEL_LIBCALL("fmodf");
float tel_libcall_fmaf(float x, float y, float z) TEL_LIBCALL("fmaf");

#ifdef __clang__
float tel_libcall___extendhfsf2(_Float16 x) TEL_LIBCALL("__extendhfsf2");
_Float16 tel_libcall___truncsfhf2(float x) TEL_LIBCALL("__truncsfhf2");
_Float16 tel_libcall___truncdfhf2(double x) TEL_LIBCALL("__truncdfhf2");
__bf16 tel_libcall___truncsfbf2(float x) TEL_LIBCALL("__truncsfbf2");
__bf16 tel_libcall___truncdfbf2(double x) TEL_LIBCALL("__truncdfbf2");
#endif

}  // extern "C"
