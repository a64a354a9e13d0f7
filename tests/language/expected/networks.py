"""Whole networks and losses."""
import jax
import jax.numpy as np
import numpy

from cases import case, cross_entropy, draws, forward, softmax, trained


@case("perceptron")
def _(name):
    def compute(i, w):
        logits = np.maximum(i["x"] @ w["W1"] + w["b1"], 0) @ w["W2"] + w["b2"]
        return {"L": cross_entropy(logits, i["label"]), "y": softmax(logits)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(7, 12)), "label": draw.integers(0, 5, 7).astype("int32")},
                       {"W1": draw.normal(size=(12, 8)), "b1": draw.normal(size=8), "W2": draw.normal(size=(8, 5)),
                        "b2": draw.normal(size=5)})


@case("layer_normalization")
def _(name):
    def compute(i, w):
        x = i["x"]
        y = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * w["scale"] + w["shift"]
        return {"y": y, "L": np.mean(y**2 * x)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(5, 7))},
                       {"scale": draw.normal(size=7), "shift": draw.normal(size=7)})


@case("attention_of_many_heads")
def _(name):
    def compute(i, w):
        x = i["x"]
        n, t, d = x.shape
        split = lambda a: a.reshape(n, t, 2, d // 2).transpose(0, 2, 1, 3)
        q, k, v = (split(x @ w[name]) for name in "QKV")
        scores = np.where(np.tril(np.ones((t, t))) == 0, -np.inf, q @ k.transpose(0, 1, 3, 2) / (d / 2)**0.5)
        y = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(n, t, d) @ w["O"] + x
        return {"y": y, "L": np.mean(y**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(3, 5, 8))},
                       {k: 0.5 * draw.normal(size=(8, 8)) for k in "QKVO"})


@case("transformer_block")
def _(name):
    def compute(i, w):
        x = i["x"]
        rows = lambda a, g, b: ((a - a.mean(-1, keepdims=True)) / np.sqrt(a.var(-1, keepdims=True) + 1e-5)) * g + b
        a = rows(x, w["g1"], w["b1"])
        scores = (a @ w["Q"]) @ (a @ w["K"]).transpose(0, 2, 1) / 6**0.5
        h = x + softmax(scores) @ (a @ w["V"])
        y = h + jax.nn.gelu(rows(h, w["g2"], w["b2"]) @ w["U"], approximate=False) @ w["D"]
        return {"y": y, "L": np.mean(y * x)}
    draw = draws(name)
    weights = {k: 0.5 * draw.normal(size=(6, 6)) for k in "QKV"}
    weights |= {"U": 0.5 * draw.normal(size=(6, 12)), "D": 0.5 * draw.normal(size=(12, 6))}
    weights |= {k: draw.normal(size=6) for k in ("g1", "g2", "b1", "b2")}
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(2, 4, 6))}, weights)


@case("convolution_of_pictures")
def _(name):
    def compute(i, w):
        h = jax.lax.conv(i["x"], w["k"], (1, 1), "VALID") + w["b"]
        pooled = np.maximum(h, 0).reshape(-1, 4, 2, 2, 2, 2).max((3, 5))
        return {"y": pooled, "L": np.mean(pooled**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(3, 2, 6, 6))},
                       {"k": draw.normal(size=(4, 2, 3, 3)), "b": draw.normal(size=(4, 1, 1))})


@case("strided_convolution")
def _(name):
    def compute(i, w):
        y = jax.lax.conv_general_dilated(i["x"], w["w"], (2,), [(1, 1)])
        return {"y": y, "L": np.mean(np.tanh(y))}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(2, 3, 11))}, {"w": draw.normal(size=(4, 3, 3))})


@case("gated_unit")
def _(name):
    def compute(i, w):
        x, h = i["x"], i["h"]
        gates = 1 / (1 + np.exp(-(np.concatenate([x, h], 1) @ w["W"] + w["b"])))
        z, r = gates[:, :5], gates[:, 5:]
        y = (1 - z) * h + z * np.tanh(np.concatenate([x, r * h], 1) @ w["U"])
        return {"y": y, "L": np.mean(y**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(6, 3)), "h": draw.normal(size=(6, 5))},
                       {"W": draw.normal(size=(8, 10)), "U": draw.normal(size=(8, 5)), "b": draw.normal(size=10)})


