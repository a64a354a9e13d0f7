#include "codegen/jit/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "codegen/interface/arguments.h"
#include "dlvm/support/memory.h"
#include "runtime/abi.h"

namespace codegen::jit {
using interface::ArgumentMember;
using interface::Arguments;
using interface::arguments_of;
using interface::Entry;
using interface::Input;
using interface::Interface;
using interface::Store;
using interface::StoredTensor;
using interface::Tensor;

namespace {

using Member = ArgumentMember::Kind;

void free_buffer(std::byte* memory) { std::free(memory); }

/// A view of the argument struct: members by kind and index.
class Struct {
 public:
  Struct(std::byte* memory, const Arguments& arguments) : memory_(memory), arguments_(arguments) {}

  template <typename T>
  void set(Member kind, std::size_t index, T value) {
    if (std::byte* at = find(kind, index)) std::memcpy(at, &value, sizeof(T));
  }
  template <typename T>
  T get(Member kind, std::size_t index = 0) const {
    T value{};
    if (const std::byte* at = find(kind, index)) std::memcpy(&value, at, sizeof(T));
    return value;
  }
  std::byte* find(Member kind, std::size_t index) const {
    const ArgumentMember* member = arguments_.find(kind, index);
    return member == nullptr ? nullptr : memory_ + member->offset;
  }

 private:
  std::byte* memory_;
  const Arguments& arguments_;
};

const StoredTensor* stored(const Store& store, const std::string& name) {
  const auto at =
      std::ranges::find_if(store.tensors, [&](const StoredTensor& s) { return s.tensor.name == name; });
  return at == store.tensors.end() ? nullptr : &*at;
}

std::optional<std::size_t> input_of(const Entry& entry, const dlvm::EntryPoint::Argument& argument) {
  const auto role =
      argument.role == dlvm::ArgumentRole::cotangent ? Input::Role::cotangent : Input::Role::input;
  for (std::size_t i = 0; i < entry.inputs.size(); ++i)
    if (entry.inputs[i].role == role && entry.inputs[i].tensor.name == argument.name) return i;
  return std::nullopt;
}

std::optional<std::size_t> output_of(const Entry& entry, const dlvm::EntryPoint::Result& result) {
  for (std::size_t i = 0; i < entry.outputs.size(); ++i)
    if (entry.outputs[i].tensor.name == result.name &&
        entry.outputs[i].in_gradient == (result.role == dlvm::ResultRole::derivative))
      return i;
  return std::nullopt;
}

std::int64_t bytes_of(dlvm::ElementType type, const std::vector<std::int64_t>& extents) {
  std::int64_t bytes = dlvm::info(type).bytes;
  for (const auto extent : extents) bytes *= extent;
  return bytes;
}

}  // namespace

std::byte* LoadedCall::buffer(std::int64_t bytes, std::optional<int> fill) {
  const auto size = static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1));
  bytes_ += size;
  if (bytes < 0 || bytes_ < size || bytes_ > dlvm::physical_memory() / 4 * 3) return nullptr;
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, size) != 0) return nullptr;
  if (fill) std::memset(memory, *fill, size);
  buffers_.emplace_back(static_cast<std::byte*>(memory), &free_buffer);
  return buffers_.back().get();
}

bool LoadedCall::upload(DeviceMemory* memory) {
  memory_ = memory;
  if (memory == nullptr) return true;
  for (Copied& copied : copied_) {
    if (copied.device) continue;
    copied.device = {memory->allocate(copied.bytes), [memory](std::byte* at) { memory->free(at); }};
    std::byte* const device = copied.device.get();
    if (device == nullptr || !memory->upload(device, copied.host, copied.bytes)) return false;
    std::memcpy(arguments_.data() + copied.offset, &device, sizeof(std::byte*));
  }
  return true;
}

bool LoadedCall::restore_stores() {
  return std::ranges::all_of(given_, [&](const Given& given) {
    std::ranges::copy(given.bytes, given.store);
    return std::ranges::all_of(copied_, [&](const Copied& copied) {
      return copied.host != given.store || !copied.device ||
             memory_->upload(copied.device.get(), copied.host, copied.bytes);
    });
  });
}

