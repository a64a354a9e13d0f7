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
