// Names of training: derivatives, optimizers, the schedules of their rates, and the loop around them.
#include "frontend/python/table/table.h"

namespace frontend::python::table {
namespace {

constexpr Row rows[]{
    {"backward", "x=scaler rest*",
     "!leave it out: scaling dynamic, behind the optimizer, scales the loss: optimize with adam(rate: 0.001) "
     "scaling dynamic"},
    {"backward", "x rest*",
     "!leave it out: what is declared a loss, L: loss = ..., is differentiated by the entry point gradient"},
    {"no_grad inference_mode enable_grad set_grad_enabled", "rest*",
     "!leave it out: the entry point forward computes no derivatives, only what a loss depends on has one, "
     "and none goes through stop_gradient(x)"},
    {"train eval", "x rest*",
     "!leave it out: training is true in the entry points gradient and step, and false in forward and "
     "evaluate"},
    {"zero_grad", "x rest*", "!leave it out: every call of gradient or step computes the derivatives anew"},
    {"scale unscale_ update", "x=scaler rest*",
     "!leave it out: scaling dynamic, behind the optimizer, scales the loss: optimize with adam(rate: 0.001) "
     "scaling dynamic"},
    {"clip_grad_norm_ clip_grad_norm", "params max_norm rest*",
     "!the optimizer clips: optimize with adam(rate: 0.001, clip: {max_norm})"},
    {"clip_grad_norm_ clip_grad_norm clip_grad_value_", "rest*",
     "!the optimizer clips by the norm of all derivatives: optimize with adam(rate: 0.001, clip: 1)"},

    // Objects with a method `step`
    {"step", "x=scheduler rest*",
     "!leave it out: the rate is an expression of the number of the step: optimize with adam(rate: 0.001 * "
     "cosine_decay(step, 1000))"},
    {"step", "x=lr_scheduler rest*",
     "!leave it out: the rate is an expression of the number of the step: optimize with adam(rate: 0.001 * "
     "cosine_decay(step, 1000))"},
    {"step", "x rest*",
     "!leave it out: optimize with adam(rate: 0.001) makes the entry point step, which the program that "
     "trains "
     "calls"},

    // Optimizers
    {"SGD sgd", "params? lr momentum=0 | weight_decay? rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with sgd(rate: {lr}<, decay: "
     "{weight_decay}>)"},
    {"SGD sgd", "params? lr momentum | nesterov=true weight_decay? rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with momentum(rate: {lr}, beta: "
     "{momentum}<, decay: {weight_decay}>, nesterov: true)"},
    {"SGD sgd", "params? lr momentum | weight_decay? rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with momentum(rate: {lr}, beta: "
     "{momentum}<, decay: {weight_decay}>)"},
    {"SGD sgd", "params? lr | weight_decay? rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with sgd(rate: {lr}<, decay: "
     "{weight_decay}>)"},
    {"Adam adam", "params? lr betas? eps? weight_decay? | rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with adam(rate: {lr}<, beta1: "
     "{=first_beta}, beta2: {=second_beta}><, epsilon: {eps}><, decay: {weight_decay}>)"},
    {"Adam adam", "params? betas? eps? weight_decay? | rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with adam(rate: 0.001<, beta1: "
     "{=first_beta}, beta2: {=second_beta}><, epsilon: {eps}><, decay: {weight_decay}>)"},
    {"AdamW adamw", "params? lr betas? eps? weight_decay? | rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with adamw(rate: {lr}<, beta1: "
     "{=first_beta}, beta2: {=second_beta}><, epsilon: {eps}><, decay: {weight_decay}>)"},
    {"AdamW adamw", "params? betas? eps? weight_decay? | rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with adamw(rate: 0.001<, beta1: "
     "{=first_beta}, beta2: {=second_beta}><, epsilon: {eps}><, decay: {weight_decay}>)"},
    {"RMSprop RMSProp rmsprop", "params? lr alpha? eps? weight_decay? | rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with rmsprop(rate: {lr}<, alpha: "
     "{alpha}><, epsilon: {eps}><, decay: {weight_decay}>)"},
    {"Adagrad adagrad", "params? lr | weight_decay? eps? rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with adagrad(rate: {lr}<, "
     "epsilon: "
     "{eps}><, decay: {weight_decay}>)"},
    {"Lion lion", "params? lr betas? weight_decay? | rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with lion(rate: {lr}<, beta1: "
     "{=first_beta}, beta2: {=second_beta}><, decay: {weight_decay}>)"},
    {"Adam AdamW SGD RMSprop RMSProp Adagrad Lion NAdam RAdam Adamax Adadelta LBFGS adam adamw sgd rmsprop "
     "adagrad lion",
     "rest*",
     "!the optimizer is declared, and makes the entry point step: optimize with adam(rate: 0.001), adamw, "
     "sgd, momentum, rmsprop, adagrad or lion"},

    // Schedules
    {"StepLR", "of every gamma? rest*",
     "!the rate is an expression of the number of the step: optimize with adam(rate: 0.001 * "
     "step_decay(step, "
     "every: {every}<, factor: {gamma}>))"},
    {"CosineAnnealingLR", "of steps rest*",
     "!the rate is an expression of the number of the step: optimize with adam(rate: 0.001 * "
     "cosine_decay(step, {steps}))"},
    {"StepLR CosineAnnealingLR LinearLR ExponentialLR LambdaLR MultiStepLR OneCycleLR ReduceLROnPlateau "
     "SequentialLR CyclicLR CosineAnnealingWarmRestarts",
     "rest*",
     "!the rate is an expression of the number of the step: optimize with adam(rate: 0.001 * warmup(step, "
     "100) * cosine_decay(step, 1000))"},
};

}  // namespace

std::span<const Row> training() { return rows; }

}  // namespace frontend::python::table
