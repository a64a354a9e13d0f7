#pragma once

#include "runtime/emulator/state.h"

namespace runtime::emulator {

/// Writes the fault of a thread: `emulator: KERNEL, block 3, thread 37, FILE:LINE: `, followed by the
/// caller's text. The fault ends the block.
class Report {
 public:
  Report(Worker& worker, int64_t thread, const Site* site);

  Report& operator<<(const char* text) { return text_ << text, *this; }
  Report& operator<<(char c) { return text_ << c, *this; }
  Report& operator<<(int32_t value) { return *this << int64_t{value}; }
  Report& operator<<(int64_t value) { return text_ << value, *this; }
  /// Appends `before` and `FILE:LINE`, or nothing if the place is not known.
  Report& place(const char* before, const Site* site);
  /// Appends `thread 5, FILE:LINE,`.
  Report& thread(int64_t number, const Site* site);
  /// Appends `reads 4 bytes`.
  Report& access(int32_t kind, uint64_t bytes);

  /// Appends the buffer's name as `append_name` does.
  Report& name(const Buffer* buffer);

  [[noreturn]] void leave();

 private:
  Worker& worker_;
  Text text_;
};

/// Begins a text of the emulator about a place in a grid; `block` and `thread` are -1 if there is none.
void begin_text(Text& text, const char* kernel, int64_t block, int64_t thread, const Site* site);
void append_place(Text& text, const char* before, const Site* site);

/// Appends the buffer's name, `argument 'x'` or `slot 2`; null is the argument buffer.
void append_name(Text& text, const Buffer* buffer);

}  // namespace runtime::emulator