bool LoadedCall::run(std::string& why) {
  if (!restore_stores()) {
    why = "the state and the parameters cannot be copied to the device";
    return false;
  }
  tel_error error{};
  if (compute_(arguments_.data(), &error) != TEL_OK) {
    why = error.text;
    return false;
  }
  for (const Copied& copied : copied_)
    if (copied.device && !memory_->download(copied.host, copied.device.get(), copied.bytes)) {
      why = "the results cannot be copied from the device";
      return false;
    }
  return true;
}

dlvm::NamedTensors LoadedCall::results() const {
  dlvm::NamedTensors all;
  for (const Result& result : results_) {
    dlvm::Tensor tensor(result.type, result.extents);
    if (tensor.byte_count() > 0) std::memcpy(tensor.data(), result.data, tensor.byte_count());
    all.push_back({result.name, std::move(tensor)});
  }
  return all;
}

LoadedObject::LoadedObject(std::unique_ptr<Symbols> symbols, Interface interface)
    : symbols_(std::move(symbols)), interface_(std::move(interface)) {}

LoadedCall::Function LoadedObject::find(const std::string& symbol, std::string& why) {
  return reinterpret_cast<LoadedCall::Function>(symbols_->find(symbol, why));
}

/// Fills the argument struct of one entry.
class CallMaker {
 public:
  CallMaker(const Interface& interface, const Entry& entry, LoadedCall& call)
      : interface_(interface),
        entry_(entry),
        call_(call),
        layout_(arguments_of(entry)),
        arguments_((call.arguments_.assign(static_cast<std::size_t>(layout_.size), std::byte{0}),
                    call.arguments_.data()),
                   layout_) {}

  /// False where there is no memory.
  bool set_stores() {
    // What is between tensors is 0 in parameters and constants, and becomes so in gradients.
    parameters_ = memory(Member::parameters, 0, interface_.parameters.size, 0);
    constants_ = memory(Member::constants, 0, interface_.constants.size, 0);
    state_ = memory(Member::state, 0, interface_.state.size, 0);
    gradients_ = memory(Member::gradients, 0, interface_.parameters.size, call_.unused_);
    options_ = reinterpret_cast<tel_options*>(call_.buffer(sizeof(tel_options), 0));
    if (!parameters_ || !constants_ || !state_ || !gradients_ || !options_) return false;
    options_->size = sizeof(tel_options);
    arguments_.set(Member::size, 0, static_cast<std::size_t>(layout_.size));
    arguments_.set(Member::options, 0, options_);
    return true;
  }

  /// Returns memory of that size for what the module freezes, with which the call computes, or null if there
  /// is none.
  std::byte* set_frozen(std::int64_t size) {
    std::byte* frozen = call_.buffer(size, 0xFF);
    if (frozen != nullptr) arguments_.set(Member::frozen, 0, frozen);
    return frozen;
  }
  const std::byte* parameters() const { return parameters_; }

  /// False where there is no memory.
  bool set_target(const CallTarget& target) {
    if (target.kind == CallTarget::Kind::processor && target.threads == 0) return true;
    auto* execution = reinterpret_cast<tel_execution*>(call_.buffer(sizeof(tel_execution), 0));
    if (execution == nullptr) return false;
    execution->size = sizeof(tel_execution);
    using Kind = CallTarget::Kind;
    static_assert(int{TEL_SERIAL} == int(Kind::processor) && int{TEL_CUDA} == int(Kind::gpu) &&
                  int{TEL_EMULATOR} == int(Kind::emulator));
    execution->kind = target.threads > 0 ? std::int32_t{TEL_THREADS} : static_cast<std::int32_t>(target.kind);
    execution->threads = target.threads;
    execution->device = target.device;
    execution->order = target.emulator_order_seed;
    options_->execution = execution;
    return true;
  }