@case("losses_of_regression")
def _(name):
    def compute(i, w):
        a, b = i["a"] * w["p"], i["b"]
        huber = lambda d, delta: np.mean(np.where(abs(d) <= delta, 0.5 * d * d, delta * (abs(d) - 0.5 * delta)))
        return {"L": np.mean((a - b)**2), "M": np.mean(abs(a - b)), "H": huber(a - b, 1), "K": huber(a - b, 3),
                "J": huber(a - b, 0.1)}
    draw = draws(name)
    yield from trained(name, compute, list("LMHKJ"), {"a": draw.normal(size=(5, 4)), "b": draw.normal(size=(5, 4))},
                       {"p": [0.1, 1.0, 5.0, -20.0]})


@case("label_smoothing")
def _(name):
    def compute(i, w):
        logits = i["x"] @ w["W"]
        soft = 0.9 * jax.nn.one_hot(i["label"], 4, dtype=np.float64) + 0.1 / 4
        return {"L": -np.mean(np.sum(soft * jax.nn.log_softmax(logits), 1)), "M": 0 * np.sum(logits)}
    draw = draws(name)
    yield from trained(name, compute, ["L", "M"], {"x": draw.normal(size=(6, 5)), "label": draw.integers(0, 4, 6).astype("int32")},
                       {"W": draw.normal(size=(5, 4))})


@case("contrastive_loss")
def _(name):
    def compute(i, w):
        unit = lambda x: x / np.sqrt(np.sum(x**2, -1, keepdims=True) + 1e-3)
        scores = unit(i["a"] @ w["W"]) @ unit(i["b"] @ w["W"]).T / np.exp(w["t"])
        labels = np.arange(scores.shape[0])
        return {"s": scores, "L": cross_entropy(scores, labels) + cross_entropy(scores.T, labels)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"a": draw.normal(size=(6, 5)), "b": draw.normal(size=(6, 5))},
                       {"W": draw.normal(size=(5, 4)), "t": 0.5})


@case("variational_autoencoder")
def _(name):
    def compute(i, w):
        x = i["x"]
        code = x @ w["W"]
        centre, logs = code[:, :2], code[:, 2:]
        logits = (centre + np.exp(0.5 * logs) * i["noise"]) @ w["V"]
        sigmoid = lambda v: 1 / (1 + np.exp(-v))
        t, q = sigmoid(x), sigmoid(logits)
        return {"y": q, "fit": -np.mean(t * np.log(q) + (1 - t) * np.log(1 - q)),
                "divergence": -0.5 * np.mean(np.sum(1 + logs - centre**2 - np.exp(logs), 1))}
    draw = draws(name)
    yield from trained(name, compute, ["fit", "divergence"], {"x": draw.normal(size=(5, 6)), "noise": draw.normal(size=(5, 2))},
                       {"W": 0.5 * draw.normal(size=(6, 4)), "V": 0.5 * draw.normal(size=(2, 6))})


@case("gaussian_mixture")
def _(name):
    def compute(i, w):
        z = (i["x"][:, None] - w["centre"]) * np.exp(-w["spread"])
        parts = jax.nn.log_softmax(w["weight"]) - np.sum(0.5 * z**2 + w["spread"], 2)
        return {"L": -np.mean(jax.scipy.special.logsumexp(parts, 1)), "y": softmax(parts)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(6, 2))},
                       {"weight": [0.1, 0.2, -0.3], "centre": draw.normal(size=(3, 2)), "spread": 0.3 * draw.normal(size=(3, 2))})


@case("tensor_products")
def _(name):
    def compute(i, w):
        x, W = i["x"], w["W"]
        y, z = np.maximum(x @ W + w["b"], 0) @ w["V"].T, x @ (x.T @ x) @ W
        return {"y": y, "z": z, "L": np.mean(y**2) + np.mean(z**2)}
    draw = draws(name)
    yield from trained(name, compute, ["L"], {"x": draw.normal(size=(3, 70))},
                       {"W": draw.normal(size=(70, 257)) / 8, "b": draw.normal(size=257),
                        "V": draw.normal(size=(66, 257)) / 16})


@case("tensor_products_of_float16")
def _(name):
    half = lambda *shape: draw.normal(size=shape).astype("float16")
    def compute(i, w):
        x, W, V, b = (np.asarray(a, np.float64) for a in (i["x"], w["W"], w["V"], w["b"]))
        return {"y": np.tanh(x @ W @ V.T + b)}
    draw = draws(name)
    yield from forward(name, compute, {"x": half(3, 70)},
                       {"W": half(70, 81) / numpy.float16(8), "V": half(66, 81) / numpy.float16(8), "b": half(66)})
