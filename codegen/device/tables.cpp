#include "codegen/device/tables.h"

#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "codegen/object/constants.h"
#include "runtime/abi.h"

namespace codegen::device {
namespace {

llvm::Constant* bytes(llvm::Module& host, ConstantWriter& write, llvm::StringRef data, unsigned alignment) {
  auto* made = write.global(llvm::ConstantDataArray::getString(host.getContext(), data, false));
  llvm::cast<llvm::GlobalVariable>(made)->setAlignment(llvm::Align(alignment));
  return made;
}

/// A function of the runtime.
llvm::Constant* call_function(llvm::Module& host, const char* name) {
  llvm::LLVMContext& context = host.getContext();
  auto* type =
      llvm::FunctionType::get(llvm::Type::getInt32Ty(context), {llvm::PointerType::get(context, 0)}, false);
  return llvm::cast<llvm::Constant>(host.getOrInsertFunction(name, type).getCallee());
}

class Tables {
 public:
  Tables(llvm::Module& host, const Kernels& kernels, const Targets& targets)
      : host_(host), write_(host), targets_(targets) {
    Constants all, images;
    for (std::size_t i = 0; i < kernels.all.size(); ++i) {
      const Kernel& kernel = kernels.all[i];
      llvm::Constant* emulated = targets.emulated.empty() ? write_.null() : targets.emulated[i];
      all.push_back(
          write_.structure({write_.text(kernel.name), write_.i32(static_cast<std::int64_t>(kernel.arguments)),
                            write_.i32(kernel.threads), write_.i64(kernel.shared), emulated}));
    }
    for (const Image& image : targets.images) images.push_back(this->image(image));
    code_ = write_.global(write_.structure({write_.i64(static_cast<std::int64_t>(all.size())),
                                            write_.i64(static_cast<std::int64_t>(images.size())),
                                            write_.array(all), write_.array(images)}));
  }

  llvm::Constant* devices(const EntryProgram& program) {
    llvm::Constant* programs = write_.array({this->program(program)});
    const auto function = [&](bool is_there, const char* name) {
      return is_there ? call_function(host_, name) : write_.null();
    };
    const bool cuda = !targets_.images.empty(), emulator = !targets_.emulated.empty();
    return write_.global(write_.structure(
        {write_.i64(1), programs, function(cuda, "tel_cuda_call"), function(emulator, "tel_emulator_call"),
         function(cuda, "tel_cuda_workspace"), function(cuda || emulator, "tel_choose_device"),
         function(cuda, "tel_cuda_wait"), function(cuda, "tel_cuda_combine")}));
  }

 private:
  llvm::Constant* image(const Image& image) {
    // PTX is a text that ends in NUL.
    const llvm::StringRef data(image.bytes.data(), image.bytes.size() + (image.is_ptx ? 1 : 0));
    return write_.structure({write_.i32(image.is_ptx ? runtime::image_ptx : runtime::image_cubin),
                             write_.i32(image.architecture.number), write_.i32(image.architecture.specific),
                             bytes(host_, write_, data, 64),
                             write_.i64(static_cast<std::int64_t>(data.size()))});
  }

  llvm::Constant* program(const EntryProgram& program) {
    Constants slots, data;
    for (const auto& slot : program.scheduled->slots) {
      Constants sizes;
      for (const auto& size : slot) sizes.push_back(write_.extent(size, program.dimensions));
      slots.push_back(
          write_.structure({write_.i64(static_cast<std::int64_t>(sizes.size())), write_.array(sizes)}));
    }
    for (const dlvm::Tensor* literal : literals(program.scheduled->program)) {
      const llvm::StringRef value(reinterpret_cast<const char*>(literal->data()), literal->byte_count());
      data.push_back(write_.structure(
          {bytes(host_, write_, value, 64), write_.i64(static_cast<std::int64_t>(value.size()))}));
    }
    return write_.structure({write_.i32(targets_.architecture), code_, program.enqueue,
                             write_.i64(static_cast<std::int64_t>(slots.size())),
                             write_.i64(static_cast<std::int64_t>(data.size())), write_.array(slots),
                             write_.array(data)});
  }

  llvm::Module& host_;
  ConstantWriter write_;
  const Targets& targets_;
  llvm::Constant* code_ = nullptr;
};

}  // namespace

std::map<std::string, llvm::Constant*> add_tables(llvm::Module& host, const Kernels& kernels,
                                                  const std::map<std::string, EntryProgram>& programs,
                                                  const Targets& targets) {
  Tables tables(host, kernels, targets);
  std::map<std::string, llvm::Constant*> result;
  for (const auto& [name, program] : programs) result[name] = tables.devices(program);
  return result;
}

void add_contents(llvm::Module& host, const Contents& contents) {
  llvm::embedBufferInModule(host, llvm::MemoryBufferRef(write(contents), "contents"), contents_section);
}

}  // namespace codegen::device