  bool set_argument(const dlvm::EntryPoint::Argument& argument, const dlvm::Tensor& tensor) {
    using enum dlvm::ArgumentRole;
    switch (argument.role) {
      case seed:
        options_->seed = static_cast<std::uint64_t>(tensor.integer(0));
        return true;
      case parameter:
        return set_stored(interface_.parameters, parameters_, argument.name, tensor);
      case constant:
        return set_stored(interface_.constants, constants_, argument.name, tensor);
      case state:
        return set_stored(interface_.state, state_, argument.name, tensor);
      case input:
      case cotangent:
        return set_input(argument, tensor);
    }
    return true;
  }

  /// Has each run begin with the state, and the parameters, that the arguments have set.
  void keep_stores() {
    call_.given_.push_back({state_, {state_, state_ + interface_.state.size}});
    if (entry_.updates_parameters())
      call_.given_.push_back({parameters_, {parameters_, parameters_ + interface_.parameters.size}});
  }

  /// The names of those that `dimensions` lacks, in quotes; empty where it has all.
  std::string set_dimensions(const dlvm::Extent::Bindings& dimensions) {
    std::string missing;
    for (std::size_t i = 0; i < entry_.inputs.size(); ++i) {
      if (entry_.inputs[i].role != Input::Role::dimension) continue;
      const std::string& name = entry_.inputs[i].tensor.name;
      if (const auto at = dimensions.find(name); at != dimensions.end())
        arguments_.set(Member::dimension, i, at->second);
      else
        missing += (missing.empty() ? "'" : ", '") + name + "'";
    }
    return missing;
  }

  /// After `_prepare` has said how large it is.
  bool set_workspace() {
    const auto size = arguments_.get<std::size_t>(Member::workspace_size);
    return memory(Member::workspace, 0, static_cast<std::int64_t>(size), call_.unused_) != nullptr;
  }

  /// Gives a result memory of its own; after `_prepare` has set the extents.
  bool add_result(const dlvm::EntryPoint::Result& result) {
    LoadedCall::Result out{dlvm::file_name(result), dlvm::ElementType::f32, {}, nullptr};
    if (result.role == dlvm::ResultRole::next) {
      const StoredTensor* trained = stored(interface_.parameters, result.name);
      const StoredTensor* place = trained != nullptr ? trained : stored(interface_.state, result.name);
      out.type = place->tensor.type;
      out.extents = extents_of(place->tensor, nullptr);
      out.data = (trained != nullptr ? parameters_ : state_) + place->offset;
    } else if (const auto index = output_of(entry_, result)) {
      const Tensor& declared = entry_.outputs[*index].tensor;
      out.type = declared.type;
      out.extents = extents_of(declared, arguments_.find(Member::output_extents, *index));
      if (declared.extents.empty()) {
        out.data = arguments_.find(Member::output, *index);
      } else {
        out.data = memory(Member::output, *index, bytes_of(out.type, out.extents), call_.unused_);
      }
    } else if (const StoredTensor* place = stored(interface_.parameters, result.name)) {
      out.type = place->tensor.type;
      out.extents = extents_of(place->tensor, nullptr);
      out.data = gradients_ + place->offset;
    }
    call_.results_.push_back(std::move(out));
    return call_.results_.back().data != nullptr;
  }

