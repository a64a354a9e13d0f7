#include "codegen/target/gpu/tables.h"

#include <llvm/Support/MemoryBufferRef.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "codegen/object/constants.h"
#include "codegen/target/gpu/pack.h"
#include "runtime/abi.h"

namespace codegen::target::gpu {
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
  Tables(llvm::Module& host, const std::vector<ProgramTables>& all) : host_(host), write_(host), all_(all) {
    for (const ProgramTables& one : all) code_.push_back(code(one));
  }

  llvm::Constant* devices(const std::string& entry) {
    Constants programs;
    bool cuda = false, emulator = false;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      programs.push_back(program(all_[i], code_[i], all_[i].entries.at(entry)));
      cuda = cuda || !all_[i].images.empty();
      emulator = emulator || !all_[i].emulated.empty();
    }
    const auto function = [&](bool is_there, const char* name) {
      return is_there ? call_function(host_, name) : write_.null();
    };
    return write_.global(write_.structure(
        {write_.i64(static_cast<std::int64_t>(programs.size())), write_.array(programs),
         function(cuda, "tel_cuda_call"), function(emulator, "tel_emulator_call"),
         function(cuda, "tel_cuda_workspace"), function(cuda || emulator, "tel_choose_device"),
         function(cuda, "tel_cuda_wait"), function(cuda, "tel_cuda_combine")}));
  }

 private:
  /// Kernels and images.
  llvm::Constant* code(const ProgramTables& from) {
    Constants all, images;
    for (std::size_t i = 0; i < from.kernels->all.size(); ++i) {
      const Kernel& kernel = from.kernels->all[i];
      llvm::Constant* emulated = from.emulated.empty() ? write_.null() : from.emulated[i];
      all.push_back(
          write_.structure({write_.text(kernel.name), write_.i32(static_cast<std::int64_t>(kernel.arguments)),
                            write_.i32(kernel.threads), write_.i64(kernel.shared), emulated}));
    }
    for (const Image& image : from.images) images.push_back(this->image(image, *from.kernels));
    return write_.global(
        write_.structure({write_.i64(static_cast<std::int64_t>(all.size())),
                          write_.i64(static_cast<std::int64_t>(images.size())), write_.array(all),
                          write_.array(images), write_.i64(from.toolkit)}));
  }

  llvm::Constant* image(const Image& image, const Kernels& kernels) {
    const Constants last{write_.null(), write_.i64(0), write_.null()};
    if (!image.beside) return part(image, image.bytes, last);
    Constants numbers;
    for (std::size_t i = 0; i < kernels.all.size(); ++i)
      if (image.beside->kernels.contains(kernels.all[i].name))
        numbers.push_back(write_.i32(static_cast<std::int64_t>(i)));
    llvm::Constant* beside = write_.global(part(image, image.beside->bytes, last));
    const auto count = static_cast<std::int64_t>(numbers.size());
    return part(image, image.bytes, {beside, write_.i64(count), write_.array(numbers)});
  }

  /// One part of the image; `beside` are the members that describe the next.
  llvm::Constant* part(const Image& image, const std::string& code, const Constants& beside) {
    // PTX is a text that ends in NUL.
    const std::string_view whole(code.c_str(), code.size() + (image.is_ptx ? 1 : 0));
    const std::string packed = pack(whole);
    const bool is_packed = packed.size() < whole.size();
    Constants members = {write_.i32(image.is_ptx ? runtime::image_ptx : runtime::image_cubin),
                         write_.i32(image.architecture.number),
                         write_.i32(image.architecture.specific),
                         bytes(host_, write_, is_packed ? std::string_view(packed) : whole, 64),
                         write_.i64(static_cast<std::int64_t>(whole.size())),
                         write_.i64(is_packed ? static_cast<std::int64_t>(packed.size()) : 0)};
    members.insert(members.end(), beside.begin(), beside.end());
    return write_.structure(members);
  }

  llvm::Constant* program(const ProgramTables& tables, llvm::Constant* code, const EntryProgram& program) {
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
    return write_.structure({write_.i32(tables.architecture), code, program.enqueue,
                             write_.i64(static_cast<std::int64_t>(slots.size())),
                             write_.i64(static_cast<std::int64_t>(data.size())), write_.array(slots),
                             write_.array(data)});
  }

  llvm::Module& host_;
  ConstantWriter write_;
  const std::vector<ProgramTables>& all_;
  Constants code_;  ///< of each
};

}  // namespace

std::map<std::string, llvm::Constant*> add_tables(llvm::Module& host,
                                                  const std::vector<ProgramTables>& tables) {
  Tables write(host, tables);
  std::map<std::string, llvm::Constant*> result;
  for (const auto& [name, program] : tables.front().entries) result[name] = write.devices(name);
  return result;
}

void add_contents(llvm::Module& host, const Contents& contents) {
  llvm::embedBufferInModule(host, llvm::MemoryBufferRef(write(contents), "contents"), contents_section);
}

}  // namespace codegen::target::gpu
