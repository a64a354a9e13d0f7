"""Layers whose parameters have the names of PyTorch's in files of weights."""
import torch
import torch.nn.functional as F

from library import program
from library_recurrent import GATES, compared, computed, settings


@program("Maps, embeddings and normalizations with the names of PyTorch.", "torch")
def torch_maps(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    words = torch.tensor(p.draws.integers(0, 3, (2, 5)), dtype=torch.int32)
    p.input("i", " int32[N x 5]", words)
    for i, n in enumerate((2, 3, 4, 6, 8, 12, 24, 4, 6, 12)):
        m, count, d = p.random.randint(1, 4), p.random.randint(3, 6), p.random.randint(1, 4)
        rows, value = f"x as [N x {24 // n} x {n}]", x.reshape(2, 24 // n, n)
        w = p.net(f"l{i}", f"Linear({n}, {m})", W=(n, m), b=(m,))
        p.output(f"l_y{i}", f"l{i}({rows})", F.linear(value, w["W"].T, w["b"]))
        w = p.net(f"p{i}", f"Projection({n}, {m})", W=(n, m))
        p.output(f"p_y{i}", f"p{i}({rows})", F.linear(value, w["W"].T))
        w = p.net(f"n{i}", f"LayerNorm({n})", gain=(n,), shift=(n,))
        epsilon = p.random.choice(["1e-5", "0.01"])
        p.output(f"n_y{i}", f"n{i}({rows}, epsilon: {epsilon})",
                 F.layer_norm(value, (n,), w["gain"], w["shift"], float(epsilon)))
        w = p.net(f"e{i}", f"Embedding({count}, {d})", W=(count, d))
        p.output(f"e_y{i}", f"e{i}(i)", F.embedding(words, w["W"]))
        p.output(f"e_z{i}", f"e{i}.logits(e{i}(i))", F.linear(F.embedding(words, w["W"]), w["W"]))


@program("Convolutions with the names of PyTorch.", "torch")
def torch_convolutions(p):
    x = p.input("x", "[N x 4 x 6 x 5]", p.draw(2, 4, 6, 5))
    for i in range(10):
        kernel, dilation = p.random.choice([(1, 1), (2, 1), (3, 1), (2, 2)])
        stride, padding, groups = p.random.randint(1, 3), p.random.randint(0, 2), p.random.choice([1, 1, 2, 4])
        filters = groups * p.random.randint(1, 2)
        text = f"(4, {filters}, {kernel}, stride: {stride}, padding: {padding}, dilation: {dilation}, groups: {groups})"
        for axes, rows, value, convolve in ((1, "x[:, :, :, 0]", x[:, :, :, 0], F.conv1d), (2, "x", x, F.conv2d)):
            shape = (filters, 4 // groups, *[kernel] * axes)
            w = p.net(f"c{axes}_{i}", f"Conv{axes}d{text}", W=shape, b=(filters,))
            p.output(f"c{axes}_y{i}", f"c{axes}_{i}({rows})", convolve(value, w["W"], w["b"], stride, padding, dilation, groups))
            w = p.net(f"d{axes}_{i}", f"Conv{axes}dWithoutBias{text}", W=shape)
            p.output(f"d{axes}_y{i}", f"d{axes}_{i}({rows})", convolve(value, w["W"], None, stride, padding, dilation, groups))


@program("Normalization by the batch with the names of PyTorch.", "torch")
def torch_batch_normalizations(p):
    p.entry = "gradient"
    x = p.parameter("x", "[3 x 24]", p.draw(3, 24))
    for i, (one, two) in enumerate((((24,), (2, 3, 4)), ((2, 12), (4, 2, 3)), ((3, 8), (6, 2, 2)), ((4, 6), (1, 4, 6)),
                                    ((6, 4), (3, 4, 2)), ((8, 3), (2, 2, 6)), ((12, 2), (2, 6, 2)), ((1, 24), (4, 1, 6)),
                                    ((4, 6), (6, 4, 1)), ((2, 12), (3, 2, 4)))):
        for name, net, sizes in (("a", "BatchNorm1d", one), ("b", "BatchNorm2d", two)):
            c = sizes[0]
            mean, variance = p.draw(c), p.draw(c).abs() + 0.5
            epsilon, momentum = p.random.choice(["1e-5", "0.01"]), p.random.choice([0.1, 0.25])
            w = p.net(f"{name}{i}", f"{net}({c})", gain=(c,), shift=(c,))
            running = mean.clone(), variance.clone()
            value = x.reshape(3, *sizes)
            result = F.batch_norm(value, *running, w["gain"], w["shift"], True, momentum, float(epsilon))
            p.net_state(f"{name}{i}.mean", mean, running[0])
            p.net_state(f"{name}{i}.variance", variance, running[1])
            rows = f"x as [{' x '.join(map(str, value.shape))}]"
            p.output(f"{name}_y{i}", f"{name}{i}({rows}, epsilon: {epsilon}, momentum: {momentum})", result)


def weights(p, kind, name, net, inputs, size, both, layer=0):
    """Declares an instance; the parameters of the layer of PyTorch that has its numbers."""
    n = GATES[kind] * size
    last = "d" if kind == "LSTM" else "c"
    shapes = {"W": (inputs, n), "U": (size, n), "b": (n,), last: (n,)}
    parts = [("forward__", "", "")] if both else [("", "", "")]
    parts += [("", "_reverse", "_reverse")] if both else []
    own = p.net(name, f"{net}({inputs}, {size}{f', layer: {layer}' if layer else ''})",
                **{before + each + behind: shape for before, behind, _ in parts for each, shape in shapes.items()})
    result = {}
    for before, behind, suffix in parts:
        W, U, b, c = (own[before + each + behind] for each in shapes)
        end = f"_l{layer}{suffix}"
        result |= {"weight_ih" + end: W.T, "weight_hh" + end: U.T, "bias_ih" + end: b, "bias_hh" + end: c}
    return result


def layers(p, kind):
    """Of one layer in one direction and in both, and of two that follow each other."""
    for i, rows, value, n, inputs, size, lengths in settings(p):
        for name, both in (("c", False), ("d", True)):
            net = f"Bidirectional{kind}" if both else kind
            w = weights(p, kind, f"{name}{i}", net, inputs, size, both)
            compared(p, kind, i, name, w, both, value, rows, n, size, lengths)
            if i % 5 != both:
                continue
            w |= weights(p, kind, f"{name}next{i}", net, (1 + both) * size, size, both, layer=1)
            p.output(f"{name}x{i}", f"{name}next{i}({name}{i}({rows}))", computed(kind, w, value)[0])


@program("Plain recurrent layers with the names of PyTorch.", "torch")
def torch_recurrent_layers(p):
    layers(p, "RNN")


@program("Layers of gated units with the names of PyTorch.", "torch")
def torch_gated_layers(p):
    layers(p, "GRU")


@program("Layers of long short-term memories with the names of PyTorch.", "torch")
def torch_memory_layers(p):
    layers(p, "LSTM")
