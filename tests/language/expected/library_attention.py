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
        p.output(f"y{i}", f"c{i}({rows})", multi_head(a, a, w, heads))
        p.output(f"u{i}", f"c{i}.causal({rows})", multi_head(a, a, w, heads, True))
        p.output(f"v{i}", f"c{i}.attend({rows}, {others})", multi_head(a, b, w, heads))


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
        parts = ", ".join(f"transpose(c{i}.{each}(x) as [N x T x {many} x {8 // heads}], [0, 2, 1, 3])"
                          for each, many in (("query", heads), ("key", groups), ("value", groups)))
        p.output(f"w{i}", f"grouped_causal_attention({parts})", F.scaled_dot_product_attention(q, k, v, is_causal=True))
        for name, causal in (("y", False), ("z", True)):
            h = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
            p.output(f"{name}{i}", f"c{i}{'.causal' if causal else ''}(x)",
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
        table = torch.stack([angle.sin(), angle.cos()], -1).reshape(t, d)
        p.output(f"z{i}", f"(x as {shape}) + sinusoidal(x as {shape}, offset: {offset}, base: {base})", value + table)


@program("Blocks of transformers that encode and that generate.", "transformer")
def transformer_blocks(p):
    p.largest = 7
    x = p.input("x", "[N x T x 4]", p.draw(2, 3, 4))
    for i in range(20):
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


def keep(p, at, history, new, capacity):
    """Gives a KeyValueCache its states after `history`, [..., positions, size] of keys and of values, and compares the
    next ones with those after `new` too. Rows that no position has had hold numbers that nothing depends on."""
    count, t = history[0].shape[-2], new[0].shape[-2]
    p.net_state(f"{at}.count", torch.tensor(count), torch.tensor(count + t))
    for name, before, rows in zip(("keys", "values"), history, new):
        kept = p.draw(*before.shape[:-2], capacity, before.shape[-1])
        for position in range(count):
            kept[..., position % capacity, :] = before[..., position, :]
        after = kept.clone()
        for i in range(t):
            after[..., (count + i) % capacity, :] = rows[..., i, :].detach()
        p.net_state(f"{at}.{name}", kept, after)


def attend_to_last(q, history, new, capacity):
    """Attention of new positions to the last ones up to their own, at most `capacity`, in the whole sequence."""
    k, v = (torch.cat(parts, -2) for parts in zip(history, new))
    position, key = torch.arange(k.shape[-2])[-q.shape[-2]:, None], torch.arange(k.shape[-2])
    return F.scaled_dot_product_attention(q, k, v, attn_mask=(key <= position) & (key > position - capacity))


COUNTS = (0, 1, 3, 2, 5, 7, 4, 11, 3, 6, 0, 1, 9, 2, 5, 8, 4, 12, 3, 6)  # positions read before, of which more or fewer than the capacity are kept


def add_cache(p, name, number, tensors, count, batch, heads, groups, t, capacity, size, shared):
    """Reads t positions behind `count` others with a KeyValueCache; `shared` is how its instance writes the groups."""
    shapes = [(batch, each, t, size) for each in (heads, groups, groups)]
    values = [x[:torch.Size(shape).numel()].reshape(shape) for x, shape in zip(tensors, shapes)]
    history = [p.draw(batch, groups, count, size) for _ in "kv"]
    p.instances.append(f"{name}{number}: KeyValueCache({batch}, heads: {heads}, capacity: {capacity}, size: {size}{shared})")
    keep(p, f"{name}{number}", history, values[1:], capacity)
    text = ", ".join(f"{x}[0:{torch.Size(shape).numel()}] as [{' x '.join(map(str, shape))}]"
                     for x, shape in zip("qkv", shapes))
    repeated = [[x.repeat_interleave(heads // groups, 1) for x in each] for each in (history, values[1:])]
    p.output(f"{name}_y{number}", f"{name}{number}({text})", attend_to_last(values[0], *repeated, capacity))


@program("Keys and values that are kept while a sequence is read.", "transformer")
def key_value_caches(p):
    p.entry = "gradient"
    tensors = [p.parameter(name, "[48]", p.draw(48)) for name in "qkv"]
    for i, count in enumerate(COUNTS[:10]):
        batch, heads, size = p.random.choice([1, 2]), p.random.choice([1, 2]), p.random.choice([1, 2, 3])
        t, capacity = 5 if i == 8 else p.random.choice([1, 2, 4]), p.random.choice([3, 4, 6])
        add_cache(p, "c", i, tensors, count, batch, heads, heads, t, capacity, size, "")
        add_cache(p, "g", i, tensors, count, batch, heads, 1, t, capacity, size, ", groups: 1")
    # Several groups, of several heads each.
    for i, (count, heads, groups, t, capacity, size) in enumerate(
            [(5, 4, 2, 3, 4, 2), (0, 6, 3, 2, 3, 1), (7, 6, 2, 1, 6, 2), (2, 8, 4, 2, 3, 1), (3, 4, 2, 2, 3, 3)]):
        add_cache(p, "h", i, tensors, count, 1 + i // 4, heads, groups, t, capacity, size, f", groups: {groups}")


@program("Attention and blocks that read a sequence piece by piece.", "transformer")
def cached_blocks(p):
    p.entry = "gradient"
    x = p.parameter("x", "[32]", p.draw(32))
    for i, count in enumerate(COUNTS):
        batch, heads, n = p.random.choice([1, 2]), p.random.choice([1, 2]), p.random.choice([2, 4])
        t, capacity, hidden = p.random.choice([1, 2, 4]), p.random.choice([3, 5]), p.random.randint(1, 5)
        rows, value = f"x[0:{batch * t * n}] as [{batch} x {t} x {n}]", x[:batch * t * n].reshape(batch, t, n)
        at = "attend__" if i % 2 else ""
        shapes = linear_shapes(n, n, *(at + each for each in PARTS))
        size = f"{n}, heads: {heads}, capacity: {capacity}"
        if at:
            shapes |= {f"{each}__{part}": (n,) for each in ("attention_norm", "forward__norm") for part in ("gain", "shift")}
            shapes |= linear_shapes(n, hidden, "forward__inner__up") | linear_shapes(hidden, n, "forward__inner__down")
            w = p.net(f"c{i}", f"CachedDecoderBlock({size}, hidden: {hidden}, batch: {batch})", **shapes)
            seen = F.layer_norm(value, (n,), w["attention_norm__gain"], w["attention_norm__shift"])
        else:
            w, seen = p.net(f"c{i}", f"CachedAttention({size}, batch: {batch})", **shapes), value
        q, *new = (heads_of(linear(seen, w, at + each), heads) for each in PARTS[:3])
        history = [p.draw(batch, heads, count, n // heads) for _ in new]
        keep(p, f"c{i}.{at.replace('__', '.')}cache", history, new, capacity)
        h = attend_to_last(q, history, new, capacity).transpose(1, 2).reshape(value.shape)
        h = linear(h, w, at + "output")
        if at:
            h = value + h
            norm = F.layer_norm(h, (n,), w["forward__norm__gain"], w["forward__norm__shift"])
            h = h + feed_forward(norm, w, "forward__inner__")
        p.output(f"y{i}", f"c{i}({rows})", h)
