#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// The fault of a thread: `emulator: KERNEL, block 3, thread 37, FILE:LINE: ` and what the caller adds. The
/// block ends with it.
class Report {
 public:
  Report(Worker& worker, int64_t thread, const Site* site);

  Report& operator<<(const char* text) { return text_ << text, *this; }
  Report& operator<<(char c) { return text_ << c, *this; }
  Report& operator<<(int32_t value) { return *this << int64_t{value}; }
  Report& operator<<(int64_t value) { return text_ << value, *this; }
  /// `FILE:LINE` behind `before`, or nothing where it is not known.
  Report& place(const char* before, const Site* site);
  /// `thread 5, FILE:LINE,`.
  Report& thread(int64_t number, const Site* site);
  /// `reads 4 bytes`.
  Report& access(int32_t kind, uint64_t bytes);

  /// As `append_name` has it.
  Report& name(const Buffer* buffer);

  [[noreturn]] void leave();

 private:
  Worker& worker_;
  Text text_;
};

/// Begins a text of the emulator: of a place in a grid, `block` and `thread` -1 where there is none.
void begin_text(Text& text, const char* kernel, int64_t block, int64_t thread, const Site* site);
void append_place(Text& text, const char* before, const Site* site);

/// `argument 'x'`, `slot 2`, `the block of words`.
void append_name(Text& text, const Buffer* buffer);

}  // namespace runtime::emulator
