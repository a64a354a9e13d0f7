"""What a run says: the table of its cases, the means of their groups, and a picture of both."""
import math


def milliseconds(seconds):
    return f"{1e3 * seconds:.4g}"


def table(rows, names):
    head = ["case", "type", "floor, ms", "by", "ours, ms", "of the floor"] + names
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---" for _ in head) + " |"]
    for row in rows:
        ours = row["medians"].get("ours")
        cells = [row["case"], row["type"], milliseconds(row["floor"]), row["bound"],
                 milliseconds(ours) if ours else "–", f"{100 * row['floor'] / ours:.0f} %" if ours else "–"]
        for name in names:
            time_ = row["medians"].get(name)
            ratio = row["ratios"].get(name)
            cells.append("–" if time_ is None else milliseconds(time_) + (f" ({ratio:.2f})" if ratio else ""))
        lines.append("| " + " | ".join(cells) + " |")
    notes = [f"- {row['case']}, {row['type']}: {who}: {why}" for row in rows for who, why in row["problems"].items()]
    return "\n".join(lines + [""] + notes)


def best_ratio(row):
    """The fastest peer's time over ours, and who it is."""
    ratios = row["ratios"]
    name = min(ratios, key=ratios.get)
    return ratios[name], name


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def groups(rows):
    """A line for each group of cases: the geometric mean of `best_ratio`, the least and the largest."""
    compared = [row for row in rows if row["ratios"]]
    if not compared:
        return ""
    by_group = {}
    for row in compared:
        by_group.setdefault(row["group"], []).append(best_ratio(row)[0])
    lines = ["| group | the fastest peer's time over ours, geometric mean | least | largest | cases |",
             "| --- | --- | --- | --- | --- |"]
    for group, ratios in [*by_group.items(), ("all", [ratio for part in by_group.values() for ratio in part])]:
        lines.append(f"| {group} | {geometric_mean(ratios):.2f} | {min(ratios):.2f} | {max(ratios):.2f} | {len(ratios)} |")
    return "\n".join(lines)


def costs(rows):
    """A line for each network: what telc took to compile it, and the workspace of its calls."""
    lines = ["| case | telc, s of processor time | its memory, MiB | object, KiB | workspace, KiB |",
             "| --- | --- | --- | --- | --- |"]
    for row in rows:
        cost = row["compile"]
        lines.append(f"| {row['case']}, {row['type']} | {cost['seconds']:.2f} | {cost['memory'] / 2**20:.0f} | "
                     f"{cost['object'] / 1024:.0f} | {row['workspace'] / 1024:.0f} |")
    return "\n".join(lines)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def picture(rows, title):
    """SVG: a bar for each case from 1 to the fastest peer's time over ours, on a logarithmic axis."""
    compared = [row for row in rows if row["ratios"]]
    left, line, top, width = 250, 18, 46, 520
    ratios = [best_ratio(row) for row in compared]
    span = max([1.0] + [abs(math.log2(ratio)) for ratio, _ in ratios])
    steps = math.ceil(span)
    at = lambda ratio: left + width / 2 + width / 2 * math.log2(ratio) / steps
    height = top + line * len(compared) + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 190}" height="{height}" '
             'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="#ffffff"/>',
             f'<text x="10" y="18" font-size="14">{escape(title)}</text>']
    for power in range(-steps, steps + 1):
        x = at(2.0**power)
        name = f"{2**power}x" if power >= 0 else f"1/{2**-power}x"
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 6}" y2="{height - 24}" '
                     f'stroke="{"#444444" if power == 0 else "#dddddd"}"/>')
        parts.append(f'<text x="{x:.1f}" y="{top - 10}" text-anchor="middle" fill="#555555">{name}</text>')
    for number, (row, (ratio, name)) in enumerate(zip(compared, ratios)):
        y = top + line * number
        begin, end = sorted((at(1.0), at(ratio)))
        parts.append(f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{escape(row["case"])}</text>')
        parts.append(f'<rect x="{begin:.1f}" y="{y + 3}" width="{max(1.0, end - begin):.1f}" height="{line - 6}" '
                     f'fill="{"#2f7d4f" if ratio >= 1 else "#c0504d"}"/>')
        parts.append(f'<text x="{left + width + 10}" y="{y + 13}" fill="#333333">{ratio:.2f} {escape(name)}</text>')
    parts.append(f'<text x="{left + width / 2}" y="{height - 8}" text-anchor="middle" fill="#555555">'
                 "the fastest peer's time over ours: to the right of 1x, ours is faster</text>")
    return "\n".join(parts + ["</svg>", ""])
