// The mistakes with convolutions and pooling: TEL-E0384 to TEL-E0387.
#pragma once

#include "dlvm/support/diagnostic.h"

namespace frontend::check {

inline constexpr dlvm::DiagnosticKind window_operand{
    "TEL-E0384", dlvm::Severity::error, "'{function}': {what is wrong with its operands}",
    "Convolution and pooling take a batch of channels over one to three axes: [N x C x W], [N x C x H x W] "
    "or [N x C x D x H x W]. The kernel of `convolve` has a filter and a channel axis first, "
    "[F x C/groups x KH x KW], that of `transposed_convolve` a channel and a filter axis, "
    "[C x F/groups x KH x KW]."};
inline constexpr dlvm::DiagnosticKind convolution_channels{
    "TEL-E0385", dlvm::Severity::error,
    "'{function}' of {type} with the kernel {other type}: {extents that differ}",
    "Each filter sees the channels of one group: the channels of the input are those of the kernel times the "
    "number of groups. The groups divide the filters."};
inline constexpr dlvm::DiagnosticKind window_setting{
    "TEL-E0386", dlvm::Severity::error, "'{function}': {what is wrong with a stride, a window or a padding}",
    "A window, a stride, a padding and a dilation are a number, which holds for each axis behind the "
    "channels, "
    "or a list with a number for each of them. A padding may also be a list of pairs, before and after: "
    "[1, 2; 0, 0]. Windows, strides, dilations and groups are constants of at least 1."};
inline constexpr dlvm::DiagnosticKind window_too_large{
    "TEL-E0387", dlvm::Severity::error, "'{function}' of {type}: {window that is too large}",
    "The input with its padding must be at least as long as the window, or the kernel with its dilation, on "
    "each axis."};

}  // namespace frontend::check
