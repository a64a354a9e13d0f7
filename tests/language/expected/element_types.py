"""Values in bfloat16, integers with a scale, and losses with a factor."""
import jax
import jax.numpy as np
import numpy

from cases import Case, case, draws, stored


def drawn_bytes(draw, shape):
    return draw.integers(-128, 128, size=shape).astype("int8")


@case("scaled_constants")
def _(name):
    draw = draws(name)
    inputs = {"x": stored(draw.normal(size=(4, 5))), "half": draw.normal(size=(4, 3)).astype("float16")}
    weights = {"columns": stored(draw.uniform(0.01, 0.02, size=4)), "rows": stored(draw.uniform(0.01, 0.02, size=(5, 1))),
               "W": drawn_bytes(draw, (5, 4)), "V": drawn_bytes(draw, (5, 4)),
               "U": draw.integers(0, 256, size=(4, 3)).astype("uint8")}
    wide = {k: v.astype(float) for k, v in weights.items()}
    x = inputs["x"].astype(float)
    W, V, U = wide["W"] * wide["columns"], wide["V"] * wide["rows"], wide["U"] / 128
    P = numpy.array([1, -2, 3, 127, -128, 0, 4, 5, 6, -7, -8, -9, 10, 20, 30, -40, -50, -60]).reshape(3, 2, 3) / 2
    results = {"p": x @ W, "q": numpy.maximum(x @ (W + V), 0) @ U, "r": P[1] - 1, "t": W[1:3, ::-1],
               "u": (W * V).sum(1), "v": (inputs["half"] * numpy.float16([1, -2, 3])).astype("float16")}
    yield Case(name, "forward", inputs, weights, results)


@case("scaled_constants_in_nets")
def _(name):
    draw = draws(name)
    inputs = {k: stored(draw.normal(size=(5, n))) for k, n in {"x": 3, "target": 2}.items()}
    layers = {"fc": (3, 4), "tower.0": (4, 4), "tower.1": (4, 4), "pair.first": (4, 4), "pair.last": (4, 2)}
    fixed, trained = {}, {"pair.g": stored(draw.normal(size=4))}
    for layer, (n, m) in layers.items():
        fixed[f"{layer}.W"] = drawn_bytes(draw, (n, m))
        fixed[f"{layer}.s"] = stored(draw.uniform(0.005, 0.01, size=m))
        trained[f"{layer}.b"] = stored(draw.normal(size=m))
    x, target = (v.astype(float) for v in inputs.values())

    def compute(w):
        layer = lambda x, k: x @ (fixed[f"{k}.W"] * fixed[f"{k}.s"].astype(float)) + w[f"{k}.b"]
        h = layer(layer(layer(x, "fc"), "tower.0"), "tower.1")
        return layer(np.tanh(layer(h, "pair.first") * w["pair.g"]), "pair.last")

    loss = lambda w: np.mean((compute(w) - target) ** 2)
    wide = {k: np.asarray(v, float) for k, v in trained.items()}
    results = {"y": compute(wide), "L": loss(wide),
               "k": np.mean(fixed["fc.W"] * fixed["fc.s"].astype(float))}
    results |= {f"gradient.{k}": v for k, v in jax.grad(loss)(wide).items()}
    yield Case(name, "gradient", inputs, fixed | trained, results)


def rounded(x):
    """The nearest bfloat16."""
    return numpy.asarray(np.asarray(x, "bfloat16").astype("float64"))


@case("bfloat16_network")
def _(name):
    """Derivatives by hand, rounded where the program has bfloat16."""
    draw = draws(name)
    x, label = stored(draw.normal(size=(8, 6))), draw.integers(0, 3, size=8).astype("int32")
    weights = {k: stored(draw.normal(size=n)) for k, n in {"W": (6, 5), "b": 5, "V": (5, 3)}.items()}
    W, b, V, x16 = (rounded(v) for v in (*weights.values(), x))
    h = numpy.maximum(rounded(rounded(x16 @ W) + b), 0)
    logits = rounded(h @ V)
    p = numpy.asarray(jax.nn.softmax(logits))
    d_logits = rounded((p - numpy.eye(3)[label]) / 8)
    d_h = rounded(d_logits @ V.T) * (h > 0)
    results = {"L": -numpy.log(p[numpy.arange(8), label]).mean(), "gradient.W": rounded(x16.T @ d_h),
               "gradient.b": rounded(d_h.sum(0)), "gradient.V": rounded(h.T @ d_logits)}
    yield Case(name, "gradient", {"x": x, "label": label}, weights, results)


def adam(p, g, m, v, t, rate):
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
    return p - rate * m / (1 - 0.9**t) / (numpy.sqrt(v / (1 - 0.999**t)) + 1e-8), m, v


def sixteenths(draw, shape):
    """Numbers whose sums and products here are exact in float16."""
    return draw.integers(-4, 5, size=shape) / 4


def linear_step(name, scale, memory):
    """A linear network and its derivatives, which are exact as long as they neither over- nor underflow."""
    draw = draws(name)
    inputs = {"x": sixteenths(draw, (4, 3)), "target": sixteenths(draw, (4, 2))}
    W = sixteenths(draw, (3, 2))
    before = {m: draw.uniform(0.1, 1, size=W.shape) / 2**memory for m in "mv"}
    y = inputs["x"] @ W
    gradient = inputs["x"].T @ (y - inputs["target"]) * 2 / y.size / scale
    weights = {"W": stored(W), "optimizer.step": numpy.asarray(6)} | {f"optimizer.{m}.W": stored(before[m]) for m in "mv"}
    inputs = {k: v.astype("float16") for k, v in inputs.items()}
    results = {"y": y.astype("float16"), "L": numpy.mean((y - inputs["target"]) ** 2) / scale}
    W, m, v = adam(W, gradient, before["m"], before["v"], 7, 0.0625)
    after = {"next.W": W, "next.optimizer.m.W": m, "next.optimizer.v.W": v, "next.optimizer.step": numpy.asarray(7)}
    return inputs, weights, results, after


@case("loss_scaling")
def _(name):
    inputs, weights, results, after = linear_step(name, 2.0**30, 26)
    yield Case(name, "step", inputs | {"factor": numpy.float32(256)}, weights, results | after)


@case("loss_scaling_that_grows")
def _(name):
    inputs, weights, results, after = linear_step(name, 1, 0)
    weights |= {"optimizer.scale": numpy.float32(1024), "optimizer.scale_steps": numpy.asarray(2)}
    yield Case(name, "step", inputs, weights, results | after | {
        "next.optimizer.scale": numpy.float32(4096), "next.optimizer.scale_steps": numpy.asarray(0)})


@case("loss_scaling_that_falls")
def _(name):
    """With a factor of 2^24 the derivatives are infinite in float16."""
    inputs, weights, results, _ = linear_step(name, 1, 0)
    weights |= {"optimizer.scale": numpy.float32(2**24), "optimizer.scale_steps": numpy.asarray(1),
                "seen": numpy.float32(3)}
    same = {f"next.{k}": v for k, v in weights.items()}
    yield Case(name, "step", inputs, weights, results | same | {
        "next.seen": numpy.float32(4), "next.optimizer.scale": numpy.float32(2**22),
        "next.optimizer.scale_steps": numpy.asarray(0)})
