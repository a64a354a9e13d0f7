"""Convolutions, their transposes, and pooling, over one to three axes."""
import torch.nn.functional as F

from library import program

SPACES = {1: (11,), 2: (7, 6), 3: (4, 5, 4)}
SMALL = {1: (5,), 2: (4, 3), 3: (2, 3, 2)}
CHANNELS = 4
CONVOLVE = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}
MAX = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
AVERAGE = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}


def picture(p, axes, space=None, value=None):
    space = space or SPACES[axes]
    value = p.draw(2, CHANNELS, *space) if value is None else value
    return p.input("x", f"[N x {' x '.join(map(str, (CHANNELS, *space)))}]", value)


def convolutions(p, axes):
    x = picture(p, axes)
    for i in range(10):
        kernel, dilation = p.random.choice([(1, 1), (2, 1), (3, 1), (2, 2), (2, 3), (4, 1)])
        stride, padding, groups = p.random.randint(1, 3), p.random.randint(0, 2), p.random.choice([1, 1, 2, 4])
        filters = groups * p.random.randint(1, 2)
        w = p.net(f"c{i}", f"Conv{axes}d({CHANNELS}, {filters}, {kernel}, stride: {stride}, padding: {padding}, "
                           f"dilation: {dilation}, groups: {groups})",
                  W=(filters, CHANNELS // groups, *[kernel] * axes), b=(filters,))
        p.output(f"y{i}", f"c{i}(x)", CONVOLVE[axes](x, w["W"], w["b"], stride, padding, dilation, groups))


def transposed(p, axes):
    x = picture(p, axes, SMALL[axes])
    for i in range(10):
        kernel, dilation = p.random.choice([(1, 1), (2, 1), (3, 1), (2, 2)])
        stride, groups = p.random.randint(1, 3 if axes < 3 else 2), p.random.choice([1, 1, 2, 4])
        padding, extra = p.random.randint(0, min(kernel - 1, 1)), p.random.randint(0, max(stride, dilation) - 1)
        filters = groups * p.random.randint(1, 2)
        w = p.net(f"c{i}", f"ConvTranspose{axes}d({CHANNELS}, {filters}, {kernel}, stride: {stride}, padding: {padding}, "
                           f"extra: {extra}, dilation: {dilation}, groups: {groups})",
                  W=(CHANNELS, filters // groups, *[kernel] * axes), b=(filters,))
        p.output(f"y{i}", f"c{i}(x)",
                 TRANSPOSED[axes](x, w["W"], w["b"], stride, padding, extra, groups, dilation))


@program("Convolutions over one axis.", "convolution")
def convolutions_1d(p):
    convolutions(p, 1)


@program("Convolutions over two axes.", "convolution")
def convolutions_2d(p):
    convolutions(p, 2)


@program("Convolutions over three axes.", "convolution")
def convolutions_3d(p):
    convolutions(p, 3)


@program("Transposed convolutions over one axis.", "convolution")
def transposed_convolutions_1d(p):
    transposed(p, 1)


@program("Transposed convolutions over two axes.", "convolution")
def transposed_convolutions_2d(p):
    transposed(p, 2)


@program("Transposed convolutions over three axes.", "convolution")
def transposed_convolutions_3d(p):
    transposed(p, 3)


@program("Depthwise and separable convolutions.", "convolution")
def depthwise_convolutions(p):
    x = picture(p, 2)
    for i in range(20):
        kernel, stride, padding, dilation = (p.random.randint(1, n) for n in (3, 2, 2, 2))
        settings = f"{kernel}, stride: {stride}, padding: {padding}, dilation: {dilation}"
        if i % 2:
            w = p.net(f"c{i}", f"DepthwiseConv2d({CHANNELS}, {settings})",
                      W=(CHANNELS, 1, kernel, kernel), b=(CHANNELS,))
            value = F.conv2d(x, w["W"], w["b"], stride, padding, dilation, CHANNELS)
        else:
            w = p.net(f"c{i}", f"SeparableConv2d({CHANNELS}, 3, {settings})",
                      depthwise__W=(CHANNELS, 1, kernel, kernel), depthwise__b=(CHANNELS,),
                      pointwise__W=(3, CHANNELS, 1, 1), pointwise__b=(3,))
            value = F.conv2d(x, w["depthwise__W"], w["depthwise__b"], stride, padding, dilation, CHANNELS)
            value = F.conv2d(value, w["pointwise__W"], w["pointwise__b"])
        p.output(f"y{i}", f"c{i}(x)", value)


def settings(p, axes):
    """A window, a stride and a padding, each a number or one for each axis, as text and as numbers."""
    result = []
    window = [p.random.randint(1, 3) for _ in range(axes)]
    stride = [p.random.randint(1, 3) for _ in range(axes)]
    padding = [p.random.randint(0, each // 2) for each in window]
    if p.random.random() < 0.5:
        stride = window
    text = f"{window if axes > 1 else window[0]}"
    if stride is not window:
        text += f", stride: {stride if axes > 1 else stride[0]}"
    if any(padding):
        text += f", padding: {padding if axes > 1 else padding[0]}"
    return text, window, stride, padding


def pooling(p, pool, axes, name, extra=None):
    # A permutation of distinct numbers: where two elements of a window are equal, the derivative of their maximum
    # is a matter of definition.
    values = p.draw(2, CHANNELS, *SPACES[axes])
    values = values.new_tensor(p.draws.permutation(values.numel()) / 16).reshape(values.shape)
    x = picture(p, axes, value=values)
    for i in range(10):
        text, window, stride, padding = settings(p, axes)
        if extra is not None and i % 2:
            p.output(f"y{i}", f"{name}(x, {text}, count_padding: false)",
                     pool[axes](x, window, stride, padding, count_include_pad=False))
        else:
            p.output(f"y{i}", f"{name}(x, {text})", pool[axes](x, window, stride, padding))


@program("The largest of windows over two axes.")
def max_pooling(p):
    pooling(p, MAX, 2, "max_pool")


@program("The largest of windows over three axes.")
def max_pooling_3d(p):
    p.largest = 20
    pooling(p, MAX, 3, "max_pool")


@program("The largest of windows over one axis.")
def max_pooling_1d(p):
    pooling(p, MAX, 1, "max_pool")


@program("The mean of windows over three axes.")
def average_pooling_3d(p):
    p.largest = 20
    pooling(p, AVERAGE, 3, "avg_pool", extra=True)


@program("The mean and the largest value of each channel.", "convolution")
def global_pooling(p):
    values = p.draw(2, 24)
    values = values.new_tensor(p.draws.permutation(values.numel()) / 16).reshape(values.shape)
    x = p.input("x", "[N x 24]", values)
    for i, sizes in enumerate(((1, 24), (24, 1), (2, 12), (3, 2, 4), (2, 4, 3), (1, 6, 4), (6, 2, 2), (2, 2, 3, 2),
                               (4, 1, 6), (3, 2, 2, 2))):
        rows, value = f"x as [N x {' x '.join(map(str, sizes))}]", x.reshape(2, *sizes)
        axes = tuple(range(2, value.dim()))
        p.output(f"y{i}", f"global_avg_pool({rows})", value.mean(axes))
        p.output(f"z{i}", f"global_max_pool({rows})", value.amax(axes))


@program("The mean of windows over two axes.")
def average_pooling(p):
    pooling(p, AVERAGE, 2, "avg_pool", extra=True)


@program("The mean of windows over one axis.")
def average_pooling_1d(p):
    pooling(p, AVERAGE, 1, "avg_pool", extra=True)
