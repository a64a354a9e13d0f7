"""Layers for the last axis, normalization, and recurrent cells."""
import torch
import torch.nn.functional as F

from library import program


@program("Affine and bilinear maps of vectors, matrices and more.", "layers")
def affine_maps(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    z = p.input("z", "[N x 12]", p.draw(2, 12))
    for i, n in enumerate((1, 2, 3, 4, 6, 8, 12, 24, 24, 12)):
        m = p.random.randint(1, 4)
        rows = f"x as [N x {24 // n} x {n}]" if i < 8 else "x" if n == 24 else "z"
        value = x.reshape(2, 24 // n, n) if i < 8 else x if n == 24 else z
        w = p.net(f"c{i}", f"Linear({n}, {m})", W=(n, m), b=(m,))
        p.output(f"y{i}", f"c{i}({rows})", F.linear(value, w["W"].T, w["b"]))
        w = p.net(f"p{i}", f"Projection({n}, {m})", W=(n, m))
        p.output(f"q{i}", f"p{i}({rows})", value @ w["W"])
    for i, (rows, n) in enumerate(((1, 12), (2, 6), (3, 4), (4, 3), (6, 2), (12, 1), (2, 6), (3, 4), (6, 2), (1, 12))):
        m, k = 24 // rows, p.random.randint(1, 3)
        w = p.net(f"d{i}", f"Bilinear({n}, {m}, {k})", W=(n, k, m), b=(k,))
        p.output(f"z{i}", f"d{i}(z as [N x {rows} x {n}], x as [N x {rows} x {m}])",
                 F.bilinear(z.reshape(2, rows, n), x.reshape(2, rows, m), w["W"].permute(1, 0, 2), w["b"]))


@program("Vectors for numbers, and logits with the same parameters.", "layers")
def embeddings(p):
    i = torch.tensor(p.draws.integers(0, 3, (2, 5)), dtype=torch.int32)
    p.input("i", " int32[N x 5]", i)
    for k in range(10):
        n, d = p.random.randint(3, 6), p.random.randint(1, 4)
        w = p.net(f"e{k}", f"Embedding({n}, {d})", W=(n, d))
        rows, words = ("i", i) if k % 2 else ("i[:, 2]", i[:, 2])
        value = F.embedding(words, w["W"])
        p.output(f"y{k}", f"e{k}({rows})", value)
        p.output(f"z{k}", f"e{k}.logits(e{k}({rows}))", F.linear(value, w["W"]))


def feed_forward(x, w, at=""):
    h = F.gelu(F.linear(x, w[at + "up__W"].T, w[at + "up__b"]))
    return F.linear(h, w[at + "down__W"].T, w[at + "down__b"])


@program("Feed-forward and residual blocks.", "layers")
def feed_forward_blocks(p):
    x = p.input("x", "[N x 12]", p.draw(2, 12))
    for i in range(30):
        n, h = p.random.choice([1, 2, 3, 4, 6, 12]), p.random.randint(1, 5)
        n = max(n, 2) if i % 3 == 1 else n  # a normalization of one element is 0
        rows, value = f"x as [N x {12 // n} x {n}]", x.reshape(2, 12 // n, n)
        shapes = {"up__W": (n, h), "up__b": (h,), "down__W": (h, n), "down__b": (n,)}
        if i % 3 == 0:
            w = p.net(f"c{i}", f"FeedForward({n}, {h})", **shapes)
            result = feed_forward(value, w)
        elif i % 3 == 1:
            w = p.net(f"c{i}", f"ResidualBlock({n}, {h})", norm__gain=(n,), norm__shift=(n,),
                      **{"inner__" + k: v for k, v in shapes.items()})
            norm = F.layer_norm(value, (n,), w["norm__gain"], w["norm__shift"])
            result = value + feed_forward(norm, w, "inner__")
        else:
            w = p.net(f"c{i}", f"GatedFeedForward({n}, {h})", gate__W=(n, h), up__W=(n, h), down__W=(h, n))
            result = (F.silu(value @ w["gate__W"]) * (value @ w["up__W"])) @ w["down__W"]
        p.output(f"y{i}", f"c{i}({rows})", result)


@program("Normalization over the last axis.", "normalization")
def normalizations(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    for i, n in enumerate((2, 3, 4, 6, 8, 12, 24, 4, 6, 12)):
        epsilon = p.random.choice(["1e-5", "1e-3", "0.1"])
        rows, value = f"x as [N x {24 // n} x {n}]", x.reshape(2, 24 // n, n)
        w = p.net(f"c{i}", f"LayerNorm({n})", gain=(n,), shift=(n,))
        p.output(f"y{i}", f"c{i}({rows}, epsilon: {epsilon})",
                 F.layer_norm(value, (n,), w["gain"], w["shift"], float(epsilon)))
        w = p.net(f"d{i}", f"RMSNorm({n})", gain=(n,))
        p.output(f"z{i}", f"d{i}({rows}, epsilon: {epsilon})", F.rms_norm(value, (n,), w["gain"], float(epsilon)))


@program("Normalization over groups of channels and over each channel's positions.", "normalization")
def group_normalizations(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    spaces = ((2,), (3,), (2, 3), (6,), (1, 4), (12,), (2, 2, 3), (4, 1), (2, 1, 2), (4,))
    for i, space in enumerate(spaces):
        positions = torch.Size(space).numel()
        c = 24 // positions
        groups = p.random.choice([n for n in range(1, c + 1) if c % n == 0 and c // n * positions > 1])
        rows, value = f"x as [N x {c} x {' x '.join(map(str, space))}]", x.reshape(2, c, *space)
        w = p.net(f"c{i}", f"GroupNorm({groups}, {c})", gain=(c,), shift=(c,))
        p.output(f"y{i}", f"c{i}({rows})", F.group_norm(value, groups, w["gain"], w["shift"]))
        w = p.net(f"d{i}", f"InstanceNorm({c})", gain=(c,), shift=(c,))
        p.output(f"z{i}", f"d{i}({rows}, epsilon: 0.01)",
                 F.instance_norm(value, weight=w["gain"], bias=w["shift"], eps=0.01))


def batch_normalize(p, x):
    training = p.entry == "gradient"
    spaces = ((2,), (3,), (2, 3), (6,), (1, 4), (12,), (2, 2, 3), (), (2, 1, 2), (4,))
    for i, space in enumerate(spaces):
        c = 24 // torch.Size(space).numel()
        rows, value = f"x as [3 x {' x '.join(map(str, (c, *space)))}]", x.reshape(3, c, *space)
        mean, variance = p.draw(c), p.draw(c).abs() + 0.5
        epsilon, momentum = p.random.choice(["1e-5", "0.01"]), p.random.choice([0.1, 0.25])
        w = p.net(f"c{i}", f"BatchNorm({c})", gain=(c,), shift=(c,))
        running = mean.clone(), variance.clone()
        result = F.batch_norm(value, *running, w["gain"], w["shift"], training, momentum, float(epsilon))
        p.net_state(f"c{i}.mean", mean, running[0])
        p.net_state(f"c{i}.variance", variance, running[1])
        p.output(f"y{i}", f"c{i}({rows}, epsilon: {epsilon}, momentum: {momentum})", result)
        given = f"c{i}.mean, c{i}.variance, c{i}.gain, c{i}.shift"
        p.output(f"z{i}", f"batch_normalized({rows}, {given}, epsilon: {epsilon})", result)


@program("Normalization by the batch, and the running means and variances.", "normalization")
def batch_normalizations(p):
    p.entry = "gradient"
    batch_normalize(p, p.parameter("x", "[3 x 24]", p.draw(3, 24)))


@program("Normalization by running means and variances.", "normalization")
def running_normalizations(p):
    batch_normalize(p, p.parameter("x", "[3 x 24]", p.draw(3, 24)))


def cell_inputs(p):
    return p.input("x", "[N x 12]", p.draw(2, 12)), p.input("h", "[N x 12]", p.draw(2, 12))


def cell_sizes(p):
    for i, rows in enumerate((1, 2, 3, 4, 6, 12, 2, 3, 4, 6)):
        n = 12 // rows
        yield i, rows, n, f"[N x {rows} x {n}]", (2, rows, n)


@program("Steps of plain recurrent cells and of gated units.", "cells")
def recurrent_cells(p):
    x, h = cell_inputs(p)
    for i, rows, n, shape, sizes in cell_sizes(p):
        a, b = x.reshape(sizes).reshape(-1, n), h.reshape(sizes).reshape(-1, n)
        w = p.net(f"r{i}", f"RNNCell({n}, {n})", W=(n, n), U=(n, n), b=(n,))
        p.output(f"y{i}", f"r{i}(x as {shape}, h as {shape})",
                 torch.rnn_tanh_cell(a, b, w["W"].T, w["U"].T, w["b"], torch.zeros_like(w["b"])).reshape(sizes))
        w = p.net(f"g{i}", f"GRUCell({n}, {n})", W=(n, 3 * n), U=(n, 3 * n), b=(3 * n,), c=(3 * n,))
        p.output(f"z{i}", f"g{i}(x as {shape}, h as {shape})",
                 torch.gru_cell(a, b, w["W"].T, w["U"].T, w["b"], w["c"]).reshape(sizes))


@program("Steps of long short-term memories.", "cells")
def long_short_term_memories(p):
    x, h = cell_inputs(p)
    c = p.input("c", "[N x 12]", p.draw(2, 12))
    for i, rows, n, shape, sizes in cell_sizes(p):
        w = p.net(f"m{i}", f"LSTMCell({n}, {n})", W=(n, 4 * n), U=(n, 4 * n), b=(4 * n,))
        a, b, d = (each.reshape(-1, n) for each in (x, h, c))
        output, memory = torch.lstm_cell(a, (b, d), w["W"].T, w["U"].T, w["b"], torch.zeros_like(w["b"]))
        p.output(f"z{i}", f"m{i}.memory(x as {shape}, h as {shape}, c as {shape})", memory.reshape(sizes))
        p.output(f"y{i}", f"m{i}.output(x as {shape}, h as {shape}, z{i})", output.reshape(sizes))
