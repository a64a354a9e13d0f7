// The programs with which the language began are accepted as they are, and train.
#include <doctest/doctest.h>

#include "dlvm/call/random_inputs.h"
#include "dlvm/pipeline.h"
#include "frontend/frontend.h"
#include "tests/frontend/support.h"

namespace {

using dlvm::Tensor;

/// A program and one call of its gradient, which takes a cotangent for each out.
class Training {
 public:
  explicit Training(const std::string& name) {
    const auto path = std::filesystem::path(TEST_FOLDER).parent_path() / "language" / (name + ".tel");
    dlvm::Diagnostics diagnostics;
    module_ = frontend::compile(*sources_.add(name, read_file(path)), sources_, {}, diagnostics);
    REQUIRE_MESSAGE(module_ != nullptr, dlvm::render(diagnostics));
    REQUIRE(dlvm::optimize(*module_, diagnostics));
    std::string why;
    entry_ = dlvm::find_entry(*module_, "gradient", why);
    REQUIRE_MESSAGE(entry_ != nullptr, why);
    dlvm::Draw draw(1);
    auto call = dlvm::random_call(*module_, *entry_, {}, 3, {0, 1}, draw, why, 0);
    REQUIRE_MESSAGE(call.has_value(), why);
    call_ = std::move(*call);
    for (const dlvm::RuntimeValue& each : call_.arguments) tensors_.push_back(each.tensor());
  }

  /// Goes a step down the slope of the squares of the outs' distances from a target, and returns their sum.
  /// The derivatives are those at the outs of the step before.
  double step(double rate) {
    call_.arguments.assign(tensors_.begin(), tensors_.end());
    dlvm::InterpretError error;
    const auto results = dlvm::interpret_entry(*module_, *entry_, call_, {}, error);
    REQUIRE_MESSAGE(results.has_value(), error.text);
    double loss = 0;
    for (const dlvm::NamedTensor& each : *results) {
      const bool derivative = each.name.starts_with("gradient.");
      Tensor& changed = argument(derivative ? each.name.substr(9) : "cotangent." + each.name);
      for (std::size_t i = 0; i < changed.size(); ++i) {
        const double distance = each.tensor.real(i) - target(i, changed.size());
        if (!derivative) loss += distance * distance;
        changed.set(i, derivative ? changed.real(i) - rate * each.tensor.real(i) : distance);
      }
    }
    return loss;
  }

 private:
  /// The elements of the target sum to 1, as a softmax does.
  static double target(std::size_t i, std::size_t size) {
    constexpr double first = 0.7;
    return i == 0 ? first : (1 - first) / static_cast<double>(size - 1);
  }

  Tensor& argument(const std::string& name) {
    for (std::size_t i = 0; i < entry_->arguments.size(); ++i)
      if (dlvm::file_name(entry_->arguments[i]) == name) return tensors_[i];
    FAIL(name);
    return tensors_.front();
  }

  dlvm::Sources sources_;
  std::unique_ptr<dlvm::Module> module_;
  const dlvm::EntryPoint* entry_ = nullptr;
  dlvm::EntryCall call_;
  std::vector<Tensor> tensors_;  ///< the arguments of the next call
};

}  // namespace

TEST_CASE("the first programs of the language train") {
  struct Program {
    const char* name;
    double rate;
  };
  for (const Program& each :
       {Program{"first_feed_forward", 0.5}, {"first_digits", 0.001}, {"recurrent_first", 0.5}}) {
    CAPTURE(each.name);
    Training training(each.name);
    training.step(0);  // gives the outs, and with them the cotangents
    const double before = training.step(0);
    constexpr int steps = 60;
    double after = before;
    for (int i = 0; i < steps; ++i) after = training.step(each.rate);
    CHECK(after < before / 10);
  }
}
