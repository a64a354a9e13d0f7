#pragma once

/// Declares, inside of the struct T, that it is default-constructible, copyable and movable as if by default;
/// `DEFINE_VALUE_SEMANTICS(T)`, in one source file, defines it. The types of the two IRs hold vectors of
/// variants of vectors: were their special members implicit, every file that touches a kernel or a schedule
/// would compile all of them, which is half of such a file's time.
#define DECLARE_VALUE_SEMANTICS(T) \
  T();                             \
  T(const T&);                     \
  T(T&&) noexcept;                 \
  T& operator=(const T&);          \
  T& operator=(T&&) noexcept;      \
  ~T();

#define DEFINE_VALUE_SEMANTICS(T)          \
  T::T() = default;                        \
  T::T(const T&) = default;                \
  T::T(T&&) noexcept = default;            \
  T& T::operator=(const T&) = default;     \
  T& T::operator=(T&&) noexcept = default; \
  T::~T() = default;
