"""Attention, positions, and the blocks of transformers."""
import torch
import torch.nn.functional as F

from library import program
from library_layers import feed_forward


def linear(x, w, at):
    return F.linear(x, w[at + "__W"].T, w[at + "__b"])


def linear_shapes(n, m, *names):
    result = {}
    for name in names:
        result |= {name + "__W": (n, m), name + "__b": (m,)}
    return result


@program("Scaled dot-product attention, with all keys, the earlier ones, and chosen ones.", "transformer")
def attentions(p):
    q = p.input("q", "[N x 24]", p.draw(2, 24))
    k = p.input("k", "[N x 24]", p.draw(2, 24))
    v = p.input("v", "[N x 24]", p.draw(2, 24))
    for i in range(10):
        d = p.random.choice([1, 2, 3])
        t, u = p.random.choice([2, 4]), 8
        e = p.random.choice([1, 2, 3])
        heads = p.random.choice([1, 24 // (u * max(d, e))])
        shape = lambda n, m: f"[N x {heads} x {n} x {m}]"
        part = lambda x, n, m: x[:, :heads * n * m].reshape(2, heads, n, m)
        text = ", ".join(f"{x}[:, 0:{heads * n * m}] as {shape(n, m)}" for x, n, m in (("q", t, d), ("k", u, d), ("v", u, e)))
        values = part(q, t, d), part(k, u, d), part(v, u, e)
        p.output(f"y{i}", f"attention({text})", F.scaled_dot_product_attention(*values))
        mask = torch.tensor([[b <= a + u - t for b in range(u)] for a in range(t)])
        p.output(f"z{i}", f"causal_attention({text})", F.scaled_dot_product_attention(*values, attn_mask=mask))
        chosen = torch.tensor([[(a + b) % 3 != 1 for b in range(u)] for a in range(t)])
        grid = f"((iota({t}) as int32[{t} x 1]) + iota({u})) % 3 != 1"
        p.output(f"w{i}", f"masked_attention({text}, broadcast({grid}, to: {shape(t, u)}))",
                 F.scaled_dot_product_attention(*values, attn_mask=chosen))


def heads_of(x, heads):
    return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)


def multi_head(x, memory, w, heads, causal=False, at=""):
    q, k, v = (heads_of(linear(y, w, at + name), heads)
               for y, name in ((x, "query"), (memory, "key"), (memory, "value")))
    h = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return linear(h.transpose(1, 2).reshape(x.shape), w, at + "output")


PARTS = ("query", "key", "value", "output")


@program("Attention of several heads: over itself, over earlier positions, over another sequence.", "transformer")
def multi_head_attention(p):
    p.largest = 20
    x = p.input("x", "[N x T x 8]", p.draw(2, 3, 8))
    z = p.input("z", "[N x S x 8]", p.draw(2, 4, 8))
    for i in range(10):
        heads, n = p.random.choice([1, 2, 4]), p.random.choice([4, 8])
        w = p.net(f"c{i}", f"MultiHeadAttention({n}, heads: {heads})", **linear_shapes(n, n, *PARTS))
        rows, others = f"x[:, :, 0:{n}]", f"z[:, :, 0:{n}]"
        a, b = x[:, :, :n], z[:, :, :n]
        if i % 3 == 0:
            p.output(f"y{i}", f"c{i}({rows})", multi_head(a, a, w, heads))
        elif i % 3 == 1:
            p.output(f"y{i}", f"c{i}.causal({rows})", multi_head(a, a, w, heads, True))
        else:
            p.output(f"y{i}", f"c{i}.attend({rows}, {others})", multi_head(a, b, w, heads))


@program("Attention in which heads share keys and values.", "transformer")
def grouped_query_attention(p):
    p.largest = 20
    x = p.input("x", "[N x T x 8]", p.draw(2, 3, 8))
    for i in range(10):
        heads, groups = p.random.choice([(4, 2), (4, 1), (2, 1), (2, 2), (4, 4), (8, 2)])
        m = groups * (8 // heads)
        w = p.net(f"c{i}", f"GroupedQueryAttention(8, heads: {heads}, groups: {groups})",
                  **linear_shapes(8, 8, "query"), **linear_shapes(8, m, "key", "value"),
                  **linear_shapes(8, 8, "output"))
        q = heads_of(linear(x, w, "query"), heads)
        k, v = (heads_of(linear(x, w, each), groups).repeat_interleave(heads // groups, 1)
                for each in ("key", "value"))
        h = F.scaled_dot_product_attention(q, k, v, is_causal=i % 2 == 1)
        p.output(f"y{i}", f"c{i}{'.causal' if i % 2 else ''}(x)",
                 linear(h.transpose(1, 2).reshape(x.shape), w, "output"))


@program("Positions: pairs of elements that are turned, and sines and cosines.", "transformer")
def positions(p):
    x = p.input("x", "[N x 24]", p.draw(2, 24))
    for i, (t, d) in enumerate(((1, 2), (2, 2), (3, 2), (3, 4), (6, 4), (2, 6), (4, 6), (2, 12), (3, 8), (1, 24))):
        rows, offset = 24 // (t * d), p.random.randint(0, 5)
        base = p.random.choice([10000, 100])
        shape, value = f"[N x {rows} x {t} x {d}]", x.reshape(2, rows, t, d)
        pairs = torch.arange(d // 2, dtype=torch.float64)
        angle = (torch.arange(t, dtype=torch.float64)[:, None] + offset) * base ** (-2 * pairs / d)
        cos, sin = torch.cat([angle.cos()] * 2, -1), torch.cat([angle.sin()] * 2, -1)
        half = torch.cat([-value[..., d // 2:], value[..., :d // 2]], -1)
        p.output(f"y{i}", f"rotary(x as {shape}, offset: {offset}, base: {base})", value * cos + half * sin)
        angle = torch.arange(t, dtype=torch.float64)[:, None] * base ** (-2 * pairs / d)
        table = torch.stack([angle.sin(), angle.cos()], -1).reshape(t, d)
        p.output(f"z{i}", f"(x as {shape}) + sinusoidal(x as {shape}, base: {base})", value + table)


@program("Blocks of transformers that encode and that generate.", "transformer")
def transformer_blocks(p):
    p.largest = 20
    x = p.input("x", "[N x T x 4]", p.draw(2, 3, 4))
    for i in range(10):
        heads, n, hidden = p.random.choice([1, 2]), p.random.choice([2, 4]), p.random.randint(1, 5)
        kind = "DecoderBlock" if i % 2 else "EncoderBlock"
        shapes = {"attention_norm__gain": (n,), "attention_norm__shift": (n,)}
        shapes |= linear_shapes(n, n, *("attend__" + each for each in PARTS))
        shapes |= {"forward__norm__gain": (n,), "forward__norm__shift": (n,)}
        shapes |= linear_shapes(n, hidden, "forward__inner__up") | linear_shapes(hidden, n, "forward__inner__down")
        w = p.net(f"c{i}", f"{kind}({n}, heads: {heads}, hidden: {hidden})", **shapes)
        value = x[:, :, :n]
        norm = F.layer_norm(value, (n,), w["attention_norm__gain"], w["attention_norm__shift"])
        value = value + multi_head(norm, norm, w, heads, kind == "DecoderBlock", "attend__")
        norm = F.layer_norm(value, (n,), w["forward__norm__gain"], w["forward__norm__shift"])
        p.output(f"y{i}", f"c{i}(x[:, :, 0:{n}])", value + feed_forward(norm, w, "forward__inner__"))
