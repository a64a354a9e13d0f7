"""Losses, and functions of images."""
import torch
import torch.nn.functional as F

from library import program


def shaped(p, name, value, i):
    """Ten ways to see 24 numbers a row as classes along the last axis."""
    n = (2, 3, 4, 6, 8, 12, 24, 2, 4, 8)[i]
    return f"{name} as [N x {24 // n} x {n}]", value.reshape(2, 24 // n, n), n


@program("Losses of logits: divergence from probabilities, focal and hinge.", "losses")
def losses_of_logits(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    t = p.input("t", "[N x 24]", p.draw(2, 24).abs())
    i32 = torch.tensor(p.draws.integers(0, 2, (2, 12)), dtype=torch.int32)
    label = p.input("label", " int32[N x 12]", i32)
    for i in range(10):
        rows, value, n = shaped(p, "x", x, i)
        others, target, _ = shaped(p, "t", t, i)
        p.output(f"y{i}", f"kl_divergence({rows}, softmax({others}))",
                 F.kl_div(value.log_softmax(-1), target.softmax(-1), reduction="none").sum(-1).mean())
        gamma = p.random.choice([0, 1, 2, 0.5, 3])
        chosen = label[:, :24 // n].long() if n > 1 else label.long()
        log_p = value.log_softmax(-1).gather(-1, chosen[..., None])[..., 0]
        p.output(f"z{i}", f"focal({rows}, label[:, 0:{24 // n}], gamma: {gamma})",
                 (-(1 - log_p.exp())**gamma * log_p).mean())
        scale = p.random.randint(1, 4)
        p.output(f"w{i}", f"hinge({scale} * x, 2 * (x + t) - 1)", F.relu(1 - scale * x * (2 * (x + t) - 1)).mean())


@program("Losses of pairs and triples of vectors.", "losses")
def losses_of_vectors(p):
    a = p.input("a", "[N x 24]", p.draw(2, 24))
    b = p.input("b", "[N x 24]", p.draw(2, 24))
    c = p.input("c", "[N x 24]", p.draw(2, 24))
    same = p.input("same", "[N x 12]", torch.tensor(p.draws.integers(0, 2, (2, 12)), dtype=torch.float64))
    for i in range(10):
        (x, u, n), (y, v, _), (z, w, _) = (shaped(p, *each, i) for each in (("a", a), ("b", b), ("c", c)))
        margin = p.random.choice([1, 3, 5])
        distance = (u - v).norm(dim=-1)
        alike = same[:, :24 // n]
        p.output(f"w{i}", f"contrastive({x}, {y}, same[:, 0:{24 // n}], margin: {margin})",
                 (0.5 * (alike * distance**2 + (1 - alike) * F.relu(margin - distance)**2)).mean())
        p.output(f"y{i}", f"triplet({x}, {y}, {z}, margin: {margin})",
                 F.triplet_margin_loss(u, v, w, margin=margin, eps=0, reduction="none").mean()
                 if n == 24 else F.relu(distance - (u - w).norm(dim=-1) + margin).mean())
        p.output(f"z{i}", f"cosine_similarity({x}, {y})", F.cosine_similarity(u, v, dim=-1))
        d = (a - b) * (i + 1) / 4
        p.output(f"v{i}", f"log_cosh({(i + 1) / 4} * a, {(i + 1) / 4} * b)", d.cosh().log().mean())
        rows = f"[{24 // n} x {n}]"
        first, second = a[0].reshape(-1, n), b[0].reshape(-1, n)
        scores = F.normalize(first, dim=-1) @ F.normalize(second, dim=-1).T / 0.25
        labels = torch.arange(24 // n)
        p.output(f"u{i}", f"info_nce((a[0]) as {rows}, (b[0]) as {rows}, temperature: 0.25)",
                 0.5 * (F.cross_entropy(scores, labels) + F.cross_entropy(scores.T, labels)))


@program("Connectionist temporal classification of several settings.", "losses")
def alignments(p):
    x = p.input("x", "[3 x 24]", p.draw(3, 24))
    words = torch.tensor(p.draws.integers(1, 3, (3, 3)), dtype=torch.int32)
    words[0, 1] = words[0, 0]  # a label twice in a row needs a blank between
    label = p.input("label", " int32[3 x 3]", words)
    for i in range(10):
        c = p.random.choice([3, 4])
        steps = 24 // c
        most = p.random.randint(1, 3)
        times = [p.random.randint(2 * most, steps) for _ in range(3)]
        count = [p.random.randint(1, most) for _ in range(3)]
        text = f"ctc(x as [3 x {steps} x {c}], label[:, 0:{most}], {times} as int32, {count} as int32)"
        log_p = x.reshape(3, steps, c).log_softmax(-1).transpose(0, 1)
        losses = F.ctc_loss(log_p, label[:, :most].long(), torch.tensor(times), torch.tensor(count), reduction="none")
        p.output(f"y{i}", text, losses.mean())


@program("Functions of which layers and losses are made are called by themselves.", "losses", "normalization", "transformer")
def parts_of_layers(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    label = p.input("label", " int32[N x 12]", torch.tensor(p.draws.integers(0, 2, (2, 12)), dtype=torch.int32))
    g = p.parameter("g", "[24]", p.draw(24))
    for i in range(10):
        rows, value, n = shaped(p, "x", x, i)
        k = 24 // n
        chosen = label[:, :k].long()
        p.output(f"y{i}", f"accuracy({rows}, label[:, 0:{k}])", (value.argmax(-1) == chosen).double().mean())
        p.output(f"z{i}", f"unit({rows})", F.normalize(value, dim=-1))
        epsilon = p.random.choice([0.001, 0.1, 1])
        p.output(f"w{i}", f"standardized({rows}, epsilon: {epsilon})", F.layer_norm(value, (n,), eps=epsilon))
        p.output(f"v{i}", f"channel_mean({rows})", value.mean((0, 2)))
        p.output(f"u{i}", f"channel_variance({rows}, unbiased: {'true' if i % 2 else 'false'})",
                 value.var((0, 2), correction=i % 2))
        p.output(f"t{i}", f"by_channel({rows}, g[0:{k}], g[{24 - k}:])",
                 value * g[:k, None] + g[24 - k:, None])
        heads, d = p.random.choice([(2, 3), (3, 2), (4, 1), (1, 4), (2, 2)])
        p.output(f"s{i}", f"merged(x as [N x {heads} x {24 // (heads * d)} x {d}])",
                 x.reshape(2, heads, -1, d).transpose(1, 2).reshape(2, -1, heads * d))
        allowed = torch.ones(k, n).tril(n - k).bool()
        if n >= k:
            p.output(f"r{i}", f"softmax(causal_scores({rows}))", value.masked_fill(~allowed, -torch.inf).softmax(-1))


@program("Images that are resized, cut, turned and normalized.", "image")
def images(p):
    x = p.input("x", "[N x 2 x 5 x 4]", p.draw(2, 2, 5, 4))
    sizes = ((1, 1), (2, 3), (3, 2), (5, 4), (6, 7), (10, 8), (4, 5), (7, 3), (1, 6), (9, 2))
    for i, (height, width) in enumerate(sizes):
        p.net(f"c{i}", f"ResizeBilinear({height}, {width})")
        p.output(f"y{i}", f"c{i}(x)", F.interpolate(x, (height, width), mode="bilinear", align_corners=False))
        p.net(f"d{i}", f"ResizeNearest({height}, {width})")
        p.output(f"z{i}", f"d{i}(x)", F.interpolate(x, (height, width), mode="nearest"))
        h, w = p.random.randint(1, 5), p.random.randint(1, 4)
        top, left = p.random.randint(0, 5 - h), p.random.randint(0, 4 - w)
        p.net(f"e{i}", f"Crop({h}, {w}, top: {top}, left: {left})")
        p.output(f"w{i}", f"e{i}(x)", x[:, :, top:top + h, left:left + w])
        p.net(f"f{i}", f"CenterCrop({h}, {w})")
        top, left = (5 - h) // 2, (4 - w) // 2
        p.output(f"v{i}", f"f{i}(x)", x[:, :, top:top + h, left:left + w])
    for i in range(10):
        h, w, top, left = (p.random.randint(*each) for each in ((1, 5), (1, 4), (0, 4), (0, 3)))
        rows, value = f"x[:, :, {min(top, 5 - h)}:, {min(left, 4 - w)}:]", x[:, :, min(top, 5 - h):, min(left, 4 - w):]
        p.output(f"left_right{i}", f"flipped_left_right({rows})", value.flip(3))
        p.output(f"top_bottom{i}", f"flipped_top_bottom({rows})", value.flip(2))
        mean, deviation = ([p.random.randint(1, 16) / 8 for _ in range(2)] for _ in range(2))
        p.output(f"normal{i}", f"channel_normalized({rows}, {mean}, {deviation})",
                 (value - x.new_tensor(mean)[:, None, None]) / x.new_tensor(deviation)[:, None, None])


ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "selu": F.selu,
               "silu": F.silu, "sigmoid": torch.sigmoid, "softplus": F.softplus}


@program("Activations of numbers of several sizes, with several slopes.")
def activations(p):
    x = p.input("x", "[N x 12]", p.draw(2, 12))
    for i in range(10):
        scale = p.random.choice([0.25, 0.5, 1, 2, 4]) * p.random.choice([-1, 1])
        value = scale * x
        for name, function in ACTIVATIONS.items():
            p.output(f"{name}_{i}", f"{name}({scale} * x)", function(value))
        slope, alpha = p.random.choice([0.01, 0.1, 0.5]), p.random.choice([0.5, 1, 2])
        p.output(f"leaky_{i}", f"leaky_relu({scale} * x, slope: {slope})", F.leaky_relu(value, slope))
        p.output(f"elu_{i}", f"elu({scale} * x, alpha: {alpha})", F.elu(value, alpha))


@program("Softmax and norms along each axis.")
def axes(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    for i in range(10):
        a, b = p.random.choice([(2, 12), (3, 8), (4, 6), (6, 4), (8, 3), (12, 2), (1, 24)])
        along = p.random.choice([-1, 2, 1, -2]) if a > 1 else -1
        rows, value = f"{i + 1} * x as [N x {a} x {b}]", (i + 1) * x.reshape(2, a, b)
        rows = f"({i + 1} * x) as [N x {a} x {b}]"
        p.output(f"y{i}", f"softmax({rows}, along: {along})", value.softmax(along))
        p.output(f"z{i}", f"log_softmax({rows}, along: {along})", value.log_softmax(along))
        p.output(f"w{i}", f"norm({rows}, along: {along})", value.norm(dim=along))


@program("The losses of every module: of labels, of probabilities and of numbers.")
def losses(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    t = p.input("t", "[N x 24]", p.draw(2, 24).abs())
    label = p.input("label", " int32[N x 12]", torch.tensor(p.draws.integers(0, 2, (2, 12)), dtype=torch.int32))
    for i in range(10):
        n = p.random.choice([2, 3, 4, 6, 8, 12])
        rows, others = (f"{name} as [N x {24 // n} x {n}]" for name in "xt")
        value, target = (each.reshape(2, 24 // n, n) for each in (x, t))
        chosen = label[:, :24 // n].long()
        p.output(f"y{i}", f"cross_entropy({rows}, label[:, 0:{24 // n}])", F.cross_entropy(value.reshape(-1, n), chosen.reshape(-1)))
        p.output(f"z{i}", f"cross_entropy({rows}, softmax({others}))",
                 F.cross_entropy(value.reshape(-1, n), target.softmax(-1).reshape(-1, n)))
        scale = p.random.choice([0.25, 0.5, 1, 2, 4])
        a = scale * x[:, :n]
        p.output(f"w{i}", f"binary_cross_entropy({scale} * x[:, 0:{n}], sigmoid(t[:, 0:{n}]))",
                 F.binary_cross_entropy_with_logits(a, t[:, :n].sigmoid()))
        p.output(f"u{i}", f"mse({scale} * x[:, 0:{n}], t[:, 0:{n}])", F.mse_loss(a, t[:, :n]))
        p.output(f"v{i}", f"mae({scale} * x[:, 0:{n}], t[:, 0:{n}])", F.l1_loss(a, t[:, :n]))
        delta = p.random.choice([0.5, 1, 2])
        p.output(f"h{i}", f"huber({scale} * x[:, 0:{n}], t[:, 0:{n}], delta: {delta})",
                 F.huber_loss(a, t[:, :n], delta=delta))
