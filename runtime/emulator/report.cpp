#include "runtime/emulator/report.h"

#include "runtime/emulator/schedule.h"

namespace runtime::emulator {

void append_place(Text& text, const char* before, const Site* site) {
  if (site && site->file) text << before << site->file << ':' << int64_t{site->line};
}

void begin_text(Text& text, const char* kernel, int64_t block, int64_t thread, const Site* site) {
  text << "emulator: " << kernel;
  if (block >= 0) text << ", block " << block;
  if (thread >= 0) text << ", thread " << thread;
  append_place(text, ", ", site);
  text << ": ";
}

namespace {

const char* kind_of(const Buffer& buffer) {
  if (buffer.kind == argument) return "argument ";
  if (buffer.kind == result) return "result ";
  if (buffer.kind == updated) return "state ";
  return buffer.kind == slot ? "slot " : "literal ";
}

}  // namespace

void append_name(Text& text, const Buffer* buffer) {
  if (!buffer) {
    text << "the argument buffer";
  } else if (buffer->name) {
    text << kind_of(*buffer) << '\'' << buffer->name << '\'';
  } else {
    text << kind_of(*buffer) << int64_t{buffer->number};
  }
}

Report::Report(Worker& worker, int64_t thread, const Site* site)
    : worker_(worker), text_(worker.text, sizeof worker.text) {
  begin_text(text_, worker.grid->kernel->name, worker.block, thread, site);
}

Report& Report::place(const char* before, const Site* site) {
  append_place(text_, before, site);
  return *this;
}

Report& Report::thread(int64_t number, const Site* site) {
  text_ << "thread " << number;
  if (site && site->file) append_place(text_, ", ", site), text_ << ',';
  return *this;
}

Report& Report::access(int32_t kind, uint64_t bytes) {
  text_ << (kind == access_read ? "reads " : "writes ") << static_cast<int64_t>(bytes)
        << (bytes == 1 ? " byte" : " bytes");
  return *this;
}

Report& Report::name(const Buffer* buffer) {
  append_name(text_, buffer);
  return *this;
}

void Report::leave() { leave_block(worker_); }

}  // namespace runtime::emulator
