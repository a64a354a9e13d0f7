"""The networks of `networks/` as formulas over somebody's tensors, for the reference and for the peers. `o` has the
functions that PyTorch and JAX name differently, `t` the inputs and parameters by name."""


def gemm(o, t):
    return t["A"] @ t["B"]


def softmax(o, t):
    return o.softmax(t["x"])


def layer_norm(o, t):
    return o.layer_norm(t["x"], t["gain"], t["shift"])


def gelu_chain(o, t):
    return o.gelu(t["a"] + t["b"]) * t["c"] + t["a"]


def cross_entropy(o, t):
    return o.cross_entropy(t["x"], t["label"])


def mlp_small_logits(o, t):
    return o.relu(t["x"] @ t["W1"] + t["b1"]) @ t["W2"] + t["b2"]


def mlp_small(o, t):
    return o.softmax(mlp_small_logits(o, t))


def mlp_small_loss(o, t):
    return o.cross_entropy(mlp_small_logits(o, t), t["label"])


def mlp_tiny(o, t):
    return o.tanh(o.tanh(t["x"] @ t["W1"] + t["b1"]) @ t["W2"] + t["b2"]) @ t["W3"] + t["b3"]


def mlp_wide(o, t):
    return o.relu(o.relu(t["x"] @ t["W1"] + t["b1"]) @ t["W2"] + t["b2"]) @ t["W3"] + t["b3"]


def mlp_fused(o, t):
    h = t["x"]
    for layer in "123":
        h = o.tanh(h @ t["W" + layer] + t["b" + layer])
    return h @ t["W4"] + t["b4"]


def mean_square(network):
    def loss(o, t):
        y = network(o, t)
        return (y * y).mean()

    return loss


def attention(o, t):
    return o.attention(t["q"], t["k"], t["v"])


def encoder(o, t, heads=12):
    x = t["x"]
    n, tokens, d = x.shape

    def split(a):
        return o.permute(a.reshape(n, tokens, heads, d // heads))

    a = o.attention(split(x @ t["Q"] + t["bq"]), split(x @ t["K"] + t["bk"]), split(x @ t["V"] + t["bv"]))
    h = o.layer_norm(x + o.permute(a).reshape(n, tokens, d) @ t["O"] + t["bo"], t["g1"], t["s1"])
    return o.layer_norm(h + o.gelu(h @ t["U"] + t["bu"]) @ t["D"] + t["bd"], t["g2"], t["s2"])


def encoder_loss(o, t):
    return (encoder(o, t) * t["x"]).mean()


def pinn_loss(o, t):
    a = o.tanh(t["p"] @ t["W1"] + t["b1"])
    slope = 1 - a * a
    first = [slope * t["W1"][axis] for axis in (0, 1)]
    second = [-2 * a * d * t["W1"][axis] for axis, d in enumerate(first)]
    for layer in "2345":
        w = t["W" + layer]
        a = o.tanh(a @ w + t["b" + layer])
        slope = 1 - a * a
        z1 = [d @ w for d in first]
        second = [slope * (d @ w - 2 * a * z * z) for d, z in zip(second, z1)]
        first = [slope * z for z in z1]
    residual = ((second[0] + second[1]) @ t["W6"]).reshape(-1) - t["f"]
    return (residual * residual).mean()


def gpt(o, t, heads=6, blocks=6):
    """The logits of each character's successor."""
    token = t["token"]
    n, tokens = token.shape
    x = t["characters.W"][token]
    d = x.shape[-1]
    x = x + o.sinusoidal(tokens, d, x)

    def affine(x, name):
        return x @ t[name + ".W"] + t[name + ".b"]

    def normalized(x, name):
        return o.layer_norm(x, t[name + ".gain"], t[name + ".shift"])

    def split(a):
        return o.permute(a.reshape(n, tokens, heads, d // heads))

    for i in range(blocks):
        name = f"blocks.{i}."
        y = normalized(x, name + "attention_norm")
        q, k, v = (split(affine(y, name + "attend." + part)) for part in ("query", "key", "value"))
        x = x + affine(o.permute(o.causal_attention(q, k, v)).reshape(n, tokens, d), name + "attend.output")
        y = o.gelu(affine(normalized(x, name + "forward.norm"), name + "forward.inner.up"))
        x = x + affine(y, name + "forward.inner.down")
    return affine(normalized(x, "last_norm"), "last")


def gpt_loss(o, t, heads=6):
    logits = gpt(o, t, heads)
    return o.cross_entropy(logits.reshape(-1, logits.shape[-1]), t["label"].reshape(-1))


def lenet(o, t):
    """The logits of each digit."""

    def convolved(x, name, padding):
        return o.relu(o.convolve(x, t[name + ".W"], 1, padding) + t[name + ".b"].reshape(-1, 1, 1))

    h = o.max_pool(convolved(t["x"], "strokes", 2), 2, 2, 0)
    h = o.max_pool(convolved(h, "shapes", 0), 2, 2, 0).reshape(-1, 400)
    h = o.relu(o.relu(h @ t["first.W"] + t["first.b"]) @ t["second.W"] + t["second.b"])
    return h @ t["last.W"] + t["last.b"]


def resnet18(o, t):
    """The logits of each class; each normalisation is a gain and a bias of its channels."""

    def normalized(x, name, stride=1):
        w = t[name + ".W"]
        y = o.convolve(x, w, stride, w.shape[-1] // 2)
        return y * t[name + ".gain"].reshape(-1, 1, 1) + t[name + ".bias"].reshape(-1, 1, 1)

    x = o.max_pool(o.relu(normalized(t["x"], "stem", 2)), 3, 2, 1)
    for i in range(1, 9):
        name, halves = f"block_{i}.", i in (3, 5, 7)
        h = o.relu(normalized(x, name + "first", 2 if halves else 1))
        beside = normalized(x, name + "shortcut", 2) if halves else x
        x = o.relu(beside + normalized(h, name + "second"))
    return x.mean((2, 3)) @ t["last.W"] + t["last.b"]


def lstm(o, t):
    return o.lstm(t["x"], t["cell.W"], t["cell.U"], t["cell.b"])


def softmax_of(network):
    return lambda o, t: o.softmax(network(o, t))


def cross_entropy_of(network):
    return lambda o, t: o.cross_entropy(network(o, t), t["label"])