 private:
  /// Memory for what a member points to; null where there is none.
  std::byte* memory(Member kind, std::size_t index, std::int64_t bytes, std::optional<int> fill) {
    std::byte* made = call_.buffer(bytes, fill);
    const ArgumentMember* member = layout_.find(kind, index);
    if (made == nullptr || member == nullptr) return made;
    arguments_.set(kind, index, made);
    call_.copied_.push_back(
        {member->offset, made, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)), {}});
    return made;
  }

  bool set_stored(const Store& store, std::byte* memory, const std::string& name,
                  const dlvm::Tensor& tensor) {
    const StoredTensor* place = stored(store, name);
    if (place != nullptr) std::memcpy(memory + place->offset, tensor.data(), tensor.byte_count());
    return place != nullptr;
  }

  bool set_input(const dlvm::EntryPoint::Argument& argument, const dlvm::Tensor& tensor) {
    const auto index = input_of(entry_, argument);
    if (!index) return true;  // nothing of the entry depends on it
    if (entry_.inputs[*index].tensor.extents.empty()) {
      std::memcpy(arguments_.find(Member::input, *index), tensor.data(), tensor.byte_count());
      return true;
    }
    std::byte* data = memory(Member::input, *index, static_cast<std::int64_t>(tensor.byte_count()), 0);
    if (data == nullptr) return false;
    std::memcpy(data, tensor.data(), tensor.byte_count());
    if (std::byte* extents = arguments_.find(Member::input_extents, *index))
      std::memcpy(extents, tensor.extents().data(), 8 * tensor.extents().size());
    return true;
  }

  /// Those that the call has set, else the constant ones of the type.
  static std::vector<std::int64_t> extents_of(const Tensor& tensor, const std::byte* set) {
    std::vector<std::int64_t> extents(tensor.extents.size());
    if (set != nullptr)
      std::memcpy(extents.data(), set, 8 * extents.size());
    else
      std::ranges::transform(tensor.extents, extents.begin(),
                             [](const auto& e) { return e.constant().value_or(0); });
    return extents;
  }

  const Interface& interface_;
  const Entry& entry_;
  LoadedCall& call_;
  Arguments layout_;
  Struct arguments_;
  std::byte *parameters_ = nullptr, *constants_ = nullptr, *state_ = nullptr, *gradients_ = nullptr;
  tel_options* options_ = nullptr;
};

std::optional<LoadedCall> LoadedObject::prepare(const dlvm::EntryPoint& point, const dlvm::EntryCall& call,
                                                std::string& why, const CallTarget& target) {
  const auto fail = [&](std::string text) {
    why = std::move(text);
    return std::nullopt;
  };
  const auto entry =
      std::ranges::find_if(interface_.entries, [&](const Entry& e) { return e.name == point.name; });
  if (entry == interface_.entries.end())
    return fail(fmt::format("the object has no entry point '{}'", point.name));
  const interface::SymbolNames names(interface_);
  LoadedCall loaded;
  if (!target.fill) loaded.unused_.reset();
  loaded.compute_ = find(names.of(*entry), why);
  const auto prepare = find(names.of(*entry, "prepare"), why);
  if (prepare == nullptr || loaded.compute_ == nullptr) return std::nullopt;

  CallMaker maker(interface_, *entry, loaded);
  bool good = maker.set_stores() && maker.set_target(target);
  for (std::size_t i = 0; i < point.arguments.size() && good; ++i)
    good = maker.set_argument(point.arguments[i], call.arguments[i].tensor());
  if (!good || !loaded.upload(target.memory)) return fail("not enough memory");
  maker.keep_stores();
  if (const auto missing = maker.set_dimensions(call.dimensions); !missing.empty())
    return fail(fmt::format("no input gives the dimension {}; give it with -D", missing));
  tel_error error{};
  if (target.frozen && entry->frozen && target.kind == CallTarget::Kind::processor) {
    const auto freeze = reinterpret_cast<std::int32_t (*)(const void*, void*, void*)>(
        symbols_->find(names.of("freeze"), why));
    const auto size = reinterpret_cast<std::int64_t (*)()>(symbols_->find(names.of("frozen_size"), why));
    if (freeze == nullptr || size == nullptr) return std::nullopt;
    std::byte* frozen = maker.set_frozen(size());
    if (frozen == nullptr) return fail("not enough memory");
    if (freeze(maker.parameters(), frozen, &error) != TEL_OK) return fail(error.text);
  }
  if (prepare(loaded.arguments_.data(), &error) != TEL_OK) return fail(error.text);
  good = maker.set_workspace();
  for (const auto& result : point.results) good = good && maker.add_result(result);
  if (!good || !loaded.upload(target.memory)) return fail("not enough memory");
  return loaded;
}

}  // namespace codegen::jit
