#include "dlvm/interpret/value.h"

#include <algorithm>

namespace dlvm {

struct RuntimeValue::Aggregate {
  std::vector<RuntimeValue> elements;
  std::int64_t enum_case = -1;
  std::int64_t bytes = 0;

  Aggregate(std::vector<RuntimeValue> all, std::int64_t at) : elements(std::move(all)), enum_case(at) {
    for (const RuntimeValue& element : elements) bytes = std::min(most_bytes, bytes + element.byte_count());
  }
  Aggregate(const Aggregate&) = delete;
  Aggregate& operator=(const Aggregate&) = delete;

  /// Takes apart what nothing else holds, level by level: a list in an enum may be longer than the stack of
  /// the machine is deep.
  ~Aggregate() {
    std::vector<std::shared_ptr<const Aggregate>> open;
    const auto take = [&](std::vector<RuntimeValue>& from) {
      for (RuntimeValue& element : from)
        if (element.aggregate_ != nullptr) open.push_back(std::move(element.aggregate_));
    };
    take(elements);
    while (!open.empty()) {
      const std::shared_ptr<const Aggregate> last = std::move(open.back());
      open.pop_back();
      if (last.use_count() == 1) take(const_cast<Aggregate&>(*last).elements);
    }
  }
};

RuntimeValue::RuntimeValue(std::vector<RuntimeValue> elements)
    : aggregate_(std::make_shared<const Aggregate>(std::move(elements), -1)) {}

RuntimeValue RuntimeValue::enumerator(std::int64_t enum_case, std::vector<RuntimeValue> payload) {
  RuntimeValue value;
  value.aggregate_ = std::make_shared<const Aggregate>(std::move(payload), enum_case);
  return value;
}

RuntimeValue RuntimeValue::pointer(std::shared_ptr<const MemoryPointer> pointer) {
  RuntimeValue value;
  value.pointer_ = std::move(pointer);
  return value;
}

RuntimeValue RuntimeValue::function(const Function* function) {
  RuntimeValue value;
  value.function_ = function;
  return value;
}

std::span<const RuntimeValue> RuntimeValue::elements() const {
  if (aggregate_ == nullptr) return {};
  return aggregate_->elements;
}

std::int64_t RuntimeValue::enum_case() const { return aggregate_ == nullptr ? -1 : aggregate_->enum_case; }

std::int64_t RuntimeValue::byte_count() const {
  if (tensor_ != nullptr) return static_cast<std::int64_t>(tensor_->byte_count());
  return aggregate_ == nullptr ? 0 : aggregate_->bytes;
}

}  // namespace dlvm
