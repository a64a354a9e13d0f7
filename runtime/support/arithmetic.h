#pragma once

namespace runtime {

/// The default floating-point environment, for the lifetime of an object: arithmetic rounds to nearest, keeps
/// subnormal numbers and traps nothing, which LLVM takes for granted. The destructor restores the caller's
/// settings and flags. So an exception that a discarded value raises (a lane beyond the elements, a side not
/// taken) stops no program that traps exceptions, and results do not depend on the caller's settings.
class DefaultArithmetic {
 public:
  DefaultArithmetic() : callers_(__builtin_ia32_stmxcsr()) {
    if ((callers_ & ~flags) != initial) __builtin_ia32_ldmxcsr(initial);
  }
  // To read the register takes less time than to write it.
  ~DefaultArithmetic() {
    if (__builtin_ia32_stmxcsr() != callers_) __builtin_ia32_ldmxcsr(callers_);
  }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
  static constexpr unsigned initial = 0x1f80;  ///< the value of MXCSR when a process begins
  static constexpr unsigned flags = 0x3f;      ///< its bits that say which exceptions there were
  unsigned callers_;
};

}  // namespace runtime
