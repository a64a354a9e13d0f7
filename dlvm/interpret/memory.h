#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "dlvm/interpret/interpret.h"

namespace dlvm {

/// The contents of an allocation, a box or a variable of the module.
struct MemoryObject {
  enum class Kind : std::uint8_t { stack, heap, box, global };
  Kind kind = Kind::stack;
  std::vector<RuntimeValue> values;
  std::int64_t references = 1;  ///< to a box
  bool ended = false;           ///< its values are gone
  std::int64_t bytes = 0;       ///< of its values when it was made
};

/// One of an object's values, or the component of it at the path. A box is its object at its first value.
struct MemoryPointer {
  std::shared_ptr<MemoryObject> object;
  std::vector<std::int64_t> path;
  std::int64_t first = 0;  ///< the value's position in the object
};

/// The memory of one run: what it has allocated, and the variables that it has used. It ends with the run.
class Memory {
 public:
  explicit Memory(std::int64_t byte_limit) : byte_limit_(byte_limit) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  /// Makes an object with `count` values that are `initial`; nothing, and the reason in `error`, where it is
  /// too large.
  std::shared_ptr<MemoryObject> allocate(MemoryObject::Kind kind, const RuntimeValue& initial,
                                         std::int64_t count, InterpretError& error);
  /// Returns the variable's object, or null before its first use.
  std::shared_ptr<MemoryObject> global(const Global& variable) const;
  void add_global(const Global& variable, std::shared_ptr<MemoryObject> object);
  void end(MemoryObject& object);

  /// The objects on the stack of the calls at hand; a call ends with those that it has made.
  std::size_t stack_size() const { return stack_.size(); }
  void end_stack(std::size_t from);

  std::int64_t bytes() const { return bytes_; }

 private:
  std::int64_t byte_limit_;
  std::int64_t bytes_ = 0;
  std::vector<std::shared_ptr<MemoryObject>> objects_;
  std::vector<std::shared_ptr<MemoryObject>> stack_;
  std::unordered_map<const Global*, std::shared_ptr<MemoryObject>> globals_;
};

}  // namespace dlvm
