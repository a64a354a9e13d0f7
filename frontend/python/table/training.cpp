// Names of training: derivatives, optimizers, the schedules of their rates, and the loop around them.
#include "frontend/python/table/table.h"

namespace frontend::python::table {
namespace {

constexpr std::string_view leave_scaler =
    "!leave it out: scaling dynamic, behind the optimizer, scales the loss: optimize with adam(rate: 0.001) "
    "scaling dynamic";
constexpr std::string_view leave_schedule =
    "!leave it out: the rate is an expression of the number of the step: optimize with adam(rate: 0.001 * "
    "cosine_decay(step, 1000))";

/// The row of an optimizer of another language, and the one of TEL that does the same.
constexpr Row optimizer(std::string_view names, std::string_view parameters, std::string_view call) {
  return {names,
          parameters,
          call,
          {},
          "the optimizer is declared, and makes the entry point step: optimize with "};
}

/// The row of a schedule, and the factor of the rate in TEL, with the bracket that closes the optimizer.
constexpr Row schedule(std::string_view names, std::string_view parameters, std::string_view factor) {
  return {names,
          parameters,
          factor,
          {},
          "the rate is an expression of the number of the step: optimize with adam(rate: 0.001 * "};
}

constexpr Row rows[]{
    {"backward", "x=scaler rest*", leave_scaler},
    {"backward", "x rest*",
     "!leave it out: what is declared a loss, L: loss = ..., is differentiated by the entry point gradient"},
    {"no_grad inference_mode enable_grad set_grad_enabled", "rest*",
     "!leave it out: the entry point forward computes no derivatives, only what a loss depends on has one, "
     "and none goes through stop_gradient(x)"},
    {"train eval", "x rest*",
     "!leave it out: training is true in the entry points gradient and step, and false in forward and "
     "evaluate"},
    {"zero_grad", "x rest*", "!leave it out: every call of gradient or step computes the derivatives anew"},
    {"scale unscale_ update", "x=scaler rest*", leave_scaler},
    {"clip_grad_norm_ clip_grad_norm", "params max_norm rest*",
     "!the optimizer clips: optimize with adam(rate: 0.001, clip: {max_norm})"},
    {"clip_grad_norm_ clip_grad_norm clip_grad_value_", "rest*",
     "!the optimizer clips by the norm of all derivatives: optimize with adam(rate: 0.001, clip: 1)"},

    // Objects with a method `step`
    {"step", "x=scheduler rest*", leave_schedule},
    {"step", "x=lr_scheduler rest*", leave_schedule},
    {"step", "x rest*",
     "!leave it out: optimize with adam(rate: 0.001) makes the entry point step, which the program that "
     "trains "
     "calls"},

    // Optimizers
    optimizer("SGD sgd", "params? lr momentum=0 | weight_decay? clip? rest*",
              "sgd(rate: {lr}<, decay: {weight_decay}><, clip: {clip}>)"),
    optimizer(
        "SGD sgd", "params? lr momentum | nesterov=true weight_decay? clip? rest*",
        "momentum(rate: {lr}, beta: {momentum}<, decay: {weight_decay}>, nesterov: true<, clip: {clip}>)"),
    optimizer("SGD sgd", "params? lr momentum | weight_decay? clip? rest*",
              "momentum(rate: {lr}, beta: {momentum}<, decay: {weight_decay}><, clip: {clip}>)"),
    optimizer("SGD sgd", "params? lr | weight_decay? clip? rest*",
              "sgd(rate: {lr}<, decay: {weight_decay}><, clip: {clip}>)"),
    optimizer("Adam adam", "params? lr betas? eps? weight_decay? | clip? rest*",
              "adam(rate: {lr}<, beta1: {=first_beta}, beta2: {=second_beta}><, epsilon: {eps}><, decay: "
              "{weight_decay}><, clip: {clip}>)"),
    optimizer("Adam adam", "params? betas? eps? weight_decay? | clip? rest*",
              "adam(rate: 0.001<, beta1: {=first_beta}, beta2: {=second_beta}><, epsilon: {eps}><, decay: "
              "{weight_decay}><, clip: {clip}>)"),
    optimizer("AdamW adamw", "params? lr betas? eps? weight_decay? | clip? rest*",
              "adamw(rate: {lr}<, beta1: {=first_beta}, beta2: {=second_beta}><, epsilon: {eps}><, decay: "
              "{weight_decay}><, clip: {clip}>)"),
    optimizer("AdamW adamw", "params? betas? eps? weight_decay? | clip? rest*",
              "adamw(rate: 0.001<, beta1: {=first_beta}, beta2: {=second_beta}><, epsilon: {eps}><, decay: "
              "{weight_decay}><, clip: {clip}>)"),
    optimizer(
        "RMSprop RMSProp rmsprop", "params? lr alpha? eps? weight_decay? | clip? rest*",
        "rmsprop(rate: {lr}<, alpha: {alpha}><, epsilon: {eps}><, decay: {weight_decay}><, clip: {clip}>)"),
    optimizer("Adagrad adagrad", "params? lr | weight_decay? eps? clip? rest*",
              "adagrad(rate: {lr}<, epsilon: {eps}><, decay: {weight_decay}><, clip: {clip}>)"),
    optimizer("Lion lion", "params? lr betas? weight_decay? | clip? rest*",
              "lion(rate: {lr}<, beta1: {=first_beta}, beta2: {=second_beta}><, decay: {weight_decay}><, "
              "clip: {clip}>)"),
    optimizer("Adam AdamW SGD RMSprop RMSProp Adagrad Lion NAdam RAdam Adamax Adadelta LBFGS adam adamw sgd "
              "rmsprop adagrad lion",
              "rest*", "adam(rate: 0.001), adamw, sgd, momentum, rmsprop, adagrad or lion"),

    // Schedules
    schedule("StepLR", "of every gamma? rest*", "step_decay(step, every: {every}<, factor: {gamma}>))"),
    schedule("CosineAnnealingLR", "of steps rest*", "cosine_decay(step, {steps}))"),
    schedule("StepLR CosineAnnealingLR LinearLR ExponentialLR LambdaLR MultiStepLR OneCycleLR "
             "ReduceLROnPlateau SequentialLR CyclicLR CosineAnnealingWarmRestarts",
             "rest*", "warmup(step, 100) * cosine_decay(step, 1000))"),
};

constexpr Constant methods_of_modules[]{
    {"parameters",
     "leave it out: an optimizer and the entry point gradient take every param, those of nets too"},
    {"train", "leave it out: training is true in the entry points gradient and step"},
    {"eval", "leave it out: training is false in the entry points forward and evaluate"},
    {"zero_grad", "leave it out: every call of gradient or step computes the derivatives anew"},
    {"state_dict", "the program that calls the network saves all of them: parameters.save(path)"},
    {"load_state_dict", "the program that calls the network loads all of them: Parameters::load(path)"},
};

}  // namespace

std::string_view advice_on_method(std::string_view method) {
  if (method.starts_with("named_")) method.remove_prefix(6);
  for (const Constant& each : methods_of_modules)
    if (each.name == method) return each.tel;
  return {};
}

std::span<const Row> training() { return rows; }

}  // namespace frontend::python::table
